"""Dyck language: close the brackets that a sequence has left open, in the right order.

There is nothing to fetch: sequences are drawn from a grammar with fixed seeds, shapes from one generator and kinds of
brackets from another, and cut where one to three brackets are still to be closed. The order of the draws makes them
HELM's sequences. That includes an oddity: only a whole sequence is held to the wanted length, its parts to 100.
"""

import random
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    AdapterSpec,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import metrics

Pairs = Literal[1, 2, 3, 4]

_SEED = 42
_BATCH = 4096
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_NEST, _JOIN = 0.5, 0.25
"""Chances of a pair around a sequence, and of two sequences side by side; else there is nothing."""
_DEEPEST = 100
_LONGEST_PART = 100
_LONGEST_ANSWER = 3
_TRAIN_SIZE, _TEST_SIZE = 3, 500
_TRAIN_LENGTHS, _TEST_LENGTHS = (4, 50), (52, 100)


@dataclass(frozen=True)
class Grammar:
    """Draws sequences of brackets."""

    shapes: random.Random
    kinds: Iterator[str]
    """The next pair's opening bracket."""

    def sequence(self, depth: int = 0, longest: int = _LONGEST_PART) -> list[str]:
        """A balanced sequence; empty where it grew too long or too deep."""
        if depth > _DEEPEST:
            return []
        shape = self.shapes.random()
        made: list[str] = []
        if shape < _NEST:
            opening = next(self.kinds)
            made = [opening, *self.sequence(depth + 1), _BRACKETS[opening]]
        elif shape < _NEST + _JOIN:
            made = [*self.sequence(depth), *self.sequence(depth)]
        return made if len(made) <= longest else []

    def question(self, shortest: int, longest: int) -> str:
        """A sequence cut where as many brackets as drawn are still open."""
        while True:
            sequence = self.sequence(longest=longest)
            if len(sequence) >= shortest and (cut := _cut(sequence, self.shapes.randint(1, _LONGEST_ANSWER))):
                return " ".join(cut)


def _openings(pairs: int) -> Iterator[str]:
    """Opening brackets of `pairs` kinds, drawn many at a time because one by one is slow."""
    from numpy.random import RandomState

    draw, openings = RandomState(_SEED), list(_BRACKETS)
    while True:
        yield from (openings[i] for i in draw.randint(0, pairs, _BATCH).tolist())


def _cut(sequence: list[str], missing: int) -> list[str]:
    """`sequence` up to where exactly `missing` brackets close what stands before; empty if there is no such place."""
    closed = 0
    for position in range(len(sequence) - 1, -1, -1):
        closed += -1 if sequence[position] in _BRACKETS else 1
        if closed == missing:
            return sequence[:position]
    return []


def _closing(question: str) -> str:
    """What closes the question's open brackets."""
    stack: list[str] = []
    for bracket in question.split(" "):
        if bracket in _BRACKETS:
            stack.append(_BRACKETS[bracket])
        else:
            stack.pop()
    return " ".join(reversed(stack))


def sources(num_parenthesis_pairs: int) -> tuple[Source, ...]:
    return ()


def load(files: Files, num_parenthesis_pairs: int) -> Iterator[Instance]:
    grammar = Grammar(random.Random(_SEED), _openings(num_parenthesis_pairs))
    train = _distinct(grammar, _TRAIN_SIZE, _TRAIN_LENGTHS, ())
    for split, questions in ((TRAIN, train), (TEST, _distinct(grammar, _TEST_SIZE, _TEST_LENGTHS, train))):
        for question in questions:
            yield Instance(input=question, references=(Reference(f" {_closing(question)}", (CORRECT,)),), split=split)


def _distinct(grammar: Grammar, size: int, lengths: tuple[int, int], taken: Container[str]) -> list[str]:
    questions: dict[str, None] = {}
    while len(questions) < size:
        question = grammar.question(*lengths)
        if question not in taken:
            questions[question] = None
    return list(questions)


CARD = Scenario(
    name="dyck_language",
    title="Dyck language",
    description="Sequences of brackets to be closed in the right order.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/1911.03329",
    main_metric="exact_match_indicator",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.dyck_language_scenario.DyckLanguageScenario",
)


def dyck_language(num_parenthesis_pairs: Pairs) -> Task:
    return Task(
        name=f"dyck_language_np={num_parenthesis_pairs}",
        scenario=ScenarioSpec("dyck_language", {"num_parenthesis_pairs": num_parenthesis_pairs}),
        adapter=AdapterSpec(
            instructions="Please complete the rest of the following Dyck sequences, "
            "making sure that the parentheses are closed properly.\n",
            input_suffix="",  # the answers begin with a space, as tokenizers would have it
            output_prefix="",
            output_suffix="",
            max_train_instances=3,
            num_outputs=1,
            temperature=0.0,
            max_tokens=5,
            stop_sequences=("\n",),
        ),
        metrics=metrics("exact_match_indicator"),
        groups=("dyck_language",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("dyck_language")(dyck_language)
