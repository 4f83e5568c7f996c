"""Calibration: how often answers are right against how sure the model was, with what chance alone would show."""

from holoscope.report.evidence import miscalibrations, reliability
from holoscope.report.figures import Figure, alternative, marks
from holoscope.report.figures import reliability as diagram
from holoscope.report.library import Library, Suite
from holoscope.report.pages.choice import Choice, choose, drawable, has_axis, run_of
from holoscope.report.pages.links import Links
from holoscope.report.pages.matrix import run_links
from holoscope.report.pages.render import called, render

HAS = has_axis("calibration")
_LAID_OVER = 2
"""Curves that one diagram holds; of more, each gets its own."""


def calibration(library: Library, links: Links, suite: str, scenario: str = "") -> str:
    """The page of one scenario's reliability curves, and every model's error beside chance's own."""
    found = library.suite(suite)
    choice = choose(found, links, "calibration", HAS, scenario)
    here = links("calibration", suite=suite, scenario=scenario) if scenario else links("calibration", suite=suite)
    figures, reasons = _figures(found, choice)
    link = run_links(found, links, here)
    return render(
        "calibration.html",
        links=links,
        title=f"Calibration{f' · {choice.scenario}' if choice.scenario else ''} · {called(suite)}",
        suite=suite,
        here="calibration",
        figures=figures,
        words={name: alternative(figure) for name, figure in figures.items()},
        choice=choice,
        lines=list(zip(choice.rows, map(link, choice.rows), miscalibrations(choice.rows), strict=True)),
        reasons=reasons,
    )


def _figures(suite: Suite, choice: Choice) -> tuple[dict[str, Figure], list[str]]:
    """The diagrams, and why some models have no curve."""
    run, reasons = run_of(suite), list[str]()
    curves = drawable(choice, lambda row: reliability(row, run(row)), reasons)
    known = marks(dict.fromkeys(row.model for row in suite.grid.rows))
    if len(curves) <= _LAID_OVER:
        return ({"reliability": diagram(curves, known=known)} if curves else {}), reasons
    return {f"reliability-{at}": diagram([curve], known=known) for at, curve in enumerate(curves)}, reasons
