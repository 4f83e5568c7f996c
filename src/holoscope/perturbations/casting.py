"""Who is called what after people's names were changed: one person one name throughout an instance.

A name is decided on when it is first met, with one draw, and no two people get the same new name while names last.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random


class Casting:
    """The new names of one instance's people, and the draws for them."""

    def __init__(
        self, fitting: Callable[[str], Sequence[str]], taken: Iterable[str], rng: Random, *, prob: float
    ) -> None:
        self._fitting = fitting
        self._taken = set(taken)
        self._rng = rng
        self._prob = prob
        self._roles: dict[str, str | None] = {}

    def role(self, name: str) -> str | None:
        """The new name of whoever is called `name`; None if the old one stays."""
        if name not in self._roles:
            self._roles[name] = self._cast(name)
        return self._roles[name]

    def _cast(self, name: str) -> str | None:
        others = [new for new in self._fitting(name) if new != name]
        options = [new for new in others if new not in self._taken] or others
        chosen = self._rng.choice(options) if options and self._rng.random() < self._prob else None
        if chosen:
            self._taken.add(chosen)
        return chosen
