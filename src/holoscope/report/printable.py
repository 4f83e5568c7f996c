"""Text and numbers as a terminal and a table show them.

Names and reasons may come from a model or a server: whatever could move a cursor, colour a line or turn text around
is replaced before it is shown. Numbers keep three significant digits, because no interval here supports more.
"""

import unicodedata

DASH = "–"
_REPLACEMENT = "\ufffd"
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Unicode categories that act instead of showing: controls, bidirectional marks, halves of surrogate pairs."""


def printable(text: str) -> str:
    """One line of `text` that does nothing but show.

    >>> printable("ok" + chr(27) + "[31m" + chr(10) + "x")
    'ok�[31m x'
    """
    line = " ".join(text.split())
    return "".join(_REPLACEMENT if unicodedata.category(c) in _HIDDEN else c for c in line)


def multiline(text: str) -> str:
    """`text` with its lines and spaces as they are, and nothing in it that acts.

    >>> multiline("a" + chr(27) + "[31m" + chr(10) + " b")
    'a�[31m\\n b'
    """
    kept = "\n\t"
    return "".join(c if c in kept or unicodedata.category(c) not in _HIDDEN else _REPLACEMENT for c in text)


def number(value: float | None) -> str:
    """A value in at most three significant digits where it is small, and whole where it is large.

    >>> [number(v) for v in (None, 0.5, 0.0031, 12.345, 1234.5)]
    ['–', '0.50', '0.0031', '12.3', '1234']
    """
    if value is None:
        return DASH
    if value and abs(value) < 0.01:
        return f"{value:.2g}"
    decimals = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:.{decimals}f}"


def interval(low: float | None, high: float | None) -> str:
    """`[0.51, 0.72]`; empty where there is none."""
    ends = _ends(low, high)
    return f"[{ends[0]}, {ends[1]}]" if ends else ""


def short_interval(low: float | None, high: float | None) -> str:
    """`.51–.72`, for narrow columns."""
    return DASH.join(map(_short, _ends(low, high)))


def percent(part: int, whole: int) -> str:
    """A rate that is never shown as none where there is some.

    >>> percent(1, 1000), percent(1, 10)
    ('<1%', '10%')
    """
    share = 100 * part / whole
    return "<1%" if 0 < share < 1 else f"{share:.0f}%"


def shortened(name: str, width: int) -> str:
    """`name` in `width` characters.

    >>> shortened("calibration", 8), shortened("bias", 8)
    ('calibr.', 'bias')
    """
    return name if len(name) <= width else f"{name[: width - 2]}."


def folded(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken after a mark where there is one.

    >>> folded("synthetic_reasoning_natural", 22)
    ['synthetic_reasoning_', 'natural']
    """
    lines = []
    while len(text) > width:
        cut = 1 + max((text.rfind(mark, 0, width) for mark in " _-/=,:"), default=-1)
        cut = cut if cut > width // 2 else width
        lines.append(text[:cut])
        text = text[cut:]
    return [*lines, text]


def _ends(low: float | None, high: float | None) -> tuple[str, ...]:
    """Both ends with the same decimals, unless both are tiny."""
    if low is None or high is None:
        return ()
    if max(abs(low), abs(high)) < 0.01:
        return number(low), number(high)
    return tuple(f"{end:.2f}" if abs(end) < 0.01 else number(end) for end in (low, high))


def _short(shown: str) -> str:
    """`shown` without what is clear anyway."""
    if shown in ("0.00", "-0.00", "1.00"):
        return shown.removesuffix(".00").removeprefix("-")
    return shown.replace("0.", ".", 1) if shown.startswith(("0.", "-0.")) else shown
