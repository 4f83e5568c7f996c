"""What a mathematical answer is as a whole: a value, a list, a tuple or interval, a set, a matrix, a relation.

The structure is read here, from brackets and commas; the parts are values (`formula`). A bare list and a set have no
order, brackets do, and `(1, 2)` is not `[1, 2]`. An answer in words is compared as words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Expr

from holoscope.metrics.maths.formula import read
from holoscope.metrics.maths.notation import tidy
from holoscope.metrics.maths.tokens import NAMES, NotationError, Token, tokenize
from holoscope.metrics.maths.units import split_unit

_OPEN = {"(", "[", "{", r"\{", r"\langle"}
_CLOSE = {")", "]", "}", r"\}", r"\rangle"}
_RELATIONS = {"=": "=", "<": "<", ">": ">", r"\leq": "<=", r"\geq": ">=", r"\neq": "!=", r"\approx": "=", r"\in": "in"}
_MATRICES = {"matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "array"}
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_WORDS = re.compile(r"(?:[^\W\d_]|\\text\{[^{}]*\}|[\s'.-])+")


@dataclass(frozen=True)
class Value:
    """A number or a formula, perhaps with a unit or a percent sign."""

    expression: Expr
    unit: str = ""
    percent: bool = False
    decimals: int | None = None
    """Digits after the point, where it is a decimal of six significant digits or more: it may be a rounded one."""


@dataclass(frozen=True)
class Words:
    text: str


@dataclass(frozen=True)
class Several:
    """Answers without an order: `1, 2`, a set, a union."""

    items: tuple["Answer", ...]


@dataclass(frozen=True)
class Bracketed:
    """Items in order: a tuple, a point, an interval."""

    open: str
    close: str
    items: tuple["Answer", ...]


@dataclass(frozen=True)
class Matrix:
    rows: tuple[tuple["Answer", ...], ...]


@dataclass(frozen=True)
class Relation:
    """`a = b`, `1 < x <= 2`: parts with the signs between them."""

    parts: tuple["Answer", ...]
    signs: tuple[str, ...]


Answer = Value | Words | Several | Bracketed | Matrix | Relation


def read_answer(text: str, *, thousands: bool = True) -> Answer:
    """The answer that a text is; NotationError if it is none that is understood.

    `thousands` decides what `100,200` is without brackets: one number, or two.
    """
    plain = tidy(text)
    words = _as_words(plain)
    if words is not None:
        return words
    return _answer(tokenize(_joined(plain, thousands=thousands)))


def has_two_readings(text: str) -> bool:
    """True if the commas of a text may divide thousands or answers."""
    return _THOUSANDS.search(tidy(text)) is not None


def _as_words(plain: str) -> Words | None:
    """An answer of letters only, if it is more than a symbol or a product of few."""
    if not _WORDS.fullmatch(plain) or plain in NAMES:
        return None
    bare = re.sub(r"\\text\{([^{}]*)\}", r" \1 ", plain)
    longest = max(map(len, bare.split()), default=0)
    is_words = longest >= 3 or "\\text" in plain or (longest >= 2 and " " in bare.strip())
    return Words(" ".join(bare.casefold().split()).strip(" .")) if is_words else None


def _joined(plain: str, *, thousands: bool) -> str:
    """Without the commas within numbers. In brackets a comma divides items, unless a group begins with 0."""

    def join(match: re.Match[str]) -> str:
        before = plain[: match.start()]
        in_brackets = sum(map(before.count, "([{")) > sum(map(before.count, ")]}"))
        groups = match.group().split(",")
        as_one = any(g.startswith("0") for g in groups[1:]) if in_brackets else thousands
        return "".join(groups) if as_one else match.group()

    return _THOUSANDS.sub(join, plain)


def _answer(tokens: Sequence[Token]) -> Answer:
    if not tokens:
        raise NotationError("there is no formula")
    for divide in (_several, _relation, _union, _plus_minus, _matrix, _bracketed):
        found = divide(tokens)
        if found is not None:
            return found
    return _value(tokens)


def _several(tokens: Sequence[Token]) -> Answer | None:
    parts = _split(tokens, {",", ";"})
    if len(parts) == 1:
        return None
    return Several(tuple(_answer(part) for part in _named_once(parts)))


def _named_once(parts: list[Sequence[Token]]) -> list[Sequence[Token]]:
    """`x = 1, 2` as `x = 1, x = 2`."""
    first = parts[0]
    if len(first) > 2 and first[0].kind == "letter" and first[1].text == "=":
        return [first, *(p if any(t.text == "=" for t in p) else [*first[:2], *p] for p in parts[1:])]
    return parts


def _union(tokens: Sequence[Token]) -> Answer | None:
    parts = _split(tokens, {r"\cup"})
    return None if len(parts) == 1 else Several(tuple(map(_answer, parts)))


def _relation(tokens: Sequence[Token]) -> Answer | None:
    parts = _split(tokens, _RELATIONS)
    if len(parts) == 1:
        return None
    ends, signs = 0, []
    for part in parts[:-1]:
        ends += len(part)
        signs.append(_RELATIONS[_mark(tokens[ends])])
        ends += 1
    return Relation(tuple(map(_answer, parts)), tuple(signs))


def _plus_minus(tokens: Sequence[Token]) -> Answer | None:
    r"""`a \pm b` is two values."""
    if all(_mark(t) not in (r"\pm", r"\mp") for t in tokens):
        return None
    ways = ({r"\pm": "+", r"\mp": "-"}, {r"\pm": "-", r"\mp": "+"})
    return Several(tuple(_answer([_signed(t, signs) for t in tokens]) for signs in ways))


def _signed(token: Token, signs: dict[str, str]) -> Token:
    sign = signs.get(_mark(token))
    return Token("sign", sign, token.spaced) if sign else token


def _matrix(tokens: Sequence[Token]) -> Answer | None:
    if tokens[0].kind != "begin" or tokens[-1].kind != "end":
        return None
    if tokens[0].text not in _MATRICES:
        raise NotationError(f"{tokens[0].text} is not understood")
    rows = [row for row in _split(tokens[1:-1], {r"\\"}) if row]
    return Matrix(tuple(tuple(map(_answer, _split(row, {"&"}))) for row in rows))


def _bracketed(tokens: Sequence[Token]) -> Answer | None:
    opening, closing = _mark(tokens[0]), _mark(tokens[-1])
    if opening not in _OPEN or closing not in _CLOSE or not _is_one_group(tokens):
        return None
    inside = tokens[1:-1]
    if inside and inside[0].kind == "begin":
        return _matrix(inside)
    items = _split(inside, {",", ";"}) if inside else []
    if opening == r"\{":
        return Several(tuple(map(_answer, items)))
    if len(items) < 2:
        return _answer(inside) if items and (opening, closing) in (("(", ")"), ("[", "]"), ("{", "}")) else None
    kind = ("(", ")") if opening == r"\langle" else (opening, closing)
    return Bracketed(*kind, tuple(map(_answer, items)))


def _value(tokens: Sequence[Token]) -> Answer:
    text = _written(tokens)
    body, unit = split_unit(text)
    percent = body.endswith("%")
    plain = body.removesuffix("%").strip()
    decimal = re.fullmatch(r"-?\s*(\d*)\.(\d+)", plain)
    long_enough = decimal and len((decimal[1] + decimal[2]).lstrip("0")) >= 6
    expression = read(tokenize(plain))
    return Value(expression, unit, percent, len(decimal[2]) if decimal and long_enough else None)


def _written(tokens: Sequence[Token]) -> str:
    """The tokens as text again, spaced as they were: words that letters spell out stay words."""
    parts = []
    for token in tokens:
        parts.append(" " if token.spaced else "")
        if token.kind == "text":
            parts.append(f"\\text{{{token.text}}}")
        elif token.kind == "command":
            parts.append(f"\\{token.text} ")
        elif token.kind in ("begin", "end"):
            raise NotationError("a matrix within a formula")
        else:
            parts.append(token.text)
    return "".join(parts)


def _split(tokens: Sequence[Token], marks: object) -> list[Sequence[Token]]:
    """The tokens between those marks that stand in no brackets."""
    parts: list[Sequence[Token]] = []
    depth = start = 0
    for i, token in enumerate(tokens):
        mark = _mark(token)
        if mark in _OPEN or token.kind == "begin":
            depth += 1
        elif mark in _CLOSE or token.kind == "end":
            depth -= 1
        elif depth == 0 and mark in marks:  # type: ignore[operator]
            parts.append(tokens[start:i])
            start = i + 1
    return [*parts, tokens[start:]]


def _is_one_group(tokens: Sequence[Token]) -> bool:
    """True if the first bracket closes with the last."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += (_mark(token) in _OPEN) - (_mark(token) in _CLOSE)
        if depth == 0:
            return i == len(tokens) - 1
    return False


def _mark(token: Token) -> str:
    return f"\\{token.text}" if token.kind == "command" else token.text
