"""What an extraction rule returns."""

from typing import NamedTuple


class Found(NamedTuple):
    """An answer and where it stands, or why there is none."""

    answer: str | None
    rule: str = ""
    span: tuple[int, int] | None = None
    reason: str = ""
    """Why `answer` is None."""
