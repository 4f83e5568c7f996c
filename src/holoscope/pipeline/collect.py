"""The answers of one run, put back into plan order as they come in, in whatever order that is.

A run's requests are numbered as they are planned and its completions arrive by number. It is whole once planning has
ended and no number is missing; only then is it scored and written, so equal completions make equal files.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from holoscope.core import Completion, Exchange, Outcome, PlannedRequest, RunSpec, without_image_data

_JOINT = ("multiple_choice_joint", "multiple_choice_joint_multimodal")
_LETTER_ONLY = 5
"""Up to this many tokens a joint multiple-choice request asks for the letter alone: to end there is no truncation."""


class Collector:
    """Pairs planned requests with completions."""

    def __init__(self, spec: RunSpec) -> None:
        self._letters = spec.adapter.method in _JOINT and spec.adapter.max_tokens <= _LETTER_ONLY
        self._planned: list[PlannedRequest] = []
        self._completions: list[Completion | None] = []
        self._missing = 0
        self._planning = True
        self.cached = 0

    def plan(self, planned: PlannedRequest) -> int:
        """Number one more request; one that is not to be sent is answered here."""
        self._planned.append(light(planned))
        if planned.unsent is None:
            self._completions.append(None)
            self._missing += 1
        else:
            self._completions.append(Completion(planned.unsent, reason=planned.unsent_reason))
        return len(self._planned) - 1

    def answer(self, position: int, completion: Completion, cached: bool) -> None:
        """Keep the completion of request number `position`."""
        self._missing -= self._completions[position] is None
        self._completions[position] = completion
        self.cached += cached

    def end_of_plan(self) -> None:
        """Say that no more requests follow."""
        self._planning = False

    @property
    def whole(self) -> bool:
        """True once every request of the run is answered."""
        return not self._planning and self._missing == 0

    @property
    def planned(self) -> int:
        return len(self._planned)

    @property
    def sent(self) -> int:
        """Requests that go to the model, of those planned so far."""
        return sum(planned.unsent is None for planned in self._planned)

    @property
    def answered(self) -> int:
        return len(self._planned) - self._missing

    def exchanges(self, stopped: str) -> Iterator[Exchange]:
        """Every exchange in plan order; an unanswered one fails with the reason `stopped`."""
        unanswered = Completion(Outcome.TRANSPORT_ERROR, reason=stopped)
        for planned, completion in zip(self._planned, self._completions, strict=True):
            yield Exchange(planned, self._as_asked(completion or unanswered))

    def _as_asked(self, completion: Completion) -> Completion:
        if self._letters and completion.outcome is Outcome.TRUNCATED and completion.text.strip():
            return replace(completion, outcome=Outcome.OK, reason="")
        return completion


def light(planned: PlannedRequest) -> PlannedRequest:
    """The request with its images by their hash alone, since a run of many would not fit into memory."""
    if planned.request.messages is None:
        return planned
    messages = tuple(map(without_image_data, planned.request.messages))
    return replace(planned, request=replace(planned.request, messages=messages))
