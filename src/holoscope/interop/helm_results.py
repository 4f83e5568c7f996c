"""HELM's run folders as run folders of ours: completions, scores, statistics and where they come from.

Whatever of a folder can be read is kept, and what is missing or damaged is said. Importing twice gives the same files:
nothing in them depends on the clock or on the machine. A run that holoscope itself made is never replaced by what
HELM's format kept of it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from holoscope import __version__
from holoscope.core import (
    HELM_COMPAT,
    Exchange,
    Measure,
    Outcome,
    Registry,
    RunSpec,
    Scenario,
    Score,
    StoreError,
    Trial,
    group_trials,
)
from holoscope.interop.helm_folders import HelmFolder
from holoscope.interop.helm_measures import VERSION, measures
from holoscope.interop.helm_reading import DamagedError, Reader
from holoscope.interop.helm_spec_import import model_name
from holoscope.interop.helm_trials import Trials
from holoscope.store import (
    REQUESTS,
    SCORES,
    Imported,
    Manifest,
    ModelSummary,
    Provenance,
    RequestsWriter,
    ScenarioSummary,
    ScoresWriter,
    Status,
    Versions,
    read_manifest,
    run_folder,
    write_manifest,
    write_measures,
)

_IMPORTED = (
    "imported from HELM's result files; intervals take instances as independent, since HELM keeps no note of those "
    "that share a passage or a template"
)
_UNANSWERED = frozenset({Outcome.TRANSPORT_ERROR, Outcome.NOT_SUPPORTED})


class ImportedRun(NamedTuple):
    """A run that was read."""

    suite: str
    run: str
    path: Path
    """Its folder here."""
    notes: tuple[str, ...]
    problems: tuple[str, ...]
    """A line for each file that is damaged."""


class _Seen:
    """What the requests of a run say together."""

    def __init__(self) -> None:
        self.outcomes: Counter[Outcome] = Counter()
        self.reasons: Counter[str] = Counter()
        self.served: tuple[float, float] | None = None
        """Unix times of the first and the last reply."""

    def see(self, exchange: Exchange) -> None:
        completion = exchange.completion
        self.outcomes[completion.outcome] += 1
        if completion.outcome in _UNANSWERED:
            self.reasons[completion.reason] += 1
        if completion.created:
            first, last = self.served or (completion.created, completion.created)
            self.served = min(first, completion.created), max(last, completion.created)


class _Numbers(NamedTuple):
    """Scores by trial, in plan order, and the measures made of them."""

    scores: Iterable[tuple[Trial, Sequence[Score]]]
    measures: Sequence[Measure]


def import_run(found: HelmFolder, out: Path, registry: Registry) -> ImportedRun:
    """Read one of HELM's run folders into `<out>/runs/<suite>`. StoreError where nothing of it can be read."""
    if found.is_empty:
        raise StoreError(f"{found.path}: HELM began this run and left no result")
    reader = Reader(found.path, registry)
    spec = reader.spec()
    folder = run_folder(out, found.suite, f"{spec.name},compat={HELM_COMPAT}")  # where such a run of ours would be
    if _is_ours(folder):
        note = "holoscope made this run itself and keeps more of it than HELM's files do: it is left as it is"
        return ImportedRun(found.suite, spec.name, folder, (note,), ())
    trials, seen = _requests(reader, spec, folder)
    numbers = _numbers(reader, spec, trials, registry)
    _write_scores(folder, numbers)
    write_manifest(folder, _manifest(reader, found, spec, numbers.measures, trials, seen))
    return ImportedRun(found.suite, spec.name, folder, tuple(reader.notes), tuple(reader.problems))


def _is_ours(folder: Path) -> bool:
    try:
        return read_manifest(folder).provenance.imported is None
    except StoreError:
        return False


def _requests(reader: Reader, spec: RunSpec, folder: Path) -> tuple[Trials, _Seen]:
    """Write the requests, and put together what they and the statistics per instance say of each trial."""
    try:
        return _write_requests(folder, reader.exchanges(), reader.trials(spec.adapter))
    except DamagedError:
        return _write_requests(folder, (), reader.trials(spec.adapter))


def _write_requests(folder: Path, exchanges: Iterable[Exchange], trials: Trials) -> tuple[Trials, _Seen]:
    seen = _Seen()
    with RequestsWriter(folder / REQUESTS) as writer:
        for exchange in exchanges:
            trials.see(exchange)
            seen.see(exchange)
            writer.write([trials.with_prompt_tokens(exchange)])
    return trials, seen


def _numbers(reader: Reader, spec: RunSpec, trials: Trials, registry: Registry) -> _Numbers:
    """HELM's own numbers; where its folder has none, those of its completions under its definitions."""
    from holoscope.metrics import TIMED_METRICS

    stats = reader.stats()
    if stats is None and not trials.names and len(trials):
        reader.note("no statistics: the completions were scored here, under HELM's definitions")
        return _scored_here(spec, list(group_trials(reader.exchanges())), registry)
    kept = [name for name in trials.names if name not in TIMED_METRICS]
    scores = ((trials.trial(index), list(trials.scores(index, kept, VERSION))) for index in trials.in_plan_order())
    return _Numbers(scores, measures(stats or [], trials, registry))


def _scored_here(spec: RunSpec, trials: Sequence[Trial], registry: Registry) -> _Numbers:
    from holoscope.metrics import applicable, measure, score

    specs = applicable(spec)
    scores = score(specs, trials, registry, compat=True)
    return _Numbers(zip(trials, scores, strict=True), measure(specs, trials, scores, registry, compat=True))


def _write_scores(folder: Path, numbers: _Numbers) -> None:
    from holoscope.metrics import TIMED_METRICS

    with ScoresWriter(folder / SCORES, leave_out=TIMED_METRICS) as writer:
        for trial, scores in numbers.scores:
            writer.write_trial(trial, scores)
    write_measures(folder, numbers.measures)


def _manifest(
    reader: Reader, found: HelmFolder, spec: RunSpec, made: Sequence[Measure], trials: Trials, seen: _Seen
) -> Manifest:
    status, reason = _status(reader, seen, made)
    first, last = seen.served or (0.0, 0.0)
    model = model_name(spec.adapter)
    return Manifest(
        suite=found.suite,
        spec=spec,
        status=status,
        reason=reason,
        scenario=_scenario(spec, reader.scenario_card(spec), made),
        model=ModelSummary(name=model, deployment=spec.adapter.model_deployment or model),
        versions=Versions(
            prompt=VERSION,
            perturbations={each.name: VERSION for each in spec.augmentation.perturbations},
            metrics={m.metric: m.version for m in made},
        ),
        provenance=Provenance(
            holoscope=__version__,
            python="",
            platform="",
            imported=Imported("HELM", run=found.path.name, files=reader.hashes()),
        ),
        started=datetime.fromtimestamp(first, UTC),
        finished=datetime.fromtimestamp(last, UTC) if last else None,
        instances=trials.instances or _counted(made),
        requests=seen.outcomes.total(),
        outcomes=dict(seen.outcomes),
        notes=(_IMPORTED, *map(reader.portable, reader.notes)),
    )


def _status(reader: Reader, seen: _Seen, made: Sequence[Measure]) -> tuple[Status, str]:
    if reader.problems:
        return "incomplete", reader.portable(reader.problems[0])
    if seen.reasons:
        failed, total = seen.reasons.total(), seen.outcomes.total()
        return "incomplete", f"{failed:,} of {total:,} requests have no answer: {seen.reasons.most_common(1)[0][0]}"
    return ("complete", "") if made else ("incomplete", "HELM's folder holds no statistics and no completions")


def _scenario(spec: RunSpec, card: Scenario | None, made: Sequence[Measure]) -> ScenarioSummary:
    main = _main_metric(spec, card, made)
    splits = Counter(m.split for m in made if m.metric == main)
    wanted = card.main_split if card else "test"
    summary = ScenarioSummary(
        name=spec.scenario.name,
        version="unknown",  # HELM keeps neither revision nor hash of its rows
        main_metric=main,
        main_split=wanted if wanted in splits or not splits else splits.most_common(1)[0][0],
    )
    if card is None:
        return summary
    return replace(
        summary,
        title=card.title,
        chance=card.chance if main == card.main_metric else None,
        licence=card.licence,
        redistribution=card.redistribution,
    )


def _main_metric(spec: RunSpec, card: Scenario | None, made: Sequence[Measure]) -> str:
    """The scenario's, if the run has it; else the first that the run lists and has; else HELM's first score."""
    graded = list(dict.fromkeys(m.metric for m in made if m.axis == "accuracy" and m.perturbation is None))
    listed = [*([card.main_metric] if card and card.main_metric else []), *(metric.name for metric in spec.metrics)]
    return next((name for name in listed if name in graded), (listed or graded or [""])[0])


def _counted(made: Sequence[Measure]) -> int:
    """Instances, by HELM's own statistic of them."""
    numbers = [m for m in made if m.metric == "num_instances" and m.perturbation is None and m.sub_split is None]
    return round(sum(m.value or 0 for m in numbers))
