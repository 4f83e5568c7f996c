"""Programs are scored by the benchmark's tests: ours and HELM's reading, pass@k, and no number where nothing runs."""

import gzip
import json
from collections.abc import Sequence
from typing import Any

import pytest

from holoscope.core import (
    AdapterSpec,
    Choice,
    Instance,
    MetricSpec,
    NotSupportedError,
    Outcome,
    PerturbationDescription,
    Reference,
    RunSpec,
    ScenarioSpec,
    Score,
    Trial,
)
from holoscope.metrics import applicable, measure, score
from holoscope.sandbox import Job, Result, Verdict
from metrics.made import failed, generated, registry
from paths import DATA, needs_data
from sandboxed import SANDBOX, needs_sandbox

PROMPT = 'def double(x):\n    """Twice x."""\n'
TEST = "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(5) == 10\n"
RIGHT, WRONG = "    return 2 * x\n", "    return 4\n"


def problem(**fields: Any) -> Instance:
    return Instance(
        **{
            "id": "id0",
            "input": PROMPT,
            "references": (Reference(RIGHT, ("correct",)),),
            "extra": {"entry_point": "double", "test": TEST},
            **fields,
        }
    )


def scored(trials: Trial | Sequence[Trial], *names: str, compat: bool = False) -> list[Score]:
    specs = [MetricSpec(name) for name in names]
    together = [trials] if isinstance(trials, Trial) else list(trials)
    return score(specs, together, registry(), compat=compat, run=SANDBOX.run)[0]  # type: ignore[arg-type]


def answers(*jobs: Verdict) -> Any:
    """A runner that gives these verdicts, whatever it is to run."""
    return lambda wanted: [Result((verdict,)) for verdict, _ in zip(jobs, wanted, strict=True)]


@needs_sandbox
@pytest.mark.parametrize(
    ("said", "value", "reason"),
    [
        (RIGHT, 1.0, ""),
        (f"Of course:\n```python\n{PROMPT}{RIGHT}```", 1.0, ""),
        (f"<think>return 0?</think>```python\n{PROMPT}{RIGHT}```", 1.0, ""),
        (WRONG, 0.0, "a test failed"),
        ("    return y\n", 0.0, "an error was raised: NameError: name 'y' is not defined"),
        ("    while True: pass\n", 0.0, "it ran out of time"),
        ("", 0.0, "a test failed"),
        ("    import os; os._exit(0)\n", 0.0, "it ended before its tests did: the program ended its own process"),
        ("I'd rather not.", 0.0, "it is not Python"),
    ],
)
def test_an_answer_is_right_if_its_program_passes(said: str, value: float, reason: str) -> None:
    [found] = scored(generated(problem(), said), "code_eval_acc")
    assert (found.value, found.reason.split(": SyntaxError")[0]) == (value, reason)


@needs_sandbox
def test_the_score_says_where_the_program_stands() -> None:
    said = f"<think>hm</think>So:\n```python\n{PROMPT}{RIGHT}```"
    [found] = scored(generated(problem(), said), "code_eval_acc")
    assert found.span is not None
    assert (said[slice(*found.span)], found.rule) == ((PROMPT + RIGHT).rstrip("\n"), "fenced_language")


@needs_sandbox
def test_pass_counts_every_answer_of_a_request() -> None:
    trial = generated(problem(), WRONG, RIGHT, WRONG, RIGHT)
    acc, one, two, five = scored(trial, "code_eval_acc", "pass", "pass@2", "pass@5")
    assert (acc.value, one.value) == (0.0, 0.5)
    assert two.value == pytest.approx(1 - 1 / 6)
    assert (five.value, five.outcome) == (None, Outcome.NOT_SUPPORTED)
    assert "pass@5 needs 5 answers to a request, and there are 4" in five.reason


@needs_sandbox
def test_the_likeliest_answer_is_the_one_scored() -> None:
    trial = generated(problem(), Choice(WRONG, logprob=-2.0), Choice(RIGHT, logprob=-1.0))
    assert [found.value for found in scored(trial, "code_eval_acc")] == [1.0]


@needs_sandbox
@pytest.mark.parametrize(
    ("said", "ours", "helms"),
    [
        (RIGHT, 1.0, 1.0),
        (RIGHT.strip(), 1.0, 1.0),
        (f"```python\n{PROMPT}{RIGHT}```", 1.0, 0.0),
        (f"{PROMPT}{RIGHT}", 1.0, 0.0),
        (WRONG, 0.0, 0.0),
    ],
)
def test_helm_reads_the_rest_of_a_function_only(said: str, ours: float, helms: float) -> None:
    trial = generated(problem(), said)
    assert [found.value for found in scored(trial, "code_eval_acc", "pass")] == [ours, ours]
    assert [found.value for found in scored(trial, "code_eval_acc", "pass", compat=True)] == [helms, helms]


@needs_sandbox
def test_helms_pass_at_k_is_1_for_want_of_wrong_answers() -> None:
    found = scored(generated(problem(), WRONG, RIGHT), "pass@5", "code_eval_acc@2", compat=True)
    assert [each.value for each in found] == [1.0, 1.0]


@needs_sandbox
def test_a_perturbed_question_is_tested_by_its_own_code() -> None:
    perturbed = problem(
        input=PROMPT.replace("Twice", "Twcie"),
        original_input=PROMPT,
        perturbation=PerturbationDescription("typos", robustness=True),
    )
    assert scored(generated(perturbed, RIGHT), "code_eval_acc")[0].value == 1.0


def test_without_a_runner_nothing_is_run() -> None:
    [[found]] = score([MetricSpec("pass")], [generated(problem(), RIGHT)], registry())
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)
    assert found.reason.startswith("no sandbox")


def test_a_runner_that_refuses_says_why_in_every_score() -> None:
    def refuse(jobs: Sequence[object]) -> list[object]:
        raise NotSupportedError("no sandbox: namespaces are off")

    found = score([MetricSpec("pass")], [generated(problem(), RIGHT)] * 2, registry(), run=refuse)
    assert [own[0].reason for own in found] == ["no sandbox: namespaces are off"] * 2


def test_a_program_that_lacks_a_package_has_no_score() -> None:
    [[found]] = score(
        [MetricSpec("pass")], [generated(problem(), RIGHT)], registry(), run=answers(Verdict("missing", "numpy"))
    )
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)
    assert "the sandbox's Python lacks numpy" in found.reason


def test_equal_programs_are_run_once_for_all_metrics() -> None:
    seen: list[Job] = []

    def run(jobs: Sequence[Any]) -> list[Result]:
        seen.extend(jobs)
        return [Result((Verdict("passed"),)) for _ in jobs]

    trials = [generated(problem(id=f"id{n}"), RIGHT) for n in range(3)]
    found = score([MetricSpec("code_eval_acc"), MetricSpec("pass")], trials, registry(), run=run)
    assert [[each.value for each in own] for own in found] == [[1.0, 1.0]] * 3
    assert len(seen) == 1


def test_a_trial_without_an_answer_runs_nothing() -> None:
    lost = failed(problem(), Outcome.TRANSPORT_ERROR)
    [[found]] = score([MetricSpec("pass")], [lost], registry(), run=answers())
    assert found.outcome is Outcome.TRANSPORT_ERROR


def test_an_instance_without_tests_says_so() -> None:
    [[found]] = score([MetricSpec("pass")], [generated(problem(extra={}), RIGHT)], registry(), run=answers())
    assert (found.value, found.reason) == (None, "the instance has no tests to run")


def run_spec(**fields: Any) -> RunSpec:
    adapter = {"num_outputs": 1, **fields.pop("adapter", {})}
    metrics = (MetricSpec("code_eval_acc"), MetricSpec("pass"))
    return RunSpec(
        **{"name": "x", "entry": "x", "scenario": ScenarioSpec("x"), "metrics": metrics, **fields},
        adapter=AdapterSpec(**adapter),
    )


@pytest.mark.parametrize(
    ("fields", "sizes"),
    [
        ({}, []),
        ({"trials": 5}, [5]),
        ({"adapter": {"num_outputs": 4}, "trials": 5}, [10, 20]),
        ({"adapter": {"num_outputs": 200}}, [10, 100, 200]),
    ],
)
def test_repeated_answers_bring_pass_at_k(fields: dict[str, Any], sizes: list[int]) -> None:
    found = [metric.args["k"] for metric in applicable(run_spec(**fields)) if metric.name == "pass_at_k"]
    assert found == sizes


def test_under_compat_several_answers_bring_helms_statistics() -> None:
    found = [metric.name for metric in applicable(run_spec(compat="helm", adapter={"num_outputs": 5}))]
    assert {"code_eval_acc@5", "pass@5"} <= set(found)
    assert "pass_at_k" not in found


def test_pass_at_k_pools_answers_and_repetitions() -> None:
    of = problem()
    trials = []
    for index in range(2):
        made = generated(of, RIGHT, WRONG)
        trials.append(Trial(of, made.exchanges, 0, index))
    scores = [[Score("pass", 0.5)], [Score("pass", 0.0)]]
    [found] = measure([MetricSpec("pass_at_k", {"k": 2, "metric": "pass"})], trials, scores, registry())
    assert found.metric == "pass@2"
    assert found.value == pytest.approx(1 - 3 / 6)  # of four answers one is right


def rows() -> list[dict[str, str]]:
    path = DATA / "code_humaneval/HumanEval.jsonl.gz"
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()] if path.exists() else []


@needs_data
@needs_sandbox
@pytest.mark.parametrize("compat", [False, True])
def test_humanevals_own_solutions_are_right_and_those_of_others_are_wrong(compat: bool) -> None:
    trials = []
    for number, row in enumerate(rows()):
        extra: Any = {"entry_point": row["entry_point"], "test": row["test"]}
        solution = row["canonical_solution"] if number % 2 == 0 else "    pass\n"
        trials.append(generated(Instance(id=str(number), input=row["prompt"], extra=extra), solution))
    found = score([MetricSpec("pass")], trials, registry(), compat=compat, run=SANDBOX.run)  # type: ignore[arg-type]
    assert [own[0].value for own in found] == [float(number % 2 == 0) for number in range(len(trials))]
