"""Synthetic reasoning: patterns over symbols, substitutions of words for symbols, and their results.

Three tasks on the same drawn material: find the pattern that a result matches, apply a substitution to a pattern, or
induce the pattern behind two results. There is nothing to fetch: the rows come from one generator with a fixed seed,
and the order of its draws is what makes them HELM's rows, so no draw may be added, dropped or moved. That includes two
oddities: both substitutions are always drawn, and the wrong patterns hold each symbol once.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, generation

if TYPE_CHECKING:
    from numpy.random import RandomState

Mode = Literal["pattern_match", "variable_substitution", "induction"]

_SEED = 42
_SIZES = ((TRAIN, 1000), (VALID, 5000), (TEST, 5000))
_SYMBOLS = ("X", "Y", "Z")
_OPERATORS = ("+", "-", "*", "=")
_ANIMALS = ("zebra", "cobra", "stork", "penguin", "shark", "lion", "buffalo", "whale", "seal", "eagle", "horse", "rat")
_FRUITS = ("apple", "peach", "watermelon", "banana", "grape", "kiwi", "pear", "strawberry", "blueberry", "blackberry")
_WORDS = (*_ANIMALS, *_FRUITS)


def sources(mode: str) -> tuple[Source, ...]:
    return ()


def load(files: Files, mode: Mode) -> Iterator[Instance]:
    import numpy

    draw = numpy.random.RandomState(_SEED)
    for split, size in _SIZES:
        for _ in range(size):
            question, answer = _problem(draw, mode)
            yield Instance(input=question, references=(Reference(answer, (CORRECT,)),), split=split)


def _problem(draw: "RandomState", mode: Mode) -> tuple[str, str]:
    symbols = _pick(draw, _SYMBOLS, draw.randint(2, 4))
    distinct = sorted(set(symbols))
    operators = _pick(draw, _OPERATORS, draw.randint(2, 4))
    pattern = _shuffled(draw, symbols + operators)
    first, second = _substitution(draw, distinct), _substitution(draw, distinct)
    rule, result = " ".join(pattern), _apply(first, pattern)
    if mode == "induction":
        return f"Two results: {result} | {_apply(second, pattern)}", f"Rule: {rule}"
    if mode == "variable_substitution":
        listed = " , ".join(f'{symbol} by " {words} "' for symbol, words in first.items())
        return f"Rules: {rule} | Substitutions: {listed}", result
    wrong = [" ".join(_shuffled(draw, distinct + operators)) for _ in range(3)]
    return f"Rules: {' | '.join(_shuffled(draw, [*wrong, rule]))} | Result: {result}", rule


def _pick(draw: "RandomState", population: Sequence[str], size: int) -> list[str]:
    return [population[index] for index in draw.randint(0, len(population), size)]


def _shuffled(draw: "RandomState", items: list[str]) -> list[str]:
    order = list(items)
    draw.shuffle(order)
    return order


def _substitution(draw: "RandomState", symbols: list[str]) -> dict[str, str]:
    return {symbol: " ".join(_pick(draw, _WORDS, draw.randint(1, 3))) for symbol in symbols}


def _apply(substitution: dict[str, str], pattern: list[str]) -> str:
    return " ".join(substitution.get(symbol, symbol) for symbol in pattern)


CARD = Scenario(
    name="synthetic_reasoning",
    title="Synthetic reasoning",
    description="Abstract patterns over symbols: match them, substitute into them, induce them.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2101.06223",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.synthetic_reasoning_scenario.SyntheticReasoningScenario",
)


def synthetic_reasoning(mode: Mode) -> Task:
    return Task(
        name=f"synthetic_reasoning:mode={mode}",
        scenario=ScenarioSpec("synthetic_reasoning", {"mode": mode}),
        adapter=generation(instructions="Please solve the following problem.", output_noun="Target", max_tokens=50),
        metrics=EXACT_MATCH,
        groups=("synthetic_reasoning", f"synthetic_reasoning_{mode}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("synthetic_reasoning")(synthetic_reasoning)
