"""HELM's ranking statistics: the measures, the same for the retrieved passages alone, and each passage's place."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from holoscope.core import Json, Trial
from holoscope.metrics.ranking import MEASURES, Passage, of_passages, passages


def ranking_values(trial: Trial, args: Mapping[str, Json]) -> Iterator[tuple[str, float]]:
    """What HELM's ranking metric with these arguments records for one trial, in its order."""
    correct, wrong = str(args.get("correct_output", "Yes")), str(args.get("wrong_output", "No"))

    def read(text: str) -> int:
        said = text.strip().lower()
        return 2 if said == correct.lower() else int(said == wrong.lower())

    found = passages(trial, read, helm=True)
    if isinstance(found, str):
        return
    ranked = sorted(found, key=lambda p: p.order, reverse=True)
    deepest = cast("int | None", args.get("rank"))
    yield from _measures(ranked, args, None, "")
    if deepest:
        yield from _measures(ranked, args, deepest, f" (topk={deepest})")
    for place, passage in enumerate(ranked):
        yield f"ref{passage.position}_rank", place


def _measures(
    ranked: Sequence[Passage], args: Mapping[str, Json], deepest: int | None, suffix: str
) -> Iterator[tuple[str, float]]:
    graded = bool(args.get("multiple_relevance_values"))
    for name in cast("Sequence[str]", args["measure_names"]):
        measure, _, k = name.partition(".")
        title = MEASURES.get(measure, measure.capitalize())
        value = of_passages(title, ranked, k=int(k) if k else None, graded=graded, deepest=deepest)
        yield f"{title}@{k}{suffix}" if k else title + suffix, value
