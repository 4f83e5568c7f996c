"""Trials made by hand."""

from collections.abc import Sequence
from typing import Any

from holoscope.core import (
    CORRECT,
    Choice,
    Completion,
    Exchange,
    Instance,
    MetricSpec,
    Outcome,
    Params,
    PlannedRequest,
    Reference,
    Registry,
    Request,
    Score,
    Token,
    Trial,
)
from holoscope.metrics import register, score

OPTIONS = ("metaphysics", "epistemology", "quantum physics", "axiology")


def registry() -> Registry:
    made = Registry()
    register(made)
    return made


def instance(gold: str | Sequence[str] = "gold", **fields: Any) -> Instance:
    golds = (gold,) if isinstance(gold, str) else gold
    return Instance(
        **{"id": "id0", "input": "?", "references": tuple(Reference(g, (CORRECT,)) for g in golds), **fields}
    )


def choice_instance(correct: int = 1, options: Sequence[str] = OPTIONS, **fields: Any) -> Instance:
    references = tuple(Reference(o, (CORRECT,) if i == correct else ()) for i, o in enumerate(options))
    return Instance(**{"id": "id0", "input": "?", "references": references, **fields})


def generated(of: Instance, *choices: str | Choice, outcome: Outcome = Outcome.OK, **fields: Any) -> Trial:
    """A trial of one request, answered by these choices."""
    made = tuple(Choice(c) if isinstance(c, str) else c for c in choices)
    planned = PlannedRequest(instance=of, request=Request(Params(), prompt="?"))
    return Trial(of, (Exchange(planned, Completion(outcome, made, **fields)),))


def joint(said: str | Choice, correct: int = 1, options: Sequence[str] = OPTIONS, **fields: Any) -> Trial:
    """A trial of joint multiple choice with letters from A."""
    of = choice_instance(correct, options, **fields)
    mapping = {chr(ord("A") + i): option for i, option in enumerate(options)}
    planned = PlannedRequest(instance=of, request=Request(Params(), prompt="?"), output_mapping=mapping)
    made = Choice(said) if isinstance(said, str) else said
    return Trial(of, (Exchange(planned, Completion(Outcome.OK, (made,))),))


def separate(
    logprobs: Sequence[float | None], correct: int = 0, calibration: Sequence[float] = (), **fields: Any
) -> Trial:
    """A trial that scored one-token options `0`, `1`, ... one by one."""
    of = choice_instance(correct, [str(i) for i in range(len(logprobs))], **fields)
    asked = [_asked(of, i, "original", p) for i, p in enumerate(logprobs)]
    asked += [_asked(of, i, "calibration", p) for i, p in enumerate(calibration)]
    return Trial(of, tuple(asked))


def _asked(of: Instance, index: int, mode: str, logprob: float | None) -> Exchange:
    request = Request(Params(echo_prompt=True, max_tokens=0), prompt=f"? {index}")
    planned = PlannedRequest(
        instance=of, request=request, reference_index=index, request_mode=mode, continuation_tokens=1
    )
    tokens = (Token("?", -5.0), Token(f" {index}", logprob))
    total = None if logprob is None else logprob - 5.0
    return Exchange(planned, Completion(Outcome.OK, (Choice(f"? {index}", total, tokens),)))


def failed(of: Instance, outcome: Outcome, reason: str = "why") -> Trial:
    planned = PlannedRequest(instance=of, request=Request(Params(), prompt="?"))
    return Trial(of, (Exchange(planned, Completion(outcome, reason=reason)),))


def one(metric: str, trial: Trial, *, compat: bool = False, **args: Any) -> Score:
    """The score of one metric on one trial."""
    return score([MetricSpec(metric, args)], [trial], registry(), compat=compat)[0][0]
