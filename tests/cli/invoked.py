"""The command in this process: what a test sees of one call, a second faster than in one of its own."""

from collections.abc import Callable
from typing import NamedTuple


class Said(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Said]
