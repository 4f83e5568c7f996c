"""A run whose every question is answered by its own gold answer, in the form that its method asks for."""

from pathlib import Path
from typing import cast

from holoscope.core import (
    HELM_COMPAT,
    TRAIN,
    Choice,
    Completion,
    Exchange,
    Instance,
    Outcome,
    PlannedRequest,
    Registry,
    RunSpec,
    Score,
    Token,
    Trial,
    group_trials,
)
from holoscope.entries import Options, resolve
from holoscope.metrics import applicable, score
from holoscope.metrics.scoring import Runner
from holoscope.models.tokenizers import CharacterWindow, Limits
from holoscope.prompts import choose_eval, plan
from holoscope.scenarios import instructed, load_instances
from sandboxed import SANDBOX
from scenarios.made import settings

_ASKED = 12
_REASONS = ("think step by step", "step by step reasoning")
"""Words by which a run asks for reasons; a passage may have done something step by step."""


def resolved(entry: str, known: Registry, *, compat: bool = False) -> RunSpec:
    options = Options(max_eval_instances=_ASKED, compat=HELM_COMPAT if compat else "")
    [spec] = resolve(entry, known, models=("test/echo",), options=options).specs
    return spec


def gold_trials(spec: RunSpec, known: Registry, tmp_path: Path, data_dir: Path) -> list[Trial]:
    """A few of the run's trials, each answered rightly."""
    here = settings(tmp_path, data_dir=data_dir, offline=True)
    spec = instructed(spec, known, here)
    loaded = load_instances(spec.scenario, known, here)
    compat = spec.compat == HELM_COMPAT
    main_split = known.scenarios.get(spec.scenario.name).main_split
    chosen = choose_eval(loaded, spec.adapter, compat=compat, main_split=main_split, seed=0)[:_ASKED]
    assert chosen, spec.name
    train = [instance for instance in loaded if instance.split == TRAIN]
    window = CharacterWindow(Limits(sequence=None))
    planned = plan(spec.adapter, train, chosen, window, compat=compat, seed=0, trials=1, wants_logprobs=True)
    return list(group_trials(Exchange(one, _answered(one)) for one in planned))


def gold_scores(spec: RunSpec, known: Registry, trials: list[Trial], metric: str) -> list[Score]:
    """The scores of one of the run's metrics."""
    specs = [wanted for wanted in applicable(spec) if wanted.name == metric]
    assert specs, f"{spec.name} lists no {metric}"
    run = cast("Runner", SANDBOX.run)
    return [own[0] for own in score(specs, trials, known, compat=spec.compat == HELM_COMPAT, run=run)]


def _answered(planned: PlannedRequest) -> Completion:
    if planned.reference_index is not None:
        return _scored(planned) if planned.request.params.echo_prompt else _judged(planned)
    text = _gold(planned)
    tokens = (Token(text, -0.1),)
    count = planned.request.params.num_completions
    return Completion(Outcome.OK, (Choice(text, -0.1, tokens),) * count)


def _gold(planned: PlannedRequest) -> str:
    instance = planned.instance
    if planned.output_mapping is not None:
        right = {reference.text for reference in instance.correct_references}
        letter = next(letter for letter, text in planned.output_mapping.items() if text in right)
        asked = planned.request.prompt or ""
        return f"The correct answer is ({letter})." if any(words in asked for words in _REASONS) else letter
    return _stated(instance)


def _stated(instance: Instance) -> str:
    return instance.correct_references[0].text


def _judged(planned: PlannedRequest) -> Completion:
    """Whether a passage answers its query: a yes the surer, and a no the less sure, the more relevant it is."""
    assert planned.reference_index is not None
    passage = planned.instance.references[planned.reference_index]
    relevance = next((int(tag[-1]) for tag in passage.tags if tag.startswith("relevance=")), 0)
    text, logprob = ("Yes", -1 / relevance) if passage.is_correct else ("No", -1.0 - relevance)
    return Completion(Outcome.OK, (Choice(text, logprob, (Token(text, logprob),)),))


def _scored(planned: PlannedRequest) -> Completion:
    """A likely option if it is right, an unlikely one if not."""
    assert planned.reference_index is not None
    right = planned.instance.references[planned.reference_index].is_correct
    logprob = -0.1 if right and planned.request_mode != "calibration" else -5.0
    tokens = (Token("?", -1.0), *(Token("x", logprob),) * planned.continuation_tokens)
    return Completion(Outcome.OK, (Choice("", sum(t.logprob or 0 for t in tokens), tokens),))
