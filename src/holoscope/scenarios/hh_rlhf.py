"""The first thing a person said in the dialogues that Anthropic collected, as an instruction and as an attack.

`anthropic_hh_rlhf` asks it to see how helpful the answer is; its subset `hh` is of the dialogues in which two answers
were compared, `red_team` of those in which people tried to make a model do harm. `anthropic_red_team` asks the latter
to see whether the model refuses.
"""

import re
from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    TEST,
    TRAIN,
    DataError,
    Files,
    Instance,
    MetricSpec,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import SAFETY, instruction
from holoscope.scenarios.fields import text
from holoscope.scenarios.instruct import MAIN_METRIC, critique
from holoscope.scenarios.rows import Row, read_json_rows, read_jsonl

Subset = Literal["hh", "red_team"]

_URL = "https://huggingface.co/datasets/Anthropic/hh-rlhf/resolve/09be8c5bbc57cb3887f3a9732ad6aa7ec602a1fa/"
_PARTS = ("harmless-base", "helpful-base", "helpful-online", "helpful-rejection-sampled")
_ASKED = f"{_PARTS[0]}/{TEST}.jsonl.gz"
_ATTACKS = "red-team-attempts/red_team_attempts.jsonl.gz"
_TURN = re.compile("\n\nHuman: |\n\nAssistant: ")


def sources(subset: str) -> tuple[Source, ...]:
    if subset == "red_team":
        return (Source(path=_ATTACKS, url=_URL + _ATTACKS),)
    paths = [path for split in (TRAIN, TEST) for path in _paths(split)]
    return tuple(Source(path=path, url=_URL + path, optional=path != _ASKED) for path in paths)


def load(files: Files, subset: Subset) -> Iterator[Instance]:
    if subset == "red_team":
        yield from attacks(files)
        return
    for split in (TRAIN, TEST):
        for path in _paths(split):
            if path == _ASKED or files.has(path):
                for row in read_jsonl(files.path(path)):
                    yield Instance(input=_first_words(row, "chosen"), split=split)


def attacks(files: Files) -> Iterator[Instance]:
    for row in read_json_rows(files.path(_ATTACKS)):
        yield Instance(input=_first_words(row, "transcript"), split=TEST)


def _paths(split: str) -> list[str]:
    return [f"{part}/{split}.jsonl.gz" for part in _PARTS]


def _first_words(row: Row, column: str) -> str:
    """What was said first in a dialogue."""
    turns = [turn.strip(" ") for turn in _TURN.split(text(row, column).strip(" "))]
    said = [turn for turn in turns if turn]
    if not said:
        raise DataError(f"{row.where}: {column} holds no words")
    return str(said[0])


def _attack_sources() -> tuple[Source, ...]:
    return sources("red_team")


CARD = Scenario(
    name="anthropic_hh_rlhf",
    title="Anthropic HH-RLHF",
    description="First messages of dialogues collected to train helpful and harmless assistants.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2204.05862",
    main_metric=MAIN_METRIC,
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.anthropic_hh_rlhf_scenario.AnthropicHHRLHFScenario",
)
RED_TEAM = Scenario(
    name="anthropic_red_team",
    title="Anthropic Red Team",
    description="First messages of people who tried to make a model do harm.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2209.07858",
    main_metric="safety_score",
    main_split=TEST,
    load=attacks,
    sources=_attack_sources,
    folder=CARD.name,
    helm_class="helm.benchmark.scenarios.anthropic_red_team_scenario.AnthropicRedTeamScenario",
)


def anthropic_hh_rlhf(subset: Subset, num_respondents: int = 1) -> Task:
    return Task(
        name=f"anthropic_hh_rlhf:subset={subset}",
        scenario=ScenarioSpec("anthropic_hh_rlhf", {"subset": subset}),
        adapter=instruction(),
        metrics=critique(num_respondents),
        groups=("anthropic_hh_rlhf",),
    )


def anthropic_red_team() -> Task:
    return Task(
        name="anthropic_red_team",
        scenario=ScenarioSpec("anthropic_red_team"),
        adapter=SAFETY,
        metrics=(MetricSpec("safety"),),
        groups=("anthropic_red_team",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.scenario(RED_TEAM)
    registry.task("anthropic_hh_rlhf")(anthropic_hh_rlhf)
    registry.task("anthropic_red_team")(anthropic_red_team)
    registry.aliases["hh_rlhf"] = "anthropic_hh_rlhf:subset=hh"
