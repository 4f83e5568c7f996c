"""Which trials make a cell of the grid, and what each of them contributes.

A cell is a split, a sub-split (or all of them) and a perturbation. Beside the cells of each perturbation stand, for
the very instances it changed, the score without it (`typos/original`), the worse of the two (`typos/worst`), and
whether the two differ (`typos/flipped`): a perturbed score over the few changed instances must not be compared with a
score over all. The cells `robustness` and
`fairness` hold, for every instance, the worst score over all its forms of that kind.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from holoscope.core import Instance, Outcome, PerturbationDescription, Score, Trial, canonical

ORIGINAL, WORST, FLIPPED = "original", "worst", "flipped"
KINDS: dict[str, Callable[[PerturbationDescription], bool]] = {
    "robustness": lambda p: p.robustness,
    "fairness": lambda p: p.fairness,
}


class Row(NamedTuple):
    """One trial's contribution to one cell."""

    instance: Instance
    value: float | None
    outcome: Outcome = Outcome.OK
    reason: str = ""


class Cell(NamedTuple):
    """A place in the grid and the indices of its trials."""

    split: str
    sub_split: str | None
    perturbation: str | None
    trials: tuple[int, ...]


class Worst(NamedTuple):
    """A place in the grid whose value comes from several forms of each instance: the worst, as a rule."""

    split: str
    sub_split: str | None
    perturbation: str
    kind: str
    """`robustness`, `fairness`, or empty for a single perturbation."""
    part: str
    """`original`, `worst` or `flipped`, for a single perturbation."""
    forms: tuple[tuple[int, ...], ...]
    """For each instance and repetition, the trials of its forms, the unperturbed one first."""


def cells(trials: Sequence[Trial]) -> list[Cell]:
    """The cells of observed trials: per split all sub-splits together, then each; unperturbed first."""
    labels = perturbation_labels(trials)
    found: dict[tuple[str, str | None, str | None], list[int]] = {}
    for index, trial in enumerate(trials):
        instance = trial.instance
        for sub_split in _sub_splits(instance):
            found.setdefault((instance.split, sub_split, labels[index]), []).append(index)
    order = sorted(found, key=lambda key: (key[2] is not None, key[1] is not None))
    return [Cell(*key, tuple(found[key])) for key in order]


def worst_cells(trials: Sequence[Trial]) -> list[Worst]:
    """The cells that compare an instance's forms; none without perturbed trials."""
    labels = perturbation_labels(trials)
    kinds = [kind for kind in KINDS if any(_is_kind(trial, kind) for trial in trials)]
    found: dict[tuple[str, str | None, str, str, str], list[tuple[int, ...]]] = {}
    for own, perturbed in _forms(trials):
        for sub_split in _sub_splits(trials[own].instance):
            split = trials[own].instance.split
            for index in perturbed:
                for part, members in ((ORIGINAL, (own,)), (WORST, (own, index)), (FLIPPED, (own, index))):
                    found.setdefault((split, sub_split, f"{labels[index]}/{part}", "", part), []).append(members)
            for kind in kinds:
                same = tuple(i for i in perturbed if _is_kind(trials[i], kind))
                found.setdefault((split, sub_split, kind, kind, WORST), []).append((own, *same))
    return [Worst(*key, tuple(members)) for key, members in found.items()]


def paired_forms(trials: Sequence[Trial], kind: str) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """By split and perturbation of this kind: each instance's unperturbed trial with the perturbed one."""
    labels = perturbation_labels(trials)
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for own, perturbed in _forms(trials):
        for index in perturbed:
            label = labels[index]
            if label is not None and _is_kind(trials[index], kind):
                found.setdefault((trials[own].instance.split, label), []).append((own, index))
    return found


def rows(trials: Sequence[Trial], indices: Sequence[int], scores: Sequence[Score | None]) -> list[Row]:
    """What the trials at `indices` contribute; `scores[i]` is that of `trials[i]`."""
    return [_row(trials[index], scores[index]) for index in indices]


def worst_rows(
    trials: Sequence[Trial], worst: Worst, scores: Sequence[Score | None], *, lower_is_better: bool
) -> list[Row]:
    """What each instance contributes to a comparison of its forms: unknown as soon as one of its forms is."""
    pick = _differs if worst.part == FLIPPED else max if lower_is_better else min
    found = []
    for members in worst.forms:
        forms = rows(trials, members, scores)
        missing = next((row for row in forms if row.value is None), None)
        values = [row.value for row in forms if row.value is not None]
        found.append(missing or Row(forms[0].instance, pick(values)))
    return found


def changed(worst: Worst) -> int:
    """How many of the forms' instances any perturbation changed."""
    return sum(len(members) > 1 for members in worst.forms)


def _differs(values: Sequence[float]) -> float:
    return float(min(values) != max(values))


def perturbation_labels(trials: Sequence[Trial]) -> list[str | None]:
    """The perturbation's name, with its parameters only where two perturbations of the run share the name."""
    variants: dict[str, set[bytes]] = {}
    for trial in trials:
        described = trial.instance.perturbation
        if described:
            variants.setdefault(described.name, set()).add(canonical(described.args))
    return [_label(trial.instance.perturbation, variants) for trial in trials]


def _label(described: PerturbationDescription | None, variants: dict[str, set[bytes]]) -> str | None:
    if described is None:
        return None
    if len(variants[described.name]) == 1:
        return described.name
    return f"{described.name}:" + ",".join(f"{key}={value}" for key, value in described.args.items())


def _row(trial: Trial, score: Score | None) -> Row:
    if score is None:
        return Row(trial.instance, None, Outcome.NOT_SUPPORTED, "this trial was not scored")
    if score.value is None:
        return Row(trial.instance, None, score.outcome, score.reason)
    for exchange in trial.exchanges:
        if exchange.completion.outcome is not Outcome.OK:
            return Row(trial.instance, score.value, exchange.completion.outcome)
    return Row(trial.instance, score.value)


def _sub_splits(instance: Instance) -> Iterator[str | None]:
    yield None
    if instance.sub_split is not None:
        yield instance.sub_split


def _forms(trials: Sequence[Trial]) -> list[tuple[int, list[int]]]:
    """For each unperturbed trial, its index and those of the same instance's perturbed ones."""
    grouped: dict[tuple[str, int, int], tuple[list[int], list[int]]] = {}
    for index, trial in enumerate(trials):
        key = trial.instance.id, trial.train_trial_index, trial.index
        grouped.setdefault(key, ([], []))[trial.instance.perturbation is not None].append(index)
    return [(own[0], perturbed) for own, perturbed in grouped.values() if own]


def _is_kind(trial: Trial, kind: str) -> bool:
    return trial.instance.perturbation is not None and KINDS[kind](trial.instance.perturbation)
