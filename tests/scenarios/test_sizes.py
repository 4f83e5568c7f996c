"""Sizes that are told before anything is fetched: of scenarios that are there, and upstream's own numbers."""

import json

import pytest

from holoscope.scenarios.sizes import known_sizes
from paths import DATA, needs_data
from scenarios.made import registry

ONE_FILE = {
    "banking77": "test.csv",
    "boolq": "dev.jsonl",
    "code_humaneval": "HumanEval.jsonl.gz",
    "commonsenseqa": "dev_rand_split.jsonl",
    "gsm": "test.jsonl",
    "koala": "koala_test_set.jsonl",
    "lsat_qa": "AR_TestData.json",
    "med_qa": "data_clean/questions/US/4_options/phrases_no_exclude_test.jsonl",
    "medec": "MEDEC-MS-TestSet-with-GroundTruth-and-ErrorType.csv",
    "mmlu_pro": "test.jsonl",
    "openbookqa": "OpenBookQA-V1-Sep2018/Data/Main/test.jsonl",
    "piqa": "valid.jsonl",
    "self_instruct": "user_oriented_instructions.jsonl",
    "vicuna": "question.jsonl",
    "xstest": "xstest_prompts.csv",
}
"""Scenarios whose main split is one file, with that file."""


def test_each_size_is_of_a_scenario_that_is_there() -> None:
    assert set(known_sizes()) <= set(registry().scenarios)
    assert all(size > 0 for size in known_sizes().values())


@needs_data
@pytest.mark.parametrize("name", sorted(ONE_FILE))
def test_a_size_is_upstreams(name: str) -> None:
    manifest = json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))
    files = {file["path"]: file.get("rows_available") for each in manifest["scenarios"] for file in each["files"]}
    assert files[f"{name}/{ONE_FILE[name]}"] == known_sizes()[name]
