"""HELM's measures of programs: HumanEval's and APPS's, by HELM's reading of an answer and HELM's comparison.

A HumanEval completion is stripped, indented by four spaces and put behind the prompt. An APPS solution is made a
function whose own name is not `__main__`; what it prints is right if it equals what is expected by any of seven
readings, the last of which forgets the order of lines and of words. Programs run in our sandbox all the same, and so do
BigCodeBench's, which HELM sends away.
"""

import math
from collections.abc import Callable, Sequence

from holoscope.core import Json, Metric, Score, Trial
from holoscope.metrics import code, contests
from holoscope.metrics.code import Examination, Run, card, passes
from holoscope.metrics.contests import TIMEOUT, Contest, as_text, expected_value, mean, strict
from holoscope.metrics.helm.score import VERSION, sorted_choices
from holoscope.sandbox import Job, Verdict

PROGRAMS = code.NAMES
"""Metrics of HELM's that it computes by name, and that take running a program."""
PROGRAM_CLASSES = {contests.FAMILY: contests.NAMES, code.BIGCODEBENCH: (code.BIGCODEBENCH,)}
"""Those that are classes of their own in HELM, and what each records."""
_MODULE = "tmp_sol"
_WHOLE_TIME = 11
"""Seconds for all tests of a solution; beyond them every test has failed."""
_BY_DEFAULT = 21
"""How many tests a solution has failed that didn't end."""


def _texts(trial: Trial) -> list[str]:
    return [choice.text.strip() for choice in sorted_choices(trial.exchanges[0].completion)]


def _function_jobs(trial: Trial, k: int = 1) -> list[Job]:
    tests = Examination.of(trial.instance)
    before = f"{tests.context}    " if tests.context else ""  # a function's beginning, which HumanEval's prompts are
    return [tests.job([f"{before}{text}\n"]) for text in _texts(trial)[:k]]


def _all_function_jobs(trial: Trial, k: int = 1) -> list[Job]:
    return _function_jobs(trial, len(_texts(trial)))


def helm_code_eval(trial: Trial, run: Run, k: int = 1) -> Score:
    """1 if the first of HELM's order passes, or one of the first `k`."""
    right = [passes(run(job).verdicts) for job in _function_jobs(trial, k)]
    return Score("code_eval_acc", float(any(right)), rule="continuation", answer=_texts(trial)[0])


def helm_pass(trial: Trial, run: Run, k: int = 1) -> Score:
    """HELM's estimate of pass@k, which is 1 where fewer than `k` answers are wrong."""
    right = [passes(run(job).verdicts) for job in _all_function_jobs(trial)]
    wrong = len(right) - sum(right)
    value = 1.0 if wrong < k else 1.0 - math.prod(1.0 - k / i for i in range(wrong + 1, len(right) + 1))
    return Score("pass", value)


def _solution_jobs(trial: Trial, timeout: int = TIMEOUT) -> list[Job]:
    contest = Contest.of(trial.instance)
    return [contest.job([text if contest.name else _as_function(text)], timeout, _MODULE) for text in _texts(trial)]


def _as_function(text: str) -> str:
    """The solution as HELM runs it: all but imports at its head moves into a function, which is then called."""
    lines = text.split("\n")
    is_body = (not line.startswith(("from ", "import ")) for line in lines)
    first = next((number for number, starts_it in enumerate(is_body) if starts_it), len(lines))
    body = ["stdin = sys.stdin", "stdout = sys.stdout", "def code():", *(f"\t{line}" for line in lines[first:])]
    return "\n".join([*lines[:first], *(body if first < len(lines) else ()), "code()", ""])


def _apps(name: str, of: Callable[[Sequence[bool]], float]) -> Callable[..., Score]:
    def score(trial: Trial, run: Run, timeout: int = TIMEOUT) -> Score:
        contest = Contest.of(trial.instance)
        results = [_results(contest, run(job).verdicts, timeout) for job in _solution_jobs(trial, timeout)]
        return Score(name, max(0.0, *map(of, results)), rule="whole_text")

    return score


def _results(contest: Contest, verdicts: Sequence[Verdict], timeout: int) -> list[bool]:
    """HELM's verdict on each test."""
    passes(verdicts)
    if sum(verdict.outcome == "time" for verdict in verdicts) * timeout > _WHOLE_TIME:
        return [False] * _BY_DEFAULT
    compare = _same_value if contest.name else _same_output
    return [
        verdict.outcome == "passed" and compare(verdict.value, expected)
        for verdict, expected in zip(verdicts, contest.outputs, strict=True)
    ]


def _same_value(found: object, expected: Json) -> bool:
    value = list(found) if isinstance(found, tuple) else found
    wanted = expected_value(expected)
    first = wanted[0] if isinstance(wanted, list) and wanted else wanted
    if value in (wanted, first):
        return True
    items = list(found) if isinstance(found, list | tuple) else []
    if not items or not isinstance(items[0], tuple):
        return False
    return all(isinstance(each, list | tuple) for each in items) and [list(each) for each in items] == first


def _same_output(found: object, expected: Json) -> bool:
    printed = found.decode("utf-8", "replace").splitlines() if isinstance(found, bytes) else []
    wanted = as_text(expected)
    if wanted.strip() in ("\n".join(printed).strip(), "\n".join(line.strip() for line in printed).strip()):
        return True
    lines = [line.strip() for line in wanted.split("\n") if line]
    shown = [line for line in printed if line]
    return lines in (printed, shown) or _close(shown, lines) or _same_sets(shown, lines)


def _close(shown: Sequence[str], lines: Sequence[str]) -> bool:
    """Every line is a number, and near the expected one."""
    try:
        pairs = [(float(one), float(other)) for one, other in zip(shown, lines, strict=True)]
    except ValueError:
        return False
    return all(one == other or abs(one - other) <= 1e-8 + 1e-5 * abs(other) < math.inf for one, other in pairs)


def _same_sets(shown: Sequence[str], lines: Sequence[str]) -> bool:
    """The same sets of words, or of numbers of three decimals, in whatever order."""
    found = {frozenset(line.split()) for line in shown if line.split()}
    wanted = {frozenset(line.split()) for line in lines}
    if found == wanted:
        return True
    try:
        return _rounded(found) == _rounded(wanted)
    except (ValueError, OverflowError):
        return False


def _rounded(lines: set[frozenset[str]]) -> set[frozenset[float]]:
    return {frozenset(round(float(word), 3) for word in line) for line in lines}


def cards() -> list[Metric]:
    """HELM's versions."""
    return [
        card("code_eval_acc@helm", "Programs that pass their tests (HELM)", helm_code_eval, _function_jobs, VERSION),
        card("pass@helm", "pass@1 (HELM)", helm_pass, _all_function_jobs, VERSION),
        card("test_avg@helm", "Tests passed (HELM)", _apps("test_avg", mean), _solution_jobs, VERSION, binary=False),
        card(f"{code.BIGCODEBENCH}@helm", "Unit tests passed (HELM)", code.bigcodebench, code.unit_test_jobs, VERSION),
        card("strict_acc@helm", "Every test passed (HELM)", _apps("strict_acc", strict), _solution_jobs, VERSION),
    ]
