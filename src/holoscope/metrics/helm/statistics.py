"""HELM's `stats.json` and `per_instance_stats.json` for a run, from the same trials that our scores are made of.

A run is evaluated in three sections, as HELM's metric classes do: generated completions, references asked for one by
one, and language modelling; then instances are counted. Within a section each train trial is averaged by itself and
the trials' means are merged, so a statistic's count is the number of train trials. Bias, which only a set has, stands
where the run lists it. Repetitions (`--trials`) have no place in HELM's format: the first is taken. Toxicity is left
out, as HELM leaves it out without a key for the Perspective API: its name there stands for that classifier.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from holoscope.core import Exchange, Json, RunSpec, Trial
from holoscope.metrics.families import expanded
from holoscope.metrics.helm.classification import CLASSIFICATIONS, classified
from holoscope.metrics.helm.derived import Observed, calibration, perplexity, worst_cases
from holoscope.metrics.helm.grouped import NAMES as GROUPED
from holoscope.metrics.helm.grouped import grouped
from holoscope.metrics.helm.observed import (
    Observer,
    Stored,
    TrainingCost,
    Value,
    counts_in_helm,
    language_modeling,
    nothing_stored,
    separate,
)
from holoscope.metrics.helm.own import OWN
from holoscope.metrics.helm.programs import PROGRAM_CLASSES, PROGRAMS
from holoscope.metrics.helm.stat import Context, Name, Stat, merge_into, without_nan
from holoscope.metrics.helm.strings import FUNCTIONS

__all__ = ["TrainingCost", "statistics"]

Stats = dict[Name, Stat]
Rows = list[dict[str, Json]]

_LANGUAGE_MODELING = "language_modeling"
_BY_JUDGES_AND_BASIC = frozenset({"safety", "air_bench_2024"})
"""Classes whose runs have, beside what a judge says, what HELM records of any request."""
_UNSAID = frozenset({"instruction_following_critique", "ood_knowledge", "privacy_leakage", "stereotypes"})
"""Classes whose runs have nothing beside them, and that say nothing which can be had here or that HELM gets right."""
_ALONE = frozenset({"apps"})
"""Classes whose runs have nothing beside them."""
_CALIBRATED = "multiple_choice_separate_calibrated"


def statistics(
    run_spec: RunSpec,
    trials: Sequence[Trial],
    *,
    request_time: float | None = None,
    training: TrainingCost | None = None,
    stored: Stored = nothing_stored,
) -> tuple[Rows, Rows]:
    """HELM's statistics of a run: of the whole, and per instance.

    `request_time` stands in for that of completions that carry none. Trials that HELM would have died of (an endpoint
    that never answered, a prompt too long to send) are left out; `num_instances` says how many remain. `stored` gives
    what running a trial's program said, which is not done again here.
    """
    names = tuple(m.name for m in run_spec.metrics if m.name in FUNCTIONS or m.name in PROGRAMS)
    listed = {metric.name for metric in run_spec.metrics}
    if _UNSAID & listed:
        return [], []
    is_compared = not _BY_JUDGES_AND_BASIC & listed
    observer = Observer(run_spec.adapter, names, request_time, training or TrainingCost(), is_compared, stored)
    kept = [trial for trial in trials if trial.index == 0 and counts_in_helm(trial)]
    if run_spec.adapter.method == _LANGUAGE_MODELING:
        whole, rows = _language_modeling(observer, kept)
    else:
        whole, rows = ([], []) if _ALONE & listed else _instances(observer, kept)
        before, after = _of_groups(run_spec)
        whole = [*grouped(before, kept), *whole, *grouped(after, kept)]
        own, own_rows = _own_classes(run_spec, kept, stored)
        sets = [stat for m in run_spec.metrics if m.name in CLASSIFICATIONS for stat in classified(m, kept)]
        whole, rows = [*whole, *own, *sets], [*rows, *own_rows]
    return [stat.to_json() for stat in without_nan(whole)], rows


def _of_groups(run_spec: RunSpec) -> tuple[list[str], list[str]]:
    """The run's metrics of whole sets: those that it lists before the ones HELM computes by name, and the others."""
    listed = [m.name for m in expanded(run_spec.metrics)]
    first = next((i for i, name in enumerate(listed) if name in FUNCTIONS), 0)
    return [n for n in listed[:first] if n in GROUPED], [n for n in listed[first:] if n in GROUPED]


def _instances(observer: Observer, trials: Sequence[Trial]) -> tuple[list[Stat], Rows]:
    whole: Stats = {}
    rows: Rows = []
    one_by_one = [t for t in trials if t.exchanges[0].planned.reference_index is not None]
    generated = [t for t in trials if t.exchanges[0].planned.reference_index is None]
    for section, derive in ((generated, True), (one_by_one, False)):
        for index, same in groupby(sorted(section, key=_train_trial), key=_train_trial):
            observed = [_observe(observer, trial) for trial in same]
            rows += [_row(o, index) for o in observed]
            _merge_means(whole, _trial_stats(observed, derive=derive))
    return [*whole.values(), *_num_instances(trials)], rows


def _own_classes(run_spec: RunSpec, trials: Sequence[Trial], stored: Stored) -> tuple[list[Stat], Rows]:
    """Statistics of the run's metrics that are classes of their own: each has rows of its own, too."""
    whole: Stats = {}
    rows: Rows = []
    recorded = OWN | {name: partial(_of_programs, stored, members) for name, members in PROGRAM_CLASSES.items()}
    for spec in run_spec.metrics:
        if spec.name not in recorded:
            continue
        for index, same in groupby(sorted(trials, key=_train_trial), key=_train_trial):
            observed = [_observe_own(recorded[spec.name](trial, spec.args), trial) for trial in same]
            rows += [_row(o, index) for o in observed if o.stats]
            _merge_means(whole, _trial_stats(observed, derive=False))
    return list(whole.values()), rows


def _of_programs(
    stored: Stored, members: Sequence[str], trial: Trial, args: Mapping[str, Json]
) -> list[tuple[str, float | None]]:
    found = stored(trial)
    return [(name, found[name]) for name in members if name in found]


def _observe_own(values: Iterable[Value], trial: Trial) -> Observed:
    context = Context.of(trial.instance)
    return Observed(trial.instance.id, context, _stats(values, context))


def _observe(observer: Observer, trial: Trial) -> Observed:
    context = Context.of(trial.instance)
    if trial.exchanges[0].planned.reference_index is None:
        stats = _stats(observer.generation(trial), context)
    else:
        values = (value for exchange in trial.exchanges for value in observer.request(exchange))
        calibrated = observer.adapter.method == _CALIBRATED
        stats = [*_stats(values, context), *_stats(separate(trial, calibrated=calibrated), context)]
    return Observed(trial.instance.id, context, stats)


def _stats(values: Iterable[Value], context: Context) -> list[Stat]:
    """Statistics by name; values of one name (of several requests) are counted together."""
    stats: Stats = {}
    for name, value in values:
        key = Name(name, context)
        stats.setdefault(key, Stat(key)).add(value)
    return list(stats.values())


def _trial_stats(observed: Sequence[Observed], *, derive: bool) -> Stats:
    stats: Stats = {}
    for row in observed:
        for stat in row.stats:
            merge_into(stats, stat)
    contexts = list(dict.fromkeys(row.context for row in observed))
    derived = [stat for context in contexts for stat in perplexity(stats, context)] if derive else []
    if derive:
        derived += [stat for context in contexts for stat in calibration(observed, context)]
    for stat in (*derived, *worst_cases(observed)):
        merge_into(stats, stat)
    return stats


def _language_modeling(observer: Observer, trials: Sequence[Trial]) -> tuple[list[Stat], Rows]:
    observed = [_observe_window(observer, exchange) for trial in trials for exchange in trial.exchanges]
    stats: Stats = {}
    for row in observed:
        for stat in row.stats:
            merge_into(stats, stat)
    for context in dict.fromkeys(row.context for row in observed):
        for stat in perplexity(dict(stats), context):
            merge_into(stats, stat)
        ids = {row.instance_id for row in observed if row.context == context}
        merge_into(stats, Stat(Name("num_instances", context)).add(len(ids)))
    whole: Stats = {}
    _merge_means(whole, stats)
    return list(whole.values()), [_row(row, 0) for row in observed]


def _observe_window(observer: Observer, exchange: Exchange) -> Observed:
    instance = exchange.planned.instance
    context = Context.of(instance)
    return Observed(instance.id, context, _stats((*observer.request(exchange), *language_modeling(exchange)), context))


def _num_instances(trials: Sequence[Trial]) -> Iterator[Stat]:
    whole: Stats = {}
    for _, same in groupby(sorted(trials, key=_train_trial), key=_train_trial):
        counts: dict[Context, set[str]] = {}
        for trial in same:
            counts.setdefault(Context.of(trial.instance), set()).add(trial.instance.id)
        for context, ids in counts.items():
            merge_into(whole, Stat(Name("num_instances", context)).add(len(ids)))
    yield from whole.values()


def _merge_means(whole: Stats, stats: Stats) -> None:
    for stat in stats.values():
        merge_into(whole, stat.take_mean())


def _row(observed: Observed, train_trial_index: int) -> dict[str, Json]:
    perturbation = observed.context.perturbation
    row: dict[str, Json] = {"instance_id": observed.instance_id}
    if perturbation:
        row["perturbation"] = perturbation.to_json()
    stats: list[Json] = [stat.to_json() for stat in without_nan(observed.stats)]
    return row | {"train_trial_index": train_trial_index, "stats": stats}


def _train_trial(trial: Trial) -> int:
    return trial.train_trial_index
