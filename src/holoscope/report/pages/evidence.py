"""What stands behind one trial, as plain values for a template: question, options, completions, scores, changes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Image,
    Outcome,
    Registry,
    Score,
    Trial,
    covering,
    without_image_data,
)
from holoscope.metrics.separate import is_separate, option_logprobs
from holoscope.report.pages.passages import Mark, Passage, Tokens, passage, tokens
from holoscope.report.pages.words import Piece, difference

_MOST_COMPARED = 20_000
"""Characters of a text whose changes are marked."""
_MOST_OPTIONS = 200


class Option(NamedTuple):
    """A reference."""

    text: Passage
    label: str
    """Its letter in the prompt; empty where it has none."""
    is_right: bool
    is_chosen: bool
    logprob: float | None
    """Of its tokens together, where each was scored by itself."""


class Answer(NamedTuple):
    """One completion text."""

    text: Passage
    thinking: Passage | None
    finish_reason: str
    tokens: Tokens


class ScoreLine(NamedTuple):
    """One metric on the trial."""

    metric: str
    title: str
    version: str
    value: float | None
    outcome: str
    reason: str
    rule: str
    extracted: Passage | None
    is_binary: bool
    is_main: bool


class Turn(NamedTuple):
    """A message as it was sent."""

    role: str
    text: Passage


class Shown(NamedTuple):
    """A trial, ready to be shown."""

    question: Passage
    change: tuple[Piece, ...]
    """From the original, where this is a perturbed form of it."""
    options: tuple[Option, ...]
    options_left_out: int
    answers: tuple[Answer, ...]
    failure: str
    """Why there is no answer."""
    prompt: tuple[Turn, ...]
    scores: tuple[ScoreLine, ...]
    facts: dict[str, str]
    raw: str


def shown(trial: Trial, scores: Sequence[Score], registry: Registry, main_metric: str) -> Shown:
    """Everything about one trial."""
    first = trial.exchanges[0]
    instance, failed = trial.instance, trial.failure
    options = _options(trial, scores, main_metric)
    return Shown(
        question=passage(instance.input),
        change=changed(instance.original_input, instance.input) if instance.perturbation else (),
        options=tuple(options[:_MOST_OPTIONS]),
        options_left_out=max(0, len(options) - _MOST_OPTIONS),
        answers=_answers(trial, scores, main_metric),
        failure=f"{failed.completion.outcome}: {failed.completion.reason}" if failed else "",
        prompt=_prompt(first),
        scores=tuple(_line(score, registry, main_metric) for score in _main_first(scores, main_metric)),
        facts=_facts(trial),
        raw=_raw(first),
    )


def changed(old: str | None, new: str) -> tuple[Piece, ...]:
    """What became of a text; nothing where there is no text to compare with."""
    if old is None:
        return ()
    return tuple(difference(old[:_MOST_COMPARED], new[:_MOST_COMPARED]))


def marks_of(scores: Sequence[Score], main_metric: str) -> list[Mark]:
    """Where in the completion the answers were found, the main metric's first, each with the rules that found it."""
    found: dict[tuple[int, int], list[str]] = {}
    for score in _main_first(scores, main_metric):
        if score.span is not None:
            found.setdefault(score.span, []).append(f"{score.metric} by {score.rule or 'its own rule'}")
    return [Mark(start, end, f"read as the answer: {', '.join(names)}") for (start, end), names in found.items()]


def _main_first(scores: Sequence[Score], main_metric: str) -> list[Score]:
    return sorted(scores, key=lambda score: score.metric != main_metric)


def _options(trial: Trial, scores: Sequence[Score], main_metric: str) -> list[Option]:
    references = trial.instance.references
    if not references:
        return []
    first = trial.exchanges[0]
    labels = {text: letter for letter, text in (first.planned.output_mapping or {}).items()}
    answers = {score.answer for score in _main_first(scores, main_metric)[:1] if score.answer is not None}
    if (labels and first.completion.outcome.has_text) and not answers:
        answers = {(first.planned.output_mapping or {}).get(first.completion.text.strip(), "")}
    likely = option_logprobs(trial) if is_separate(trial) else [None] * len(references)
    return [
        Option(
            passage(reference.text),
            labels.get(reference.text, ""),
            reference.is_correct,
            reference.text in answers or labels.get(reference.text, "\0") in answers,
            logprob,
        )
        for reference, logprob in zip(references, likely, strict=True)
    ]


def _answers(trial: Trial, scores: Sequence[Score], main_metric: str) -> tuple[Answer, ...]:
    if is_separate(trial):
        return ()
    marks = marks_of(scores, main_metric)
    return tuple(
        _answer(choice, marks if number == 0 else [])
        for exchange in trial.exchanges[:1]
        for number, choice in enumerate(exchange.completion.choices)
    )


def _answer(choice: Choice, marks: Sequence[Mark]) -> Answer:
    return Answer(
        passage(choice.text, marks),
        passage(choice.thinking) if choice.thinking else None,
        choice.finish_reason or "",
        tokens(choice.tokens),
    )


def option_tokens(trial: Trial) -> list[tuple[str, Tokens]]:
    """For options that were scored one by one: each option's own tokens."""
    found = []
    for exchange in trial.exchanges[:_MOST_OPTIONS] if is_separate(trial) else ():
        index, choices = exchange.planned.reference_index, exchange.completion.choices
        if index is None or not choices:
            continue
        own = covering(choices[0].tokens, exchange.planned.request.continuation) or choices[0].tokens
        mode = f" ({exchange.planned.request_mode})" if exchange.planned.request_mode else ""
        found.append((f"option {index + 1}{mode}", tokens(own)))
    return found


def _prompt(exchange: Exchange) -> tuple[Turn, ...]:
    request = exchange.planned.request
    if request.messages is None:
        return (Turn("prompt", passage(request.prompt or "")),)
    turns = []
    for message in request.messages:
        parts = [message.content] if isinstance(message.content, str) else message.content
        texts = [part if isinstance(part, str) else _part(part) for part in parts]
        turns.append(Turn(message.role, passage("\n".join(texts))))
    return tuple(turns)


def _part(part: object) -> str:
    if isinstance(part, Image):
        return f"[image {part.media_type}, sha256 {part.sha256}]"
    return str(getattr(part, "text", ""))


def _line(score: Score, registry: Registry, main_metric: str) -> ScoreLine:
    card = registry.metrics.get(score.metric) if score.metric in registry.metrics else None
    return ScoreLine(
        metric=score.metric,
        title=card.title if card else score.metric,
        version=score.version,
        value=score.value,
        outcome=str(score.outcome),
        reason=score.reason,
        rule=score.rule,
        extracted=None if score.answer is None else passage(score.answer),
        is_binary=bool(card and card.binary and not card.lower_is_better),
        is_main=score.metric == main_metric,
    )


def _facts(trial: Trial) -> dict[str, str]:
    """What is known of the requests beside their texts."""
    completion, planned = trial.exchanges[0].completion, trial.exchanges[0].planned
    instance = trial.instance
    outcomes = dict.fromkeys(str(exchange.completion.outcome) for exchange in trial.exchanges)
    given = {
        "outcome": ", ".join(outcomes) + (f" ({completion.reason})" if completion.reason else ""),
        "split": " / ".join(filter(None, (instance.split, instance.sub_split))),
        "cluster": instance.cluster or "",
        "groups": ", ".join(f"{key} {value}" for key, value in instance.groups.items()),
        "requests": str(len(trial.exchanges)) if len(trial.exchanges) > 1 else "",
        "in-context examples": str(planned.num_train_instances),
        "prompt": "cut to fit the window" if planned.prompt_truncated else "",
        "served as": completion.served_model or "",
        "left out or renamed by the endpoint": "; ".join(completion.dropped_params),
        **_costs(completion),
    }
    return {name: value for name, value in given.items() if value}


def _costs(completion: Completion) -> dict[str, str]:
    usage = completion.usage
    counts: Mapping[str, int | None] = msgspec.structs.asdict(usage) if usage else {}
    times = {"seconds": completion.request_time, "seconds to the first token": completion.time_to_first_token}
    return {
        "tokens": ", ".join(f"{n:,} {name.removesuffix('_tokens')}" for name, n in counts.items() if n is not None),
        **{name: f"{value:.3g}" for name, value in times.items() if value is not None},
        "attempts": str(completion.attempts) if completion.attempts > 1 else "",
    }


def _raw(exchange: Exchange) -> str:
    """The request as JSON, its images by hash alone."""
    request = exchange.planned.request
    if request.messages is not None:
        request = msgspec.structs.replace(request, messages=tuple(map(without_image_data, request.messages)))
    return msgspec.json.format(msgspec.json.encode(request), indent=2).decode()


def main_score(scores: Sequence[Score], main_metric: str) -> Score | None:
    """The score that stands for a trial."""
    return next(iter(_main_first(scores, main_metric)), None)


def said(trial: Trial, score: Score | None) -> str:
    """The trial's answer in short: what was compared, else the text, else why there is none."""
    first = trial.failure or trial.exchanges[0]
    if not first.completion.outcome.has_text:
        return f"{first.completion.outcome}: {first.completion.reason}"
    if is_separate(trial):
        return (score.answer or "") if score else ""
    text = first.completion.text
    return text if first.completion.outcome is Outcome.OK else f"{text} [{first.completion.outcome}]"
