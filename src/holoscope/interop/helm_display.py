"""HELM's schema as a layout of ours: groups of runs in order, their main metrics, and what metrics are called.

A group of HELM's that names subgroups is a heading over them, and over theirs; one that names none is what a run
belongs to. Groups stand in the order of the headings, those under none last.
"""

from collections.abc import Iterator
from pathlib import Path

from holoscope.core import Display, DisplayGroup, DisplayMetric, DisplaySection
from holoscope.interop.helm_schema import (
    HERE_ONLY,
    MAIN_NAME,
    MAIN_SPLIT,
    NOWHERE,
    MetricField,
    RunGroup,
    Schema,
    load_schema,
)

_NONE = "none"
"""What HELM writes for the main metric of a group that has none."""


def load_display(path: Path) -> Display:
    """The layout in one of HELM's schema files (YAML); ConfigError says what is wrong with it."""
    return display(load_schema(path))


def display(schema: Schema) -> Display:
    """The layout that a schema describes."""
    shown = [group for group in schema.run_groups if group.visibility != NOWHERE]
    leaves = {group.name: group for group in shown if not group.subgroups}
    headings = {group.name: group for group in shown if group.subgroups}
    sections = tuple(_section(group, headings, leaves) for group in headings.values())
    order = dict.fromkeys([*(name for section in sections for name in section.groups), *leaves])
    return Display(
        groups=tuple(_group(leaves[name]) for name in order),
        sections=sections,
        metrics=tuple(map(_metric, schema.metrics)),
        perturbations={each.name: each.display_name or each.name for each in schema.perturbations},
    )


def _section(group: RunGroup, headings: dict[str, RunGroup], leaves: dict[str, RunGroup]) -> DisplaySection:
    names = tuple(dict.fromkeys(name for name in _below(group, headings, (group.name,)) if name in leaves))
    return DisplaySection(name=group.name, title=group.title, description=group.description or "", groups=names)


def _below(group: RunGroup, headings: dict[str, RunGroup], above: tuple[str, ...]) -> Iterator[str]:
    """The groups under a heading at any depth; a heading that names itself is not followed."""
    for name in group.subgroups:
        if name not in headings:
            yield name
        elif name not in above:
            yield from _below(headings[name], headings, (*above, name))


def _group(group: RunGroup) -> DisplayGroup:
    main = group.environment.get(MAIN_NAME, "")
    return DisplayGroup(
        name=group.name,
        title=group.title,
        description=group.description or "",
        category=group.category,
        main_metric="" if main == _NONE else main,
        main_split=group.environment.get(MAIN_SPLIT, ""),
        taxonomy={key: str(value) for key, value in (group.taxonomy or {}).items()},
        is_exclusive=group.visibility == HERE_ONLY,
    )


def _metric(field: MetricField) -> DisplayMetric:
    return DisplayMetric(
        name=field.name,
        title=field.display_name or "",
        short_title=field.short_display_name or "",
        description=field.description or "",
        lower_is_better=field.lower_is_better,
    )
