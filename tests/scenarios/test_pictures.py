"""Benchmarks with images: where an image stands, and that only those asked for are read."""

import hashlib
from pathlib import Path

import pytest

from holoscope import scenarios
from holoscope.core import DataError, Image, Instance, Json, ScenarioSpec
from holoscope.scenarios.pictures import image_of, read_from
from scenarios.made import load, registry, settings
from scenarios.pictured import JPEG, PICTURED, PNG


def rows(tmp_path: Path, name: str, **args: str) -> list[Instance]:
    PICTURED[name](tmp_path)
    return load(tmp_path, name, tmp_path, **args)


def image(tmp_path: Path, scenario: str, image: str, **args: Json) -> Image | None:
    PICTURED[scenario](tmp_path)
    given = settings(tmp_path, data_dir=tmp_path, offline=True)
    return scenarios.image_reader(ScenarioSpec(scenario, args), registry(), given)(image)


def test_an_image_of_mmmu_stands_in_its_question(tmp_path: Path) -> None:
    first = rows(tmp_path, "mmmu", subject="Art", question_type="multiple-choice")[0]
    assert first.input == "Who drew <image validation_Art_1_1> and <image validation_Art_1_2>?"
    assert [(r.text, r.is_correct) for r in first.references] == [("Dürer", False), ("Rubens' son", True)]


def test_an_option_of_mmmu_may_be_an_image(tmp_path: Path) -> None:
    second = rows(tmp_path, "mmmu", subject="Art", question_type="multiple-choice")[1]
    assert [r.text for r in second.references] == ["<image validation_Art_2_2>", "<image validation_Art_2_3>"]


def test_an_open_question_of_mmmu_takes_each_of_its_answers(tmp_path: Path) -> None:
    one, several = rows(tmp_path, "mmmu", subject="Art", question_type="open")
    assert [r.text for r in one.correct_references] == ["1514"]
    assert [r.text for r in several.correct_references] == ["4", "four"]


def test_a_mark_of_mmmu_without_an_image_is_left_as_it_is(tmp_path: Path) -> None:
    assert rows(tmp_path, "mmmu", subject="Art", question_type="open")[1].input.endswith("See <image 3>")


def test_an_image_of_mmmu_is_read_by_its_name(tmp_path: Path) -> None:
    found = image(tmp_path, "mmmu", "validation_Art_2_3", subject="Art", question_type="multiple-choice")
    assert found is not None
    assert (found.sha256, found.media_type) == (hashlib.sha256(PNG + bytes([2, 3])).hexdigest(), "image/png")
    assert image(tmp_path, "mmmu", "3", subject="Art", question_type="open") is None


def test_options_of_mmmu_that_are_no_list_are_named(tmp_path: Path) -> None:
    from scenarios.pictured import mmmu_row, write_parquet

    bad = [mmmu_row(1, "?", "['a', open('b')]", "A", "multiple-choice", 1)]
    write_parquet(tmp_path / "mmmu/Art/validation-00000-of-00001.parquet", bad)
    with pytest.raises(DataError, match="not a list: "):
        load(tmp_path, "mmmu", tmp_path, subject="Art", question_type="multiple-choice")


def test_math_vista_asks_before_it_shows(tmp_path: Path) -> None:
    [asked] = rows(tmp_path, "math_vista", grade="high_school", question_type="multi_choice")
    assert asked.input == "How much is 1?<image images/1.jpg>"
    assert [(r.text, r.is_correct) for r in asked.references] == [("3", False), ("4", True)]


def test_an_answer_of_math_vista_may_have_its_unit(tmp_path: Path) -> None:
    asked = rows(tmp_path, "math_vista", grade="high_school", question_type="free_form")
    assert [[r.text for r in i.references] for i in asked] == [["1.5", "1.5 cm"], ["7"]]


def test_an_image_of_math_vista_is_sent_as_it_is(tmp_path: Path) -> None:
    found = image(tmp_path, "math_vista", "images/2.jpg", grade="high_school", question_type="free_form")
    assert found is not None
    assert (found.sha256, found.media_type) == (hashlib.sha256(JPEG + b"2").hexdigest(), "image/jpeg")


def test_a_question_of_vqa_follows_its_photograph(tmp_path: Path) -> None:
    first = rows(tmp_path, "vqa")[0]
    assert first.input == "<image COCO_val2014_000000000042.jpg>What is it?"
    assert (first.id, first.cluster) == ("id443757", "image 42")
    assert [r.text for r in first.correct_references] == ["net", "net", "fence"]


def test_a_photograph_is_read_out_of_the_archive(tmp_path: Path) -> None:
    found = image(tmp_path, "vqa", "COCO_val2014_000000000042.jpg")
    assert found is not None
    assert found.sha256 == hashlib.sha256(JPEG + b"42").hexdigest()
    assert image(tmp_path, "vqa", "elsewhere.jpg") is None


def test_a_photograph_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"val2014\.zip holds no val2014/COCO_val2014_000000000007\.jpg"):
        image(tmp_path, "vqa", "COCO_val2014_000000000007.jpg")


def test_a_question_without_answers_is_an_error(tmp_path: Path) -> None:
    from scenarios.upstream import write_json

    PICTURED["vqa"](tmp_path)
    write_json(tmp_path / "vqa/v2_mscoco_val2014_annotations.json", {"annotations": []})
    with pytest.raises(DataError, match="no answers to question 42000 about its image"):
        load(tmp_path, "vqa", tmp_path)


@pytest.mark.parametrize(
    ("data", "kind"),
    [(PNG, "image/png"), (JPEG, "image/jpeg"), (b"GIF89a..", "image/gif"), (b"RIFF0000WEBPVP8", "image/webp")],
)
def test_an_image_says_what_kind_it_is(data: bytes, kind: str) -> None:
    assert image_of(data, "here").media_type == kind


@pytest.mark.parametrize("data", [b"", b"BM....", b"RIFF0000WAVEfmt"])
def test_what_is_no_image_is_an_error(data: bytes) -> None:
    with pytest.raises(DataError, match="here: not a PNG, JPEG, GIF or WebP image"):
        image_of(data, "here")


def test_images_are_loaded_once_and_only_where_one_is_asked_for() -> None:
    loads: list[int] = []

    def found() -> dict[str, bytes]:
        loads.append(1)
        return {"a": PNG}

    read = read_from(found, "here")
    assert not loads
    assert read("a") == image_of(PNG, "here")
    assert read("b") is None
    assert loads == [1]


def test_parti_prompts_are_listed_and_not_run(tmp_path: Path) -> None:
    card = registry().scenarios.get("parti_prompts")
    assert scenarios.check(card, {"category": "all"}, settings(tmp_path)) == (
        "not_supported: it asks for images, and no model that makes images is supported yet"
    )
