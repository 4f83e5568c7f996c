"""Robustness: the same instances as they are, perturbed, and at the worst of their forms."""

from holoscope.report.evidence import Perturbed, perturbed, slopes
from holoscope.report.figures import alternative, marks, robustness_slopes
from holoscope.report.grid import Row
from holoscope.report.library import Library
from holoscope.report.pages.choice import choose
from holoscope.report.pages.links import Links
from holoscope.report.pages.matrix import run_links
from holoscope.report.pages.render import called, render


def has(row: Row) -> bool:
    """True if the run has perturbed instances."""
    return bool(perturbed([row]))


def robustness(library: Library, links: Links, suite: str, scenario: str = "") -> str:
    """The page of one scenario's slopes, a panel for each perturbation."""
    found = library.suite(suite)
    choice = choose(found, links, "robustness", has, scenario)
    here = links("robustness", suite=suite, scenario=scenario) if scenario else links("robustness", suite=suite)
    every = perturbed(choice.rows)
    known = marks(dict.fromkeys(row.model for row in found.grid.rows))
    panels = {title.removeprefix(f"{choice.scenario} · "): own for title, own in slopes(every).items()}
    figures = {"slopes": robustness_slopes(panels, known=known)} if panels else {}
    link = run_links(found, links, here)
    addresses = {row.model: link(row) for row in choice.rows}
    return render(
        "robustness.html",
        links=links,
        title=f"Robustness{f' · {choice.scenario}' if choice.scenario else ''} · {called(suite)}",
        suite=suite,
        here="robustness",
        figures=figures,
        words={name: alternative(figure) for name, figure in figures.items()},
        choice=choice,
        lines=[(addresses[each.model], each) for each in sorted(every, key=_order)],
        reasons=[],
    )


def _order(each: Perturbed) -> tuple[str, float]:
    return each.perturbation, -(each.worst.value if each.worst.value is not None else float("-inf"))
