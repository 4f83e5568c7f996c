"""Rows of benchmarks in other languages than English in upstream's layouts, made up."""

import csv
from collections.abc import Callable
from pathlib import Path

from holoscope.core import Json
from scenarios.long_texts import write_parquet
from scenarios.made import write_rows
from scenarios.upstream import write_csv, write_json, write_text


def arabic(root: Path) -> None:
    folder = root / "alghafa/mcq_exams_test_ar"
    for split, label in (("validation", "1"), ("test", "2")):
        write_parquet(
            folder / f"{split}/0000.parquet",
            {"query": "سؤال؟", "sol1": "أول", "sol2": "ثان", "sol3": "ثالث", "label": label},
        )
    for split in ("validation", "test"):
        write_parquet(
            root / f"arabic_exams/default/{split}/0000.parquet",
            *(
                {
                    "id": f"{subject}-{split}",
                    "question": "سؤال؟",
                    "A": "أ1",
                    "B": "ب1",
                    "C": "ج1",
                    "D": "د1",
                    "answer": answer,
                }
                for subject, answer in (("Islamic Studies", "B"), ("Biology", "C"), ("Biology", "?"))
            ),
        )
    for name, configs in (("arabic_mmlu", ("Driving Test",)), ("madinah_qa", ("Arabic Language (General)",))):
        for config in configs:
            for split in ("dev", "test"):
                options = {f"Option {n}": text for n, text in enumerate(("1.5", None, "3.5", "4.5", None), 1)}
                row = {"Context": "نص.", "Question": "سؤال؟", **options, "Answer Key": "C"}
                write_parquet(root / f"{name}/{config}/{split}/0000.parquet", row)
    write_parquet(
        root / "aratrust/default/test/0000.parquet",
        {"Category": "Mental Health", "Question": "سؤال؟", "A": "أ) نعم", "B": "ب)  لا ", "C": None, "Answer": " ب"},
        {"Category": "Privacy", "Question": "سؤال؟", "A": "أ) نعم", "B": "ب) لا", "C": "ج) ربما", "Answer": "ا"},
    )
    write_parquet(
        root / "mbzuai_human_translated_arabic_mmlu/anatomy/test/0000.parquet",
        {"question": "سؤال؟", "choices": ["أ", "ب", "ج", "د1"], "answer": 3},
    )


def thai_exam(root: Path) -> None:
    for split in ("train", "test"):
        row: Json = {"question": "ข้อใดถูก", "a": "หนึ่ง", "b": "สอง", "c": "สาม", "d": "สี่", "e": "", "answer": "b"}
        write_rows(root / f"thai_exam/ic/ic_{split}.jsonl", row)


def kmmlu(root: Path) -> None:
    header = ("question", "answer", "A", "B", "C", "D", "Category", "Human Accuracy")
    for split in ("dev", "test"):
        path = root / f"kmmlu/data/Real-Estate-{split}.csv"
        write_csv(path, header, (" 맞는 것은? ", "3", "가", "나", "다", "라", "Real Estate", "0.5"))


def haerae(root: Path) -> None:
    query = "다음을 읽고 답하시오.\n### 질문: 뜻은?\n### 선택지:\n(A) 하나\n(B) 둘\n### 정답:"
    write_parquet(root / "haerae/loan_words/test/0000.parquet", {"query": query, "answer": "(B)"})


def seahelm_questions(root: Path) -> None:
    def row(passage: str, keys: tuple[str, str]) -> dict[str, object]:
        return {keys[0]: passage, keys[1]: "Siapa?", "answers": {"text": ["Tini"], "answer_start": [0]}}

    for split in ("train", "validation"):
        rows = [row("Tini " * length, ("passage_text", "question_text")) for length in (1, 2, 3, 4, 5, 6)]
        write_parquet(root / f"tydiqa/indonesian/{split}/0000.parquet", *rows)
    for language in ("vi", "th"):
        rows = [row("Tini tidur.", ("context", "question")) for _ in range(3)]
        write_parquet(root / f"xquad/xquad.{language}/validation-00000-of-00001.parquet", *rows)
    answer: Json = {"text": "Tini", "answer_start": 0}
    none: Json = {"text": "", "answer_start": 0}
    asked: list[Json] = [{"question": "யார்?", "answers": [given], "id": 0} for given in (answer, none)]
    paragraph: Json = {"context": "Tini", "qas": asked}
    write_json(root / "indicqa/data/indicqa.ta.json", {"data": [{"paragraphs": [paragraph]}]})


def seahelm_labels(root: Path) -> None:
    for split in ("train", "test"):
        write_text(root / f"uitvsfc/{split}/sents.txt", "rất hay .\nkhông hay .\n")
        write_text(root / f"uitvsfc/{split}/sentiments.txt", "2\n0\n")
    rows: list[Json] = [{"texts": " ดี ", "category": "pos"}, {"texts": "ไหม", "category": "q"}]
    for split in ("train", "test"):
        write_rows(root / f"wisesight/data/{split}.jsonl", *rows)
        write_csv(root / f"vihsd/vihsd/{split}.csv", ("", "free_text", "label_id"), ("0", "ổn", "0"), ("1", "tệ", "2"))
    for split in ("validation", "test"):
        write_rows(
            root / f"indicsentiment/data/{split}/ta.json",
            {"GENERIC CATEGORIES": "x", "INDIC REVIEW": "நன்று", "LABEL": "Positive"},
            {"GENERIC CATEGORIES": "x", "INDIC REVIEW": "நன்று!", "LABEL": None},
        )
    path = root / "mlhsd/re_dataset.csv"
    path.parent.mkdir(parents=True)
    with path.open("w", encoding="latin-1", newline="") as file:
        csv.writer(file).writerows(
            [("Tweet", "HS", "Abusive"), ("caf\xe9", "0", "0"), ("a", "0", "1"), ("b", "1", "1")]
        )
    write_parquet(
        root / "thaitoxicitytweets/thai_toxicity_tweet/train/0000.parquet",
        *({"tweet_text": text, "is_toxic": toxic} for text, toxic in (("ดี", 0), ("แย่", 1), ("TWEET_NOT_FOUND", 0))),
    )


def seahelm_pairs(root: Path) -> None:
    rows = [{"premise": "Mưa. ", "hypothesis": "Ướt.", "label": label} for label in (0, 1, 2)]
    for language in ("vi", "th"):
        for split in ("validation", "test"):
            write_parquet(root / f"xnli/{language}/{split}-00000-of-00001.parquet", *rows)
    for split in ("validation", "test"):
        write_parquet(root / f"indicxnli/ta/{split}/0000.parquet", *rows)
    for language in ("id", "ta", "th", "vi"):
        kind = "cause" if language == "ta" else "effect"  # upstream's others are wrong here and there
        for split in ("val", "test"):
            write_rows(
                root / f"xcopa/data/{language}/{split}.{language}.jsonl",
                {"premise": "Hujan.", "choice1": "Basah.", "choice2": "Awan.", "question": kind, "label": 1, "idx": 0},
            )
    for part in ("dev", "devtest"):
        for code, text in (("eng_Latn", "It rains."), ("ind_Latn", "Hari hujan."), ("tha_Thai", "ฝนตก")):
            write_text(root / f"flores/flores200_dataset/{part}/{code}.{part}", f"{text}\n{text}\n")


LANGUAGES: dict[str, Callable[[Path], None]] = {
    "arabic": arabic,
    "thai_exam": thai_exam,
    "kmmlu": kmmlu,
    "haerae": haerae,
    "seahelm_questions": seahelm_questions,
    "seahelm_labels": seahelm_labels,
    "seahelm_pairs": seahelm_pairs,
}
