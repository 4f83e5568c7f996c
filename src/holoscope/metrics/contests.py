"""Solutions to programming contests, by the inputs for which they give what is expected: APPS.

    test_avg    share of the tests that the likeliest answer passes
    strict_acc  1 if it passes all of them

A problem has either a function to call or standard input to read. What is expected stays outside the sandbox: outputs
are compared here. Printed outputs are equal word by word, however they are broken into lines; two words that are both
numbers, one of them with a point or an exponent, may differ in the sixth digit. Lists and tuples are one.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from holoscope.core import Instance, Json, Metric, NotSupportedError, Score, Trial
from holoscope.metrics.answers import best_choices, moved, shown
from holoscope.metrics.code import Run, card, given, passes, reason
from holoscope.metrics.programs import find_program
from holoscope.sandbox import Calls, Job, Scripts, Verdict

FAMILY = "apps"
NAMES = ("test_avg", "strict_acc")
TIMEOUT = 3
"""Seconds of CPU time for a test, as published."""
_MODULES = ("sys", "time", "itertools", "collections", "functools", "math", "fractions", "typing", "random", "heapq")
_NUMPY = "numpy"
_PREAMBLE = """\
import sys, time, itertools, collections, math, fractions, random, heapq
from itertools import accumulate, product, permutations, combinations
from collections import Counter, OrderedDict, deque, defaultdict, ChainMap
from functools import lru_cache
from math import sqrt, sin, cos, tan, ceil, fabs, floor, gcd, exp, log, log2
from typing import List, Tuple
from heapq import *
"""
"""What published solutions may count on without importing it; numpy, which is slow to read, only where it is named."""
_WITH_NUMPY = "import numpy as np\n"
_TOLERANCE = 1e-6


class Contest(NamedTuple):
    """A problem's tests."""

    name: str
    """Of the function to call; empty where programs read standard input."""
    inputs: Sequence[Json]
    outputs: Sequence[Json]

    @classmethod
    def of(cls, instance: Instance) -> "Contest":
        """The instance's; NotSupportedError where it has none."""
        try:
            found = json.loads(str(instance.extra.get("input_output", "")))
        except ValueError as error:
            raise NotSupportedError(f"the instance has no tests that can be read ({error})") from None
        contest = cls(str(found.get("fn_name") or ""), found.get("inputs", ()), found.get("outputs", ()))
        if not contest.inputs or len(contest.inputs) != len(contest.outputs):
            raise NotSupportedError("the instance has no tests to run")
        return contest

    def job(self, readings: Sequence[str], seconds: int, module: str = "__main__") -> Job:
        """The program with what it is to be given."""
        programs = tuple(preamble(reading) + reading for reading in readings)
        preload = (*_MODULES, _NUMPY) if any(_WITH_NUMPY in program for program in programs) else _MODULES
        if not self.name:
            inputs = tuple(map(as_text, self.inputs))
            return Scripts(readings=programs, inputs=inputs, module=module, preload=preload, seconds=seconds)
        arguments = json.dumps([given_arguments(each) for each in self.inputs])
        return Calls(readings=programs, name=self.name, arguments=arguments, preload=preload, seconds=seconds)


def preamble(program: str) -> str:
    """The imports that stand before a published solution."""
    return _PREAMBLE + (_WITH_NUMPY if "np." in program else "")


def as_text(value: Json) -> str:
    """Lines as they are typed or printed."""
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def given_arguments(value: Json) -> Json:
    """Arguments of a call; JSON has made texts of a dictionary's whole numbers, which are numbers again."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_with_numbers(value[0])]
    return value


def expected_value(value: Json) -> Json:
    """What a call is to return, with a dictionary's whole numbers."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_with_numbers(value[0])]
    return [_with_numbers(value)] if isinstance(value, dict) else value


def _with_numbers(value: dict[str, Json]) -> Json:
    try:
        return cast(Json, {int(key): each for key, each in value.items()})
    except ValueError:
        return value


def same_value(found: object, expected: Json) -> bool:
    """True if a call returned what is expected, by itself or as the one item of a list."""
    value, wanted = _listed(found), _listed(expected_value(expected))
    return value == wanted or (isinstance(wanted, list) and bool(wanted) and value == wanted[0])


def _listed(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    return {key: _listed(each) for key, each in value.items()} if isinstance(value, dict) else value


def same_output(found: str, expected: str) -> bool:
    """True if the same words were printed."""
    words, wanted = found.split(), expected.split()
    return len(words) == len(wanted) and all(map(_same_word, words, wanted))


def _same_word(found: str, expected: str) -> bool:
    if found == expected:
        return True
    if not any(mark in word for word in (found, expected) for mark in ".eE"):
        return False
    try:
        return math.isclose(float(found), float(expected), rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    except ValueError:
        return False


def results_of(contest: Contest, verdicts: Sequence[Verdict]) -> list[bool]:
    """Whether each test was passed; NotSupportedError where that can't be known."""
    passes(verdicts)
    return [
        verdict.outcome == "passed" and _is_right(contest, verdict.value, expected)
        for verdict, expected in zip(verdicts, contest.outputs, strict=True)
    ]


def _is_right(contest: Contest, value: object, expected: Json) -> bool:
    if contest.name:
        return same_value(value, expected)
    printed = value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
    return same_output(printed, as_text(expected))


def _program_jobs(trial: Trial, timeout: int = TIMEOUT, k: int = 1) -> list[Job]:
    contest = Contest.of(trial.instance)
    names = (contest.name,) if contest.name else ()
    programs = (find_program(given(trial, choice).text, "", names) for choice in best_choices(trial, k))
    return [contest.job(program.readings, timeout) for program in programs]


def _measured(name: str, of: Callable[[Sequence[bool]], float]) -> Callable[..., Score]:
    def score(trial: Trial, run: Run, timeout: int = TIMEOUT, k: int = 1) -> Score:
        contest = Contest.of(trial.instance)
        verdicts = [run(job).verdicts for job in _program_jobs(trial, timeout, k)]
        results = [results_of(contest, each) for each in verdicts]
        best = max(range(len(results)), key=lambda index: of(results[index]))
        found = given(trial, best_choices(trial, k)[best])
        program = find_program(found.text, "", (contest.name,) if contest.name else ())
        return Score(
            name,
            of(results[best]),
            reason=_why(results[best], verdicts[best]),
            rule=program.rule,
            span=moved(program.span, found.start),
            answer=shown(found.text[slice(*program.span)]),
        )

    return score


def _why(results: Sequence[bool], verdicts: Sequence[Verdict]) -> str:
    """How many tests were passed, and what became of the first that was not."""
    if all(results):
        return ""
    first = verdicts[list(results).index(False)]
    why = reason(first) or "the output is another than expected"
    return f"{sum(results)} of {len(results)} tests passed; the first that was not: {why}"


def mean(results: Sequence[bool]) -> float:
    return sum(results) / len(results)


def strict(results: Sequence[bool]) -> float:
    return float(all(results))


def cards() -> list[Metric]:
    """The metrics of this module."""
    return [
        card("test_avg", "Tests passed", _measured("test_avg", mean), _program_jobs, binary=False),
        card("strict_acc", "Problems with every test passed", _measured("strict_acc", strict), _program_jobs),
    ]
