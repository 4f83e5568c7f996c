"""What makes two runs less than comparable is said."""

from pathlib import Path
from typing import Any

import pytest

from holoscope.report.comparability import Prompts, prompts, warnings
from holoscope.store import Versions
from report.comparing import stored

SCORES = [1.0, 0.0, 1.0]
OTHER: list[tuple[str, dict[str, Any]]] = [
    ("B is incomplete: stopped", {"status": "incomplete", "reason": "stopped"}),
    ("versions of metric exact_match differ: 1 and 2", {"versions": Versions(metrics={"exact_match": "2"})}),
    ("versions of the prompt differ: 1 and 9", {"versions": Versions(prompt="9", metrics={"exact_match": "1"})}),
    ("versions of the scenario differ: 1 and 3", {"version": "3"}),
    ("the rows differ: test.csv; equal ids may stand for other instances", {"data": {"test.csv": "ff"}}),
    ("other trials: 1 and 3", {"spec": {"trials": 3}}),
    ("settings differ: temperature 1.0 and 0.0", {"adapter": {"temperature": 0.0}}),
    ("settings differ: instructions", {"adapter": {"instructions": "Answer in one word, and be brief about it."}}),
]


def same(tmp_path: Path, model: str, **fields: Any) -> tuple[str, ...]:
    given: dict[str, Any] = {"versions": Versions(metrics={"exact_match": "1"}), "data": {"test.csv": "00"}}
    a = stored(tmp_path, "a", SCORES, **given)
    return warnings(a, stored(tmp_path, model, SCORES, **{**given, **fields}), ("exact_match",))


def test_runs_that_ask_the_same_have_no_warning(tmp_path: Path) -> None:
    assert same(tmp_path, "b") == ()


@pytest.mark.parametrize(("expected", "fields"), OTHER)
def test_each_difference_is_a_line(expected: str, fields: dict[str, Any], tmp_path: Path) -> None:
    assert same(tmp_path, "b", **fields) == (expected,)


def test_how_many_rows_were_asked_for_is_no_warning(tmp_path: Path) -> None:
    assert same(tmp_path, "b", adapter={"max_eval_instances": 20}) == ()


def test_a_metric_that_is_not_compared_may_differ(tmp_path: Path) -> None:
    assert same(tmp_path, "b", versions=Versions(metrics={"exact_match": "1", "f1_score": "7"})) == ()


def test_other_words_are_counted_on_the_shared_instances(tmp_path: Path) -> None:
    a = stored(tmp_path, "a", [1, 1, 1, 1])
    b = stored(tmp_path, "b", {"id1": 1, "id2": 1, "id9": 1}, prompt=lambda i: f"Question {i}{'!' * (i == 'id2')}?")
    assert prompts(a, b) == Prompts(shared=2, differing=1, first="id2")
    assert warnings(a, b, ()) == ("prompts or parameters differ on 1 of 2 shared instances (the first is id2)",)


def test_repetitions_are_not_other_words(tmp_path: Path) -> None:
    found = prompts(stored(tmp_path, "a", [1, 1], trials=3), stored(tmp_path, "b", [1, 1]))
    assert found == Prompts(2, 0, "")


def test_a_warning_cannot_move_the_cursor(tmp_path: Path) -> None:
    (line,) = same(tmp_path, "b", status="incomplete", reason="\x1b[2J\u202ebad")
    assert "\x1b" not in line
    assert "\u202e" not in line
