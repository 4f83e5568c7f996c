"""What one metric gave on each instance of a stored run: what paired comparisons are made of.

An instance has one value, the mean over its repetitions and draws of in-context examples, as in the grid's cells. The
cells `robustness` and `fairness` take the worst over an instance's forms, so that is what its value is there; where one
of the forms has none, neither has the instance. Only the columns needed are read.
"""

from pathlib import Path
from typing import NamedTuple

import msgspec

from holoscope.core import PerturbationDescription
from holoscope.metrics.rows import KINDS
from holoscope.store import SCORES, StoredRun, read_columns

_OF_FORMS = ("instance_id", "cluster", "train_trial_index", "trial", "value", "perturbation_json")

_perturbation = msgspec.json.Decoder(PerturbationDescription).decode


class InstanceValues(NamedTuple):
    """Values by instance, in plan order."""

    ids: tuple[str, ...]
    values: tuple[float, ...]
    clusters: tuple[str, ...] | None
    """Passages or templates that instances share, an instance without one being its own; None where none has any."""
    n_missing: int
    """Instances that were scored and have no value."""


class _Trials(NamedTuple):
    """What each trial gave, as columns."""

    ids: list[str]
    clusters: list[str | None]
    values: list[float | None]


def instance_values(
    run: StoredRun, metric: str, split: str, perturbation: str | None = None, *, lower_is_better: bool = False
) -> InstanceValues | None:
    """The values behind a cell of the grid; None where it was not made of values by instance."""
    path = run.path / SCORES
    if not path.exists():
        return None
    if perturbation in KINDS:
        trials = _worst(path, metric, split, str(perturbation), lower_is_better=lower_is_better)
    else:
        trials = _plain(path, metric, split, perturbation)
    return _by_instance(trials) if trials.ids else None


def _plain(path: Path, metric: str, split: str, perturbation: str | None) -> _Trials:
    only: dict[str, list[str | None]] = {"metric": [metric], "split": [split], "perturbation": [perturbation]}
    found = _Trials([], [], [])
    for batch in read_columns(path, ("instance_id", "cluster", "value"), only):
        found.ids.extend(batch["instance_id"])
        found.clusters.extend(batch["cluster"])
        found.values.extend(batch["value"])
    return found


def _worst(path: Path, metric: str, split: str, kind: str, *, lower_is_better: bool) -> _Trials:
    pick = max if lower_is_better else min
    forms: dict[tuple[str, int, int], list[float | None]] = {}
    own: dict[tuple[str, int, int], str | None] = {}
    is_kind: dict[str | None, bool] = {None: True}
    for batch in read_columns(path, _OF_FORMS, {"metric": [metric], "split": [split]}):
        columns = (batch[name] for name in _OF_FORMS)
        for identity, cluster, train_trial, trial, value, described in zip(*columns, strict=True):
            if described not in is_kind:
                is_kind[described] = KINDS[kind](_perturbation(described))
            if is_kind[described]:
                forms.setdefault((identity, train_trial, trial), []).append(value)
            if described is None:
                own[identity, train_trial, trial] = cluster
    worst: list[float | None] = []
    for key in own:
        known = [value for value in forms[key] if value is not None]
        worst.append(pick(known) if len(known) == len(forms[key]) else None)
    return _Trials([key[0] for key in own], [*own.values()], worst)


def _by_instance(trials: _Trials) -> InstanceValues:
    """The mean of each instance's values."""
    asked = set(trials.ids)
    known = [k for k, value in enumerate(trials.values) if value is not None]
    ids, clusters = [trials.ids[k] for k in known], [trials.clusters[k] for k in known]
    values = [value for value in trials.values if value is not None]
    if len(asked) < len(trials.ids):
        within: dict[str, list[float]] = {}
        for identity, value in zip(ids, values, strict=True):
            within.setdefault(identity, []).append(value)
        of = dict(zip(ids, clusters, strict=True))
        ids, clusters = [*within], [of[identity] for identity in within]
        values = [sum(same) / len(same) for same in within.values()]
    labels = None
    if any(cluster is not None for cluster in clusters):
        labels = tuple(
            f"id {identity}" if cluster is None else f"cluster {cluster}"
            for identity, cluster in zip(ids, clusters, strict=True)
        )
    return InstanceValues(tuple(ids), tuple(values), labels, len(asked) - len(ids))
