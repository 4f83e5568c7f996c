"""A few rows of medical benchmarks, made up, in exactly the layout in which upstream publishes them."""

import zipfile
from collections.abc import Callable
from pathlib import Path

from holoscope.core import Json
from scenarios.made import write_rows
from scenarios.office import write_document, write_sheet
from scenarios.upstream import write_csv, write_json, write_text

PRIVATE = "records"
"""The folder with the user's own files, within a data directory."""


def med_mcqa(root: Path) -> None:
    def row(number: int, right: int) -> dict[str, Json]:
        options: dict[str, Json] = {f"op{letter}": f"{letter}{number}" for letter in "abcd"}
        return {
            "question": f"Which is {number}?",
            **options,
            "cop": right,
            "subject_name": "Anatomy",
            "id": str(number),
        }

    write_rows(root / "med_mcqa/train.json", *(row(number, number % 4 + 1) for number in range(6)))
    write_rows(root / "med_mcqa/dev.json", row(7, 4), row(8, 1))


def medbullets(root: Path) -> None:
    header = ["question", "opa", "opb", "opc", "opd", "ope", "answer", "answer_idx", "explanation", "link"]
    rest = ["", "https://example.org"]
    write_csv(
        root / "medbullets/medbullets_op5.csv",
        header,
        ["A man coughs.\nWhat now?", "Rest", "Tea", "Honey", "Milk", "Soup", "Honey", "C", *rest],
        ["", "Rest", "Tea", "Honey", "Milk", "Soup", "Soup", "E", *rest],
        ["A child sneezes.", "Rest", "Tea", "Honey", "Milk", "Soup", "Soup", "E", *rest],
    )


def head_qa(root: Path) -> None:
    def row(number: int, category: str, image: Json = None) -> dict[str, Json]:
        answers: list[Json] = [{"aid": aid, "atext": f"answer {number}.{aid}"} for aid in (1, 2, 3, 4)]
        about: dict[str, Json] = {"name": "Cuaderno_2013_1_B", "year": "2013", "category": category, "qid": number}
        return {**about, "qtext": f"Question {number}?", "ra": 3, "image": image, "answers": answers}

    pictured = row(2, "biology", {"bytes": "AA==", "path": "x.png"})
    write_rows(root / "head_qa/en.jsonl", row(1, "biology"), pictured, row(3, "nursery"))


def race_based_med(root: Path) -> None:
    write_document(
        root / "race_based_med/41746_2023_939_MOESM1_ESM.docx",
        "Supplement",
        "Run 1: How is it measured?",
        "With a cuff.",
        "!By looking at who it is.",
        "",
        "Run 2: Is it one?",
        "  It is.  ",
    )


def medcalc_bench(root: Path) -> None:
    def row(number: int, category: str, answer: str, low: str, high: str) -> dict[str, Json]:
        asked: dict[str, Json] = {"Row Number": number, "Calculator ID": "2", "Category": category}
        told: dict[str, Json] = {"Patient Note": "A man of 40.", "Question": "What is it?"}
        return {**asked, **told, "Ground Truth Answer": answer, "Lower Limit": low, "Upper Limit": high}

    write_rows(
        root / "medcalc_bench/test.jsonl",
        row(1, "physical", "25.238", "23.97", "26.49"),
        row(2, "risk", "4", "4", "4"),
        row(3, "date", "06/12/2023", "06/12/2023", "06/12/2023"),
        row(4, "date", "('3 weeks', '2 days')", "('3 weeks', '2 days')", "('3 weeks', '2 days')"),
    )


def medhallu(root: Path) -> None:
    row: Json = {
        "Question": "Does it help?",
        "Knowledge": ["It was tried.", "It's new."],
        "Ground Truth": "It does.",
        "Hallucinated Answer": "It hurts.",
        "Difficulty Level": "easy",
    }
    write_rows(root / "medhallu/train.jsonl", row)
    told = '"""Judge.\nAnswer \'0\' or \'1\'."""'
    written = f"def get_medhallu_spec():\n    return get(\n        instructions={told},  # noqa\n    )\n"
    write_text(root / "medhallu/medhelm_run_specs.py", written)


def ehr_sql(root: Path) -> None:
    first, last = "CREATE TABLE p\n(\n    n INT\n);", "CREATE TABLE r\n(\n  k INT\n);"
    schema = f"DROP TABLE IF EXISTS p;\n{first}\n\n-- between\n{last}\n"
    write_text(root / "ehr_sql/eicu.sql", schema)
    asked: dict[str, Json] = {"db_id": "eicu", "question": "How many?", "query": "select count(*) from p"}
    unanswerable: dict[str, Json] = {"question": "Why?", "query": "", "is_impossible": True}
    write_json(root / "ehr_sql/train.json", [asked])
    write_json(root / "ehr_sql/valid.json", [{**asked, "is_impossible": False}])
    write_json(root / "ehr_sql/test.json", [unanswerable, {"question": "no query"}])


def med_dialog(root: Path) -> None:
    rows: list[Json] = [{"src": "Patient: It hurts. Doctor: Rest.", "tgt": "It hurts; rest.", "id": 0}]
    write_json(root / "med_dialog/icliniq/test.json", {"data": rows})


def medi_qa(root: Path) -> None:
    def answer(rank: int, said: str) -> Json:
        return {"Answer": {"AID": "1", "ReferenceRank": rank, "ReferenceScore": 4, "AnswerText": said}}

    asked: dict[str, Json] = {"QID": "7", "QuestionText": "What is it?"}
    row: Json = {"QUESTION": {**asked, "AnswerList": [answer(2, "A kind."), answer(1, "A cold, mostly.")]}}
    write_rows(root / "medi_qa/test.jsonl", row)


def medication_qa(root: Path) -> None:
    write_sheet(
        root / "medication_qa/MedInfo2019-QA-Medications.xlsx",
        ["Question", "Focus (Drug)", "Answer"],
        ["how much is too much?", "tea", "More than <ten> cups."],
        ["unanswered?", "tea", None],
        [None, None, None],
        ["is it safe?", None, "It is."],
    )


REPORTS = {
    "Cough.txt": "SUBJECTIVE:  A cough.\r\nPLAN:  Tea for a week.\r\nSIGNED: X",
    "Knee.txt": "FINDINGS: A tear.\nSUMMARY:  A torn knee.\nMore.",
    "Lower.txt": "Plan: this heading is not in capitals.\nSUMMARY: dropped",
    "Nothing.txt": "Only words.",
    "picture.png": "PLAN: no text",
}


def mtsamples(root: Path) -> None:
    for name, revision, folder in (
        ("mtsamples_replicate", "ebc104a4f96c5b7602242f301e081e9934a23344", "mtsamples_processed"),
        ("mtsamples_procedures", "c4c252443fa9c52afb6960f53e51be278639bea2", "mtsample_procedure"),
    ):
        path = root / name / f"{revision}.zip"
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as zipped:
            zipped.writestr(f"benchmarkdata-{revision}/README.md", "PLAN: no report")
            for report, content in REPORTS.items():
                zipped.writestr(f"benchmarkdata-{revision}/{folder}/{report}", content)


def live_qa(root: Path) -> None:
    question = (
        '<NLM-QUESTION qid="TQ1" fRef="a"><Original-Question qfile="1"><SUBJECT>x</SUBJECT></Original-Question>'
        "<NLM-Summary>What  helps\n  a cough?</NLM-Summary><ReferenceAnswers>"
        "<RefAnswer rid='1'><ANSWER> Tea &amp; rest. </ANSWER></RefAnswer>"
        "<ReferenceAnswer aid='2'><ANSWER>Honey.</ANSWER></ReferenceAnswer></ReferenceAnswers></NLM-QUESTION>"
    )
    name = "TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml"
    declared = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    write_text(
        root / f"live_qa/{name}",
        f"{declared}\n<LiveQA2017-Medical-TestDataset>{question}</LiveQA2017-Medical-TestDataset>",
    )


def parallel(root: Path) -> None:
    for name in ("covid_dialog", "me_q_sum", "med_paragraph_simplification"):
        for split in ("train", "val", "test"):
            write_text(root / f"{name}/{split}.source", f"patient: is {split} it? patient: yes \nsecond\n")
            write_text(root / f"{name}/{split}.target", f"it is {split} \nanother\n")


def letters(root: Path) -> None:
    header = ["", "prompt", "question", "context", "label"]
    write_csv(
        root / PRIVATE / "letters.csv",
        header,
        ["0", "Is it so?", "Is it so?", "A note,\nlong.", "A"],
        ["1", "Is it so?", "Is it so?", "Another note.", "B"],
        ["2", "Is it so?", "Is it so?", "Another note.", "A"],
    )


def private(root: Path) -> None:
    letters(root)
    folder = root / PRIVATE
    write_sheet(
        folder / "chronic_pain.xlsx",
        ["id", "text", "result_human"],
        [1, "It hurts.", 1],
        [2, "It doesn't.", 0],
        [3, "?", 2],
    )
    write_csv(
        folder / "dialogues.csv",
        ["topic", "dialogue_type", "context", "gold_counselor_response"],
        ["sleep", "long", "I can't sleep.", "That sounds hard."],
    )
    write_rows(folder / "bhc.json", {"input": "A note.", "target": "A course."}, {"input": "", "target": "None."})
    write_text(folder / "test.findings.tok", "the heart is normal .\n\nclear lungs .\n")
    write_text(folder / "test.impression.tok", "normal heart .\nnothing .\nclear .\n")
    columns = ["Diagnosis", "ActualProcedure", "HistoryPhysicalNoteText", "OperativeNoteText"]
    write_csv(
        folder / "cases.csv",
        [*columns, "DischargeInstructionNoteText", "QC"],
        ["A tear", " Repair ", "Fell.", "Sewn.", "Rest it.", "True"],
        ["A tear", "Repair", "Fell.", "Sewn.", "Not checked.", "FALSE"],
        ["A tear", "", "Fell.", "Sewn.", "Incomplete.", "TRUE"],
    )
    _billing(folder / "icd10.feather")


def _billing(path: Path) -> None:
    import pyarrow as pa
    from pyarrow import feather

    table = pa.table({"text": ["A note.", "Another."], "target": [["I10", "E11.9"], ["Z79.4"]], "num": [2, 1]})
    feather.write_feather(table, str(path))


MEDICAL: dict[str, Callable[[Path], None]] = {
    "med_mcqa": med_mcqa,
    "medbullets": medbullets,
    "head_qa": head_qa,
    "race_based_med": race_based_med,
    "medcalc_bench": medcalc_bench,
    "medhallu": medhallu,
    "ehr_sql": ehr_sql,
    "med_dialog": med_dialog,
    "medi_qa": medi_qa,
    "medication_qa": medication_qa,
    "mtsamples": mtsamples,
    "live_qa": live_qa,
    "parallel": parallel,
}
