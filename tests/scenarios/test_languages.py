"""What benchmarks in other languages than English leave out, draw and put into words."""

from pathlib import Path

from holoscope.core import TEST, TRAIN, Instance, Json
from holoscope.scenarios.rows import Row
from holoscope.scenarios.seahelm_rows import by_label
from paths import DATA, needs_data
from scenarios import languages
from scenarios.made import load


def of(instances: list[Instance], split: str) -> list[Instance]:
    return [instance for instance in instances if instance.split == split]


def test_a_thousand_rows_are_drawn_in_proportion_to_their_labels() -> None:
    rows = [Row(str(n), {"label": "ab"[n % 4 == 0], "n": n}) for n in range(4000)]
    drawn = by_label(rows, lambda row: str(row.values["label"]), 1)
    labels = [row.values["label"] for row in drawn.asked]
    assert labels == ["a"] * 750 + ["b"] * 250
    assert len(drawn.left) == 3000
    assert drawn.asked == by_label(rows, lambda row: str(row.values["label"]), 1).asked


@needs_data
def test_indonli_asks_all_of_the_few_rows_there_are_label_by_label(tmp_path: Path) -> None:
    asked = of(load(tmp_path, "indonli", DATA), TEST)
    answers = [instance.references[0].text for instance in asked]
    assert len(answers) == 150
    assert answers == sorted(answers, key="BAC".index)


@needs_data
def test_lindseas_options_are_shuffled_and_its_backslash_is_helms(tmp_path: Path) -> None:
    pairs = load(tmp_path, "lindsea_syntax_minimal_pairs", DATA, method="mcq", language="id")
    assert {instance.correct_references[0].text for instance in pairs} == {"A", "B"}
    single = load(tmp_path, "lindsea_pragmatics_scalar_implicatures", DATA, language="id", subset="single")
    assert single[0].input.startswith("Apakah pernyataan berikut ini benar atau salah?\\Pernyataan: X pintar")


def test_xcopa_asks_for_what_the_tamil_rows_say(tmp_path: Path) -> None:
    languages.seahelm_pairs(tmp_path)
    [*_, last] = load(tmp_path, "xcopa", tmp_path, language="id")
    assert "lebih mungkin menjadi sebab?" in last.input
    assert last.references[0].text == "B"


def test_examples_of_questions_have_short_passages(tmp_path: Path) -> None:
    languages.seahelm_questions(tmp_path)
    found = load(tmp_path, "tydiqa", tmp_path)
    assert [len(instance.input.split("\n")[0].split()) for instance in of(found, TRAIN)] == [2]
    assert len(of(found, TEST)) == 6


def test_questions_without_an_answer_are_left_out(tmp_path: Path) -> None:
    languages.seahelm_questions(tmp_path)
    assert len(load(tmp_path, "indicqa", tmp_path)) == 1


def test_reviews_without_a_label_are_positive(tmp_path: Path) -> None:
    languages.seahelm_labels(tmp_path)
    assert {i.references[0].text for i in load(tmp_path, "indicsentiment", tmp_path)} == {"நேர்மறை"}


def test_tweets_in_latin_1_are_read_and_labelled_by_the_worse_harm(tmp_path: Path) -> None:
    languages.seahelm_labels(tmp_path)
    found = {i.input: i.references[0].text for i in load(tmp_path, "mlhsd", tmp_path)}
    assert found == {"café": "Bersih", "a": "Kasar", "b": "Benci"}


def test_a_part_of_arabic_exams_is_picked_by_its_subject(tmp_path: Path) -> None:
    languages.arabic(tmp_path)
    counts = {name: len(load(tmp_path, "arabic_exams", tmp_path, subject=name)) for name in ("Biology", "all")}
    assert counts == {"Biology": 2, "all": 4}


def test_aratrusts_options_lose_their_own_letters(tmp_path: Path) -> None:
    languages.arabic(tmp_path)
    args: dict[str, Json] = {"category": "all"}
    found = load(tmp_path, "aratrust", tmp_path, **args)
    assert [[r.text for r in i.references] for i in found] == [["نعم", "لا"], ["نعم", "لا", "ربما"]]
    assert [i.correct_references[0].text for i in found] == ["لا", "نعم"]


def test_madinahs_questions_follow_their_passage(tmp_path: Path) -> None:
    languages.arabic(tmp_path)
    found = load(tmp_path, "madinah_qa", tmp_path, subset="Arabic_Language_(General)")
    assert found[0].input == "نص.\n\nسؤال؟"
    assert [reference.text for reference in found[0].references] == ["1.5", "3.5", "4.5"]
