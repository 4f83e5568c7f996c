"""How an answer in a data file names its choices: by text, by letter, or by number.

A reading gives the positions that an answer names, or none; it never takes part of an answer for the whole, so that a
wrong answer is an error and not another choice.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from holoscope.core.labels import position_of_letters

AnswerAs = Literal["text", "letter", "index", "number"]
"""How an answer names its choice: by its text, by its letter, counted from 0, or counted from 1."""


def right_choices(answers: Iterable[str], choices: Sequence[str], answer_as: AnswerAs) -> set[int] | None:
    """Positions of the right choices; None if an answer names none of them."""
    right: set[int] = set()
    for answer in answers:
        named = READINGS[answer_as](answer.strip(), choices)
        if not named:
            return None
        right |= named
    return right


def _by_text(answer: str, choices: Sequence[str]) -> set[int]:
    return {position for position, choice in enumerate(choices) if choice.strip() == answer}


def _by_letter(answer: str, choices: Sequence[str]) -> set[int]:
    """One letter's choice, or those of several with a comma or semicolon between them."""
    right: set[int] = set()
    for part in re.split("[,;]", answer):
        position = position_of_letters(part.strip("(). "))
        if position is None or position >= len(choices):
            return set()
        right.add(position)
    return right


_DIGITS = 6
"""A longer number counts no choices; Python refuses to convert very long ones."""


def _counted_from(first: int) -> Callable[[str, Sequence[str]], set[int]]:
    def read(answer: str, choices: Sequence[str]) -> set[int]:
        is_count = answer.isascii() and answer.isdigit() and len(answer) <= _DIGITS
        position = int(answer) - first if is_count else -1
        return {position} if 0 <= position < len(choices) else set()

    return read


READINGS: dict[AnswerAs, Callable[[str, Sequence[str]], set[int]]] = {
    "text": _by_text,
    "letter": _by_letter,
    "index": _counted_from(0),
    "number": _counted_from(1),
}
