"""A rehearsal: each request of a run answered by its instance's own gold answer, which must then be scored as right.

It shows whether rows, prompt, extractor and metric of a scenario fit together, before a model is asked.
"""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, cast

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Outcome,
    PlannedRequest,
    Reference,
    Registry,
    Token,
    Trial,
    group_trials,
)
from holoscope.core import Score as Scored
from holoscope.metrics import applicable, score
from holoscope.metrics.scoring import Runner
from holoscope.pipeline.plan import RunPlan
from holoscope.sandbox import Sandbox

_REASONS = ("think step by step", "step by step reasoning")
"""Words by which a run asks for reasons; a passage may have done something step by step."""
_LIKELY, _UNLIKELY = -0.1, -5.0


class Rehearsal(NamedTuple):
    """A trial, and the score of its gold answer by one metric."""

    trial: Trial
    score: Scored


def rehearse(plan: RunPlan, metric: str, registry: Registry, sandbox: Sandbox, most: int) -> list[Rehearsal]:
    """The gold answers of the run's first trials, scored by `metric`; none if it does not score single trials."""
    specs = [spec for spec in applicable(plan.spec) if spec.name == metric and metric in registry.metrics]
    if not specs:
        return []
    gradable = (planned for planned in plan.requests() if _has_gold(planned))
    trials = list(islice(group_trials(Exchange(each, gold_completion(each)) for each in gradable), most))
    scores = score(specs, trials, registry, compat=bool(plan.spec.compat), run=cast("Runner", sandbox.run))
    return [Rehearsal(trial, own[0]) for trial, own in zip(trials, scores, strict=True)]


def _has_gold(planned: PlannedRequest) -> bool:
    return bool(planned.instance.correct_references)


def gold_completion(planned: PlannedRequest) -> Completion:
    """What a model that is right would answer, in the form that the run's method asks for."""
    if planned.reference_index is not None:
        return _scored(planned) if planned.request.params.echo_prompt else _judged(planned)
    is_lettered = planned.output_mapping is not None
    text = _letter(planned) if is_lettered else planned.instance.correct_references[0].text
    choice = Choice(text, _LIKELY, (Token(text, _LIKELY),))
    return Completion(Outcome.OK, (choice,) * planned.request.params.num_completions)


def _letter(planned: PlannedRequest) -> str:
    """The letter of a right option, with the words that a chain of thought ends with where it is asked for one."""
    right = {reference.text for reference in planned.instance.correct_references}
    letter = next((mark for mark, text in (planned.output_mapping or {}).items() if text in right), "")
    asked = planned.request.prompt or ""
    return f"The correct answer is ({letter})." if any(words in asked for words in _REASONS) else letter


def _judged(planned: PlannedRequest) -> Completion:
    """Whether a passage answers its query: a yes the surer, and a no the less sure, the more relevant it is."""
    passage = _reference(planned)
    relevance = next((int(tag[-1]) for tag in passage.tags if tag.startswith("relevance=")), 0)
    text, logprob = ("Yes", -1 / max(1, relevance)) if passage.is_correct else ("No", -1.0 - relevance)
    return Completion(Outcome.OK, (Choice(text, logprob, (Token(text, logprob),)),))


def _scored(planned: PlannedRequest) -> Completion:
    """A likely option if it is right, an unlikely one if not."""
    is_likely = _reference(planned).is_correct and planned.request_mode != "calibration"
    own = (Token("x", _LIKELY if is_likely else _UNLIKELY),) * planned.continuation_tokens
    tokens: Sequence[Token] = (Token("?", -1.0), *own)
    return Completion(Outcome.OK, (Choice("", sum(token.logprob or 0 for token in tokens), tuple(tokens)),))


def _reference(planned: PlannedRequest) -> Reference:
    assert planned.reference_index is not None
    return planned.instance.references[planned.reference_index]
