"""Options as references: which of them is right, from a letter or a position.

Where a letter must be turned into an option, an option is right if its text is the right one's: a few benchmarks repeat
a text, and then a model that answers with either letter has answered rightly.
"""

from collections.abc import Sequence
from typing import NamedTuple

from holoscope.core import CORRECT, DataError, Reference

_LETTERS = "ABCDEFGHIJ"


class Question(NamedTuple):
    """The cells of a row without header: a question, its options, and the position of the right one."""

    text: str
    options: list[str]
    right: int


def question_of(cells: Sequence[str], where: str) -> Question:
    """A row that holds a question, its options and the letter of the right one."""
    if len(cells) < 4:
        raise DataError(f"{where}: expected a question, its options and a letter; there are {len(cells)} cells")
    question, *options, letter = cells
    return Question(question, options, position_of(letter, options, where))


def position_of(letter: str, options: Sequence[str], where: str) -> int:
    """The position of the option that `letter` names."""
    position = _LETTERS.find(letter)
    if len(letter) != 1 or not 0 <= position < len(options):
        raise DataError(f"{where}: expected options and the letter of one; there are {len(options)} and {letter!r}")
    return position


def right_answer(answer: str) -> tuple[Reference, ...]:
    """The one answer that is right, where there are no options."""
    return (Reference(answer, (CORRECT,)),)


def right_text(options: Sequence[str], position: int) -> tuple[Reference, ...]:
    """The options, of which those with the text of the one at `position` are right."""
    return tuple(Reference(option, (CORRECT,) if option == options[position] else ()) for option in options)


def right_position(options: Sequence[str], position: int) -> tuple[Reference, ...]:
    """The options, of which only the one at `position` is right."""
    return tuple(Reference(option, (CORRECT,) if i == position else ()) for i, option in enumerate(options))
