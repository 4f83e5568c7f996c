"""A run whose every question is answered by its own gold answer, in the form that its method asks for."""

from pathlib import Path
from typing import cast

from holoscope.core import (
    HELM_COMPAT,
    TRAIN,
    Exchange,
    Registry,
    RunSpec,
    Score,
    Trial,
    group_trials,
)
from holoscope.entries import Options, resolve
from holoscope.metrics import applicable, score
from holoscope.metrics.scoring import Runner
from holoscope.models.tokenizers import CharacterWindow, Limits
from holoscope.pipeline import gold_completion
from holoscope.prompts import choose_eval, plan
from holoscope.scenarios import instructed, load_instances
from sandboxed import SANDBOX
from scenarios.made import settings

_ASKED = 12


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
    return list(group_trials(Exchange(one, gold_completion(one)) for one in planned))


def gold_scores(spec: RunSpec, known: Registry, trials: list[Trial], metric: str) -> list[Score]:
    """The scores of one of the run's metrics."""
    specs = [wanted for wanted in applicable(spec) if wanted.name == metric]
    assert specs, f"{spec.name} lists no {metric}"
    run = cast("Runner", SANDBOX.run)
    return [own[0] for own in score(specs, trials, known, compat=spec.compat == HELM_COMPAT, run=run)]
