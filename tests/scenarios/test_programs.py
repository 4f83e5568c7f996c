"""Benchmarks of programs: their rows, how they are asked, and that upstream's own solutions are right."""

import json
from pathlib import Path

import pytest

from holoscope.core import DataError, Instance, Outcome, Reference, builtin
from holoscope.metrics import expanded, score
from holoscope.models.tokenizers import CharacterWindow, Limits
from holoscope.prompts import plan
from holoscope.scenarios import check
from metrics.made import generated
from paths import DATA, needs_data
from sandboxed import SANDBOX, needs_sandbox
from scenarios.contests import apps, bigcodebench
from scenarios.golds import resolved
from scenarios.made import load, registry, settings, write_rows


@needs_data
@pytest.mark.parametrize("subset", ["full", "sanitized"])
def test_mbpps_rows_are_split_by_upstreams_numbers(tmp_path: Path, subset: str) -> None:
    numbers: dict[str, list[int]] = {}
    for instance in load(tmp_path, "mbpp", DATA, subset=subset):
        numbers.setdefault(instance.split, []).append(int(str(instance.extra["task_id"])))
    assert numbers["train"] == [2, 3, 4]
    assert (min(numbers["test"]) >= 11, max(numbers["test"]) <= 510) == (True, True)
    assert len(numbers["test"]) >= 90


@needs_data
def test_mbpp_is_asked_as_it_was_published(tmp_path: Path) -> None:
    known = builtin()
    spec = resolved("mbpp", known)
    instances = load(tmp_path, "mbpp", DATA, subset="full")
    train = [i for i in instances if i.split == "train"]
    asked = [i for i in instances if i.split == "test"][:1]
    window = CharacterWindow(Limits(sequence=None))
    [planned] = plan(spec.adapter, train, asked, window, compat=False, seed=0, trials=1, wants_logprobs=False)
    prompt = planned.request.prompt or ""
    assert prompt.startswith(
        "You are an expert Python programmer, and here is your task: Write a function to find the similar elements "
        "from the given two tuple lists. Your code should pass these tests:\n\n"
        "assert similar_elements((3, 4, 5, 6),(5, 7, 4, 10)) == (4, 5)\n"
    )
    assert (prompt.count("[BEGIN]"), prompt.count("\n[DONE]\n")) == (4, 3)
    assert prompt.endswith("\n[BEGIN]")
    assert planned.request.params.stop_sequences == ("[DONE]",)


def mbpp_row(**fields: object) -> dict[str, object]:
    row: dict[str, object] = {
        "text": "Write a function to add one.",
        "code": "class Point:\r\n    pass\r\ndef add(x):\r\n    return x + 1",
        "task_id": 11,
        "test_setup_code": "one = 1",
        "test_list": ["assert add(1) == 2", "assert add(2) == 3"],
        "challenge_test_list": ["assert add(9) == 10"],
    }
    return {**row, **fields}


def test_mbpps_tests_take_only_what_upstreams_own_solution_defines(tmp_path: Path) -> None:
    write_rows(tmp_path / "mbpp/mbpp.jsonl", mbpp_row())  # type: ignore[arg-type]
    [instance] = load(tmp_path, "mbpp", tmp_path, subset="full")
    assert instance.extra["names"] == ["Point", "add"]
    assert instance.extra["tests"] == "one = 1\nassert add(1) == 2\nassert add(2) == 3"
    assert instance.input.endswith("pass these tests:\n\nassert add(1) == 2\nassert add(2) == 3")


def test_a_solution_without_a_function_is_named(tmp_path: Path) -> None:
    write_rows(tmp_path / "mbpp/mbpp.jsonl", mbpp_row(code="x = 1"))  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"mbpp\.jsonl:1: its solution defines nothing"):
        load(tmp_path, "mbpp", tmp_path, subset="full")


def right(instances: list[Instance], solutions: list[str], metric: str, compat: bool = False) -> list[float | None]:
    """What the metric says of these solutions."""
    known = builtin()
    specs = [m for m in expanded(resolved(ENTRIES[metric], known).metrics) if m.name == metric]
    trials = [generated(i, s) for i, s in zip(instances, solutions, strict=True)]
    scores = score(specs, trials, known, compat=compat, run=SANDBOX.run)  # type: ignore[arg-type]
    return [own[0].value for own in scores]


ENTRIES = {"pass": "mbpp", "strict_acc": "code:dataset=apps", "bigcodebench_p@1": "bigcodebench"}


@needs_data
@needs_sandbox
@pytest.mark.parametrize("subset", ["full", "sanitized"])
def test_mbpps_own_solutions_are_right(tmp_path: Path, subset: str) -> None:
    instances = load(tmp_path, "mbpp", DATA, subset=subset)[:: 3 if subset == "full" else 1]
    solutions = [instance.references[0].text for instance in instances]
    assert set(right(instances, solutions, "pass")) == {1.0}


def test_apps_has_upstreams_texts(tmp_path: Path) -> None:
    apps(tmp_path)
    instances = load(tmp_path, "code_apps", tmp_path, dataset="apps")
    assert [i.extra["task_id"] for i in instances] == [
        "train/0000",
        "train/0001",
        "test/0000",
        "test/0001",
        "test/0002",
    ]
    reading, calling = instances[2], instances[3]
    assert reading.input == (
        "\nQUESTION:\nAdd the two numbers of test 0000.\n\n\n\nUse Standard Input format\n\nANSWER in Python code:\n"
    )
    assert calling.input == (
        "\nQUESTION:\nWrite a function that adds.\n\ndef add(a, b):\n\t\n\nUse Call-Based format\n\n"
        "ANSWER in Python code:\n"
    )
    assert [r.text for r in calling.references] == ["def add(a, b):\n\treturn a + b\n", "add = int.__add__\n"]
    assert reading.references == (
        Reference("a, b = map(int, input().split())\nif a:\n\tprint(a + b)\nelse:\n\tprint(b)\n", ("correct",)),
    )


def test_apps_keeps_helms_order_where_its_file_is_there(tmp_path: Path) -> None:
    apps(tmp_path)
    order = {"train": ["0001", "0000"], "test": ["0002", "0000"]}
    path = tmp_path / "code_apps/code_scenario_apps_pinned_file_order.json"
    path.write_text(json.dumps(order), encoding="utf-8")
    found = load(tmp_path, "code_apps", tmp_path, dataset="apps")
    assert [i.extra["task_id"] for i in found] == ["train/0001", "train/0000", "test/0002", "test/0000"]


def test_apps_comes_from_the_user_alone(tmp_path: Path) -> None:
    card = registry().scenarios.get("code_apps")
    reason = check(card, {"dataset": "apps"}, settings(tmp_path)) or ""
    assert "taken down" in reason
    assert "--data-dir" in reason
    assert card.redistribution == "no"


@needs_sandbox
@pytest.mark.parametrize("compat", [False, True])
def test_solutions_of_apps_are_right(tmp_path: Path, compat: bool) -> None:
    apps(tmp_path)
    instances = [i for i in load(tmp_path, "code_apps", tmp_path, dataset="apps") if i.split == "test"]
    solutions = [instance.references[0].text for instance in instances]
    assert right(instances, solutions, "strict_acc", compat) == [1.0] * 3


@needs_sandbox
def test_bigcodebenchs_own_solutions_are_right_where_their_libraries_are(tmp_path: Path) -> None:
    bigcodebench(tmp_path)
    instances = load(tmp_path, "bigcodebench", tmp_path, version="v0.1.3")
    solutions = [f"Here:\n```python\n{instance.extra['solution']}\n```" for instance in instances]
    assert [i.id for i in instances] == ["BigCodeBench/0", "BigCodeBench/7"]
    assert right(instances, solutions, "bigcodebench_p@1") == [1.0, None]
    assert right(instances[:1], ["```python\ndef task_func(x): return 3\n```"], "bigcodebench_p@1") == [0.0]


@needs_sandbox
def test_a_missing_library_is_named(tmp_path: Path) -> None:
    bigcodebench(tmp_path)
    instance = load(tmp_path, "bigcodebench", tmp_path, version="v0.1.3")[1]
    known = builtin()
    spec = resolved("bigcodebench", known).metrics
    [[found]] = score(spec, [generated(instance, "x = 1")], known, run=SANDBOX.run)  # type: ignore[arg-type]
    assert found.outcome is Outcome.NOT_SUPPORTED
    assert found.reason.startswith("the sandbox's Python lacks no_such_library")


def test_bigcodebench_is_asked_as_helm_asks(tmp_path: Path) -> None:
    spec = resolved("bigcodebench:version=v0.1.2", builtin())
    assert spec.adapter.global_prefix.endswith("in a markdown code block:")
    assert (spec.adapter.max_tokens, spec.adapter.temperature, spec.adapter.num_outputs) == (4096, 0.0, 1)


@pytest.mark.parametrize(
    ("short", "name"),
    [("humaneval", "code:dataset=humaneval"), ("apps", "code:dataset=apps"), ("mbpp", "mbpp:subset=full")],
)
def test_common_names_resolve(short: str, name: str) -> None:
    assert resolved(short, builtin()).name.startswith(name)
