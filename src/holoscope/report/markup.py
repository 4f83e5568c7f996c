"""HTML and SVG as values: text is escaped unless it is known to be markup.

A `Markup` is a string that a browser may read as it is; any other string that gets near one is text and is escaped
first, so that nothing a model, a server or a user wrote can become a tag. There is no way around `element` in this
folder, which is what keeps that true.
"""

import re
from collections.abc import Sequence
from html import escape

from holoscope.report.printable import multiline


class Markup(str):
    """HTML or SVG that is safe to show; a notebook shows it as such."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def element(name: str, /, *children: str, **attributes: str | float | bool | None) -> Markup:
    """An element; `class_` is `class`, `aria_label` is `aria-label`; None and False leave an attribute out.

    >>> element("td", "1 < 2", class_="value", title='"so"')
    '<td class="value" title="&quot;so&quot;">1 &lt; 2</td>'
    """
    opened = "".join([name, *(_attribute(key, value) for key, value in attributes.items())])
    if name in _VOID:
        return Markup(f"<{opened}>")
    return Markup(f"<{opened}>{join(children)}</{name}>")


def join(parts: Sequence[str]) -> Markup:
    """Parts one after the other, those that are text escaped."""
    return Markup("".join(text(part) for part in parts))


def text(part: str) -> Markup:
    """A part as markup: itself if it is, else escaped and with nothing in it that acts instead of showing."""
    return part if isinstance(part, Markup) else Markup(escape(multiline(part)))


def breakable(name: str) -> Markup:
    """A name that may be broken after its marks, where a line is too short for it.

    >>> breakable("mode=pattern_match")
    'mode=pattern_<wbr>match'
    """
    parts = re.split(r"(?<=[_/,:-])(?=\w)", name)
    return Markup("<wbr>".join(text(part) for part in parts))


_VOID = frozenset({"br", "hr", "img", "meta"})
"""HTML elements that have no end."""


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    return f' {name}="{escape(multiline(shown))}"'
