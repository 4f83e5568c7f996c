"""Requests that a safe model refuses, and some that it does not: HarmBench, SimpleSafetyTests and XSTest.

Whether an answer is a refusal, and whether a refusal was called for, is for a judge to say; references are no answers
but what upstream files a request under. Half of XSTest's requests only sound unsafe: there a refusal is the fault.
"""

from collections.abc import Iterator

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
from holoscope.scenarios.adapters import SAFETY
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_csv

_HARM_BENCH = "harmbench_behaviors_text_all.csv"
_HARM_BENCH_URL = (
    "https://raw.githubusercontent.com/centerforaisafety/HarmBench/8e1604d1171fe8a48d8febecd22f600e462bdcdd/"
    "data/behavior_datasets/"
)
_GCG = "output.csv"
_GCG_URL = "https://raw.githubusercontent.com/farzaank/harmbench-gcg-ensembled/refs/heads/main/"
_SIMPLE = "sst_test_cases.csv"
_SIMPLE_URL = (
    "https://huggingface.co/datasets/Bertievidgen/SimpleSafetyTests/resolve/98223c5d8c4059c8f4d8fe2fec8720ee8a20d3c5/"
)
_XSTEST = "xstest_prompts.csv"
_XSTEST_URL = (
    "https://raw.githubusercontent.com/paul-rottger/exaggerated-safety/d7bb5bd738c1fcbc36edd83d5e7d1b71a3e2d84d/"
)


def _harm_bench_sources() -> tuple[Source, ...]:
    return (Source(path=_HARM_BENCH, url=_HARM_BENCH_URL + _HARM_BENCH),)


def _harm_bench(files: Files) -> Iterator[Instance]:
    for row in read_csv(files.path(_HARM_BENCH)):
        behaviour, kind = text(row, "Behavior"), text(row, "FunctionalCategory")
        asked = f"{text(row, 'ContextString')}\n\n---\n\n{behaviour}" if kind == "contextual" else behaviour
        category = text(row, "SemanticCategory")
        yield Instance(
            id=text(row, "BehaviorID"),
            input=asked,
            references=(Reference(category),),
            split=TEST,
            groups={"kind": kind, "category": category},
        )


def _gcg_sources() -> tuple[Source, ...]:
    return (Source(path=_GCG, url=_GCG_URL + _GCG),)


def _gcg(files: Files) -> Iterator[Instance]:
    for row in read_csv(files.path(_GCG)):
        yield Instance(
            id=text(row, "behavior_name"),
            input=text(row, "behavior_prompt"),
            references=(Reference("unsafe behavior"),),
            split=TEST,
        )


def _simple_sources() -> tuple[Source, ...]:
    return (Source(path=_SIMPLE, url=_SIMPLE_URL + _SIMPLE),)


def _simple(files: Files) -> Iterator[Instance]:
    for row in read_csv(files.path(_SIMPLE)):
        filed = {name: text(row, name) for name in ("category", "harm_area")}
        references = tuple(map(Reference, filed.values()))
        yield Instance(input=text(row, "prompt"), references=references, split=TEST, groups=filed)


def _xstest_sources() -> tuple[Source, ...]:
    return (Source(path=_XSTEST, url=_XSTEST_URL + _XSTEST),)


def _xstest(files: Files) -> Iterator[Instance]:
    for row in read_csv(files.path(_XSTEST)):
        label = text(row, "label")
        notes = (Reference(said) for name in ("focus", "type", "note") if (said := text(row, name)))
        yield Instance(
            input=text(row, "prompt"),
            references=(*notes, Reference(label, (CORRECT,))),
            split=TEST,
            groups={"label": label, "type": text(row, "type")},
        )


CARDS = (
    Scenario(
        name="harm_bench",
        title="HarmBench",
        description="Requests for harmful behaviour, some with a context to work on.",
        licence="MIT",
        redistribution="yes",
        citation="https://arxiv.org/abs/2402.04249",
        main_metric="safety_score",
        main_split=TEST,
        load=_harm_bench,
        sources=_harm_bench_sources,
        helm_class="helm.benchmark.scenarios.harm_bench_scenario.HarmBenchScenario",
    ),
    Scenario(
        name="harm_bench_gcg_transfer",
        title="HarmBench, GCG transfer",
        description="HarmBench's requests with suffixes that broke other models.",
        licence="none stated",
        redistribution="ids-only",
        citation="https://arxiv.org/abs/2402.04249",
        main_metric="safety_score",
        main_split=TEST,
        load=_gcg,
        sources=_gcg_sources,
        helm_class="helm.benchmark.scenarios.harm_bench_gcg_transfer_scenario.HarmBenchGCGTransferScenario",
    ),
    Scenario(
        name="simple_safety_tests",
        title="SimpleSafetyTests",
        description="A hundred requests in five areas of harm that nearly every model should refuse.",
        licence="CC-BY-2.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2311.08370",
        main_metric="safety_score",
        main_split=TEST,
        load=_simple,
        sources=_simple_sources,
        helm_class="helm.benchmark.scenarios.simple_safety_tests_scenario.SimpleSafetyTestsScenario",
    ),
    Scenario(
        name="xstest",
        title="XSTest",
        description="Safe requests that sound unsafe, and unsafe ones like them.",
        licence="CC-BY-4.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2308.01263",
        main_metric="safety_score",
        main_split=TEST,
        load=_xstest,
        sources=_xstest_sources,
        helm_class="helm.benchmark.scenarios.xstest_scenario.XSTestScenario",
    ),
)


def _task(name: str) -> Task:
    return Task(
        name=name,
        scenario=ScenarioSpec(name),
        adapter=SAFETY,
        metrics=(MetricSpec("safety"),),
        groups=(name,),
    )


def harm_bench() -> Task:
    return _task("harm_bench")


def harm_bench_gcg_transfer() -> Task:
    return _task("harm_bench_gcg_transfer")


def simple_safety_tests() -> Task:
    return _task("simple_safety_tests")


def xstest() -> Task:
    return _task("xstest")


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    registry.task("harm_bench", "harmbench")(harm_bench)
    registry.task("harm_bench_gcg_transfer")(harm_bench_gcg_transfer)
    registry.task("simple_safety_tests")(simple_safety_tests)
    registry.task("xstest")(xstest)
