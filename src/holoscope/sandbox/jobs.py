"""What may be run, and what comes of it: a model's program with the tests that are to say whether it is right.

A job is a value without expected results wherever the comparison can be made outside; the same job gives the same
result. `readings` are the program in the ways in which the answer may be meant, the likeliest first: the first that is
Python is run.
"""

from typing import Literal, TypeAlias

import msgspec

Outcome = Literal["passed", "failed", "error", "syntax", "time", "memory", "crashed", "missing"]
"""`passed`: every test, or (where the comparison is made outside) it ran to its end. `failed`: an assertion. `missing`:
the sandbox's Python lacks the packages that `words` names, so that nothing is known of the program."""


class Assertions(msgspec.Struct, frozen=True, kw_only=True):
    """Test code that calls the program's functions, as HumanEval and MBPP have it."""

    readings: tuple[str, ...]
    context: str = ""
    """The benchmark's own code that the tests build on, such as a prompt with its helper functions."""
    names: tuple[str, ...]
    """What the tests take from the program; every other name is the benchmark's or Python's."""
    tests: str
    seconds: int = 3
    """CPU time of the program."""


class Calls(msgspec.Struct, frozen=True, kw_only=True):
    """Calls of one function with plain data, whose results are compared outside."""

    readings: tuple[str, ...]
    name: str
    arguments: str
    """JSON: a list of lists."""
    preload: tuple[str, ...] = ()
    """Modules that the program surely imports, read once for all of them."""
    seconds: int = 3
    """CPU time of each call."""


class Scripts(msgspec.Struct, frozen=True, kw_only=True):
    """Runs of the program as a script, whose output is compared outside."""

    readings: tuple[str, ...]
    inputs: tuple[str, ...]
    """Standard input of each run."""
    module: str = "__main__"
    """What the program takes for its own name."""
    preload: tuple[str, ...] = ()
    """Modules that the program surely imports, read once for all of them."""
    seconds: int = 3
    """CPU time of each run."""


class UnitTests(msgspec.Struct, frozen=True, kw_only=True):
    """A `unittest` class that patches and inspects the program, and so shares its process."""

    readings: tuple[str, ...]
    tests: str
    name: str = "TestCases"
    count: int
    """How many tests it has."""
    packages: tuple[str, ...] = ()
    """Modules that it needs; without one of them nothing is run."""
    seconds: int = 30
    """CPU time of the program with its tests."""


Job: TypeAlias = Assertions | Calls | Scripts | UnitTests


class Verdict(msgspec.Struct, frozen=True):
    """What came of one test, or of all of them together."""

    outcome: Outcome
    words: str = ""
    """The exception or the assertion's message; may hold text of the program's."""
    value: object = None
    """What was returned, or printed (bytes)."""


class Result(msgspec.Struct, frozen=True):
    """What came of a job."""

    verdicts: tuple[Verdict, ...]
    """One of each call or input; one in all for assertions and unit tests."""
    reading: int = -1
    """Which reading was run, where that is known; -1: none."""
