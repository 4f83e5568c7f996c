"""What became of a request or a score: a closed list, so that unknown is never mistaken for zero."""

from enum import StrEnum


class Outcome(StrEnum):
    """Why there is, or is not, an answer. Every member other than OK travels with a reason in words."""

    OK = "ok"
    TRUNCATED = "truncated"
    """The answer hit the token limit; what there is of it is graded."""
    TRUNCATED_IN_REASONING = "truncated_in_reasoning"
    """The token limit fell inside the model's thinking: an empty answer, graded as such."""
    CONTENT_FILTER = "content_filter"
    REFUSED = "refused"
    """The provider marked the answer as a refusal; its text is graded."""
    CONTEXT_OVERFLOW = "context_overflow"
    TRANSPORT_ERROR = "transport_error"
    UNGRADABLE = "ungradable"
    """There is a completion, but no rule found an answer in it."""
    JUDGE_FAILED = "judge_failed"
    NOT_SUPPORTED = "not_supported"

    @property
    def has_text(self) -> bool:
        """True if a completion with this outcome is an answer of the model and is graded."""
        return self in _GRADED

    @property
    def is_final(self) -> bool:
        """True if asking again would give the same, so that the answer may be stored."""
        return self in _FINAL


_GRADED = frozenset({Outcome.OK, Outcome.TRUNCATED, Outcome.TRUNCATED_IN_REASONING, Outcome.REFUSED})
_FINAL = _GRADED | {Outcome.CONTENT_FILTER, Outcome.CONTEXT_OVERFLOW}
