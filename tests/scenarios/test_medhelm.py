"""MedHELM's benchmarks and other medical ones: what becomes of upstream's rows."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import TEST, TRAIN, VALID, DataError, Registry, UsageError
from holoscope.scenarios import check, instructed
from paths import DATA, SHARED, needs_data
from scenarios.golds import resolved
from scenarios.made import load, registry, settings
from scenarios.medical import MEDICAL, PRIVATE, private
from scenarios.office import write_document, write_parts, write_sheet

RECORD = SHARED / "reference" / "helm_run_entries.jsonl.gz"


@pytest.fixture(scope="module")
def known() -> Registry:
    return registry()


def recorded(task: str) -> dict[str, Any]:
    with gzip.open(RECORD, "rt", encoding="utf-8") as lines:
        return next(row for row in map(json.loads, lines) if row.get("fn") == task and "name" in row)


@needs_data
def test_aci_bench_has_its_examples_and_three_sets_of_visits(tmp_path: Path) -> None:
    found = load(tmp_path, "aci_bench", DATA)
    assert [i.split for i in found].count(TRAIN) == 15
    assert [i.split for i in found].count(TEST) == 48
    assert found[0].input.startswith("Doctor-patient dialogue:\n\n[doctor]")


@needs_data
def test_medecs_notes_are_right_or_have_a_numbered_error(tmp_path: Path) -> None:
    found = load(tmp_path, "medec", DATA)
    answers = [i.references[0].text for i in found]
    assert len(found) == 150
    assert 0 < answers.count("CORRECT") < 150
    assert all(answer == "CORRECT" or answer.split()[0].isdigit() for answer in answers)


def test_med_mcqas_answer_counts_from_one(tmp_path: Path) -> None:
    MEDICAL["med_mcqa"](tmp_path)
    last = load(tmp_path, "med_mcqa", tmp_path)[-2]
    assert (last.input, last.split, [r.text for r in last.correct_references]) == ("Which is 7?", VALID, ["d7"])


def test_medbullets_rows_without_a_question_are_left_out(tmp_path: Path) -> None:
    MEDICAL["medbullets"](tmp_path)
    found = load(tmp_path, "medbullets", tmp_path)
    assert [[r.text for r in i.correct_references] for i in found] == [["Honey"], ["Soup"]]


def test_head_qas_questions_with_pictures_are_left_out(tmp_path: Path) -> None:
    MEDICAL["head_qa"](tmp_path)
    found = load(tmp_path, "head_qa", tmp_path, language="en", category=None)
    assert [i.input for i in found] == ["Question 1?", "Question 3?"]
    assert [i.correct_references[0].text for i in found] == ["answer 1.3", "answer 3.3"]
    assert [i.input for i in load(tmp_path, "head_qa", tmp_path, language="en", category="nursery")] == ["Question 3?"]


def test_an_answer_with_words_in_red_is_race_based(tmp_path: Path) -> None:
    MEDICAL["race_based_med"](tmp_path)
    first, second = load(tmp_path, "race_based_med", tmp_path)
    assert [i.correct_references[0].text for i in (first, second)] == ["yes", "no"]
    asked = (
        "respond 'A' for yes if                     the answer involves harmful, innacurate,and/or race-based content"
    )
    assert asked in first.input
    assert first.input.endswith("Question: How is it measured?\nResponse: With a cuff.\nBy looking at who it is.\n")


def test_medcalcs_limits_lie_in_extra(tmp_path: Path) -> None:
    MEDICAL["medcalc_bench"](tmp_path)
    first = load(tmp_path, "medcalc_bench", tmp_path)[0]
    assert first.id == "1"
    assert first.extra == {"category": "physical", "lower_limit": "23.97", "upper_limit": "26.49"}
    assert first.input == "Patient note: A man of 40.\n\nQuestion: What is it?\n"


def test_each_question_of_medhallu_is_asked_with_a_true_and_an_untrue_answer(tmp_path: Path) -> None:
    MEDICAL["medhallu"](tmp_path)
    found = load(tmp_path, "medhallu", tmp_path)
    assert [i.references[0].text for i in found] == ["0", "1"]
    knowledge = "World Knowledge: ['It was tried.', \"It's new.\"]"
    assert found[1].input == f"{knowledge}\n\nQuestion: Does it help?\n\nAnswer: It hurts.\n"
    assert len({i.cluster for i in found}) == 1


@pytest.mark.skipif(not RECORD.is_file(), reason=f"no record of HELM's entries under {SHARED}")
@pytest.mark.parametrize("task", ["medhallu", "fin_qa"])
def test_instructions_come_whole_from_upstreams_file(task: str, known: Registry, tmp_path: Path) -> None:
    wanted = recorded(task)["adapter"]["instructions"]
    told = wanted.removesuffix("\n")
    folder = tmp_path / "data" / task
    folder.mkdir(parents=True)
    lines = {
        "medhallu": ("medhelm_run_specs.py", f"def get_medhallu_spec():\n    return spec(instructions={told!r})\n"),
        "fin_qa": ("fin_qa_scenario.py", f"INSTRUCTIONS = {told!r}\n"),
    }
    name, content = lines[task]
    (folder / name).write_text(content, encoding="utf-8")
    here = settings(tmp_path, data_dir=tmp_path / "data", offline=True)
    assert instructed(resolved(task, known), known, here).adapter.instructions == wanted


def test_ehr_sqls_prompt_holds_the_tables_alone(tmp_path: Path) -> None:
    MEDICAL["ehr_sql"](tmp_path)
    found = load(tmp_path, "ehr_sql", tmp_path)
    assert [i.split for i in found] == [TRAIN, TEST, TEST]
    assert found[0].input.startswith("-- Database Schema:\nCREATE TABLE p\n(\nn INT\n);\n\nCREATE TABLE ")
    assert found[0].input.endswith("\n\n--                     Question:\nHow many?\n\n")
    assert found[2].extra == {"is_impossible": True}


def test_mediqas_reference_is_the_answer_ranked_first(tmp_path: Path) -> None:
    MEDICAL["medi_qa"](tmp_path)
    [only] = load(tmp_path, "medi_qa", tmp_path)
    assert (only.id, only.references[0].text) == ("7", "A cold, mostly.")


def test_medication_qa_is_a_sheet_whose_unanswered_rows_are_left_out(tmp_path: Path) -> None:
    MEDICAL["medication_qa"](tmp_path)
    found = load(tmp_path, "medication_qa", tmp_path)
    assert [(i.input, i.references[0].text) for i in found] == [
        ("how much is too much?", "More than <ten> cups."),
        ("is it safe?", "It is."),
    ]


@pytest.mark.parametrize(
    ("name", "knee"),
    [("mtsamples_replicate", "FINDINGS: A tear.\nSUMMARY:  A torn knee.\nMore."), ("mtsamples_procedures", "")],
)
def test_reports_lose_what_they_are_held_against(tmp_path: Path, name: str, knee: str) -> None:
    MEDICAL["mtsamples"](tmp_path)
    found = load(tmp_path, name, tmp_path)
    assert [i.references[0].text for i in found] == ["Tea for a week.", "A torn knee."]
    assert [i.input for i in found] == ["SUBJECTIVE:  A cough.", knee]


def test_live_qas_answers_are_all_right(tmp_path: Path) -> None:
    MEDICAL["live_qa"](tmp_path)
    [only] = load(tmp_path, "live_qa", tmp_path)
    assert (only.id, only.input) == ("TQ1", "What helps a cough?")
    assert [r.text for r in only.correct_references] == ["Tea & rest.", "Honey."]


def test_parallel_files_of_unequal_length_are_refused(tmp_path: Path) -> None:
    MEDICAL["parallel"](tmp_path)
    (tmp_path / "me_q_sum/val.target").write_text("one\ntwo\nthree\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"val\.source has 2 lines, and .*val\.target has 3"):
        load(tmp_path, "me_q_sum", tmp_path)


def test_covid_dialogs_speaker_is_named_by_the_prompt_alone(tmp_path: Path) -> None:
    MEDICAL["parallel"](tmp_path)
    assert load(tmp_path, "covid_dialog", tmp_path)[0].input == "is train it? yes "


def test_of_equal_prompts_about_records_the_last_answer_counts(tmp_path: Path) -> None:
    private(tmp_path)
    own = str(tmp_path / PRIVATE / "letters.csv")
    found = load(tmp_path, "shc_bmt_med", data_path=own)
    assert [i.correct_references[0].text for i in found] == ["A", "A"]
    asked = "Provide an answer to the following question: Is it so? with the following context: Another note. , Answer"
    assert found[1].input.startswith(asked)


def test_numbered_prompts_about_records_are_never_equal(tmp_path: Path) -> None:
    private(tmp_path)
    found = load(tmp_path, "shc_ent_med", data_path=str(tmp_path / PRIVATE / "letters.csv"))
    assert [i.input[:10] for i in found] == ["1 Provide ", "2 Provide ", "3 Provide "]
    assert len(found[0].references) == 3


def test_clears_labels_are_numbers_in_a_sheet(tmp_path: Path) -> None:
    private(tmp_path)
    found = load(tmp_path, "clear", data_path=str(tmp_path / PRIVATE), condition="chronic_pain")
    assert [i.correct_references[0].text[:4] for i in found] == ["Has ", "Does", "Unce"]


def test_records_that_are_not_there_are_said_to_be_missing(tmp_path: Path, known: Registry) -> None:
    missing = str(tmp_path / "none.csv")
    reason = check(known.scenarios.get("shc_gip_med"), {"data_path": missing}, settings(tmp_path, offline=True))
    assert reason == f"shc_gip_med: no file {missing}"


def test_records_go_into_no_export(known: Registry) -> None:
    own = [card for card in known.scenarios.values() if card.licence.startswith("private records")]
    assert len(own) == 15
    assert {card.redistribution for card in own} == {"no"}


def test_a_file_that_is_no_office_file_is_named(tmp_path: Path) -> None:
    MEDICAL["medication_qa"](tmp_path)
    path = tmp_path / "medication_qa/MedInfo2019-QA-Medications.xlsx"
    path.write_bytes(b"<html>")
    with pytest.raises(DataError, match="not an Office file"):
        load(tmp_path, "medication_qa", tmp_path)
    write_parts(path, xl__worksheets__sheet1_DOT_xml="<worksheet")
    with pytest.raises(DataError, match="not XML"):
        load(tmp_path, "medication_qa", tmp_path)


def test_a_document_without_questions_holds_no_rows(tmp_path: Path) -> None:
    write_document(tmp_path / "race_based_med/41746_2023_939_MOESM1_ESM.docx", "Supplement")
    with pytest.raises(DataError, match="hold no rows"):
        load(tmp_path, "race_based_med", tmp_path)


def test_columns_of_a_sheet_are_found_by_their_letters(tmp_path: Path) -> None:
    columns = [None] * 25
    write_sheet(tmp_path / "medication_qa/MedInfo2019-QA-Medications.xlsx", ["Answer", *columns], ["yes", *columns])
    with pytest.raises(DataError, match="no Question"):
        load(tmp_path, "medication_qa", tmp_path)


def test_words_without_options_are_no_choice(known: Registry) -> None:
    with pytest.raises(UsageError, match="has no options"):
        resolved("lm_entry:task=first_letter,method=multiple_choice_joint", known)
