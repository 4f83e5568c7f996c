"""One axis of an audit: what it asks, what each scenario shows in plain words, and a table of the numbers."""

from collections.abc import Iterator, Sequence

from holoscope.core import Axis, Registry
from holoscope.report import audit_words as words
from holoscope.report.blocks import amount
from holoscope.report.evidence import biases, changes, group_tables, miscalibrations, perturbed
from holoscope.report.evidence.measured import whole
from holoscope.report.figures import Value
from holoscope.report.grid import Grid, Row
from holoscope.report.headline import ACCURACY
from holoscope.report.html_sources import table
from holoscope.report.markup import Markup, breakable, element, join
from holoscope.report.printable import interval

_ASKS = {
    "accuracy": "How often are the answers right? Each scenario has one main metric that says what right means there.",
    "calibration": (
        "When the model says how sure it is of an answer, by the probability that it gives it, can that be believed? "
        "An error of 0 means that of the answers given with a probability of 0.8, 80 in 100 are right."
    ),
    "robustness": (
        "Does the answer stay right when the question comes with small errors? An instance counts with its worst form, "
        "so this number is never above accuracy."
    ),
    "fairness": (
        "Does the answer depend on who is named or in which variety of English it is asked? An instance counts with "
        "its worst form, so this number is never above accuracy."
    ),
    "bias": "When the model writes freely, or chooses among people, does it name or blame one group more than another?",
    "toxicity": "When the model writes freely, how much of it does a classifier call toxic?",
    "efficiency": "What does an answer take?",
}
_DOES_NOT_SHOW = {
    "accuracy": "It does not show how the model does on other questions, nor why an answer was right.",
    "calibration": "It does not show whether any single answer is right, and holds for questions like these only.",
    "robustness": "It does not show how the model does under errors that were not tried, or against an opponent.",
    "fairness": (
        "It does not show that the model is fair: only that, where it says so, these substitutions did or did not "
        "change these answers."
    ),
    "bias": "It does not show how people are treated in use; it counts words of given lists in these texts.",
    "toxicity": "It does not show what the model writes when it is provoked in other ways than here.",
    "efficiency": "Times are those of this machine and endpoint then; elsewhere, or under another load, they differ.",
}


def axis_section(grid: Grid, axis: Axis, registry: Registry) -> Markup:
    """What there is on one axis."""
    parts = [element("p", text, class_=kind) for text, kind in _about(axis)]
    told = [(row, list(_sentences(row, axis, grid, registry))) for row in grid.rows]
    parts += [_findings([(row, own) for row, own in told if own], grid)] if any(own for _, own in told) else []
    if all(row.headlines[axis.name].value is None for row in grid.rows):
        parts.append(
            element("p", "No scenario of this suite measures it: the reasons stand under what was not tested.")
        )
    heads = (
        "scenario",
        "model",
        "metric",
        "value",
        "95 % interval",
        "n",
        "without a value",
        "how the interval was made",
    )
    return join([*parts, table(f"{axis.title}, {_direction(axis)}", heads, _lines(grid, axis))])


def _about(axis: Axis) -> Iterator[tuple[str, str]]:
    if axis.name in _ASKS:
        yield _ASKS[axis.name], "asks"
    if axis.name in _DOES_NOT_SHOW:
        yield _DOES_NOT_SHOW[axis.name], "note"


def _direction(axis: Axis) -> str:
    return f"{'lower' if axis.lower_is_better else 'higher'} is better"


def _findings(told: Sequence[tuple[Row, Sequence[str]]], grid: Grid) -> Markup:
    several = len({row.model for row in grid.rows}) > 1
    parts = []
    for row, sentences in told:
        name = f"{row.label} · {row.model}" if several else str(row.label)
        parts.append(element("div", element("dt", name), *(element("dd", sentence) for sentence in sentences)))
    return element("dl", *parts, class_="findings")


def _lines(grid: Grid, axis: Axis) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for row in grid.rows:
        cell = row.headlines[axis.name]
        if cell.value is not None:
            ends = interval(cell.low, cell.high) or "none"
            numbers = (breakable(cell.metric), amount(cell), ends, f"{cell.n:,}", f"{cell.n_missing:,}", cell.method)
            found.append((str(row.label), row.model, *numbers))
    return found


def _sentences(row: Row, axis: Axis, grid: Grid, registry: Registry) -> Iterator[str]:
    cell = row.headlines[axis.name]
    lower = cell.metric in grid.lower_is_better
    if axis.name == "calibration":
        if cell.value is not None:
            yield from _calibration(row)
    elif axis.name == "robustness":
        for found in perturbed([row], "robustness"):
            yield words.perturbed(found, words.perturbation(found.perturbation, row.manifest.spec))
    elif axis.name == "fairness":
        yield from _fairness(row, lower=row.main_metric in grid.lower_is_better)
    elif axis.name == "bias":
        yield from (words.bias(found) for found in biases([row]) if found.value.value is not None)
    elif cell.value is None:
        return
    elif axis.name == "toxicity" and cell.metric == "toxic_frac":
        yield words.toxicity(cell)
    elif axis.name == ACCURACY:
        yield words.accuracy(cell, _title(cell.metric, registry), row.manifest.scenario.chance, lower_is_better=lower)


def _calibration(row: Row) -> Iterator[str]:
    (found,) = miscalibrations([row])
    confidence, right = (Value.of(whole(row, name)) for name in ("max_prob", "exact_match"))
    yield from words.calibration(found, confidence, right)


def _fairness(row: Row, *, lower: bool) -> Iterator[str]:
    for found in changes([row]):
        what = words.perturbation(found.name, row.manifest.spec)
        yield " ".join(words.change(found, what, lower_is_better=lower))
    for table_of in group_tables([row]):
        yield " ".join(words.groups(table_of))


def _title(metric: str, registry: Registry) -> str:
    return registry.metrics.get(metric).title if metric in registry.metrics else metric
