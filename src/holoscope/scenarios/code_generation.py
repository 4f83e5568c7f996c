"""HumanEval: complete a Python function from its signature and description; hidden tests say whether it works.

The tests and the function's name lie in `Instance.extra`, for the metric that runs what the model wrote. HELM's entry
`code` names APPS (`apps`), too.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
    TEST,
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
from holoscope.scenarios import apps
from holoscope.scenarios.adapters import continuation, metrics
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_jsonl

_FILE = "HumanEval.jsonl.gz"
_URL = "https://raw.githubusercontent.com/openai/human-eval/6d43fb980f9fee3c892a914eda09951f772ad10d/data/"


def sources(dataset: str) -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL + _FILE),)


def load(files: Files, dataset: str) -> Iterator[Instance]:
    for row in read_jsonl(files.path(_FILE)):
        yield Instance(
            input=text(row, "prompt"),
            references=(Reference(text(row, "canonical_solution"), (CORRECT,)),),
            split=TEST,
            extra={name: text(row, name) for name in ("task_id", "entry_point", "test")},
        )


CARD = Scenario(
    name="code_humaneval",
    title="HumanEval",
    description="Python functions to be completed, tested by running them.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2107.03374",
    main_metric="pass",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.code_scenario.CodeScenario",
)


_STOPS = {"humaneval": ("\nclass", "\ndef", "\nif", "\nprint"), "apps": ("'''", "---", '"""', "\n\n\n")}


def code(dataset: Literal["humaneval", "apps"], timeout: int = 3) -> Task:
    """`timeout` is in seconds, for each test of APPS."""
    adapter = continuation(max_tokens=600, temperature=0.2, stop_sequences=_STOPS[dataset])
    contest = MetricSpec("apps", {"names": ["test_avg", "strict_acc"], "timeout": timeout})
    is_contest = dataset == "apps"
    return Task(
        name=f"code:dataset={dataset}",
        scenario=ScenarioSpec(apps.CARD.name if is_contest else CARD.name, {"dataset": dataset}),
        adapter=replace(adapter, max_train_instances=2) if is_contest else adapter,
        metrics=(contest,) if is_contest else metrics("code_eval_acc", "pass"),
        groups=(f"code_{dataset}",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.scenario(apps.CARD)
    registry.task("code")(code)
    registry.aliases["humaneval"] = "code:dataset=humaneval"
    registry.aliases["apps"] = "code:dataset=apps"
