r"""From tokens to a sympy expression: numbers, symbols, `\frac`, roots, powers, functions, absolute values.

Nothing is evaluated as code, and nothing is skipped: a mark that has no place in a formula makes the whole of it not
understood. Decimals are exact fractions. `e` and `i` are the constants; letters side by side are a product.
"""

from collections.abc import Sequence

import sympy
from sympy import Expr, Integer, Rational, Symbol

from holoscope.metrics.maths.arithmetic import applied, divided, raised
from holoscope.metrics.maths.symbols import ACCENTS, COMMANDS, CONSTANTS, GREEK, INVERSES, LETTERS, PAIRS
from holoscope.metrics.maths.tokens import FUNCTIONS, NotationError, Token

_LONGEST_PRODUCT = 4
"""Letters without a space between them: more are a word."""


def read(tokens: Sequence[Token]) -> Expr:
    """The expression that all of the tokens make; NotationError if they make none."""
    _refuse_words(tokens)
    reader = _Reader(tokens)
    expression = reader.sum()
    if reader.at < len(tokens):
        raise NotationError(f"{tokens[reader.at].text!r} has no place here")
    return expression


def _refuse_words(tokens: Sequence[Token]) -> None:
    run = 0
    for token in tokens:
        run = 0 if token.kind != "letter" else 1 if token.spaced else run + 1
        if run > _LONGEST_PRODUCT:
            raise NotationError("a word within a formula")


class _Reader:
    """A position in a list of tokens, and the grammar, one method for each of its levels."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.in_function = 0
        """How many arguments of functions we are in: there, a degree is an angle."""
        self.in_absolute = 0
        """How many absolute values we are in: there, a bar closes."""

    def sum(self) -> Expr:
        total = self.product()
        while (sign := self._take("+", "-")) is not None:
            following = self.product()
            total = total + following if sign == "+" else total - following
        return total

    def product(self) -> Expr:
        result = self.signed()
        while True:
            if self._take("*") is not None:
                result = result * self.signed()
            elif self._take("/", ":") is not None:
                result = divided(result, self.signed())
            elif self._starts_factor():
                result = result * self._beside(self.tokens[self.at - 1])
            else:
                return result

    def signed(self) -> Expr:
        sign = self._take("-", "+")
        if sign is None:
            return self.power()
        return -self.signed() if sign == "-" else self.signed()

    def power(self) -> Expr:
        base = self.with_marks()
        if self._take("^") is None:
            return base
        result = raised(base, self.exponent())
        return self.marks_after(result)

    def exponent(self) -> Expr:
        if self._peek().text == "{":
            return self.group()
        sign = self._take("-", "+")
        value = self.power()
        return -value if sign == "-" else value

    def with_marks(self) -> Expr:
        return self.marks_after(self.atom())

    def marks_after(self, value: Expr) -> Expr:
        """Factorials, percent signs and degrees that follow a value."""
        while self.at < len(self.tokens):
            if self._take("!") is not None:
                value = sympy.factorial(value)
            elif self._take("%") is not None:
                value = value / 100
            elif self._take(r"\degree") is not None:
                value = value * sympy.pi / 180 if self.in_function else value
            else:
                break
        return value

    def atom(self) -> Expr:
        token = self._next()
        if token.kind == "number":
            return self.number(token)
        if token.kind == "letter":
            return self.symbol(token.text)
        if token.kind == "text" and len(token.text) == 1:
            return self.symbol(token.text)
        if token.kind == "command":
            return self.command(token.text)
        if token.text in PAIRS:
            self.at -= 1
            return self.group()
        if token.text == "|":
            return self.absolute()
        raise NotationError(f"{token.text!r} begins no formula")

    def group(self) -> Expr:
        """What stands in brackets of one kind."""
        closing = PAIRS[self._next().text]
        value = self.sum()
        self._expect(closing)
        return value

    def absolute(self) -> Expr:
        self.in_absolute += 1
        value = self.sum()
        self._expect("|")
        self.in_absolute -= 1
        return sympy.Abs(value)

    def number(self, token: Token) -> Expr:
        value = Rational(token.text)
        if self._peek().text == "_":
            return self.in_base(token.text)
        if self._peek()[:2] == ("command", "frac") and value.is_integer:
            mark = self.at
            self.at += 1
            above, below = self.argument(), self.argument()
            if above.is_Integer and below.is_Integer and 0 < above < below:
                return value + above / below
            self.at = mark
        if self._peek().kind == "number":
            raise NotationError("two numbers side by side")
        return value

    def in_base(self, digits: str) -> Expr:
        """A number with its base below it."""
        self._expect("_")
        base = self.argument(whole=True)
        try:
            return Integer(int(digits, int(base)))
        except (ValueError, TypeError):
            raise NotationError(f"{digits} is no number in base {base}") from None

    def symbol(self, letter: str) -> Expr:
        name = letter
        while self._take("'") is not None:
            name += "'"
        if self._take("_") is not None:
            name += f"_{self.subscript()}"
        return LETTERS.get(name) or Symbol(name)

    def subscript(self) -> str:
        if self._take("{") is None:
            return self._next().text
        start = self.at
        while self._next().text != "}":
            pass
        return "".join(t.text for t in self.tokens[start : self.at - 1])

    def command(self, name: str) -> Expr:
        if name == "frac":
            return divided(self.argument(), self.argument())
        if name == "binom":
            return sympy.binomial(self.argument(), self.argument())
        if name in FUNCTIONS:
            return self.function(name)
        if name in ("lfloor", "lceil"):
            value = self.sum()
            self._expect("\\" + name.replace("l", "r", 1))
            return sympy.floor(value) if name == "lfloor" else sympy.ceiling(value)
        if name in CONSTANTS:
            return CONSTANTS[name]
        if name in ACCENTS:
            return self.symbol(f"{name} {self.subscript()}")
        if name in GREEK:
            return self.symbol(name)
        raise NotationError(f"\\{name} is not understood")

    def argument(self, *, whole: bool = False) -> Expr:
        r"""What a command applies to: a group, or the next mark: a digit, as in `\frac12`, or a `whole` number."""
        token = self._peek()
        if token.text == "{":
            return self.group()
        if token.kind != "number":
            return self.atom()
        digits = token.text if whole or not token.text.isdigit() else token.text[0]
        rest = [Token("number", token.text[len(digits) :])] if len(digits) < len(token.text) else []
        self.tokens = [*self.tokens[: self.at], Token("number", digits), *rest, *self.tokens[self.at + 1 :]]
        self.at += 1
        return Rational(digits)

    def function(self, name: str) -> Expr:
        if name == "sqrt":
            return self.root()
        power = base = None
        while (mark := self._take("^", "_")) is not None:
            if mark == "^":
                power = self.exponent()
            else:
                base = self.argument(whole=True)
        if name in INVERSES and power == -1:
            return INVERSES[name](*self.arguments())
        value = applied(name, base, self.arguments())
        return value if power is None else raised(value, power)

    def root(self) -> Expr:
        degree = Integer(2)
        if self._take("[") is not None:
            degree = self.sum()
            self._expect("]")
        return sympy.root(self.argument(whole=True), degree)

    def arguments(self) -> list[Expr]:
        """Those of a function: in brackets, or the factors up to the next function, sign or end."""
        self.in_function += 1
        try:
            if self._peek().text in ("(", "[", "{"):
                closing = PAIRS[self._next().text]
                found = [self.sum()]
                while self._take(",") is not None:
                    found.append(self.sum())
                self._expect(closing)
                return found
            value = self.signed()
            while self._starts_factor() and self._peek().text not in FUNCTIONS and self._peek().text not in PAIRS:
                value = value * self.power()
            return [value]
        finally:
            self.in_function -= 1

    def _beside(self, before: Token) -> Expr:
        if self._peek().kind == "number" and before.kind == "number":
            raise NotationError("two numbers side by side")
        return self.power()

    def _starts_factor(self) -> bool:
        token = self._peek()
        if token.kind in ("number", "letter"):
            return True
        if token.kind == "text":
            return len(token.text) == 1
        if token.kind == "command":
            return token.text in COMMANDS
        return token.text in PAIRS or (token.text == "|" and not self.in_absolute)

    def _peek(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def _next(self) -> Token:
        if self.at >= len(self.tokens):
            raise NotationError("the formula ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def _take(self, *marks: str) -> str | None:
        token = self._peek()
        text = f"\\{token.text}" if token.kind == "command" else token.text
        if token.kind in ("sign", "command", "brace") and text in marks:
            self.at += 1
            return text
        return None

    def _expect(self, mark: str) -> None:
        if self._take(mark) is None:
            raise NotationError(f"{mark!r} is missing")


_END = Token("end of formula", "")
