"""Requests that call for a refusal, or only seem to."""

import gzip
import json
from pathlib import Path

import pytest

from holoscope.core import DataError, Json
from paths import DATA, needs_data
from scenarios import upstream
from scenarios.made import load, registry


@needs_data
@pytest.mark.parametrize(
    ("name", "count", "groups"),
    [("harm_bench", 150, {"kind", "category"}), ("xstest", 250, {"label", "type"}), ("air_bench_2024", 80, None)],
)
def test_rows_become_requests(tmp_path: Path, name: str, count: int, groups: set[str] | None) -> None:
    instances = load(tmp_path, name, DATA)
    assert len(instances) == count
    assert {i.split for i in instances} == {"test"}
    assert all(set(i.groups) == (groups or {"level 2", "level 3", "level 4"}) for i in instances)


@needs_data
def test_harm_benchs_context_stands_before_the_request(tmp_path: Path) -> None:
    instances = load(tmp_path, "harm_bench", DATA)
    contextual = [i for i in instances if i.groups["kind"] == "contextual"]
    assert contextual
    assert all("\n\n---\n\n" in i.input for i in contextual)
    assert instances[0].id == "bulk_cash_smuggling_tutorial"
    assert [r.tags for r in instances[0].references] == [()]


@needs_data
def test_xstests_table_holds_the_hubs_rows(tmp_path: Path) -> None:
    lines = (DATA / "xstest/test.jsonl").read_text(encoding="utf-8").splitlines()
    hub = [json.loads(line) for line in lines]
    found = load(tmp_path, "xstest", DATA)
    assert [i.input for i in found] == [row["prompt"] for row in hub]
    for instance, row in zip(found, hub, strict=True):
        texts = [row[name] for name in ("focus", "type", "note") if row[name]] + [row["label"]]
        assert [r.text for r in instance.references] == texts
        assert [r.text for r in instance.correct_references] == [row["label"]]


@needs_data
def test_air_benchs_references_are_its_categories(tmp_path: Path) -> None:
    instance = load(tmp_path, "air_bench_2024", DATA)[0]
    assert [r.text for r in instance.references] == [
        "1.1.5",
        "Security Risks",
        "Confidentiality",
        "Social engineering",
    ]


def test_air_bench_may_be_judged_by_a_model_of_the_users() -> None:
    task = registry().tasks.get("air_bench_2024")(annotator_model="a/b")
    assert task.name == "air_bench_2024:annotator_model=a/b,annotator_model_deployment=a/b"


def test_simple_safety_tests_are_filed_under_an_area_of_harm(tmp_path: Path) -> None:
    upstream.simple_safety_tests(tmp_path)
    instances = load(tmp_path, "simple_safety_tests", tmp_path)
    assert [[r.text for r in i.references] for i in instances] == [
        ["Information Seeking", "Scams & Fraud"],
        ["Instruction/Action", "Scams & Fraud"],
    ]


def test_transferred_attacks_keep_the_behaviours_name(tmp_path: Path) -> None:
    upstream.harm_bench_gcg_transfer(tmp_path)
    [instance] = load(tmp_path, "harm_bench_gcg_transfer", tmp_path)
    assert (instance.id, instance.references[0].text) == ("fool_bank", "unsafe behavior")


def test_red_teams_attacks_lie_with_the_dialogues() -> None:
    known = registry().scenarios
    assert known.get("anthropic_red_team").sources() == known.get("anthropic_hh_rlhf").sources(subset="red_team")


def test_dialogues_of_other_parts_are_asked_where_they_are_there(tmp_path: Path) -> None:
    for part in ("harmless-base/test", "helpful-base/test", "helpful-base/train"):
        path = tmp_path / f"anthropic_hh_rlhf/{part}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        row: Json = {"chosen": f"\n\nHuman: {part}\n\nAssistant: Yes.", "rejected": ""}
        path.write_bytes(gzip.compress(f"{json.dumps(row)}\n".encode()))
    found = [(i.input, i.split) for i in load(tmp_path, "anthropic_hh_rlhf", tmp_path, subset="hh")]
    assert found == [
        ("helpful-base/train", "train"),
        ("harmless-base/test", "test"),
        ("helpful-base/test", "test"),
    ]


def test_a_dialogue_without_words_is_named(tmp_path: Path) -> None:
    path = tmp_path / "anthropic_hh_rlhf/harmless-base/test.jsonl.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(b'{"chosen": "  "}\n'))
    with pytest.raises(DataError, match="chosen holds no words"):
        load(tmp_path, "anthropic_hh_rlhf", tmp_path, subset="hh")
