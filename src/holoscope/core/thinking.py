"""Where the thinking ends and the answer begins, for models that write both into one text.

The one list of marks around thinking, so that what is split off when a reply is read and what is skipped when it is
graded are the same. A closing mark ends the thinking even where the template swallowed the opening one. An opening
mark that is never closed means that the whole text is thinking: the answer is empty.
"""

import re
from functools import lru_cache
from typing import NamedTuple

_NAMES = (
    r"(?:(?:ant|seed|antml)[_:])?think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratch_?pad|analysis|deliberation"
    r"|chain_of_thought|cot|(?:inner|internal)_(?:monologue|thoughts?)|monologue"
)
_OPENS = (
    rf"<\|?(?:{_NAMES})\|?>",
    r"<\|begin_of_thought\|>",
    r"<\|start_thinking\|>",
    r"<\|channel\|>\s*(?:analysis|commentary)\b[^<]*<\|message\|>",
    "◁think▷",
    r"\[THINK\]",
    r"<unused94>",
)
_CLOSES = (
    rf"</(?:{_NAMES})>",
    rf"<\|/(?:{_NAMES})\|>",
    r"<\|end_of_thought\|>",
    r"<\|end_thinking\|>",
    r"<\|channel\|>\s*final\b[^<]*<\|message\|>",
    "◁/think▷",
    r"\[/THINK\]",
    r"<unused95>",
)


class Thinking(NamedTuple):
    """Where in a text the thinking stands, as indices."""

    start: int
    """Its first character, after the opening mark if the text begins with one."""
    end: int
    """Where it ends, before the closing mark."""
    answer: int
    """The first character that is not thinking; the text's length where all of it is."""
    is_open: bool = False
    """True if it never ended."""


def find_thinking(text: str, tags: tuple[tuple[str, str], ...] = ()) -> Thinking | None:
    """The thinking in a text; None if there is none in it.

    `tags` are further pairs of opening and closing marks, as they are written.

    >>> find_thinking("<think>maybe A</think>B"), find_thinking("{{A", (("{{", "}}"),)), find_thinking("B")
    (Thinking(start=7, end=14, answer=22, is_open=False), Thinking(start=2, end=3, answer=3, is_open=True), None)
    """
    if not tags and not ("<" in text or "◁" in text or "[" in text):
        return None
    opens, closes = _marks(tags)
    opened = opens.match(text)
    start = opened.end() if opened else 0
    last = None
    for last in closes.finditer(text):  # noqa: B007 the last one is wanted
        pass
    if opens.match(text, last.end() if last else 0):
        return Thinking(start, len(text), len(text), is_open=True)
    return None if last is None else Thinking(min(start, last.start()), last.start(), last.end())


@lru_cache(maxsize=64)
def _marks(tags: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    opens = [*_OPENS, *(re.escape(start) for start, _ in tags)]
    closes = [*_CLOSES, *(re.escape(end) for _, end in tags)]
    return (
        re.compile(rf"\s*(?:{'|'.join(opens)})", re.IGNORECASE),
        re.compile("|".join(closes), re.IGNORECASE),
    )
