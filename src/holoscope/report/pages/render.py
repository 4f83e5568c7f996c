"""Templates into documents: the one place where text becomes HTML.

Jinja2 escapes every value, and before that every value loses what acts instead of showing (a terminal's commands, marks
that turn the direction of text), so a page can hold whatever a model wrote. A missing value is an error and not an
empty string. Figures are data blocks, never script: the policy of the pages forbids script of their own.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from holoscope import __version__
from holoscope.core import MissingExtraError, counted
from holoscope.report.pages.links import Links
from holoscope.report.printable import multiline, number

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from holoscope.report.figures import Figure

Figures = Mapping[str, "Figure"]
"""By the id that the template's `figure(id, ...)` names."""

_MARKS = re.compile(r"(?<=[_/,:.=-])(?=\w)")
_LONG_METRIC = re.compile(r"\bbias_metric:\S+?(?=,?(?:\s|$))")
"""The one family whose names are longer than a column; in a list a comma follows the name."""
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_HERE = "holoscope.report.pages"
_BREAK = "<br>"
_TEXTS = ("customdata", "hovertext")
_FEW = 3
"""Lists up to this length stay as they are."""


class _Item(NamedTuple):
    """An entry of a suite's navigation."""

    page: str
    label: str


_SUITE_PAGES = (
    _Item("overview", "Overview"),
    _Item("profiles", "Profiles"),
    _Item("leaderboard", "Leaderboard"),
    _Item("calibration", "Calibration"),
    _Item("robustness", "Robustness"),
    _Item("fairness", "Fairness"),
    _Item("harms", "Harms"),
    _Item("compare", "Compare"),
    _Item("suite_instances", "Instances"),
)


def render(
    template: str,
    *,
    links: Links,
    title: str,
    suite: str = "",
    here: str = "",
    figures: Figures | None = None,
    **values: object,
) -> str:
    """A whole document from `templates/<template>`, which extends `base.html`.

    `suite` gives the page that suite's navigation, in which `here` is the current entry; `figures` are drawn where the
    template calls `figure(id, ...)`, and only a page that has some loads plotly.
    """
    from holoscope.report.figures import alternative
    from holoscope.report.figures import template as theme

    navigation = [item for item in _SUITE_PAGES if suite and links.has(item.page, suite=suite)]
    drawn = {name: _bare(figure) for name, figure in (figures or {}).items()}
    return (
        environment()
        .get_template(template)
        .render(
            links=links,
            title=title,
            suite=suite,
            here=here,
            figures=drawn,
            alternative=alternative,
            themes={"light": theme("light"), "dark": theme("dark")} if drawn else None,
            navigation=navigation,
            called=called,
            version=__version__,
            **values,
        )
    )


@lru_cache(maxsize=1)
def environment() -> "Environment":
    """Jinja2 with everything escaped and nothing missing unnoticed."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise MissingExtraError("pages", "web") from error
    made = Environment(
        loader=PackageLoader("holoscope.report", "pages/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["data_block"] = data_block
    made.filters["count"] = counted
    made.filters["amount"] = number
    made.filters["breakable"] = _breakable
    made.filters["metrics"] = _metrics
    return made


def _bare(figure: "Figure") -> "Figure":
    """A figure without what the page holds elsewhere: the colours of light and dark, and what it says in words."""
    layout = {key: value for key, value in figure["layout"].items() if key not in ("template", "meta")}
    meta = figure["layout"].get("meta")
    width = meta.get("width") if isinstance(meta, dict) else None
    layout = {key: _unseen_off(value) for key, value in layout.items()}
    drawn = [_folded(_rounded(_unseen_off(trace))) for trace in figure["data"] if trace.get("x") != []]
    return {"data": drawn, "layout": {**_noted(layout), "meta": {"width": width}}}


def _folded(trace: dict[str, Any]) -> dict[str, Any]:
    """A trace whose lists of texts hold once, line by line, what all begin and end with.

    The script puts them together again before it draws.
    """
    folded = {}
    for key in _TEXTS:
        texts = trace.get(key)
        if isinstance(texts, list) and len(texts) > _FEW and all(isinstance(text, str) and text for text in texts):
            rows = [text.split(_BREAK) for text in texts]
            if len({len(row) for row in rows}) == 1:
                folded[key] = [_common(line) for line in zip(*rows, strict=True)]
    rest = {key: value for key, value in trace.items() if key not in folded}
    return {**rest, "folded": folded} if folded else rest


def _common(texts: Sequence[str]) -> tuple[str, str, list[str]]:
    """What all begin with, what all end with, and what is between."""
    start = _start(texts)
    rest = [text[len(start) :] for text in texts]
    end = _start([text[::-1] for text in rest])[::-1]
    return start, end, [text[: len(text) - len(end)] for text in rest]


def _start(texts: Sequence[str]) -> str:
    """The characters that all begin with."""
    first, last = min(texts), max(texts)
    length = next(
        (at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    return first[:length]


def _noted(layout: dict[str, Any]) -> dict[str, Any]:
    """A layout whose annotations that differ in height and text alone hold the rest once; the script undoes it."""
    alike: dict[str, list[Any]] = {}
    for note in layout.get("annotations") or ():
        rest = {key: value for key, value in note.items() if key not in ("y", "text")}
        alike.setdefault(msgspec.json.encode(rest).decode(), [rest]).append([note.get("y"), note.get("text")])
    if sum(len(own) - 1 for own in alike.values()) <= _FEW:
        return layout
    return {**{k: v for k, v in layout.items() if k != "annotations"}, "folded": [*alike.values()]}


def _unseen_off(part: Any) -> Any:
    """A trace or an axis without what is not drawn: names of ticks that are not shown, error bars of no length."""
    if not isinstance(part, dict):
        return part
    if part.get("showticklabels") is False:
        return {key: value for key, value in part.items() if key != "ticktext"}
    bars = [key for key in ("error_x", "error_y") if isinstance(part.get(key), dict) and not _length(part[key])]
    return {key: value for key, value in part.items() if key not in bars}


def _length(bar: Mapping[str, Any]) -> bool:
    """True if an error bar has an end apart from its value."""
    return any(end for key in ("array", "arrayminus") for end in bar.get(key) or ())


def _rounded(part: Any) -> Any:
    """Numbers with five digits: no screen shows more, and a page of panels is half numbers."""
    if isinstance(part, float):
        return float(f"{part:.5g}") if math.isfinite(part) else None
    if isinstance(part, dict):
        return {key: _rounded(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_rounded(value) for value in part]
    return part


def data_block(value: object) -> "Markup":
    """JSON that can stand within `<script type="application/json">`, whatever texts it holds."""
    from markupsafe import Markup

    text = msgspec.json.encode(_inert(value)).decode()
    return Markup(text.replace("<", "\\u003c"))  # within script nothing but `<` could end it


def _inert(part: Any) -> Any:
    """A value whose texts are as the templates show them, so that the script finds the same names in both."""
    if isinstance(part, str):
        return _shown(part)
    if isinstance(part, dict):
        return {_inert(key): _inert(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_inert(value) for value in part]
    return part


def static_names() -> tuple[str, ...]:
    """The pages' own files."""
    return tuple(sorted(file.name for file in (files(_HERE) / "static").iterdir()))


def static_file(name: str) -> bytes:
    """The content of one of the pages' own files, without comments and indentation."""
    text = (files(_HERE) / "static" / name).read_text(encoding="utf-8")
    lines = (line.strip() for line in _COMMENT.sub("", text).splitlines())
    return "\n".join(filter(None, lines)).encode()


def _shown(value: object) -> object:
    """`value` with nothing in it that acts; markup and what isn't text as it is."""
    if type(value) is str and not value.isprintable():  # not a subclass: markup stays as it is
        return multiline(value)
    return value


def called(suite: str) -> str:
    """A suite's name, or `release v1`."""
    return f"release {suite[1:]}" if suite.startswith("@") else suite


def _breakable(name: str) -> "Markup":
    """A name that may be broken after its marks, where a line is too short for it."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(escape(_shown(part)) for part in _MARKS.split(name))


def _metrics(text: str) -> "Markup":
    """A text that names metrics, breakable; long names in words, with the name itself on hover."""
    from markupsafe import Markup

    from holoscope.report.evidence import bias_title

    made, start = Markup(), 0
    for found in _LONG_METRIC.finditer(text):
        named = Markup('<abbr title="{}">{}</abbr>').format(_shown(found[0]), _shown(bias_title(found[0])))
        made += _breakable(text[start : found.start()]) + named
        start = found.end()
    return made + _breakable(text[start:])
