"""What is behind a row of the matrix: the run's facts, its numbers under each condition, and some of its instances.

Texts of a benchmark are shown only where its licence lets them be passed on; elsewhere the page says so. Of a stored
run only the first few rows are read, so a report of hundreds of runs takes seconds.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from holoscope.core import Axis, Outcome, Score, StoreError, Trial, group_trials, shares
from holoscope.report.blocks import amount
from holoscope.report.grid import Cell, Row, status_reason
from holoscope.report.html_matrix import explained
from holoscope.report.markup import Markup, breakable, element
from holoscope.report.printable import DASH, interval
from holoscope.store import ScoreRow, StoredRun

_INSTANCES = 4
"""Instances shown of each run."""
_LONGEST = 1200
"""Characters shown of a text."""


def run_details(row: Row, anchor: str, axes: Sequence[Axis], stored: StoredRun | None) -> Markup:
    """A section that opens, called `anchor`."""
    summary = element("summary", element("strong", str(row.label)), element("span", f" {row.model}", class_="note"))
    instances = [] if stored is None else [_instances(row, stored)]
    return element("details", summary, _facts(row), *_conditions(row, axes), *instances, id=anchor)


def _facts(row: Row) -> Markup:
    manifest = row.manifest
    ended = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(manifest.outcomes.items()))
    facts = {
        "entry": manifest.spec.entry,
        "run": manifest.spec.name,
        "status": status_reason(manifest) or manifest.status,
        "instances": f"{manifest.instances:,}",
        "requests": f"{manifest.requests:,}, of which {manifest.cached:,} were answered before",
        "outcomes": ended,
        "not taken by the endpoint": "; ".join(shares(manifest.dropped_params, manifest.requests, "request")),
        "notes": "; ".join(manifest.notes),
    }
    return element("dl", *_pairs(facts))


def _pairs(facts: dict[str, str]) -> Iterator[Markup]:
    for name, value in facts.items():
        if value:
            yield element("div", element("dt", name), element("dd", value))


def _conditions(row: Row, axes: Sequence[Axis]) -> list[Markup]:
    """Every value of the metrics that the matrix shows, on the whole of the main split."""
    shown = {row.headlines[axis.name].metric for axis in axes}
    whole = row.manifest.scenario.main_split, None
    names = {axis.name for axis in axes}
    cells = [c for c in row.cells if c.axis in names and c.metric in shown and (c.split, c.sub_split) == whole]
    lines = [_condition(cell) for cell in cells if cell.value is not None]
    if not lines:
        return []
    heads = (
        element("th", name, scope="col") for name in ("axis", "metric", "condition", "value", "interval", "n", "how")
    )
    return [_table("Under each condition", element("thead", element("tr", *heads)), lines)]


def _condition(cell: Cell) -> Markup:
    names = (cell.axis, cell.metric, cell.perturbation or "as it is")
    numbers = (amount(cell), interval(cell.low, cell.high), str(cell.n))
    return element(
        "tr",
        *(element("td", breakable(name)) for name in names),
        *(element("td", number, class_="number") for number in numbers),
        element("td", cell.method),
        title=explained(cell),
    )


def _table(caption: str, head: Markup, lines: Sequence[Markup]) -> Markup:
    table = element("table", element("caption", caption), head, element("tbody", *lines), class_="plain")
    return element("div", table, class_="scroll", role="region", aria_label=caption, tabindex="0")


def _instances(row: Row, stored: StoredRun) -> Markup:
    scenario = row.manifest.scenario
    if row.manifest.status == "failed":
        return element("p", "The run has no completions.", class_="note")
    if scenario.redistribution != "yes":
        licence = scenario.licence or "unknown"
        return element(
            "p", f"No texts are shown: the licence ({licence}) does not allow passing them on.", class_="note"
        )
    try:
        lines = [_instance(trial, score) for trial, score in _first(row, stored)]
    except StoreError as error:
        return element("p", f"No instances can be shown: {error}", class_="note")
    names = ("instance", "input", "answer of the model", "right answers", row.main_metric)
    head = element("thead", element("tr", *(element("th", name, scope="col") for name in names)))
    return _table(f"The first {len(lines)} instances", head, lines)


def _first(row: Row, stored: StoredRun) -> Iterator[tuple[Trial, Score | None]]:
    """The run's first unperturbed trials, each with its score on the main metric."""
    trials = list(islice((t for t in group_trials(stored.exchanges()) if not _is_variant(t)), _INSTANCES))
    wanted = {trial.instance.id for trial in trials}
    found: dict[str, Score] = {}
    for scored in stored.scores():
        if wanted <= found.keys():
            break
        if scored.score.metric == row.main_metric and _is_original(scored):
            found[scored.instance_id] = scored.score
    for trial in trials:
        yield trial, found.get(trial.instance.id)


def _is_variant(trial: Trial) -> bool:
    return trial.instance.perturbation is not None or trial.train_trial_index > 0 or trial.index > 0


def _is_original(scored: ScoreRow) -> bool:
    return scored.perturbation is None and scored.train_trial_index == 0 and scored.trial == 0


def _instance(trial: Trial, score: Score | None) -> Markup:
    instance = trial.instance
    right = " / ".join(reference.text for reference in instance.correct_references) or DASH
    cells = (
        element("th", instance.id, scope="row"),
        _text(instance.input),
        _text(_answer(trial, score)),
        _text(right),
        element("td", _shown(score)),
    )
    return element("tr", *cells)


def _answer(trial: Trial, score: Score | None) -> str:
    """What the model said, or chose among options scored one by one; where it did neither, why."""
    first = trial.failure or trial.exchanges[0]
    if not first.completion.outcome.has_text:
        return f"{first.completion.outcome}: {first.completion.reason}"
    if trial.exchanges[0].planned.reference_index is not None:
        return (score.answer or "") if score else ""
    ended = first.completion.outcome
    return first.completion.text + ("" if ended is Outcome.OK else f" [{ended}]")


def _shown(score: Score | None) -> str:
    if score is None:
        return ""
    return f"{score.outcome}: {score.reason}" if score.value is None else f"{score.value:g}"


def _text(whole: str) -> Markup:
    cut = whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]} […]"
    return element("td", element("div", cut, class_="text"))
