"""One model: its scenarios on every axis, its profile as a picture, what it costs and how long it takes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holoscope.core import Axis, Measure
from holoscope.report.evidence import overall
from holoscope.report.figures import Dot, alternative, marks, radar, small_multiples
from holoscope.report.grid import Cell, Row
from holoscope.report.library import Library, Suite
from holoscope.report.pages.digits import Reading, decimals, shown, span
from holoscope.report.pages.links import Links
from holoscope.report.pages.matrix import rows_of, run_links, scenarios_by_axes
from holoscope.report.pages.peers import others, peers, ranked
from holoscope.report.pages.render import called, render
from holoscope.report.profiles import Spot, scales, traces
from holoscope.report.standing import standings

_MOST_PANELS = 16
"""Scenarios that get a small panel each; of more, each axis gets a panel with a line for each scenario."""
_MOST_LINES = 60
"""Scenarios in such a panel."""
_COSTS = {
    "request_time": "seconds",
    "request_time_p50": "median",
    "request_time_p90": "90th percentile",
    "tokens_per_second": "tokens/s",
    "num_prompt_tokens": "prompt tokens",
    "num_completion_tokens": "completion tokens",
    "cost": "USD",
}


class CostLine(NamedTuple):
    """What one scenario costs, per request."""

    name: str
    href: str
    numbers: tuple[str, ...]


def model(library: Library, links: Links, suite: str, name: str) -> str:
    """The page of the model called `name`."""
    found = library.suite(suite)
    rows = rows_of(found, name)
    here = links("model", suite=suite, model=name)
    models = list(dict.fromkeys(row.model for row in found.grid.rows))
    same = peers(found.grid, rows)
    known = marks(models)
    figures = {"profile": radar(found.grid.axes, overall(standings(found.grid, models=[name])), known=known)}
    is_by_axis = len(rows) > _MOST_PANELS
    if len(rows) <= _MOST_LINES:
        panels = _panels(found, rows, name)
        figures["panels"] = small_multiples(_turned(panels) if is_by_axis else panels, known=known)
    beside = others(rows, found.grid.axes, same, [each for each in models if each != name])
    return render(
        "model.html",
        links=links,
        title=f"{name} · {called(suite)}",
        suite=suite,
        here="model",
        figures=figures,
        words={key: alternative(figure) for key, figure in figures.items()},
        model=name,
        models=models,
        axes=found.grid.axes,
        facts=_facts(rows),
        is_by_axis=is_by_axis,
        matrix=ranked(scenarios_by_axes(found, name, links, here), rows, found.grid.axes, same),
        others=beside,
        left_out=len(models) - 1 - len(beside),
        scales=scales(found.grid, rows),
        cost_heads=tuple(_COSTS.values()),
        costs=_costs(found, rows, links, here),
    )


def _facts(rows: Sequence[Row]) -> dict[str, str]:
    """What is known of the model; several values where its runs differ."""
    found: dict[str, dict[str, None]] = {}
    for card in (row.manifest.model for row in rows):
        prices = {f"USD per million {kind} tokens": f"{p:g}" for kind, p in card.prices.items() if p is not None}
        served = {"deployment": card.deployment, "served as": card.served_model or "", "address": card.base_url}
        for key, value in {**served, **card.identity, **prices}.items():
            if value:
                found.setdefault(key, {})[value] = None
    return {key: ", ".join(values) for key, values in found.items()}


def _panels(suite: Suite, rows: Sequence[Row], name: str) -> dict[str, list[Dot]]:
    """For each scenario a dot on each axis that has a scale."""
    panels = {}
    for row, trace in zip(rows, traces(suite.grid, rows), strict=True):
        panels[trace.name] = [
            _dot(axis, trace.spots.get(axis.name), row.headlines[axis.name], name) for axis in suite.grid.axes
        ]
    return panels


def _turned(panels: Mapping[str, Sequence[Dot]]) -> dict[str, list[Dot]]:
    """For each axis a dot for each scenario; why one has no value stands in the table."""
    turned: dict[str, list[Dot]] = {}
    for scenario, dots in panels.items():
        for dot in dots:
            label = "" if dot.place is None else dot.label
            turned.setdefault(dot.row, []).append(dot._replace(row=scenario, label=label))
    return {axis: dots for axis, dots in turned.items() if any(dot.place is not None for dot in dots)}


def _dot(axis: Axis, spot: Spot | None, cell: Cell, name: str) -> Dot:
    if spot is None:
        return Dot(axis.name, None, None, cell.reason, name)
    return Dot(axis.name, spot.place, spot.span, spot.label, name)


def _costs(suite: Suite, rows: Sequence[Row], links: Links, here: str) -> list[CostLine]:
    """Time, tokens and price of a request, scenario by scenario."""
    link = run_links(suite, links, here)
    found = [{m.metric: m for m in row.measures.get("efficiency", ()) if _is_whole(m)} for row in rows]
    columns = [[own.get(metric) for own in found] for metric in _COSTS]
    texts = [_column(measures) for measures in columns]
    return [
        CostLine(str(row.label), link(row), tuple(column[index] for column in texts)) for index, row in enumerate(rows)
    ]


def _is_whole(measure: Measure) -> bool:
    return measure.perturbation is None and measure.sub_split is None


def _column(measures: Sequence[Measure | None]) -> list[str]:
    known = [Reading(m.value, m.low, m.high) for m in measures if m is not None and m.value is not None]
    places = decimals(known)
    return [
        "–" if m is None or m.value is None else f"{shown(m.value, places)} {span(m.low, m.high, places)}".strip()
        for m in measures
    ]
