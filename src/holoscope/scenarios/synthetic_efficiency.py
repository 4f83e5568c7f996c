"""Synthetic efficiency: ten texts of an exact number of tokens, to see how long a model takes over them.

How many tokens, and by whose count, is said in the entry (`num_prompt_tokens=`, `tokenizer=`); each text is a file.
There is nothing to get right: the reference is empty.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
    TEST,
    DataError,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import continuation, metrics

_URL = "https://worksheets.codalab.org/rest/bundles/0x17a361bc066b4b0e87d968069759d361/contents/blob/"
_TEXTS = 10


def sources(num_prompt_tokens: int | None, num_instances: int, tokenizer: str | None) -> tuple[Source, ...]:
    if num_prompt_tokens is None or tokenizer is None:
        return ()
    start = f"num_prompt_tokens={num_prompt_tokens},tokenizer={tokenizer.replace('/', '_')}"
    names = (f"{start},id={number}.txt" for number in range(num_instances))
    return tuple(Source(path=name, url=_URL + name) for name in names)


def load(files: Files, num_prompt_tokens: int | None, num_instances: int, tokenizer: str | None) -> Iterator[Instance]:
    named = sources(num_prompt_tokens, num_instances, tokenizer)
    if not named:
        raise DataError("synthetic_efficiency: say which texts: num_prompt_tokens=256,tokenizer=huggingface/gpt2")
    for source in named:
        content = files.path(source.path).read_text(encoding="utf-8")
        yield Instance(input=content, references=(Reference("", (CORRECT,)),), split=TEST)


CARD = Scenario(
    name="synthetic_efficiency",
    title="Synthetic efficiency",
    description="Texts of an exact number of tokens, to time a model on.",
    licence="public domain (books)",
    redistribution="yes",
    citation="https://arxiv.org/abs/2211.09110",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.synthetic_efficiency_scenario.SyntheticEfficiencyScenario",
)


def synthetic_efficiency(random: str | None = None) -> Task:
    return Task(
        name=f"synthetic_efficiency:random={random}",
        scenario=ScenarioSpec(
            "synthetic_efficiency", {"num_prompt_tokens": None, "num_instances": _TEXTS, "tokenizer": None}
        ),
        adapter=replace(continuation(max_tokens=100, temperature=0.0), random=random),
        metrics=metrics("exact_match"),
        groups=("synthetic_efficiency",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("synthetic_efficiency")(synthetic_efficiency)
