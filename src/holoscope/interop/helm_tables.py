"""HELM's tables: rows are models, columns are metrics, a cell is the plain mean over the runs that match.

Each cell names its runs and says how many there were, so that a mean over one subject is not taken for one over all.
A model's win rate is the mean, over columns, of the share of other models that it beats; columns that fewer than two
models fill count for nobody.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from holoscope.core import Json
from holoscope.interop.documents import Document
from holoscope.interop.helm_runs import HelmRun, Mean, find, merge
from holoscope.interop.helm_schema import MAIN_NAME, MAIN_SPLIT, MetricGroup, MetricMatcher, RunGroup, Schema
from holoscope.interop.helm_specs import without_none


class _Column(NamedTuple):
    """A metric of a group of runs."""

    matcher: MetricMatcher
    runs: Sequence[HelmRun]
    heading: str
    description: str
    lower_is_better: bool | None
    group: str
    metric: str


class Table(NamedTuple):
    """A table, and the name of its files."""

    name: str
    document: Document


def group_tables(schema: Schema, group: RunGroup, runs: Sequence[HelmRun]) -> list[Table]:
    """The tables of one run group."""
    if group.subgroups:
        return _by_metric_group(schema, group, runs)
    scenarios = _by_scenario(runs)
    tables = []
    if len(scenarios) > 1:
        tables.append(_table(f"{group.name}_aggregate", group.title, _columns(schema, group, runs)))
    for position, (scenario, same) in enumerate(scenarios):
        title = scenario[1] or group.title
        name = f"{group.name}_{position}" if len(scenarios) > 1 else group.name
        tables.append(_table(name, title, _columns(schema, group, same)))
    return [table for table in tables if table is not None]


def index_tables(schema: Schema, runs_of: dict[str, list[HelmRun]]) -> list[Document]:
    """`groups.json`: for each category a list of its groups."""
    categories = dict.fromkeys(group.category for group in schema.run_groups)
    heads = ("Group", "Description", "Adaptation method", "# instances", "# references", "# prompt tokens")
    header: list[Json] = [_head(name) for name in (*heads, "# completion tokens", "# models")]
    tables = []
    for category in categories:
        groups = [group for group in schema.run_groups if group.category == category]
        rows: list[Json] = [_index_row(group, runs_of[group.name]) for group in groups]
        tables.append(_document(category, header, rows))
    return tables


def _by_metric_group(schema: Schema, group: RunGroup, runs: Sequence[HelmRun]) -> list[Table]:
    subgroups = [found for name in group.subgroups if (found := schema.group(name))]
    wanted = dict.fromkeys(name for each in (group, *subgroups) for name in each.metric_groups)
    tables = []
    for metric_group in schema.metric_groups:
        if metric_group.name not in wanted:
            continue
        columns = []
        for subgroup in subgroups:
            within = [run for run in runs if subgroup.name in run.groups]
            only = _columns(schema, subgroup, within, only=metric_group.name)
            columns += [column._replace(heading=f"{subgroup.title} - {column.heading}") for column in only]
        table = _table(
            f"{group.name}_{metric_group.name}",
            metric_group.display_name or metric_group.name,
            columns,
            win_rates=not metric_group.hide_win_rates,
        )
        tables += [table] if table else []
    return tables


def _by_scenario(runs: Iterable[HelmRun]) -> list[tuple[tuple[str, str], list[HelmRun]]]:
    ordered = sorted(runs, key=lambda run: run.scenario)
    return [(scenario, list(same)) for scenario, same in groupby(ordered, lambda run: run.scenario)]


def _columns(schema: Schema, group: RunGroup, runs: Sequence[HelmRun], only: str | None = None) -> list[_Column]:
    columns = []
    for metric_group in schema.metric_groups:
        if metric_group.name in group.metric_groups and only in (None, metric_group.name):
            columns += [_column(schema, group, metric_group, matcher, runs) for matcher in metric_group.metrics]
    return columns


def _column(
    schema: Schema, group: RunGroup, metric_group: MetricGroup, matcher: MetricMatcher, runs: Sequence[HelmRun]
) -> _Column:
    filled = MetricMatcher(
        name=_filled(matcher.name, group),
        split=_filled(matcher.split, group),
        sub_split=matcher.sub_split,
        perturbation_name=matcher.perturbation_name,
    )
    field = schema.metric(filled.name)
    heading = field.short_display_name or field.display_name or field.name
    if filled.perturbation_name:
        heading += f" ({filled.perturbation_name})"
    return _Column(
        filled, runs, heading, field.description or "", field.lower_is_better, group.title, metric_group.name
    )


def _filled(text: str, group: RunGroup) -> str:
    for name in (MAIN_NAME, MAIN_SPLIT):
        text = text.replace(f"${{{name}}}", group.environment.get(name, ""))
    return text


def _table(name: str, title: str, columns: Sequence[_Column], *, win_rates: bool = False) -> Table | None:
    """None where no column has a run."""
    deployments = sorted({run.deployment: run.model for column in columns for run in column.runs}.items())
    if not deployments:
        return None
    cells = [[_cell(column, deployment) for column in columns] for deployment, _ in deployments]
    _embolden(cells, columns)
    header = [_head("Model"), *(_column_head(column) for column in columns)]
    rows: list[list[Document]] = [
        [_text(model if model == deployment else f"{model} [{deployment}]"), *row]
        for (deployment, model), row in zip(deployments, cells, strict=True)
    ]
    if win_rates and len(rows) > 1:
        header.insert(1, {**_head("Mean win rate"), "lower_is_better": False})
        for row, rate in zip(rows, _win_rates(cells, columns), strict=True):
            row.insert(1, _number(rate, "share of the other models that this one beats, mean over columns", []))
    return Table(name, _document(title, [*header], [[*row] for row in rows]))


def _cell(column: _Column, deployment: str) -> Document:
    runs = [run for run in column.runs if run.deployment == deployment]
    if not runs:
        return without_none({"value": None, "description": "No matching runs", "markdown": False})
    wanted = column.matcher
    means = [find(run, wanted.name, wanted.split, wanted.perturbation_name, wanted.sub_split) for run in runs]
    mean = merge(means)
    if mean.value is None:
        return {"description": f"{len(runs)} matching runs, but no matching metrics", "markdown": False}
    return _number(mean.value, _spread(means), [run.name for run in runs])


def _spread(means: Sequence[Mean]) -> str:
    values = [mean.value for mean in means if mean.value is not None]
    total = sum(values)
    return (
        f"min={min(values):.3f}, mean={total / len(values):.3f}, max={max(values):.3f}, sum={total:.3f} ({len(values)})"
    )


def _embolden(cells: Sequence[Sequence[Document]], columns: Sequence[_Column]) -> None:
    """Mark the best of each column."""
    for position, column in enumerate(columns):
        values = _values(cells, position)
        if column.lower_is_better is None or len(values) < 2:
            continue
        best = min(values.values()) if column.lower_is_better else max(values.values())
        for row, value in values.items():
            if value == best:
                cells[row][position]["style"] = {"font-weight": "bold"}


def _win_rates(cells: Sequence[Sequence[Document]], columns: Sequence[_Column]) -> list[float | None]:
    from holoscope.stats import mean_win_rates

    known = [(position, c.lower_is_better) for position, c in enumerate(columns) if c.lower_is_better is not None]
    if not known:
        return [None] * len(cells)
    values = [_values(cells, position) for position, _ in known]
    return mean_win_rates([[found.get(row) for row in range(len(cells))] for found in values], [d for _, d in known])


def _values(cells: Sequence[Sequence[Document]], position: int) -> dict[int, float]:
    """Row -> value, of the rows that have one."""
    found = ((row, line[position].get("value")) for row, line in enumerate(cells))
    return {row: value for row, value in found if isinstance(value, float)}


def _index_row(group: RunGroup, runs: Sequence[HelmRun]) -> list[Json]:
    split = group.environment.get(MAIN_SPLIT, "__all__")
    methods = dict.fromkeys(str(run.spec["adapter_spec"].get("method", "")) for run in runs)
    largest = {run.scenario: find(run, "num_instances", split).value for run in runs}
    counted = [value for value in largest.values() if value is not None]
    names = ("num_references", "num_prompt_tokens", "num_completion_tokens")
    means = [merge(find(run, name, split) for run in runs).value for name in names]
    return [
        {"value": group.title, "href": f"?group={group.name}", "markdown": False},
        {"value": group.description or "", "markdown": True},
        _text(", ".join(methods)),
        _number(sum(counted) if counted else None),
        *(_number(value) for value in means),
        _number(len({run.model for run in runs})),
    ]


def _head(name: str) -> Document:
    return {"value": name, "markdown": False, "metadata": {}}


def _column_head(column: _Column) -> Document:
    metadata: Document = {"metric": column.heading, "run_group": column.group}
    return without_none(
        {
            "value": column.heading,
            "description": column.description,
            "lower_is_better": column.lower_is_better,
            "markdown": False,
            "metadata": metadata,
        }
    )


def _text(text: str) -> Document:
    return {"value": text, "markdown": False}


def _number(value: float | None, description: str = "", runs: Sequence[str] = ()) -> Document:
    described: Document = {"description": description} if description else {}
    named: Document = {"style": {}, "markdown": False, "run_spec_names": list(runs)} if runs else {"markdown": False}
    return without_none({"value": value, **described, **named})


def _document(title: str, header: list[Json], rows: list[Json]) -> Document:
    return {"title": title, "header": header, "rows": rows, "links": []}
