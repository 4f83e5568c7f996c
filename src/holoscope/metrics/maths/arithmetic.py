"""Division, powers and functions, refused where they have no value or too long a one."""

import sympy
from sympy import Expr

from holoscope.metrics.maths.symbols import CALLS
from holoscope.metrics.maths.tokens import NotationError

_LARGEST = 3000
"""Decimal digits of a power that is worked out."""


def divided(above: Expr, below: Expr) -> Expr:
    """A quotient."""
    if below.is_zero:
        raise NotationError("a division by zero")
    return above / below


def raised(base: Expr, power: Expr) -> Expr:
    """A power, unless working it out would take its digits beyond reason."""
    if base.is_Rational and power.is_Rational and not base.is_zero:
        digits = max(len(str(base.p)), len(str(base.q))) * abs(power)
        if digits > _LARGEST:
            raise NotationError("a power with too many digits")
    return base**power


def applied(name: str, base: Expr | None, arguments: list[Expr]) -> Expr:
    """A function of its arguments; `base` is that of a logarithm."""
    if name not in CALLS:
        raise NotationError(f"\\{name} is not understood")
    if name == "log" and base is not None:
        return sympy.log(arguments[0], base)
    if name == "lg":
        return sympy.log(arguments[0], 10)
    try:
        return CALLS[name](*arguments)
    except TypeError:
        raise NotationError(f"\\{name} does not take {len(arguments)} arguments") from None
