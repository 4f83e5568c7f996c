"""What grading costs: options found in MMLU-like completions, overlap of summaries, equality of formulas.

    python benchmarks/grading.py [--completions 100000] [--summaries 10000] [--formulas 2000]

CPU seconds of this process, and seconds by the clock, which include the process that compares formulas. The limits that
the project sets itself: 5 s of CPU for 100,000 completions, 60 s for ROUGE, BLEU and F1 of 10,000 summaries.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator

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
    Trial,
)
from holoscope.metrics import register, score

LETTERS = "ABCD"
PROSE = "the cell of a protein acts when two forces meet in equal parts and its energy is kept so that none is lost"
WORDS = PROSE.split()
FORMS = (
    *[" {letter}"] * 60,
    *["{letter}"] * 10,
    *["{letter}."] * 5,
    *["({letter})"] * 5,
    *["{letter}. {option}"] * 5,
    *["The answer is {letter}."] * 5,
    *["**Answer: ({letter})** because {prose}"] * 4,
    *["{prose} {prose} {prose}\n\nThe correct answer is ({letter})."] * 3,
    *["{option}"] * 2,
    *["I am not sure: {prose}"] * 1,
)
"""A hundred completions of a mixed set of models: most answer with a letter, some explain, one doesn't know."""


def prose(draw: random.Random, length: int) -> str:
    return " ".join(draw.choices(WORDS, k=length))


def multiple_choice(count: int, draw: random.Random) -> Iterator[Trial]:
    for i in range(count):
        options = [prose(draw, 6) for _ in LETTERS]
        right = i % 4
        references = tuple(Reference(o, (CORRECT,) if k == right else ()) for k, o in enumerate(options))
        said = draw.randrange(4)
        form = draw.choice(FORMS)
        text = form.format(letter=LETTERS[said], option=options[said], prose=prose(draw, 30))
        mapping = dict(zip(LETTERS, options, strict=True))
        yield trial(Instance(id=f"id{i}", input="?", references=references), text, mapping)


def summaries(count: int, draw: random.Random) -> Iterator[Trial]:
    for i in range(count):
        gold = prose(draw, 50)
        yield trial(Instance(id=f"id{i}", input="?", references=(Reference(gold, (CORRECT,)),)), prose(draw, 60))


def formulas(count: int, draw: random.Random) -> Iterator[Trial]:
    for i in range(count):
        a, b = draw.randrange(2, 50), draw.randrange(2, 50)
        gold, said = draw.choice(
            [
                (rf"\frac{{{a}}}{{{b}}}", rf"{a}/{b}"),
                (rf"{a}\sqrt{{{b}}}", rf"\sqrt{{{a * a * b}}}"),
                (rf"({a},{b})", rf"({a}, {b + 1})"),
                (rf"{a}x^2+{b}", rf"{b}+{a}x^{{2}}"),
            ]
        )
        yield trial(
            Instance(id=f"id{i}", input="?", references=(Reference(gold, (CORRECT,)),)), rf"so \boxed{{{said}}}"
        )


def trial(instance: Instance, text: str, mapping: dict[str, str] | None = None) -> Trial:
    planned = PlannedRequest(instance=instance, request=Request(Params(), prompt="?"), output_mapping=mapping)
    return Trial(instance, (Exchange(planned, Completion(Outcome.OK, (Choice(text),))),))


def measured(name: str, make: Callable[[], Iterator[Trial]], metrics: tuple[str, ...], registry: Registry) -> None:
    trials = list(make())
    cpu, wall = time.process_time(), time.perf_counter()
    scores = score(list(map(MetricSpec, metrics)), trials, registry)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    known = sum(s.value is not None for row in scores for s in row)
    each = 1e6 * cpu / len(trials)
    print(
        f"{name:16} {len(trials):7} trials {cpu:6.2f} s CPU {wall:6.2f} s wall {each:7.1f} us CPU each  {known} scores"
    )


def main(options: argparse.Namespace) -> None:
    registry = Registry()
    register(registry)
    draw = random.Random(0)
    measured("exact_match", lambda: multiple_choice(options.completions, draw), ("exact_match",), registry)
    overlap = ("rouge_1", "rouge_2", "rouge_l", "bleu_4", "f1_score")
    measured("ROUGE, BLEU, F1", lambda: summaries(options.summaries, draw), overlap, registry)
    measured("math_equiv", lambda: formulas(options.formulas, draw), ("math_equiv",), registry)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--completions", type=int, default=100_000)
    parser.add_argument("--summaries", type=int, default=10_000)
    parser.add_argument("--formulas", type=int, default=2_000)
    main(parser.parse_args())
