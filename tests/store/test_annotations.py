from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holoscope.core import StoreError, UsageError
from holoscope.store import ANNOTATIONS, Annotations, annotation


def said(comment: str = "good", **fields: object) -> object:
    given = {"suite": "mine", "run": "quiz--0", "instance_id": "id1", "author": "Ada", "comment": comment}
    return annotation(**{**given, **fields})


def test_what_is_kept_is_what_was_said(tmp_path: Path) -> None:
    kept = Annotations(tmp_path)
    words = [annotation(suite="mine", run="r", instance_id="id1", author="Ada", comment=c) for c in ("one\ntwo", "“ü”")]
    for each in words:
        kept.add(each)
    assert kept.all() == Annotations(tmp_path).all() == tuple(words)


def test_it_carries_its_time(tmp_path: Path) -> None:
    before = datetime.now(UTC)
    made = annotation(suite="mine", run="r", instance_id="id1", author="Ada", rating=3)
    assert before <= made.time <= datetime.now(UTC)


def test_nothing_kept_is_ever_changed(tmp_path: Path) -> None:
    kept = Annotations(tmp_path)
    for number in range(3):
        before = (tmp_path / ANNOTATIONS).read_bytes() if number else b""
        kept.add(annotation(suite="mine", run="r", instance_id="id1", author="Ada", rating=1 + number))
        assert (tmp_path / ANNOTATIONS).read_bytes().startswith(before)


def test_those_of_a_suite_a_run_and_an_instance(tmp_path: Path) -> None:
    kept = Annotations(tmp_path)
    for suite, run, identity in (("a", "r", "id1"), ("a", "r", "id2"), ("a", "q", "id1"), ("b", "r", "id1")):
        kept.add(annotation(suite=suite, run=run, instance_id=identity, author="Ada", rating=1))
    assert [len(found) for found in (kept.of("a"), kept.of("a", "r"), kept.of("a", "r", "id1"), kept.of("c"))] == [
        3,
        2,
        1,
        0,
    ]


def test_a_line_cut_off_by_a_crash_costs_no_other(tmp_path: Path) -> None:
    kept = Annotations(tmp_path)
    first = annotation(suite="mine", run="r", instance_id="id1", author="Ada", comment="first")
    kept.add(first)
    path = tmp_path / ANNOTATIONS
    path.write_bytes(path.read_bytes() + b'{"suite": "mi')
    second = annotation(suite="mine", run="r", instance_id="id1", author="Ada", comment="second")
    kept.add(second)
    assert Annotations(tmp_path).all() == (first, second)


def test_several_may_speak_at_once(tmp_path: Path) -> None:
    kept = [Annotations(tmp_path) for _ in range(4)]
    words = [
        annotation(suite="mine", run="r", instance_id=f"id{k}", author="Ada", comment="x" * 500) for k in range(40)
    ]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: kept[k % 4].add(words[k]), range(40)))
    assert {each.instance_id for each in kept[0].all()} == {f"id{k}" for k in range(40)}


@pytest.mark.parametrize(
    "fields",
    [
        {"author": "  "},
        {"author": "x" * 101},
        {"comment": "x" * 10_001},
        {"rating": 0},
        {"rating": 6},
        {"comment": "  ", "rating": None},
    ],
)
def test_what_says_nothing_or_too_much_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        said(**fields)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / ANNOTATIONS).mkdir()
    with pytest.raises(StoreError, match=ANNOTATIONS):
        Annotations(tmp_path).add(annotation(suite="mine", run="r", instance_id="id1", author="Ada", rating=1))
