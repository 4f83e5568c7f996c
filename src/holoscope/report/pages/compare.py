"""Two models, or two runs of one suite, on what both answered: differences, who is right where, what spoils it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from holoscope.core import UnknownNameError
from holoscope.report.comparison import Comparison, RunPair
from holoscope.report.comparison_lines import LEGEND, Block, blocks, notes
from holoscope.report.differences import Difference
from holoscope.report.figures import Difference as Drawn
from holoscope.report.figures import Figure, FourWay, Value, alternative, outcome_bars, paired_forest
from holoscope.report.headline import ACCURACY
from holoscope.report.library import Library, Suite
from holoscope.report.pages.links import Links, relative
from holoscope.report.pages.render import render
from holoscope.store import StoredRun

KINDS = {"both": "both right", "only_a": "only A right", "only_b": "only B right", "neither": "both wrong"}
"""By what an address says."""
_SHORT = 12
"""Characters at the end of a folder's name that name it: the page holds hundreds of addresses."""
_AND = " · "
_FEW = 3
"""Up to so many rows each says for itself what it rests on."""


To = Callable[[RunPair, Difference, str], str]
"""Where the instances behind a difference stand side by side, those of one kind; empty where no page shows them."""


class Side(NamedTuple):
    """What an address names: all runs of a model, or one run."""

    name: str
    """As the address has it."""
    title: str
    runs: tuple[StoredRun, ...]


class Ways(NamedTuple):
    """Who is right where, on one scenario, with the addresses of the instances."""

    name: str
    counts: tuple[int, int, int, int]
    links: tuple[str, str, str, str]


class Axis(NamedTuple):
    """One axis of the comparison."""

    name: str
    figure: str
    """Id of its figure; empty where nothing can be drawn."""
    words: str
    block: Block
    shared: str
    """What all of its differences rest on; left out of the rows."""


def side(suite: Suite, name: str) -> Side:
    """The model, or the run by its folder's name, that is called `name`. UnknownNameError if there is none."""
    of_model = [run for run, row in zip(suite.runs.values(), suite.grid.rows, strict=True) if row.model == name]
    if of_model:
        return Side(name, name, tuple(of_model))
    for folder, row in zip(suite.runs, suite.grid.rows, strict=True):
        if name in (folder, folder[-12:]):
            return Side(folder, f"{row.label}, {row.model}", (suite.runs[folder],))
    models = dict.fromkeys(row.model for row in suite.grid.rows)
    hint = f"(suite {suite.name!r} has {', '.join(models)})"
    raise UnknownNameError("model or run", name, (*models, *suite.runs), hint)


def choose(library: Library, links: Links, suite: str, a: str = "", b: str = "", problem: str = "") -> str:
    """The page on which two models are chosen; `problem` says what is wrong with those that were."""
    return _page(library, links, suite, (a, b), problem=problem)


def compare(library: Library, links: Links, suite: str, a: Side, b: Side, found: Comparison) -> str:
    """The page of a comparison."""
    known = blocks(found)
    figures: dict[str, Figure] = {}
    axes, to = [], _to_pairs(library.suite(suite), links)
    for number, block in enumerate(known):
        name = block.title.split(" · ")[0]
        own = [(pair, d) for pair in found.pairs for d in pair.differences if d.axis == name and d.value is not None]
        count = sum(d.axis == name for pair in found.pairs for d in pair.differences)
        figure = f"forest-{number}" if own else ""
        if own:
            figures[figure] = _forest(own, to, found, name)
        axes.append(Axis(name, figure, alternative(figures[figure]) if own else "", *_lean(block, count)))
    ways = _ways(found.pairs, to)
    if ways:
        figures["ways"] = outcome_bars([FourWay(w.name, *w.counts, w.links) for w in ways], found.a, found.b)
    return _page(
        library,
        links,
        suite,
        (a.name, b.name),
        figures=figures,
        found=found,
        axes=axes,
        ways=ways,
        ways_words=alternative(figures["ways"]) if ways else "",
        notes=notes(found),
    )


def _page(
    library: Library,
    links: Links,
    suite: str,
    names: tuple[str, str],
    *,
    problem: str = "",
    figures: dict[str, Figure] | None = None,
    found: Comparison | None = None,
    axes: Sequence[Axis] = (),
    ways: Sequence[Ways] = (),
    ways_words: str = "",
    notes: Sequence[str] = (),
) -> str:
    grid = library.suite(suite).grid
    return render(
        "compare.html",
        links=links,
        title=f"{found.a} and {found.b} compared" if found else "Compare",
        suite=suite,
        here="compare",
        figures=figures or {},
        models=list(dict.fromkeys(row.model for row in grid.rows)),
        a=names[0],
        b=names[1],
        problem=problem,
        found=found,
        axes=axes,
        ways=ways,
        ways_words=ways_words,
        notes=notes,
        legend=LEGEND,
        kinds=list(KINDS.values()),
    )


def _lean(block: Block, count: int) -> tuple[Block, str]:
    """The block without what the rows of all `count` scenarios say alike in their first line, and that."""
    said = [entry.details[0].split(_AND) if entry.details else [] for entry in block.entries]
    shared = [part for part in said[0] if all(part in own for own in said[:count])] if count > _FEW else []
    if not shared or count > len(said):
        return block, ""
    entries = [*block.entries]
    for index in range(count):
        first = _AND.join(part for part in said[index] if part not in shared)
        details = (first, *entries[index].details[1:])
        entries[index] = entries[index]._replace(details=tuple(filter(None, details)))
    return block._replace(entries=tuple(entries)), _AND.join(shared)


def _forest(own: Sequence[tuple[RunPair, Difference]], to: To, found: Comparison, axis: str) -> Figure:
    drawn = [
        Drawn(pair.label, Value(d.value, d.low, d.high, d.n or 0), d.detectable, to(pair, d, "")) for pair, d in own
    ]
    lower = all(d.lower_is_better for _, d in own)
    return paired_forest(drawn, found.a, found.b, metric=axis, lower_is_better=lower)


def _ways(pairs: Sequence[RunPair], to: To) -> list[Ways]:
    """Accuracy alone: elsewhere 1 is not right."""
    made = []
    for pair in pairs:
        for d in pair.differences:
            if d.axis == ACCURACY and d.counts is not None:
                counts = d.counts.both, d.counts.only_a, d.counts.only_b, d.counts.neither
                both, only_a, only_b, neither = (to(pair, d, kind) for kind in KINDS)
                made.append(Ways(pair.label, counts, (both, only_a, only_b, neither)))
    return made


def _to_pairs(suite: Suite, links: Links) -> To:
    """Addresses as short as they can be, because a page holds hundreds: the page of pairs knows A's main metric."""
    usual = {
        folder: (row.main_metric, row.manifest.scenario.main_split)
        for folder, row in zip(suite.runs, suite.grid.rows, strict=True)
    }
    has_page = links.has("pairs", suite=suite.name)
    here = links("compare", suite=suite.name) if has_page else ""

    def to(pair: RunPair, d: Difference, kind: str) -> str:
        if not d.is_paired or not has_page:
            return ""
        given = {"kind": kind}
        if d.perturbation or (d.metric, d.split) != usual.get(pair.a.folder):
            given |= {"metric": d.metric, "split": d.split, "perturbation": d.perturbation or ""}
        a, b = (run.folder[-_SHORT:] for run in (pair.a, pair.b))
        return relative(links("pairs", suite=suite.name, a=a, b=b, **{k: v for k, v in given.items() if v}), here)

    return to
