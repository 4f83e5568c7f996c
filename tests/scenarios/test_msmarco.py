"""Queries with their passages: which, in what order, and how they are tagged."""

from pathlib import Path

import pytest

from holoscope.core import DataError, Instance, UsageError
from holoscope.scenarios.msmarco import msmarco
from paths import DATA, needs_data
from scenarios.made import load
from scenarios.upstream import write_text


def table(*rows: tuple[object, ...], delimiter: str = "\t") -> str:
    return "".join(delimiter.join(map(str, row)) + "\n" for row in rows)


def collection(root: Path, train_list: range = range(25)) -> None:
    """Thirty passages; a training query whose answer is passage 0, and two others, 1 without a right passage."""
    data = root / "msmarco/data"
    write_text(data / "documents.tsv", table(*((i, f"passage {i}") for i in range(30))))
    write_text(data / "queries.train.tsv", table((7, "train?")))
    write_text(data / "qrels.train.tsv", table((7, 0, 0, 1)))
    write_text(data / "topk.train.tsv", table(*((7, passage, rank) for rank, passage in enumerate(train_list, 1))))
    write_text(data / "queries.dev.tsv", table((1, "asked?"), (2, "unjudged?"), (3, "short list?")))
    write_text(data / "qrels.dev.small.tsv", table((1, 0, 29, 1), (3, 0, 5, 1)))
    listed = [(1, passage, passage + 1) for passage in range(20)] + [(3, 5, 1)]
    write_text(data / "topk.dev.tsv", table(*listed))
    judged = [(1, "Q0", 29, 3), (1, "Q0", 4, 1), (1, "Q0", 5, 0), (2, "Q0", 6, 1)]
    write_text(data / "2019qrels-pass.txt", table(*judged, delimiter=" "))


def regular(tmp_path: Path, valid_topk: int | None = 12) -> list[Instance]:
    collection(tmp_path)
    return load(tmp_path, "msmarco_regular", tmp_path, track="regular", valid_topk=valid_topk)


def test_an_example_is_a_right_passage_and_the_first_wrong_one_from_place_eleven(tmp_path: Path) -> None:
    example = regular(tmp_path)[0]
    assert (example.input, example.split) == ("train?", "train")
    assert {reference.text: reference.is_correct for reference in example.references} == {
        "passage 0": True,
        "passage 10": False,
    }


def test_a_query_has_the_top_of_its_list_and_what_was_judged(tmp_path: Path) -> None:
    [_, asked] = regular(tmp_path)
    assert (asked.input, asked.split) == ("asked?", "valid")
    assert {r.text for r in asked.references} == {f"passage {i}" for i in (*range(12), 29)}


def test_passages_are_tagged_with_judgement_and_place(tmp_path: Path) -> None:
    tags = {reference.text: reference.tags for reference in regular(tmp_path)[1].references}
    assert tags["passage 29"] == ("docid=29", "correct", "relevance=1")
    assert tags["passage 3"] == ("docid=3", "rank=4")


def test_lists_that_are_all_too_short_are_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a list of 30 passages \(the longest has 20\)"):
        regular(tmp_path, 30)


def test_without_a_depth_only_judged_passages_are_asked(tmp_path: Path) -> None:
    _, *asked = regular(tmp_path, None)
    assert {i.input: [r.text for r in i.references] for i in asked} == {
        "asked?": ["passage 29"],
        "short list?": ["passage 5"],
    }


def test_trec_grades_and_calls_two_and_three_right(tmp_path: Path) -> None:
    collection(tmp_path)
    [_, asked] = load(tmp_path, "msmarco_trec", tmp_path, track="trec", valid_topk=11)
    tags = {reference.text: reference.tags for reference in asked.references}
    assert tags["passage 29"] == ("docid=29", "correct", "relevance=3")
    assert tags["passage 4"] == ("docid=4", "relevance=1", "rank=5")
    assert tags["passage 5"] == ("docid=5", "rank=6")


def test_a_list_without_a_wrong_passage_is_named(tmp_path: Path) -> None:
    collection(tmp_path)
    write_text(tmp_path / "msmarco/data/qrels.train.tsv", table(*((7, 0, passage, 1) for passage in range(30))))
    with pytest.raises(DataError, match="the list of query 7 holds no wrong passage from place 11 on"):
        load(tmp_path, "msmarco_regular", tmp_path, track="regular", valid_topk=12)


def test_a_row_of_another_shape_is_named(tmp_path: Path) -> None:
    collection(tmp_path)
    write_text(tmp_path / "msmarco/data/documents.tsv", "1\ta\n2\n")
    with pytest.raises(DataError, match=r"documents\.tsv:2: expected 2 cells, and there are 1"):
        load(tmp_path, "msmarco_regular", tmp_path, track="regular", valid_topk=12)


def test_a_depth_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match="valid_topk is a whole number from 11 to 1000, found 5"):
        msmarco("regular", 5)


@needs_data
def test_the_order_of_passages_gives_no_answer_away(tmp_path: Path) -> None:
    asked = [i for i in load(tmp_path, "msmarco_regular", DATA, track="regular", valid_topk=20) if i.split == "valid"]
    places = [place for i in asked for place, r in enumerate(i.references) if r.is_correct]
    assert len(set(places)) > len(places) / 2
