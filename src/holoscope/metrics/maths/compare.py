"""Whether two mathematical answers are the same.

Values are compared by what they are worth: exactly where both are rational, to 40 digits where they are not, and at
several points where they hold symbols. Nothing is simplified, so that the time taken is bounded by the formula's size.
"""

from collections.abc import Iterable, Sequence

import sympy
from sympy import Expr, Rational, Symbol

from holoscope.metrics.maths.answers import (
    Answer,
    Bracketed,
    Matrix,
    Relation,
    Several,
    Value,
    Words,
    has_two_readings,
    read_answer,
)
from holoscope.metrics.maths.notation import plain_form
from holoscope.metrics.maths.units import agree

_DIGITS = 40
_POINTS = (Rational(7312, 10007), Rational(-12713, 9973), Rational(31607, 9949), Rational(-4099, 9967))
"""Where formulas with symbols are compared: on both sides of 0, of 1 and of -1, and round at nothing."""
_STEP = Rational(1181, 9973)
"""Between the values of different symbols at one point."""
_INTERVAL = {"<": ("(", ")"), "<=": ("[", "]")}
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!=", "in": "in"}


def same(one: str, other: str) -> bool:
    """True if two texts are one answer; NotationError if one of them is not understood and they differ as texts."""
    if plain_form(one) == plain_form(other):
        return True
    if _same_answers(read_answer(one), read_answer(other)):
        return True
    if has_two_readings(one) or has_two_readings(other):
        return _same_answers(read_answer(one, thousands=False), read_answer(other, thousands=False))
    return False


def _same_answers(one: Answer, other: Answer) -> bool:
    """In either order, so that which of two is the gold never matters."""
    return _equal(one, other) or _equal(other, one)


def _equal(one: Answer, other: Answer) -> bool:
    match one, other:
        case Value(), Value():
            return _equal_values(one, other)
        case Words(), Words():
            return one.text == other.text
        case Words(), Value():
            return one.text == str(other.expression).casefold()
        case Several(), Several():
            return _equal_unordered(one.items, other.items)
        case Several(items=(single,)), _:
            return _equal(single, other)
        case Bracketed(), Bracketed():
            return (one.open, one.close) == (other.open, other.close) and _equal_ordered(one.items, other.items)
        case Matrix(), Matrix():
            return len(one.rows) == len(other.rows) and all(map(_equal_ordered, one.rows, other.rows))
        case Relation(), Relation():
            return _equal_relations(one, other)
        case Relation(), _:
            return _stands_for(one, other)
    return False


def _equal_ordered(one: Sequence[Answer], other: Sequence[Answer]) -> bool:
    return len(one) == len(other) and all(_same_answers(a, b) for a, b in zip(one, other, strict=True))


def _equal_unordered(one: Sequence[Answer], other: Sequence[Answer]) -> bool:
    """The same answers, however often and in whichever order they are given."""
    return _all_among(one, other) and _all_among(other, one)


def _all_among(some: Iterable[Answer], others: Sequence[Answer]) -> bool:
    return all(any(_same_answers(a, b) for b in others) for a in some)


def _stands_for(relation: Relation, answer: Answer) -> bool:
    """`x = 5` for 5, `x in [1, 2]` for the interval, `1 < x <= 2` for the interval too."""
    interval = _as_interval(relation)
    if interval is not None and _same_answers(interval, answer):
        return True
    names_something = relation.signs[0] in ("=", "in") and _is_name(relation.parts[0])
    return names_something and set(relation.signs) <= {"=", "in"} and _same_answers(relation.parts[-1], answer)


def _is_name(answer: Answer) -> bool:
    r"""A symbol, or a function of symbols: `x`, `f(x)`, `f^{-1}(x)`, `A_1`; words too, as in `\text{area} = 5`."""
    if isinstance(answer, Words):
        return True
    factors = sympy.Mul.make_args(answer.expression) if isinstance(answer, Value) else ()
    return bool(factors) and all(f.as_base_exp()[0].is_Symbol for f in factors)


def _as_interval(relation: Relation) -> Bracketed | None:
    """The interval that inequalities of one symbol describe."""
    parts, signs = relation.parts, relation.signs
    if signs[0] in (">", ">="):
        parts, signs = parts[::-1], tuple(_FLIPPED[s] for s in signs[::-1])
    if any(sign not in _INTERVAL for sign in signs) or len(parts) > 3:
        return None
    infinity = Value(sympy.oo)
    if len(parts) == 3 and _is_name(parts[1]):
        return Bracketed(_INTERVAL[signs[0]][0], _INTERVAL[signs[1]][1], (parts[0], parts[2]))
    if len(parts) == 2 and _is_name(parts[0]):
        return Bracketed("(", _INTERVAL[signs[0]][1], (Value(-sympy.oo), parts[1]))
    if len(parts) == 2 and _is_name(parts[1]):
        return Bracketed(_INTERVAL[signs[0]][0], ")", (parts[0], infinity))
    return None


def _equal_relations(one: Relation, other: Relation) -> bool:
    if one.signs == other.signs and _equal_ordered(one.parts, other.parts):
        return True
    flipped = Relation(other.parts[::-1], tuple(_FLIPPED[s] for s in other.signs[::-1]))
    if one.signs == flipped.signs and _equal_ordered(one.parts, flipped.parts):
        return True
    return len(one.signs) == len(other.signs) == 1 and _same_solutions(one, other)


def _same_solutions(one: Relation, other: Relation) -> bool:
    """Whether what one relation sets in relation to 0 is a constant multiple of what the other does."""
    differences = [_difference(one), _difference(other)]
    first, second = differences
    if first is None or second is None or not first.free_symbols or second.is_zero:
        return False
    ratios = _at_points(first / second, first.free_symbols | second.free_symbols)
    if len(ratios) < 2 or not all(_close(ratio, ratios[0]) for ratio in ratios) or _close(ratios[0], sympy.S.Zero):
        return False
    if one.signs[0] in ("=", "!="):
        return one.signs == other.signs
    sign = other.signs[0] if ratios[0].is_positive else _FLIPPED.get(other.signs[0])
    return bool(ratios[0].is_real) and one.signs[0] == sign


def _difference(relation: Relation) -> Expr | None:
    left, right = relation.parts
    if isinstance(left, Value) and isinstance(right, Value):
        return left.expression - right.expression
    return None


def _equal_values(one: Value, other: Value) -> bool:
    if not agree(one.unit, other.unit):
        return False
    a, b = one.expression, other.expression
    if one.percent != other.percent:
        part, whole = (a, b) if one.percent else (b, a)
        is_fraction = whole.is_number and whole.is_extended_real and bool(abs(whole) <= 1)
        return _worth_the_same(part, whole) or (is_fraction and _worth_the_same(part / 100, whole))
    return _worth_the_same(a, b) or _rounds_to(one, b) or _rounds_to(other, a)


def _rounds_to(decimal: Value, exact: Expr) -> bool:
    """True if a long decimal is what another number rounds to, as 0.333333 is for a third."""
    if decimal.decimals is None or not exact.is_number or not exact.is_finite:
        return False
    value = exact.evalf(_DIGITS)
    return bool(value.is_real) and bool(abs(value - decimal.expression) <= Rational(1, 2 * 10**decimal.decimals))


def _worth_the_same(one: Expr, other: Expr) -> bool:
    if one == other:
        return True
    if one.is_Rational and other.is_Rational:
        return False
    symbols = one.free_symbols | other.free_symbols
    if not symbols:
        return _close(one, other)
    pairs = list(zip(_at_points(one, symbols), _at_points(other, symbols), strict=True))
    known = [(a, b) for a, b in pairs if a.is_finite and b.is_finite]
    return len(known) >= 2 and all(_close(a, b) for a, b in known)


def _at_points(expression: Expr, symbols: Iterable[Symbol]) -> list[Expr]:
    named = sorted(symbols, key=str)
    return [
        expression.subs({s: point + _STEP * i for i, s in enumerate(named)}, simultaneous=True).evalf(_DIGITS)
        for point in _POINTS
    ]


def _close(one: Expr, other: Expr) -> bool:
    """Equal to 30 of 40 digits."""
    if not (one.is_finite and other.is_finite):
        return bool(one == other)
    a, b = one.evalf(_DIGITS), other.evalf(_DIGITS)
    scale = max(abs(a), abs(b), sympy.S.One)
    return bool(abs(a - b) <= scale * Rational(1, 10**30))
