"""The plain values that figures are made of.

A figure knows nothing of runs and files: whoever has numbers of any origin can draw them. What has no value keeps the
reason why, and is drawn as missing, never as zero.
"""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import NamedTuple

from holoscope.core import Measure
from holoscope.report.grid import Cell
from holoscope.report.printable import interval, number


class Value(NamedTuple):
    """A number with its uncertainty, or the reason why there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Instances behind it; 0 where that is not known or means nothing."""
    reason: str = ""
    """Why `value` is None."""
    unit: str = ""
    """` s`, ` USD`; empty for shares."""

    @classmethod
    def of(cls, found: Cell | Measure | None, unit: str = "") -> "Value":
        """What a cell of the grid, or a measure, holds; without one, nothing was run."""
        if found is None:
            return cls(None, reason="not run")
        value, low, high = map(_finite, (found.value, found.low, found.high))
        return cls(value, low, high, found.n, found.reason, unit)

    @property
    def shown(self) -> str:
        """`0.62 [0.51, 0.72], n = 20`, or the reason."""
        if self.value is None:
            return self.reason or "no value"
        ends = interval(self.low, self.high)
        counted = f"n = {self.n:,}" if self.n else ""
        return ", ".join(filter(None, (f"{number(self.value)}{self.unit} {ends}".strip(), counted)))


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def errors(values: Sequence[Value]) -> dict[str, object]:
    """Plotly's error bars from the values' intervals; none where there is no interval."""
    above, below = [], []
    for each in values:
        known = each.value is not None and each.low is not None and each.high is not None
        above.append(max(0.0, (each.high or 0.0) - (each.value or 0.0)) if known else 0.0)
        below.append(max(0.0, (each.value or 0.0) - (each.low or 0.0)) if known else 0.0)
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.6, "width": 0}


def span(values: Iterable[Value], ends: tuple[float, float]) -> list[float]:
    """Room for every interval, and at least from one of the ends to the other."""
    found = [end for v in values for end in (v.value, v.low, v.high) if end is not None]
    low, high = min([ends[0], *found]), max([ends[1], *found])
    return [low - 0.03 * (high - low), high + 0.03 * (high - low)]


def around_zero(values: Iterable[Value], least: float) -> list[float]:
    """As far to the left as to the right."""
    found = [abs(end) for v in values for end in (v.value, v.low, v.high) if end is not None]
    reach = 1.08 * max([least, 0.02, *found])
    return [-reach, reach]
