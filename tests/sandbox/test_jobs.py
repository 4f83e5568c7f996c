"""Jobs of each kind give the verdict that their tests say."""

import json

import pytest

from holoscope.sandbox import Assertions, Calls, Job, Result, Scripts, UnitTests, Verdict
from sandboxed import SANDBOX, needs_sandbox

pytestmark = needs_sandbox


def one(job: Job) -> Result:
    return SANDBOX.run([job])[0]


def checked(program: str, tests: str, *names: str, context: str = "") -> Verdict:
    job = Assertions(readings=(program,), names=names or ("f",), tests=tests, context=context, seconds=1)
    return one(job).verdicts[0]


@pytest.mark.parametrize(
    ("program", "tests", "outcome", "words"),
    [
        ("def f(): return 1", "assert f() == 1", "passed", ""),
        ("def f(): return 1", "assert f() == 2, 'two is wanted'", "failed", "two is wanted"),
        ("def f(: return 1", "assert f() == 1", "syntax", "SyntaxError: invalid syntax (<program>, line 1)"),
        ("x = 1", "assert f() == 1", "error", "NameError: the program defines no f"),
        ("def f(): return 1 / 0", "f()", "error", "ZeroDivisionError: division by zero"),
        ("class Odd(KeyError): pass\ndef f(): raise Odd('k')", "f()", "error", "KeyError: \"'k'\""),
        ("def f():\n    while True: pass", "f()", "time", ""),
        ("x = bytearray(1 << 33)", "f()", "memory", "MemoryError: "),
        ("import os\nos._exit(0)", "f()", "crashed", "the program ended its own process"),
        (
            "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)",
            "f()",
            "crashed",
            "the program was ended by signal 11",
        ),
    ],
)
def test_assertions(program: str, tests: str, outcome: str, words: str) -> None:
    assert checked(program, tests) == Verdict(outcome, words)  # type: ignore[arg-type]


def test_a_test_may_expect_an_exception() -> None:
    tests = "try: f()\nexcept ValueError as error: assert 'no' in str(error)\nelse: assert False"
    assert checked("def f(): raise ValueError('no')", tests).outcome == "passed"


def test_a_test_that_swallows_everything_lets_no_dead_program_pass() -> None:
    assert checked("import os\ndef f(): os._exit(0)", "try: f()\nexcept BaseException: pass").outcome == "crashed"


def test_what_the_tests_do_not_take_from_the_program_is_the_benchmarks() -> None:
    assert (
        checked(
            "def helper(): return 2\ndef f(): return 1", "assert helper() == f()", context="def helper(): return 1"
        ).outcome
        == "passed"
    )


@pytest.mark.parametrize(
    ("program", "tests"),
    [
        ("def f(x): return [x, (x,), {x: x}, {x}]", "assert f(1) == [1, (1,), {1: 1}, {1}]"),
        ("def f(n): return (i for i in range(n))", "assert list(f(3)) == [0, 1, 2]"),
        ("def f(n): return map(str, range(n))", "assert ''.join(f(3)) == '012'"),
        ("from collections import Counter\ndef f(s): return Counter(s)", "assert f('aab') == {'a': 2, 'b': 1}"),
        (
            "from collections import namedtuple\nP = namedtuple('P', 'x y')\ndef f(): return P(1, 2)",
            "assert f() == (1, 2)",
        ),
        (
            "from collections import deque\ndef f(): return deque([1, 2])",
            "assert len(f()) == 2 and f()[1] == 2 and 1 in f()",
        ),
        ("def f(a, *, b=1): return a + b", "assert f(1, b=2) == 3"),
        ("def f(kind): return kind('3')", "assert f(int) == 3"),
    ],
)
def test_values_cross_as_equals(program: str, tests: str) -> None:
    assert checked(program, tests).outcome == "passed"


def test_a_programs_objects_can_be_made_and_used() -> None:
    program = "class Node:\n    def __init__(self, v): self.v, self.left = v, None\ndef f(n): return n.v + n.left.v"
    tests = "root = Node(1)\nroot.left = Node(2)\nassert f(root) == 3 and root.left.v == 2"
    assert checked(program, tests, "f", "Node").outcome == "passed"


def test_an_object_equals_only_itself() -> None:
    assert checked("class A:\n    pass\ndef f(): return A()", "assert f() != f() and f() != 1").outcome == "passed"


def test_a_function_of_the_tests_does_not_cross() -> None:
    words = "TypeError: a test passes a function, which cannot cross to the program"
    assert checked("def f(g): return g(1)", "f(lambda x: x)") == Verdict("error", words)


def test_the_first_reading_that_is_python_is_run() -> None:
    job = Assertions(
        readings=("def f( return 1", "def f(): return 2", "def f(): return 3"), names=("f",), tests="assert f() == 2"
    )
    assert one(job) == Result((Verdict("passed"),), 1)


def test_calls_give_back_what_is_returned() -> None:
    program = "class Solution:\n    def f(self, a, b): return (a, b)\n"
    arguments = json.dumps([[1, [2]], [1], [{"k": None}, "é"]])
    verdicts = one(Calls(readings=(program,), name="f", arguments=arguments)).verdicts
    assert [verdict.value for verdict in verdicts] == [(1, [2]), None, ({"k": None}, "é")]
    assert [verdict.outcome for verdict in verdicts] == ["passed", "error", "passed"]


def test_a_call_leaves_nothing_for_the_next() -> None:
    program = "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)"
    verdicts = one(Calls(readings=(program,), name="f", arguments="[[1], [2]]")).verdicts
    assert [verdict.value for verdict in verdicts] == [1, 1]


def test_scripts_read_and_print() -> None:
    program = "import sys\nname = input()\nprint('hello', name)\nfor line in sys.stdin: print(line.strip()[::-1])"
    verdicts = one(Scripts(readings=(program,), inputs=("ann\nabc\n", "é"))).verdicts
    assert [verdict.value for verdict in verdicts] == [b"hello ann\ncba\n", "hello é\n".encode()]


def test_a_script_that_fails_says_why_and_what_it_printed() -> None:
    [verdict] = one(Scripts(readings=("print('so far')\n1 / 0",), inputs=("",))).verdicts
    assert verdict == Verdict("error", "ZeroDivisionError: division by zero", b"so far\n")


@pytest.mark.parametrize(("name", "printed"), [("__main__", b"run\n"), ("solution", b"")])
def test_a_script_has_the_name_it_is_given(name: str, printed: bytes) -> None:
    job = Scripts(readings=("if __name__ == '__main__': print('run')",), inputs=("",), module=name)
    assert one(job).verdicts[0].value == printed


def test_a_script_that_runs_out_of_time_often_is_given_up() -> None:
    verdicts = one(Scripts(readings=("while True: pass",), inputs=("",) * 9, seconds=1)).verdicts
    assert [verdict.outcome for verdict in verdicts] == ["time"] * 9


UNIT = """
import unittest
from unittest.mock import patch
class TestCases(unittest.TestCase):
    @patch("random.random", return_value=0.5)
    def test_patched(self, _):
        self.assertEqual(f(), 1.0)
    def test_plain(self):
        self.assertIsInstance(f(), float)
"""


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("import random\ndef f(): return 2 * random.random()", "passed"),
        ("import random\ndef f(): return random.random()", "failed"),
        ("def f(): return 1 / 0", "failed"),
    ],
)
def test_unit_tests_share_the_programs_process(program: str, outcome: str) -> None:
    assert one(UnitTests(readings=(program,), tests=UNIT, count=2)).verdicts[0].outcome == outcome


def test_absent_packages_are_named() -> None:
    job = UnitTests(
        readings=("x = 1",), tests=UNIT, count=2, packages=("random", "no_such_package", "os.path", "nor_this")
    )
    assert one(job).verdicts[0] == Verdict("missing", "no_such_package, nor_this")


def test_results_come_in_the_jobs_order_and_again_the_same() -> None:
    jobs = [
        Assertions(readings=(f"def f(): return {n}",), names=("f",), tests="assert f() % 3 == 0, f()")
        for n in range(12)
    ]
    found = SANDBOX.run(jobs)
    assert [result.verdicts[0].words for result in found[:4]] == ["", "1", "2", ""]
    assert SANDBOX.run(jobs) == found


def test_words_hold_no_addresses() -> None:
    verdict = checked("def f(): return 1", "assert False, str(object())")
    assert verdict.words == "<object object at 0x...>"


def test_sets_are_in_the_same_order_each_time() -> None:
    job = Scripts(readings=("print({'a', 'b', 'c', 'd', 'e'}, hash('a'))",), inputs=("",))
    assert one(job) == one(job)
