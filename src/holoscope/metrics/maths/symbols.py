"""What the names in a formula stand for. A command that is not listed here is not understood."""

from collections.abc import Callable

import sympy
from sympy import Expr

from holoscope.metrics.maths.tokens import FUNCTIONS

CONSTANTS = {"pi": sympy.pi, "infty": sympy.oo, "infinity": sympy.oo}
LETTERS = {"e": sympy.E, "i": sympy.I}
CALLS: dict[str, Callable[..., Expr]] = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "cot": sympy.cot, "sec": sympy.sec, "csc": sympy.csc,
    "arcsin": sympy.asin, "arccos": sympy.acos, "arctan": sympy.atan, "arccot": sympy.acot,
    "sinh": sympy.sinh, "cosh": sympy.cosh, "tanh": sympy.tanh, "exp": sympy.exp, "ln": sympy.log, "lg": sympy.log,
    "log": sympy.log, "sqrt": sympy.sqrt, "gcd": sympy.gcd, "lcm": sympy.lcm, "min": sympy.Min, "max": sympy.Max,
}  # fmt: skip
INVERSES = {"sin": sympy.asin, "cos": sympy.acos, "tan": sympy.atan, "cot": sympy.acot}
PAIRS = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
GREEK = {
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"),
    *("xi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda"),
    *("Xi", "Pi", "Sigma", "Phi", "Psi", "Omega", "ell", "hbar", "emptyset"),
}
"""Commands that are symbols, as letters are."""
ACCENTS = {
    *("overline", "bar", "vec", "hat", "widehat", "tilde", "overrightarrow", "underline", "mathbf", "mathbb"),
    *("mathcal", "boldsymbol"),
}

COMMANDS = {"frac", "binom", "lfloor", "lceil", *GREEK, *CONSTANTS, *ACCENTS, *FUNCTIONS}
"""What a factor may begin with."""
