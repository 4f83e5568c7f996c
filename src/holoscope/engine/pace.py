"""How many requests a model is sent at once, found out by sending them.

A refusal for overload (429, 503) of the n-th of so many at once says that there is room for n - 1, or, since it may
have had other reasons, for half of what was allowed. Growth is decided in rounds of as many answers as there are
connections: by a step that doubles as long as all goes well, so that any ceiling is reached within a few round trips,
and that is one again after a refusal. After a round with many refusals some calm rounds pass first, the more, the
more often it came to that. A few refusals are left alone, so that one request that is always refused does not slow
the others. While answers take much longer than they did there is a queue at the server, and it is not added to.
"""

import math

START = 16
_FEW = 0.1
"""Share of refusals that a calm round may have."""
_MOST_CAUTION = 16
"""Most calm rounds to let pass before a step is tried."""
_SLOWER = 2.0
"""By how much a round's answers may take longer than those of the quickest."""
_FORGET = 1.1
"""The quickest round counts less with each further one, since other runs may ask for longer answers."""


class Pace:
    """The number of connections to one model."""

    def __init__(self, ceiling: int, start: int = START) -> None:
        self.limit = min(start, ceiling)
        self.pressed = False
        """True once a request had to wait for a connection: only then is more worth a try."""
        self._ceiling = ceiling
        self._step = START
        self._calm_rounds, self._caution = 0, 1
        self._quickest = math.inf
        self._new_round()

    def answered(self, seconds: float) -> None:
        """An answer came."""
        self._answers += 1
        self._seconds += seconds
        if self._answers >= self.limit:
            self._end_round()
            self._new_round()

    def overloaded(self, at_once: int) -> None:
        """The server refused one as too many when `at_once` were under way."""
        if at_once > self.limit:
            return  # it was sent before what is known now
        self._refusals += 1
        if self._refusals > _FEW * self.limit:
            self._step = 1
            self.limit = max(1, self.limit // 2, at_once - 1)

    def _new_round(self) -> None:
        self._answers, self._refusals, self._seconds = 0, 0, 0.0

    def _end_round(self) -> None:
        if self._refusals > _FEW * self._answers:
            self._calm_rounds, self._caution = 0, min(2 * self._caution, _MOST_CAUTION)
        elif self._is_steady() and self.pressed:
            self._calm_rounds += 1
            if self._calm_rounds >= self._caution:
                self._grow()

    def _grow(self) -> None:
        if self._step > 1:  # the last step went well
            self._caution = max(1, self._caution // 2)
        self.limit = min(self._ceiling, self.limit + self._step)
        self._step *= 2
        self._calm_rounds, self.pressed = 0, False

    def _is_steady(self) -> bool:
        mean = self._seconds / self._answers
        self._quickest = min(mean, self._quickest * _FORGET)
        return mean <= _SLOWER * self._quickest
