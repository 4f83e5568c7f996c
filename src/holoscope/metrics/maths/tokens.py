"""The tokens of a tidied formula."""

import re
from typing import NamedTuple

FUNCTIONS = {
    *("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "arccot", "sinh", "cosh", "tanh"),
    *("log", "ln", "lg", "exp", "sqrt", "gcd", "lcm", "min", "max", "det"),
}
NAMES = (
    *("arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "sin", "cos", "tan", "log", "exp", "sqrt", "ln"),
    *("infinity", "theta", "alpha", "beta", "pi"),
)
"""What is also written without a backslash."""
_TOKEN = re.compile(
    r"(?P<space>\s*)(?:(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"|\\text\{(?P<text>[^{}]*)\}"
    r"|\\(?P<edge>begin|end)\s*\{(?P<environment>\w+\*?)\}(?:\s*\{[clr|\s]*\})?"
    r"|(?P<break>\\\\)"
    r"|(?P<brace>\\[{}])"
    r"|\\(?P<command>[a-zA-Z]+)"
    rf"|(?<![A-Za-z])(?P<name>{'|'.join(NAMES)})(?![A-Za-z]{{2}})"
    r"|(?P<letter>[^\W\d_])"
    r"|(?P<sign>[-+*/^_=<>()\[\]{}|,;:!%&'.?]))"
)


class NotationError(Exception):
    """A formula that is not understood: it is compared as a text."""


class Token(NamedTuple):
    """One mark of a formula."""

    kind: str
    """number, text, begin, end, break, brace, command, letter or sign."""
    text: str
    spaced: bool = False
    """True after white space."""


def tokenize(formula: str) -> list[Token]:
    """The tokens of a formula; NotationError at a mark that is none."""
    tokens: list[Token] = []
    position, end = 0, len(formula.rstrip())
    while position < end:
        match = _TOKEN.match(formula, position)
        if match is None:
            raise NotationError(f"{formula[position : position + 10]!r} is not understood")
        tokens.append(_token(match))
        position = match.end()
    return tokens


def _token(match: re.Match[str]) -> Token:
    spaced = match["space"] != ""
    if match["edge"]:
        return Token(match["edge"], match["environment"], spaced)
    kind = str(match.lastgroup)
    return Token("command" if kind == "name" else kind, match[kind].strip(), spaced)
