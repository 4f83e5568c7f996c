"""From what a model wrote to a graded choice and an outcome; the same for a live endpoint and for a recording.

Reasoning is taken out first, then stop sequences are applied to what follows it: a stop sequence within the reasoning
must not cost the answer. An answer the provider withheld is no empty answer, and one that never came because the
reasoning used up the limit is marked as such.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from holoscope.core import Choice, Outcome, Token
from holoscope.models.thinking import TAGS, Tags, cut_at_stop, split_thinking


class Written(NamedTuple):
    """One completion as it came."""

    text: str
    finish_reason: str | None = None
    tokens: tuple[Token, ...] = ()
    thinking: str | None = None
    """Reasoning that came apart from the text."""
    refusal: str | None = None
    logprob: float | None = None
    """Where there are no tokens to sum."""
    reasoned: bool = False
    """True if the model is known to have reasoned, though it doesn't show how."""


class Answer(NamedTuple):
    """A choice, or why there is none."""

    choice: Choice | None
    outcome: Outcome
    reason: str = ""


class Answers(NamedTuple):
    """All choices of a completion, with one outcome."""

    choices: tuple[Choice, ...]
    outcome: Outcome
    reason: str


_FINISH = {
    "eos": "endoftext",
    "eos_token": "endoftext",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
}
"""Other words for the same thing."""

_FILTERED = re.compile(
    r"content_filter(ed)?|(image_)?safety|blocklist|prohibited_content|recitation|spii|sensitive|blocked"
    r"|guardrail_intervened|model_armor",
    re.IGNORECASE,
)


def read_answer(written: Written, *, think: Tags | None = TAGS, stops: tuple[str, ...] = ()) -> Answer:
    """Take the reasoning out, cut at the stop sequences, and say what became of it."""
    finish = written.finish_reason
    if finish is not None:
        finish = _FINISH.get(finish.lower(), finish)
        if _FILTERED.fullmatch(finish):
            return Answer(None, Outcome.CONTENT_FILTER, f"the provider withheld the answer (finish_reason {finish})")
    thinking, answer, is_open = split_thinking(written.text, think)
    if written.thinking:
        thinking = f"{written.thinking}\n{thinking}" if thinking else written.thinking
        answer = answer.lstrip() if stops else answer  # blank lines before it must not count as a stop sequence
    if written.refusal is not None or finish == "refusal":
        text = answer or written.refusal or ""
        return Answer(Choice(text, None, (), finish, thinking), Outcome.REFUSED, "the provider marked it as a refusal")
    text = cut_at_stop(answer, stops)
    if len(text) < len(answer):
        finish = "stop"
    start = len(written.text) - len(answer)
    tokens = _within(written.tokens, written.text, start, start + len(text))
    choice = Choice(text, sum_logprobs(tokens, written.logprob), tokens, finish, thinking)
    if not answer and (is_open or (finish == "length" and (thinking or written.reasoned))):
        return Answer(choice, Outcome.TRUNCATED_IN_REASONING, f"the reasoning did not end (finish_reason {finish})")
    if finish == "length":
        return Answer(choice, Outcome.TRUNCATED, "cut off at the token limit")
    return Answer(choice, Outcome.OK)


def sum_logprobs(tokens: Sequence[Token], otherwise: float | None = None) -> float | None:
    """Log-probability of all tokens that have one; `otherwise` if none has."""
    known = [token.logprob for token in tokens if token.logprob is not None]
    return sum(known) if known else otherwise


def combine(answers: Sequence[Answer]) -> Answers:
    """The choices there are; the outcome is that of the first, or the reason why there is none."""
    given = [answer for answer in answers if answer.choice is not None]
    choices = tuple(answer.choice for answer in given if answer.choice is not None)
    first = given[0] if given else answers[0]
    if given and len(given) < len(answers):
        missing = next(answer.reason for answer in answers if answer.choice is None)
        return Answers(choices, first.outcome, f"{len(given)} of {len(answers)} completions came: {missing}")
    return Answers(choices, first.outcome, first.reason)


def _within(tokens: tuple[Token, ...], text: str, start: int, end: int) -> tuple[Token, ...]:
    """The tokens that make up `text[start:end]`; all of them where they don't spell `text`."""
    if not tokens or (start == 0 and end == len(text)) or "".join(t.text for t in tokens) != text:
        return tokens
    kept, at = [], 0
    for token in tokens:
        if at < end and at + len(token.text) > start:
            kept.append(token)
        at += len(token.text)
    return tuple(kept)
