"""The program in an answer, in the ways in which it may be meant.

    fenced_language  a block of Python, the last one that defines what is asked for
    fenced           a block without a tag
    continuation     the rest of the function that the prompt began
    whole_text       all of the answer, or all of it from the first line of code on

Whether a reading is Python is found out in the sandbox, where it is run, since no text of a model's is compiled in this
process. Each way is tried as it stands first; then with the indentation that endpoints strip, without what follows the
function, and without prose at its end.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holoscope.metrics.extract import Found, find_blocks

_FIRST_LINE = re.compile(
    r"^(?:from\s+\w|import\s+\w|def\s|class\s|async\s+def\s|@\w|#!|\w+(?:\s*:\s*\w[^=\n]*)?\s*=[^=])", re.MULTILINE
)
_TOP_LEVEL = re.compile(r"^[^\s#)\]}]", re.MULTILINE)
_MARK = re.compile(r"^\s*\[BEGIN\]\s*\n|\n?\s*\[DONE\].*", re.DOTALL)
_MOST_CUTS = 20
"""How many lines at the end may be prose."""
_INDENT = "    "


class Program(NamedTuple):
    """An answer's program."""

    readings: tuple[str, ...]
    """With what the prompt holds of it; the likeliest first."""
    rule: str
    span: tuple[int, int]
    """Where the model's part stands in the answer."""


def find_program(text: str, context: str = "", names: Sequence[str] = ()) -> Program:
    """The program of an answer.

    `context` is the code that the answer may go on from, the beginning of a function whose body is missing. `names` are
    what the program is to define.

    >>> find_program("return 1", "def f():\\n", ["f"]).readings[1]
    'def f():\\n    return 1'
    """
    found = _block(text, names)
    if found is None:
        found = (
            _whole(text, names) if not context or _defines(text, names) else Found(text, "continuation", (0, len(text)))
        )
    code, span = found.answer or "", found.span or (0, 0)
    if found.rule != "continuation" and (not context or _defines(code, names)):
        readings = _standing_alone(code, context)
    else:
        readings = _going_on(code, context)
    return Program(tuple(dict.fromkeys(readings)), found.rule, span)


def _block(text: str, names: Sequence[str]) -> Found | None:
    blocks = find_blocks(text, "python")
    defining = [block for block in blocks if _defines(block.answer or "", names)]
    return next(reversed(defining or blocks), None)


def _whole(text: str, names: Sequence[str]) -> Found:
    marked = _MARK.sub("", text)
    start = text.find(marked) if marked else 0
    first = _FIRST_LINE.search(marked)
    skipped = first.start() if first else 0
    span = start + skipped, start + len(marked)
    return Found(text[slice(*span)], "whole_text", span)


def _standing_alone(code: str, context: str) -> Iterator[str]:
    """The prompt's imports and helpers before the program, which defines its functions anew."""
    before = f"{context}\n" if context else ""
    yield before + code
    for cut in _cuts(code):
        yield before + cut


def _going_on(code: str, context: str) -> Iterator[str]:
    yield context + code
    yield context + _INDENT + code.strip()
    yield context + textwrap.indent(textwrap.dedent(code), _INDENT)
    for start in (code, _INDENT + code.strip()):
        end = _TOP_LEVEL.search(start)
        if end is not None and start[: end.start()].strip():
            yield context + start[: end.start()]
    for cut in _cuts(code):
        yield context + cut


def _cuts(code: str) -> list[str]:
    """The code up to each line that may begin something else, the last such line first."""
    starts = [match.start() for match in _TOP_LEVEL.finditer(code)][1:]
    return [code[:start] for start in reversed(starts[-_MOST_CUTS:])]


def _defines(code: str, names: Sequence[str]) -> bool:
    return any(re.search(rf"^(?:async\s+)?(?:def|class)\s+{re.escape(name)}\b", code, re.MULTILINE) for name in names)
