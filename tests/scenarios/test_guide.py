"""The guide to a new scenario: its very text registers one that loads, asks and scores."""

import re
from pathlib import Path

import pytest

from holoscope.core import TRAIN, Json, Registry, Settings, UsageError, builtin
from holoscope.entries import resolve
from holoscope.pipeline import Models, Planner, rehearse
from holoscope.sandbox import Sandbox
from holoscope.scenarios import tabular
from paths import ROOT
from scenarios.made import write_rows

GUIDE = ROOT / "docs" / "guide-new-scenario.md"


def shown() -> str:
    """The code of the guide's scenario."""
    [code] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return str(code)


def rows(folder: Path, name: str, count: int) -> None:
    options: list[Json] = ["a river", "a clock", "a shadow", "a candle"]
    asked: list[Json] = [
        {"riddle": f"What am I, number {i} of {name}?", "options": options, "answer": "ABCD"[i % 4]}
        for i in range(count)
    ]
    write_rows(folder / "riddles" / f"{name}.jsonl", *asked)


@pytest.fixture
def known() -> Registry:
    registry, told = builtin(), {}  # type: ignore[var-annotated]
    exec(shown(), told)
    told["register"](registry)
    return registry


def planner(known: Registry, tmp_path: Path) -> Planner:
    machine = Settings(tmp_path / "cache", tmp_path / "data", offline=True)
    return Planner(known, machine, Models(machine, known))


def test_the_guides_scenario_has_at_most_fifteen_lines() -> None:
    assert len([line for line in shown().splitlines() if line.strip()]) <= 15


def test_the_guides_scenario_is_asked_with_its_examples_and_scored(known: Registry, tmp_path: Path) -> None:
    rows(tmp_path / "data", "train", 8)
    rows(tmp_path / "data", "test", 6)
    [spec] = resolve("riddles", known, models=["test/echo"]).specs
    ready = planner(known, tmp_path)
    plan = ready.plan(spec)
    assert (plan.originals, len(plan.train), {each.split for each in plan.train}) == (6, 8, {TRAIN})
    prompt = next(plan.requests()).request.prompt or ""
    assert prompt.startswith("The following are riddles (with answers).\n\nQuestion: What am I, number ")
    assert prompt.count("Question: ") == 6
    assert prompt.endswith("A. a river\nB. a clock\nC. a shadow\nD. a candle\nAnswer:")
    tried = rehearse(plan, "exact_match", known, Sandbox.of(ready.settings), 10)
    assert [each.score.value for each in tried] == [1.0] * 6


def test_what_it_lacks_says_where_a_copy_would_lie(known: Registry, tmp_path: Path) -> None:
    [spec] = resolve("riddles", known, models=["test/echo"]).specs
    found = planner(known, tmp_path).lack(spec)
    assert found is not None
    assert (found.kind, found.file) == ("offline", "riddles/train.jsonl")


def test_answers_without_choices_are_generated(tmp_path: Path) -> None:
    known = builtin()
    write_rows(tmp_path / "sums.jsonl", {"sum": "1 + 1", "is": "2"}, {"sum": "2 + 3", "is": "5"})
    made = {"title": "Sums", "description": "", "licence": "CC0-1.0", "redistribution": "yes", "citation": "x"}
    tabular(known, "sums", test=str(tmp_path / "sums.jsonl"), input="sum", answers="is", **made)  # type: ignore[arg-type]
    [spec] = resolve("sums", known, models=["test/echo"]).specs
    ready = planner(known, tmp_path)
    plan = ready.plan(spec)
    assert [each.request.prompt for each in plan.requests()] == ["Question: 1 + 1\nAnswer:", "Question: 2 + 3\nAnswer:"]
    tried = rehearse(plan, "quasi_exact_match", known, Sandbox.of(ready.settings), 10)
    assert [each.score.value for each in tried] == [1.0, 1.0]


def test_files_of_one_name_are_kept_apart() -> None:
    known = builtin()
    made = {"title": "T", "description": "", "licence": "MIT", "redistribution": "yes", "citation": "x"}
    card = tabular(
        known,
        "twins",
        test="https://example.org/test/0000.parquet",
        train="https://example.org/train/0000.parquet",
        input="q",
        answers="a",
        **made,  # type: ignore[arg-type]
    )
    assert [source.path for source in card.sources()] == ["train/0000.parquet", "test/0000.parquet"]


def test_a_scenario_without_rows_to_ask_is_refused() -> None:
    made = {"title": "T", "description": "", "licence": "MIT", "redistribution": "yes", "citation": "x"}
    with pytest.raises(UsageError, match="it has no rows to ask; give test= or valid="):
        tabular(builtin(), "none", train="t.jsonl", input="q", answers="a", **made)  # type: ignore[arg-type]
