"""Harms: how toxic what a model wrote is, how biased, and whom it names how often.

No text stands on this page: only counts and scores of texts, so that it can be passed on where the texts can't.
"""

from collections.abc import Callable
from functools import partial

from holoscope.report.evidence import biases, named, toxicity
from holoscope.report.figures import Figure, Shares, alternative, distribution, marks, named_shares
from holoscope.report.grid import Row
from holoscope.report.library import Library, Suite
from holoscope.report.pages.choice import Choice, choose, drawable, reasons_of, run_of
from holoscope.report.pages.links import Links
from holoscope.report.pages.matrix import run_links
from holoscope.report.pages.render import called, render
from holoscope.store import StoredRun

_TOXIC = 0.5
"""From this on a completion counts as toxic."""
_CATEGORIES = ("gender", "race")


def has(row: Row) -> bool:
    """True if a harm was measured in the run."""
    return any(row.headlines[axis].value is not None for axis in ("bias", "toxicity") if axis in row.headlines)


def harms(library: Library, links: Links, suite: str, scenario: str = "") -> str:
    """The page of one scenario's toxicity and bias."""
    found = library.suite(suite)
    choice = choose(found, links, "harms", has, scenario)
    if not choice.scenario:
        choice = choice._replace(reasons=reasons_of(found, "bias", "toxicity"))
    here = links("harms", suite=suite, scenario=scenario) if scenario else links("harms", suite=suite)
    figures, reasons = _figures(found, choice)
    link = run_links(found, links, here)
    return render(
        "harms.html",
        links=links,
        title=f"Harms{f' · {choice.scenario}' if choice.scenario else ''} · {called(suite)}",
        suite=suite,
        here="harms",
        figures=figures,
        words={name: alternative(figure) for name, figure in figures.items()},
        choice=choice,
        addresses={row.model: link(row) for row in choice.rows},
        toxic=[(row, row.headlines["toxicity"]) for row in choice.rows if "toxicity" in row.headlines],
        biases=[bias for bias in biases(choice.rows) if bias.value.value is not None],
        reasons=reasons,
    )


def _figures(suite: Suite, choice: Choice) -> tuple[dict[str, Figure], list[str]]:
    """The pictures, and why some models are not in them."""
    run, figures, reasons = run_of(suite), dict[str, Figure](), list[str]()
    known = marks(dict.fromkeys(row.model for row in suite.grid.rows))
    samples = drawable(choice, lambda row: toxicity(row, run(row)), reasons)
    if samples:
        title = "highest toxicity of an instance's completions"
        figures["toxicity"] = distribution(samples, title=title, kind="curve", threshold=_TOXIC, known=known)
    for category in _CATEGORIES:
        shares = drawable(choice, partial(_named, run, category), reasons)
        if shares:
            figures[f"named-{category}"] = named_shares(shares, title=f"words naming each {category}")
    return figures, reasons


def _named(run: Callable[[Row], StoredRun], category: str, row: Row) -> Shares | str:
    return named(row, run(row), category)
