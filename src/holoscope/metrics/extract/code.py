"""Finding code in an answer: a fenced block, else the text as it is.

    fenced_language  a block whose tag is the language asked for
    fenced           a block without a tag, or any where no language is asked for
    whole_text       the answer has no block: all of it is code

A block that is never closed goes on to the end. A block of another language is not taken for the one asked for.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from holoscope.metrics.extract.found import Found, settled

_FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<tag>[^\n`]*)$", re.MULTILINE)
_NAMES = {
    "py": "python",
    "python3": "python",
    "python2": "python",
    "js": "javascript",
    "ts": "typescript",
    "c++": "cpp",
}


class _Block(NamedTuple):
    tag: str
    start: int
    end: int


def find_code(text: str, language: str = "", which: Literal["first", "last"] = "last") -> Found:
    """The code in an answer, of one language if one is named; the last block unless the first is asked for."""
    return settled(lambda passage: _find(passage, _language(language), -1 if which == "last" else 0), text)


def find_blocks(text: str, language: str = "") -> list[Found]:
    """Every block of the language, else every one without a tag; none where the answer has no such block."""
    blocks, language = list(_blocks(text)), _language(language)
    tagged = [block for block in blocks if language and block.tag == language]
    chosen = tagged or [block for block in blocks if not (language and block.tag)]
    rule = "fenced_language" if tagged else "fenced"
    return [Found(text[start:end], rule, (start, end)) for _, start, end in chosen]


def _find(text: str, language: str, position: int) -> Found:
    if chosen := find_blocks(text, language):
        return chosen[position]
    if tags := ", ".join(sorted({block.tag for block in _blocks(text)})):
        return Found(None, reason=f"there is no block of {language}, only of {tags}")
    return Found(text, "whole_text", (0, len(text))) if text.strip() else Found(None, reason="the answer is empty")


def _blocks(text: str) -> Iterator[_Block]:
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif not match["tag"].strip() and match["fence"].startswith(opened["fence"]):
            yield _Block(_language(opened["tag"]), _after(text, opened), max(_after(text, opened), match.start() - 1))
            opened = None
    if opened is not None:
        yield _Block(_language(opened["tag"]), _after(text, opened), len(text))


def _after(text: str, fence: re.Match[str]) -> int:
    return min(fence.end() + 1, len(text))


def _language(tag: str) -> str:
    name = tag.strip().lower().split(" ")[0].strip("{}.")
    return _NAMES.get(name, name)
