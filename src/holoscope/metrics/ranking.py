"""Ranking passages for a query: NDCG, reciprocal rank, recall and success at k.

Each passage was asked for by itself. Those that the model finds relevant come first, by how sure it is; then those it
rejects, the least sure first; then those without a clear answer. Relevance is in the passages' tags (`relevance=2`).
The formulas are those of `trec_eval`: NDCG's gain is the relevance itself, and where relevance has more than two
values, the other measures count only values above 1. Passages that nothing tells apart are in random order, not in that
of the file.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from holoscope.core import Json, Metric, MetricSpec, Outcome, Reference, Score, Trial, rng
from holoscope.metrics.confidence import NO_LOGPROBS
from holoscope.metrics.normalise import fold

ScoreFunction = Callable[..., Score]

FAMILY = "ranking"
MEASURES = {"ndcg_cut": "NDCG", "recip_rank": "RR", "recall": "Recall", "success": "Success"}
"""Name of the measure in `trec_eval` -> in a table."""

_YES, _NO, _NEITHER = 2, 1, 0
_TITLES = {"NDCG": "NDCG", "RR": "Reciprocal rank", "Recall": "Recall", "Success": "Success"}


class Passage(NamedTuple):
    """One passage: what is known of it, and what the model says."""

    position: int
    """Of the reference in the instance."""
    relevance: int
    """0 where it is not judged."""
    rank: int | None
    """Its place in the retrieved list that was to be ordered again; None for one added as a judged passage."""
    said: int
    """2 for relevant, 1 for not, 0 for anything else."""
    logprob: float

    @property
    def order(self) -> tuple[int, float]:
        """Sorts the passages, the best last."""
        return self.said, self.logprob if self.said == _YES else -self.logprob


def measured(measure: str, ranked: Sequence[int], relevance: Sequence[int], k: int | None) -> float:
    """A measure of the relevances in ranked order, given those of all judged passages."""
    top = ranked if k is None else ranked[:k]
    if measure == "NDCG":
        best = _gain(sorted(relevance, reverse=True)[:k])
        return _gain(top) / best if best else 0.0
    if measure == "RR":
        return next((1 / place for place, value in enumerate(top, 1) if value), 0.0)
    found = sum(value > 0 for value in top)
    if measure == "Success":
        return float(found > 0)
    relevant = sum(value > 0 for value in relevance)
    return found / relevant if relevant else 0.0


def of_passages(
    measure: str, ranked: Sequence[Passage], *, k: int | None, graded: bool, deepest: int | None = None
) -> float:
    """A measure of passages in ranked order; `deepest` leaves out those ranked lower in the retrieved list."""
    above = 1 if graded and measure != "NDCG" else 0

    def worth(passage: Passage) -> int:
        return int(passage.relevance > above) if above else passage.relevance

    kept = [p for p in ranked if deepest is None or (p.rank is not None and 0 < p.rank <= deepest)]
    return measured(measure, list(map(worth, kept)), list(map(worth, ranked)), k)


def ranking(measure: str) -> ScoreFunction:
    """The metric `measure` of a trial."""

    def score(
        trial: Trial,
        k: int | None = None,
        rank: int | None = None,
        correct_output: str = "Yes",
        wrong_output: str = "No",
        multiple_relevance_values: bool = False,
    ) -> Score:
        found = passages(trial, _reader(correct_output, wrong_output))
        if isinstance(found, str):
            return Score(measure, None, Outcome.NOT_SUPPORTED, found)
        rng(0, FAMILY, trial.instance.id).shuffle(found)
        ranked = sorted(found, key=lambda p: p.order, reverse=True)
        value = of_passages(measure, ranked, k=k, graded=multiple_relevance_values, deepest=rank)
        first = trial.instance.references[ranked[0].position].text
        return Score(measure, value, rule="ranked_passages", answer=first[:100])

    return score


def passages(trial: Trial, read: Callable[[str], int], *, helm: bool = False) -> list[Passage] | str:
    """The trial's passages in the order asked, or why they can't be ranked. HELM takes a missing number for 0."""
    found = []
    for exchange in trial.exchanges:
        position = exchange.planned.reference_index
        if position is None:
            return "the passages were not asked for one by one"
        choice = exchange.completion.choices[0] if exchange.completion.choices else None
        logprob = choice.logprob if choice else None
        if logprob is None and not helm:
            return NO_LOGPROBS
        reference = trial.instance.references[position]
        relevance, rank = _tag(reference, "relevance") or 0, _tag(reference, "rank")
        found.append(Passage(position, relevance, rank, read(choice.text if choice else ""), logprob or 0.0))
    return found or "the instance has no passages"


def members(args: Mapping[str, Json]) -> Iterator[MetricSpec]:
    """The metrics that HELM's `ranking` with these arguments stands for, but its copies with another suffix."""
    kept = {key: args[key] for key in ("correct_output", "wrong_output", "multiple_relevance_values") if key in args}
    for name in cast("Sequence[str]", args.get("measure_names", ())):
        measure, _, k = name.partition(".")
        yield MetricSpec(f"{MEASURES.get(measure, measure)}@{k}" if k else MEASURES.get(measure, measure), kept)


def cards() -> Sequence[Metric]:
    return [
        Metric(
            name=name,
            version="1",
            axis="accuracy",
            title=title,
            ends=(0.0, 1.0),
            score=ranking(name),
            needs=("references",),
        )
        for name, title in _TITLES.items()
    ]


def _reader(correct: str, wrong: str) -> Callable[[str], int]:
    said = {_bare(correct): _YES, _bare(wrong): _NO}
    return lambda text: said.get(_bare(text), _NEITHER)


def _bare(text: str) -> str:
    return fold(text).strip(" .,:;!?\"'*()[]")


def _tag(reference: Reference, name: str) -> int | None:
    return next((int(tag.partition("=")[2]) for tag in reference.tags if tag.startswith(f"{name}=")), None)


def _gain(relevances: Sequence[int]) -> float:
    return math.fsum(value / math.log2(place + 1) for place, value in enumerate(relevances, 1))
