"""Fairness: who the model works for, group by group, and what changes when somebody else is named."""

from holoscope.report.evidence import GroupTable, changes, group_tables
from holoscope.report.figures import Figure, Group, alternative, gaps, group_forest, marks
from holoscope.report.grid import Row
from holoscope.report.library import Library, Suite
from holoscope.report.pages.choice import Choice, choose
from holoscope.report.pages.links import Links
from holoscope.report.pages.matrix import run_links
from holoscope.report.pages.render import called, render

_TOLD_APART = 4
"""Models in one forest."""


def has(row: Row) -> bool:
    """True if the run has groups, or instances in which somebody else is named."""
    return bool(group_tables([row]) or changes([row]))


def fairness(library: Library, links: Links, suite: str, scenario: str = "") -> str:
    """The page of one scenario's groups and counterfactuals."""
    found = library.suite(suite)
    choice = choose(found, links, "fairness", has, scenario)
    here = links("fairness", suite=suite, scenario=scenario) if scenario else links("fairness", suite=suite)
    figures = _figures(found, choice)
    link = run_links(found, links, here)
    return render(
        "fairness.html",
        links=links,
        title=f"Fairness{f' · {choice.scenario}' if choice.scenario else ''} · {called(suite)}",
        suite=suite,
        here="fairness",
        figures=figures,
        words={name: alternative(figure) for name, figure in figures.items()},
        choice=choice,
        addresses={row.model: link(row) for row in choice.rows},
        tables=group_tables(choice.rows),
        changes=changes(choice.rows),
        drawn=[row.model for row in choice.rows[:_TOLD_APART]],
        reasons=[],
    )


def _figures(suite: Suite, choice: Choice) -> dict[str, Figure]:
    known = marks(dict.fromkeys(row.model for row in suite.grid.rows))
    rows = choice.rows[:_TOLD_APART]
    tables = [table for table in group_tables(rows) if "&" not in table.attribute]
    figures: dict[str, Figure] = {}
    if tables:
        metric = tables[0].metric
        figures["groups"] = group_forest(_by_attribute(tables), means=_means(tables), metric=metric, known=known)
    found = changes(rows)
    if found:
        figures["changes"] = gaps(found, metric=rows[0].main_metric, known=known)
    return figures


def _by_attribute(tables: list[GroupTable]) -> dict[str, list[Group]]:
    found: dict[str, list[Group]] = {}
    for table in tables:
        found.setdefault(table.attribute, []).extend(table.groups)
    return found


def _means(tables: list[GroupTable]) -> dict[str, float]:
    """The mean of all instances, where one model is shown alone."""
    if len({table.model for table in tables}) > 1:
        return {}
    return {table.attribute: table.mean.value for table in tables if table.mean.value is not None}
