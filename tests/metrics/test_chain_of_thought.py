"""The option that a chain of thought ends in: ours by the extraction rules, HELM's by its four expressions."""

from typing import Any

import pytest
from msgspec.structs import replace

from holoscope.core import MetricSpec, Outcome
from holoscope.metrics.helm import statistics
from metrics.golden_runs import golden_runs
from metrics.made import generated, instance, joint, one
from paths import GOLDEN, needs_golden

NAME = "chain_of_thought_correctness"


@pytest.mark.parametrize("said", ["It follows that the answer is (B).", "So **Answer: B**", "\\boxed{B}"])
def test_a_stated_option_is_found(said: str) -> None:
    assert one(NAME, joint(said, correct=1)).value == 1


def test_the_last_statement_counts() -> None:
    said = "The answer is (A)? No. The answer is (B)."
    assert one(NAME, joint(said, correct=1)).value == 1
    assert one(NAME, joint(said, correct=1), compat=True).value == 0


def test_no_statement_is_ungradable_and_wrong_for_helm() -> None:
    trial = joint("I can not tell.", correct=1)
    assert one(NAME, trial).outcome is Outcome.UNGRADABLE
    assert one(NAME, trial, compat=True).value == 0


def test_without_a_right_option_there_is_nothing_to_compare() -> None:
    trial = generated(instance([]), "the answer is (A)")
    assert one(NAME, trial, compat=True).outcome is Outcome.NOT_SUPPORTED


@needs_golden
def test_helms_statistics_on_its_golden_run() -> None:
    name = "mmlu_pro_subject_all_use_few_shot_true_use_chain_of_thought_true.json.gz"
    run = golden_runs(GOLDEN / name)[0]
    written: list[dict[str, Any]]
    written, rows = statistics(replace(run.spec, metrics=(MetricSpec(NAME),)), run.trials)
    expected = {str(s["name"]): s["sum"] for s in run.stats}
    assert {str(s["name"]): pytest.approx(s["sum"], abs=1e-9) for s in written} == expected
    assert len(rows) == len(run.per_instance_stats)
