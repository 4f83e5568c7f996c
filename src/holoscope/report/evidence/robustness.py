"""Robustness: every perturbation of every run as it is, perturbed and at worst, on the instances that it changed."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from holoscope.report.evidence.measured import perturbations, whole
from holoscope.report.figures import Slope, Value
from holoscope.report.grid import Row


class Perturbed(NamedTuple):
    """One perturbation of one run."""

    model: str
    scenario: str
    perturbation: str
    kind: str
    """`robustness` or `fairness`."""
    original: Value
    """On the instances that it changed."""
    perturbed: Value
    worst: Value
    flipped: Value
    """The share of instances whose score differs between the two forms."""


def perturbed(rows: Iterable[Row], kind: str = "robustness") -> list[Perturbed]:
    """What perturbations of one kind (empty: of any) did to the main metric, run by run."""
    found = []
    for row in rows:
        for name, own_kind in perturbations(row).items():
            if kind in ("", own_kind):
                parts = (f"{name}/original", name, f"{name}/worst", f"{name}/flipped")
                values = (Value.of(whole(row, row.main_metric, part, "accuracy")) for part in parts)
                found.append(Perturbed(row.model, str(row.label), name, own_kind, *values))
    return found


def slopes(found: Iterable[Perturbed], by: Literal["scenario", "model"] = "scenario") -> dict[str, list[Slope]]:
    """Panels for `figures.robustness_slopes`: one for each scenario with a line for each model, or the reverse."""
    panels: dict[str, list[Slope]] = {}
    for each in found:
        title, name = (each.scenario, each.model) if by == "scenario" else (each.model, each.scenario)
        panels.setdefault(f"{title} · {each.perturbation}", []).append(
            Slope(name, each.original, each.perturbed, each.worst)
        )
    return panels
