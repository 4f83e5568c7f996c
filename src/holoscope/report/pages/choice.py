"""Pages that show one scenario at a time: which there are, and which of its models are drawn.

An axis' evidence is instances, and those of fifty models on forty scenarios are nobody's reading: a page holds one
scenario, with every model in its table and as many in its pictures as can be told apart.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from holoscope.core import StoreError, UnknownNameError
from holoscope.report.grid import Row
from holoscope.report.library import Suite
from holoscope.report.pages.links import Links
from holoscope.store import StoredRun

T = TypeVar("T")

MOST_DRAWN = 12


class Tab(NamedTuple):
    """A scenario to choose."""

    name: str
    href: str
    is_here: bool


class Choice(NamedTuple):
    """The scenario of a page."""

    scenario: str
    """Empty where none has anything to show."""
    tabs: tuple[Tab, ...]
    rows: tuple[Row, ...]
    """Its models, best accuracy first."""
    reasons: tuple[str, ...]
    """Why there is nothing, where there is nothing."""

    @property
    def drawn(self) -> tuple[Row, ...]:
        """The rows that get into pictures."""
        return self.rows[:MOST_DRAWN]


def choose(suite: Suite, links: Links, page: str, has: Callable[[Row], bool], scenario: str) -> Choice:
    """The page of `scenario`, or of the first that `has` something to show; UnknownNameError if there is none."""
    labels = list(dict.fromkeys(str(row.label) for row in suite.grid.rows if has(row)))
    if scenario and scenario not in labels:
        raise UnknownNameError("scenario", scenario, labels)
    if not labels:
        return Choice("", (), (), reasons_of(suite, page))
    chosen = scenario or labels[0]
    tabs = tuple(Tab(label, links(page, suite=suite.name, scenario=label), label == chosen) for label in labels)
    rows = [row for row in suite.grid.rows if str(row.label) == chosen and has(row)]
    return Choice(chosen, tabs, tuple(sorted(rows, key=_by_accuracy, reverse=True)), ())


def scenarios(suite: Suite, has: Callable[[Row], bool]) -> list[str]:
    """The scenarios that have a page."""
    return list(dict.fromkeys(str(row.label) for row in suite.grid.rows if has(row)))


def has_axis(name: str) -> Callable[[Row], bool]:
    """True of rows with a value on the axis."""
    return lambda row: name in row.headlines and row.headlines[name].value is not None


def reasons_of(suite: Suite, *axes: str) -> tuple[str, ...]:
    """Why no row has a value on one of the axes."""
    known = {axis.name for axis in suite.grid.axes}
    found = (row.headlines[name].reason for row in suite.grid.rows for name in axes if name in known)
    return tuple(dict.fromkeys(reason for reason in found if reason))


def run_of(suite: Suite) -> Callable[[Row], StoredRun]:
    """Gives the stored run of a row."""
    runs = {id(run.manifest): run for run in suite.runs.values()}
    return lambda row: runs[id(row.manifest)]


def drawable(choice: Choice, make: Callable[[Row], T | str], reasons: list[str]) -> list[T]:
    """What `make` reads of each drawn row; where that is a reason, or a file can't be read, it goes to `reasons`."""
    found: list[T] = []
    for row in choice.drawn:
        try:
            made = make(row)
        except StoreError as error:
            made = str(error)
        if isinstance(made, str):
            reasons.append(f"{row.model}: {made}")
        else:
            found.append(made)
    return found


def _by_accuracy(row: Row) -> float:
    cell = row.headlines.get("accuracy")
    return cell.value if cell is not None and cell.value is not None else float("-inf")
