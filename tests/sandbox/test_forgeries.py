"""No program is called right without being right, whatever it does to the process it runs in."""

import pytest

from holoscope.sandbox import Assertions, Job, Result, Scripts, UnitTests
from sandbox.hostile import FORGERIES
from sandboxed import SANDBOX, needs_sandbox

pytestmark = needs_sandbox

TESTS = "def check(candidate):\n    for x in range(1, 4):\n        assert candidate(x) == 2 * x\ncheck(double)"


def one(job: Job) -> Result:
    [result] = SANDBOX.run([job])
    return result


def assertions(program: str) -> Assertions:
    return Assertions(readings=(program,), names=("double",), tests=TESTS, seconds=1)


@pytest.fixture(scope="module")
def forged() -> dict[str, Result]:
    results = SANDBOX.run([assertions(program) for program in FORGERIES.values()])
    return dict(zip(FORGERIES, results, strict=True))


@pytest.mark.parametrize("name", FORGERIES)
def test_none_passes(name: str, forged: dict[str, Result]) -> None:
    [verdict] = forged[name].verdicts
    assert verdict.outcome not in ("passed", "missing")


LIES = {
    "contains everything": (
        "class A:\n    def __contains__(self, o): return True\ndef f(): return A()",
        "assert 4 in f()",
    ),
    "ends the loop over the tests": ("def f(): raise StopIteration", "assert all(map(lambda x: f() == x, (1, 2)))"),
    "points into the examiner's memory": (
        "class A:\n"
        "    @property\n"
        "    def __array_interface__(self):\n"
        "        return {'data': (id(None), True), 'shape': (1,), 'typestr': '<i8', 'version': 3}\n"
        "def f(): return A()",
        "f().__array_interface__",
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_an_object_of_the_programs_settles_no_test(name: str) -> None:
    program, tests = LIES[name]
    [verdict] = one(Assertions(readings=(program,), names=("f",), tests=tests, seconds=2)).verdicts
    assert verdict.outcome in ("failed", "error")


def test_what_is_in_an_object_is_found_by_walking_it() -> None:
    job = Assertions(readings=("def f(): return (x * x for x in range(4))",), names=("f",), tests="assert 9 in f()")
    assert one(job).verdicts[0].outcome == "passed"


def test_an_honest_program_passes() -> None:
    assert one(assertions("def double(x): return x + x")).verdicts[0].outcome == "passed"


@pytest.mark.parametrize("program", ["print('4')\nimport os\nos._exit(0)", "print('4')\nexit()\nprint('5')"])
def test_a_scripts_output_is_all_that_counts(program: str) -> None:
    verdicts = one(Scripts(readings=(program,), inputs=("2",))).verdicts
    assert [verdict.value for verdict in verdicts if verdict.value != b"4\n"] in ([], [b""])


UNIT = "import unittest\nclass TestCases(unittest.TestCase):\n    def test_it(self): self.assertEqual(double(1), 2)\n"


@pytest.mark.parametrize(
    "program",
    [
        "import os\nos._exit(0)",
        "import sys\nsys.exit()",
        "import unittest\nunittest.TestCase.run = lambda self, result=None: None\ndef double(x): return 0",
        "import unittest\nunittest.TestCase = object\ndef double(x): return 0",
        "def double(x): import unittest; raise unittest.SkipTest()",
        "print('OK')\ndef double(x): return 0",
    ],
)
def test_unit_tests_must_have_run(program: str) -> None:
    job = UnitTests(readings=(program,), tests=UNIT, count=1, seconds=2)
    assert one(job).verdicts[0].outcome != "passed"
