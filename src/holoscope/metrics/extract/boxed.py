r"""The content of LaTeX boxes: `\boxed{...}` and `\fbox{...}` with balanced braces, and `\boxed 4` without."""

import re

_BRACES = re.compile(
    r"(?P<box>\\(?:boxed|fbox)\s*\{)|\\(?:boxed|fbox)\s*(?P<bare>-?\d+)|\\.|(?P<open>\{)|(?P<close>\})",
    re.DOTALL,
)
"""An escaped brace is neither opening nor closing."""


def last_boxed(text: str) -> tuple[int, int] | None:
    r"""Start and end of the content of the box that opens last among those that are closed and hold something.

    >>> text = r"so \boxed{\frac{1}{2}}."
    >>> text[slice(*last_boxed(text))]
    '\\frac{1}{2}'
    """
    if "box" not in text:
        return None
    last: tuple[int, int] | None = None
    unclosed: list[int | None] = []
    """Where each open brace's content starts; None for a brace that is no box."""
    for match in _BRACES.finditer(text):
        if match["bare"]:
            last = match.span("bare")
        elif match["box"] or match["open"]:
            unclosed.append(match.end() if match["box"] else None)
        elif match["close"] and unclosed:
            start = unclosed.pop()
            holds_something = start is not None and not text[start : match.start()].isspace() and start < match.start()
            if start is not None and holds_something and (last is None or start > last[0]):
                last = start, match.start()
    return last
