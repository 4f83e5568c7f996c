"""RAFT: eleven classifications that somebody needed, of fifty labelled texts each.

Only those fifty have public labels: a fifth of them, drawn as the hub's library draws, are in-context examples. How a
subset is asked (its fields in order, and what the model is told) is upstream's file of two JSON lines.
"""

import json
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    DataError,
    Files,
    Instance,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import BIAS, EXACT_MATCH, IN_FILES, generation
from holoscope.scenarios.draws import hub_order
from holoscope.scenarios.fields import text, texts
from holoscope.scenarios.rows import Row, read_csv, read_lines

Subset = Literal[
    "ade_corpus_v2",
    "banking_77",
    "neurips_impact_statement_risks",
    "one_stop_english",
    "overruling",
    "semiconductor_org_types",
    "systematic_review_inclusion",
    "tai_safety_research",
    "terms_of_service",
    "tweet_eval_hate",
    "twitter_complaints",
]

_SETTINGS = "prompt_construction_settings.jsonl"
_SETTINGS_URL = "https://www.dropbox.com/s/a5cyevryzw8rt4f/prompt_construction_settings.json?dl=1"
_URL = "https://huggingface.co/datasets/ought/raft/resolve/9ee50172ea9afda2f1033c6f1b986e568b862fb3/"
_SEED = 42
_ASKED = 0.8


def sources(subset: str) -> tuple[Source, ...]:
    rows = _rows(subset)
    return Source(path=rows, url=_URL + rows), Source(path=_SETTINGS, url=_SETTINGS_URL)


def load(files: Files, subset: Subset) -> Iterator[Instance]:
    fields = texts(_settings(files.path(_SETTINGS), 0), subset)
    rows = list(read_csv(files.path(_rows(subset))))
    order, asked = hub_order(len(rows), _SEED), ceil(_ASKED * len(rows))
    for split, positions in ((TRAIN, order[asked:]), (TEST, order[:asked])):
        for position in positions:
            row = rows[position]
            shown = "\n".join(f"{field}: {text(row, field)}" for field in fields)
            yield Instance(input=shown, references=(Reference(text(row, "Label"), (CORRECT,)),), split=split)


def instructions(files: Files, subset: Subset) -> str:
    return text(_settings(files.path(_SETTINGS), 1), subset)


def _settings(path: Path, number: int) -> Row:
    """The fields by subset, or what the model is told by subset."""
    lines = read_lines(path)
    content = json.loads(lines[number]) if len(lines) == 2 else None
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected two lines, each a JSON object by subset")
    return Row(f"{path}:{number + 1}", content)


def _rows(subset: str) -> str:
    return f"data/{subset}/train.csv"


CARD = Scenario(
    name="raft",
    title="RAFT",
    description="Eleven classifications with fifty labelled texts each, from drug effects to tweets.",
    licence="by subset: CC-BY-4.0, CC-BY-SA-4.0, MIT; CC-BY-NC (semiconductor_org_types); none stated for five",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2109.14076",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    instructions=instructions,
    helm_class="helm.benchmark.scenarios.raft_scenario.RAFTScenario",
)


def raft(subset: Subset) -> Task:
    return Task(
        name=f"raft:subset={subset}",
        scenario=ScenarioSpec("raft", {"subset": subset}),
        adapter=generation(instructions=IN_FILES, output_noun="Label", max_tokens=30),
        metrics=(*EXACT_MATCH, *BIAS, MetricSpec("classification")),
        groups=("raft",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("raft")(raft)
