r"""Finding the final answer of a worked solution, such as a formula.

Rules: what a box or a sentence marks as the answer, and of several marks the last; else the whole text, where that is
one line without a sentence in it; else the last formula that is set off.

    boxed          `\boxed{\frac{1}{2}}`, nested braces and all
    stated_answer  `The answer is $x = 2$.`, `**Answer:** 4.`
    whole_text     `\frac{1}{2}`
    last_formula   `... which gives $x = 2$ at once.`

A sentence that gives an answer in words (`the answer is clear`) counts only where there is no box.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from holoscope.metrics.extract.boxed import last_boxed
from holoscope.metrics.extract.folding import folded
from holoscope.metrics.extract.found import Found, settled
from holoscope.metrics.extract.statements import ENGLISH, HEADING, OTHERS

_ANNOUNCED = re.compile(rf"(?:(?:{ENGLISH})|(?:{OTHERS})|{HEADING})[\s*_:]{{0,8}}", re.IGNORECASE)
_FORMULA = re.compile(
    r"\$\$(?P<display>[^$]+)\$\$|(?<!\\)\$(?P<inline>[^$\n]+)(?<!\\)\$|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]",
    re.DOTALL,
)
_JOINED = re.compile(r"\s{0,3}(?:,?\s{0,3}(?:and|or)\b|,)\s{0,3}")
_SENTENCE_END = re.compile(
    r"[.!?。](?:[\s*\"']|\Z)|\n|\*\*(?=\s|\Z)|\Z|,?\s(?:because|since|where|which|when|so|as|by|from)\s", re.IGNORECASE
)
_EMPTY_BOX = re.compile(r"[\s$]*\\(?:boxed|fbox)\s*\{\s*\}[\s$.]*")
_MATHEMATICAL = re.compile(r"[\d\\^_=+<>|{}]|^.$")
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_FEW_WORDS = 5
_LONGEST = 1000
"""Characters of a stated answer."""

Place = tuple[int, int]


def find_final_answer(text: str) -> Found:
    """The answer that a solution ends in."""
    return _settled(text)


@lru_cache(maxsize=256)
def _settled(text: str) -> Found:
    return settled(_find, text)


def _find(text: str) -> Found:
    plain = folded(text)
    box = last_boxed(plain)
    in_words, formal = _statements(plain, box)
    marks = [(box, "boxed")] if box else []
    marks += [(formal, "stated_answer")] if formal else []
    if not marks:
        marks = [(in_words, "stated_answer")] if in_words else [*_whole(plain), *_last_formula(plain)][:1]
    if not marks:
        return Found(None, reason="no answer is marked, and the text is more than an answer")
    (start, end), rule = max(marks)
    start, end = _trimmed(plain, start, end)
    if start >= end:
        return Found(None, rule, (start, end), "the marked answer is empty")
    return Found(text[start:end], rule, (start, end))


def _statements(text: str, box: Place | None) -> tuple[Place | None, Place | None]:
    """The last answer that is stated outside the box in any form, and the last in a form that is mathematical."""
    last: Place | None = None
    for match in reversed(list(_ANNOUNCED.finditer(text))):
        start = match.end()
        if box is not None and box[0] <= start < box[1]:
            continue
        place = start, _end_of_formulas(text, start) or _end_of_sentence(text, start)
        if not text[slice(*place)].strip(" .*"):
            continue
        last = last or place
        if _is_formal(text, place):
            return last, place
    return last, None


def _end_of_sentence(text: str, start: int) -> int:
    ending = _SENTENCE_END.search(text, start, start + _LONGEST)
    return ending.start() if ending else start


def _end_of_formulas(text: str, start: int) -> int | None:
    """Where a row of formulas ends, such as `$2$ and $3$`; None if there is none at `start`."""
    end = None
    limit = start + _LONGEST
    while (formula := _FORMULA.match(text, start, limit)) is not None:
        end = formula.end()
        joined = _JOINED.match(text, end)
        if joined is None:
            break
        start = joined.end()
    return end


def _is_formal(text: str, place: tuple[int, int]) -> bool:
    passage = text[slice(*place)].strip(" .*")
    return len(_WORD.findall(passage)) <= _FEW_WORDS and _MATHEMATICAL.search(passage) is not None


def _whole(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    body = text.strip()
    if body and "\n" not in body and not _EMPTY_BOX.fullmatch(body) and len(_WORD.findall(body)) <= _FEW_WORDS:
        start = text.find(body)
        yield (start, start + len(body)), "whole_text"


def _last_formula(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    formulas = list(_FORMULA.finditer(text))
    if formulas:
        last = formulas[-1]
        yield last.span(str(last.lastgroup)), "last_formula"


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without space, bold type and a full stop at the edges, or the signs around a single formula."""
    passage = text[start:end]
    start += len(passage) - len(passage.lstrip(" \t\r\n*_"))
    end = max(start, end - len(passage) + len(passage.rstrip(" \t\r\n*_.")))
    formula = _FORMULA.fullmatch(text, start, end)
    return formula.span(str(formula.lastgroup)) if formula else (start, end)
