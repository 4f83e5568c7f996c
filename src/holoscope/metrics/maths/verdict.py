"""What is asked of the process that compares formulas, and what it says."""

import msgspec


class Question(msgspec.Struct, frozen=True):
    one: str
    other: str


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether two answers are the same."""

    same: bool | None
    """None if that could not be decided within the limits."""
    note: str = ""
    """Why it was not decided, or was decided by comparing the texts alone."""
