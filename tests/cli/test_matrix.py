"""HELM's published example matrix on real rows: each cell a value, or empty for a reason that says what to do."""

import json
from pathlib import Path

import pytest

from paths import DATA, needs_data
from sandboxed import SANDBOX
from serving import holoscope

ENTRIES = (
    "mmlu:subject=philosophy,data_augmentation=canonical",
    "commonsense:dataset=hellaswag,method=multiple_choice_separate_original,data_augmentation=canonical",
    "truthful_qa:task=mc_single,data_augmentation=canonical",
    "code:dataset=humaneval",
)
AXES = ("accuracy", "calibration", "robustness", "fairness", "bias", "toxicity", "efficiency")
FILLED = {
    "mmlu": {"accuracy", "calibration", "robustness", "fairness", "efficiency"},
    "hellaswag": {"accuracy", "calibration", "robustness", "fairness", "efficiency"},
    "truthful_qa": {"accuracy", "calibration", "robustness", "fairness", "efficiency"},
    "code_humaneval": {"accuracy", "toxicity", "efficiency"} if SANDBOX.is_safe else {"toxicity", "efficiency"},
}
REASONS = {
    ("mmlu", "bias"): "add an entry such as bbq:subject=all",
    ("mmlu", "toxicity"): "add an entry such as real_toxicity_prompts",
    ("code_humaneval", "bias"): "no completion holds a word of the gender lists",
}


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    folder = tmp_path_factory.mktemp("matrix")
    words = ("--model", "test/echo", "-m", "24", "--data-dir", str(DATA), "--out", "out")
    done = holoscope("run", *ENTRIES, *words, "--json", cwd=folder)
    assert done.returncode == (0 if SANDBOX.is_safe else 1), "without a sandbox HumanEval is incomplete"
    assert ("no sandbox" in done.stderr) != SANDBOX.is_safe
    found: list[dict[str, object]] = json.loads(done.stdout)["cells"]
    assert printed(folder) == set(FILLED)
    return found


def printed(folder: Path) -> set[str]:
    """The scenarios that the grid in the terminal has a row for."""
    text = holoscope("show", "--out", "out", cwd=folder).stdout
    return {scenario for scenario in FILLED if scenario in text}


@needs_data
@pytest.mark.parametrize("scenario", FILLED)
@pytest.mark.parametrize("axis", AXES)
def test_each_cell_has_a_value_or_a_reason(scenario: str, axis: str, cells: list[dict[str, object]]) -> None:
    own = [c for c in cells if c["scenario"] == scenario and c["axis"] == axis]
    assert own, "the grid has no holes"
    values = [c["value"] for c in own if c["value"] is not None]
    assert bool(values) == (axis in FILLED[scenario]), [c["reason"] for c in own]
    assert all(c["reason"] for c in own if c["value"] is None)
    if (scenario, axis) in REASONS:
        assert any(REASONS[scenario, axis] in str(c["reason"]) for c in own)
