"""Programs that a model wrote, by whether they pass the benchmark's own tests: HumanEval, MBPP, BigCodeBench.

An answer that is no program, or one that fails, hangs, crashes or fills the memory, is wrong. Where nothing may be run,
or the program needs a package that the sandbox's Python lacks, the score is missing. The program never learns what is
expected of it, and can't say that it passed (`sandbox`).

    code_eval_acc        the likeliest answer passes every test
    pass                 how likely one of a request's answers passes (pass@1); `pass@k`: one of k
    bigcodebench_p@1     as code_eval_acc, with tests that share the program's process
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from holoscope.core import Choice, Instance, Json, Metric, NotSupportedError, Outcome, Score, Trial
from holoscope.metrics.answers import best_choices, moved, shown
from holoscope.metrics.extract import answer_start
from holoscope.metrics.programs import Program, find_program
from holoscope.sandbox import Assertions, Job, Result, UnitTests, Verdict

NAMES = ("code_eval_acc", "pass")
BIGCODEBENCH = "bigcodebench_p@1"
Run = Callable[[Job], Result]

_TEST_METHOD = re.compile(r"^(?: {4}|\t)(?:async )?def (test\w*)\(", re.MULTILINE)
_SECONDS = 3
"""CPU time, as HumanEval was published with."""
_WORDS = {
    "failed": "a test failed",
    "error": "an error was raised",
    "syntax": "it is not Python",
    "time": "it ran out of time",
    "memory": "it ran out of memory",
    "crashed": "it ended before its tests did",
}


class Given(NamedTuple):
    """One of a trial's answers."""

    text: str
    start: int
    """Where it starts in the completion's text."""


def given(trial: Trial, choice: Choice) -> Given:
    """The answer of a choice, without its thinking."""
    if trial.exchanges[0].completion.outcome is Outcome.TRUNCATED_IN_REASONING:
        return Given("", 0)
    start = answer_start(choice.text)
    return Given(choice.text[start:], start)


def asked(instance: Instance) -> str:
    """The question as the benchmark has it, without a perturbation."""
    return instance.input if instance.perturbation is None else instance.original_input or instance.input


class Examination(NamedTuple):
    """Tests that call a program's functions."""

    context: str
    """Code of the prompt that the answer may go on from, and that the tests build on."""
    names: tuple[str, ...]
    tests: str

    @classmethod
    def of(cls, instance: Instance) -> "Examination":
        """The instance's; NotSupportedError where it has none."""
        extra = instance.extra
        if "test" in extra and "entry_point" in extra:
            name = str(extra["entry_point"])
            return cls(asked(instance), (name,), f"{extra['test']}\ncheck({name})")
        if "tests" in extra and "names" in extra:
            return cls("", tuple(map(str, cast("list[Json]", extra["names"]))), str(extra["tests"]))
        raise NotSupportedError("the instance has no tests to run")

    def job(self, readings: Sequence[str]) -> Assertions:
        return Assertions(
            readings=tuple(readings), context=self.context, names=self.names, tests=self.tests, seconds=_SECONDS
        )


def passes(verdicts: Sequence[Verdict]) -> bool:
    """True if every test passed; NotSupportedError where that can't be known."""
    for verdict in verdicts:
        if verdict.outcome == "missing":
            raise NotSupportedError(
                f"the sandbox's Python lacks {verdict.words}; name one that has it: HOLOSCOPE_SANDBOX_PYTHON=..."
            )
    return all(verdict.outcome == "passed" for verdict in verdicts)


def reason(verdict: Verdict) -> str:
    """Why a program did not pass, in words; empty if it did."""
    if verdict.outcome == "passed":
        return ""
    return f"{_WORDS[verdict.outcome]}{': ' if verdict.words else ''}{verdict.words}"


def _program(trial: Trial, choice: Choice, code: Examination) -> tuple[Program, Given]:
    found = given(trial, choice)
    return find_program(found.text, code.context, code.names), found


def _jobs(trial: Trial, k: int = 1) -> list[Job]:
    """The programs of the k likeliest answers."""
    code = Examination.of(trial.instance)
    return [code.job(_program(trial, choice, code)[0].readings) for choice in best_choices(trial, k)]


def _all_jobs(trial: Trial, k: int = 1) -> list[Job]:
    return _jobs(trial, len(trial.exchanges[0].completion.choices))


def code_eval_acc(trial: Trial, run: Run, k: int = 1) -> Score:
    """1 if the likeliest answer passes, or one of the `k` likeliest."""
    results = [run(job) for job in _jobs(trial, k)]
    right = [passes(result.verdicts) for result in results]
    best = right.index(True) if any(right) else 0
    code = Examination.of(trial.instance)
    program, found = _program(trial, best_choices(trial, k)[best], code)
    return _score("code_eval_acc", right[best], results[best].verdicts[0], program, found)


def _score(name: str, is_right: bool, verdict: Verdict, program: Program, found: Given) -> Score:
    return Score(
        name,
        float(is_right),
        reason=reason(verdict),
        rule=program.rule,
        span=moved(program.span, found.start),
        answer=shown(found.text[slice(*program.span)]),
    )


def pass_at(trial: Trial, run: Run, k: int = 1) -> Score:
    """The unbiased estimate that one of k answers passes, from all of the request's answers."""
    from holoscope import stats

    right = [passes(run(job).verdicts) for job in _all_jobs(trial)]
    value = stats.pass_at_k(len(right), sum(right), k)
    if value is None:
        why = f"pass@{k} needs {k} answers to a request, and there are {len(right)}: num_outputs={k}, or --trials {k}"
        raise NotSupportedError(why)
    return Score("pass", value, reason=f"{sum(right)} of {len(right)} pass" if len(right) > 1 else "")


def unit_test_jobs(trial: Trial) -> list[Job]:
    choice = best_choices(trial)[0]
    return [_unit_tests(trial.instance, find_program(given(trial, choice).text, "", (_entry(trial),)))]


def _entry(trial: Trial) -> str:
    return str(trial.instance.extra.get("entry_point", ""))


def _unit_tests(instance: Instance, program: Program) -> UnitTests:
    extra = instance.extra
    if "unit_tests" not in extra:
        raise NotSupportedError("the instance has no tests to run")
    tests = str(extra["unit_tests"])
    return UnitTests(
        readings=program.readings,
        tests=tests,
        count=_number_of_tests(tests),
        packages=tuple(map(str, cast("list[Json]", extra.get("libs", [])))),
    )


def _number_of_tests(tests: str) -> int:
    """Methods of the benchmark's class that are tests; of two with one name there is the last."""
    return len(set(_TEST_METHOD.findall(tests)))


def bigcodebench(trial: Trial, run: Run) -> Score:
    """1 if the answer passes the benchmark's unit tests."""
    found = given(trial, best_choices(trial)[0])
    program = find_program(found.text, "", (_entry(trial),))
    verdict = run(_unit_tests(trial.instance, program)).verdicts[0]
    return _score(BIGCODEBENCH, passes([verdict]), verdict, program, found)


def cards() -> list[Metric]:
    """The metrics of this module."""
    return [
        card("code_eval_acc", "Programs that pass their tests", code_eval_acc, _jobs),
        card("pass", "pass@1", pass_at, _all_jobs),
        card(BIGCODEBENCH, "Programs that pass their unit tests", bigcodebench, unit_test_jobs),
    ]


def card(
    name: str,
    title: str,
    score: Callable[..., Score],
    jobs: Callable[..., Sequence[object]],
    version: str = "1",
    *,
    binary: bool = True,
) -> Metric:
    """The card of a metric that runs programs."""
    return Metric(
        name=name,
        version=version,
        axis="accuracy",
        title=title,
        binary=binary,
        ends=(0.0, 1.0),
        score=score,
        jobs=jobs,
    )
