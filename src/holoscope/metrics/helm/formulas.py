r"""HELM's `math_equiv`: equality of two formulas after a series of rewritings (those of Hendrycks et al. 2021).

The order of the steps is part of the definition. A formula on which a step fails (two `\text{ `, a `\frac` or `\sqrt`
at the end) is compared as it is. Of a worked solution the content of the last `\boxed{}` counts: two solutions without
one are equal, and an `\fbox` is found but not opened.
"""

import re

_REMOVED_FIRST = ("\n", r"\!")
_REMOVED = (r"\left", r"\right", r"^{\circ}", r"^\circ", r"\$")


class _UnreadableError(Exception):
    """A step does not apply."""


def math_equiv(gold: str | None, said: str | None) -> float:
    if gold is None or said is None:
        return float(gold is said)
    try:
        return float(rewritten(gold) == rewritten(said))
    except _UnreadableError:
        return float(gold == said)


def math_equiv_chain_of_thought(gold: str, said: str | None) -> float:
    return math_equiv(_boxed(gold), _boxed(said or ""))


def rewritten(text: str) -> str:
    """The formula in the form that is compared."""
    for mark in _REMOVED_FIRST:
        text = text.replace(mark, "")
    text = re.sub(r"\\[td]frac", lambda _: r"\frac", text.replace("\\\\", "\\"))
    for mark in _REMOVED:
        text = text.replace(mark, "")
    text = _without_unit(text).replace(r"\%", "").replace(" .", " 0.").replace("{.", "{0.")
    if not text:
        return text
    text = _value_of(f"0{text}" if text[0] == "." else text)
    text = _fractions_in_braces(_roots_in_braces(text).replace(" ", ""))
    return _simple_fraction(r"\frac{1}{2}" if text == "0.5" else text)


def _without_unit(text: str) -> str:
    body, *units = text.split(r"\text{ ")
    if len(units) > 1:
        raise _UnreadableError
    return body


def _value_of(text: str) -> str:
    """What follows the only equals sign, where a short name stands before it."""
    sides = text.split("=")
    return sides[1] if len(sides) == 2 and len(sides[0]) <= 2 else text


def _roots_in_braces(text: str) -> str:
    head, *roots = text.split(r"\sqrt")
    if "" in roots:
        raise _UnreadableError
    return head + "".join(rf"\sqrt{r}" if r[0] == "{" else rf"\sqrt{{{r[0]}}}{r[1:]}" for r in roots)


def _fractions_in_braces(text: str) -> str:
    r"""`\frac12` and `\frac1{2}`; a single mark after `\frac` leaves the whole text as it is."""
    head, *parts = text.split(r"\frac")
    done = head
    for part in parts:
        if not part:
            raise _UnreadableError
        if part[0] == "{":
            done += rf"\frac{part}"
        elif len(part) == 1:
            return text
        else:
            below = part[1:] if part[1] == "{" else rf"{{{part[1]}}}{part[2:]}"
            done += rf"\frac{{{part[0]}}}{below}"
    return done


def _simple_fraction(text: str) -> str:
    """`a/b` of integers as they are usually written."""
    match = re.fullmatch(r"(-?(?:0|[1-9]\d*))/(-?(?:0|[1-9]\d*))", text, re.ASCII)
    return rf"\frac{{{match[1]}}}{{{match[2]}}}" if match and "-0" not in match.groups() else text


def _boxed(solution: str) -> str | None:
    r"""The content of the last box; None where there is none, or it is an `\fbox`, or its braces don't close."""
    start = solution.rfind(r"\boxed")
    if start < 0 or not solution.startswith(r"\boxed{", start):
        return None
    depth = 0
    for position in range(start, len(solution)):
        depth += (solution[position] == "{") - (solution[position] == "}")
        if depth == 0 and solution[position] == "}":
            return solution[start + len(r"\boxed{") : position]
    return None
