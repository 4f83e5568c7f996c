"""The rows of SEA-HELM's tasks, as each benchmark's own files hold them, with the thousand that HELM asks of each.

The draws are pandas' (`draws.table_sample`): label by label in the labels' order, each with the same seed. Where there
are fewer rows than HELM takes, all are drawn.
"""

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from holoscope.core import CORRECT, TEST, TRAIN, DataError, Files, Instance, Reference
from holoscope.scenarios.draws import table_sample
from holoscope.scenarios.fields import integer, member, objects, text, texts
from holoscope.scenarios.hub import path_of
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import Row, read_csv, read_jsonl, read_lines, read_object, read_parquet
from holoscope.scenarios.seahelm_shapes import CAUSES, PASSAGES

_ASKED = 1000
_SHORT = 0.2


class Drawn(NamedTuple):
    asked: list[Row]
    left: list[Row]


def by_label(rows: Sequence[Row], label: Callable[[Row], str], seed: int) -> Drawn:
    """A thousand rows in all, of each label in proportion; and the others, in their order."""
    fraction = min(1.0, _ASKED / max(1, len(rows)))
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(label(row), []).append(row)
    asked = [row for name in sorted(groups) for row in table_sample(groups[name], fraction, seed)[0]]
    taken = set(map(id, asked))
    return Drawn(asked, [row for row in rows if id(row) not in taken])


def labelled(rows: Sequence[Row], column: str, names: dict[str, str], label: str, split: str) -> Iterator[Instance]:
    """Texts, each with the name of its label."""
    for row in rows:
        found = str(row.values.get(label))
        if found not in names:
            raise DataError(f"{row.where}: {label} should be one of {', '.join(names)}, and is {found!r}")
        shown = str(row.values.get(column, "")).strip()
        yield Instance(input=shown, references=right_answer(names[found]), split=split)


def nusax(files: Files) -> Iterator[Instance]:
    names = {"positive": "Positif", "negative": "Negatif", "neutral": "Netral"}
    for split in (TRAIN, TEST):
        yield from labelled([*read_csv(files.path(f"{split}.csv"))], "text", names, "label", split)


def uitvsfc(files: Files) -> Iterator[Instance]:
    names = {"0": "Tiêu cực", "1": "Trung lập", "2": "Tích cực"}
    for split in (TRAIN, TEST):
        sents, labels = (read_lines(files.path(f"{split}/{name}.txt")) for name in ("sents", "sentiments"))
        if len(sents) != len(labels):
            raise DataError(f"uitvsfc: {len(sents)} sentences and {len(labels)} labels in {split}")
        rows = [
            Row(f"{split} {number}", {"text": said, "label": label.strip()})
            for number, (said, label) in enumerate(zip(sents, labels, strict=True), 1)
        ]
        drawn = by_label(rows, lambda row: text(row, "label"), 4156).asked if split == TEST else rows
        yield from labelled(drawn, "text", names, "label", split)


def wisesight(files: Files) -> Iterator[Instance]:
    names = {"pos": "แง่บวก", "neg": "แง่ลบ", "neu": "เฉยๆ"}
    for split in (TRAIN, TEST):
        rows = [row for row in read_jsonl(files.path(f"data/{split}.jsonl")) if row.values.get("category") != "q"]
        drawn = by_label(rows, lambda row: text(row, "category"), 4183).asked if split == TEST else rows
        yield from labelled(drawn, "texts", names, "category", split)


def indicsentiment(files: Files) -> Iterator[Instance]:
    names = {"Positive": "நேர்மறை", "Negative": "எதிர்மறை", "None": "நேர்மறை"}  # two rows without a label are positive
    for name, split in (("validation", TRAIN), ("test", TEST)):
        rows = [*read_jsonl(files.path(f"data/{name}/ta.json"))]
        yield from labelled(rows, "INDIC REVIEW", names, "LABEL", split)


def mlhsd(files: Files) -> Iterator[Instance]:
    rows = [Row(row.where, {**row.values, "label": _harm(row)}) for row in _in_latin_1(files.path("re_dataset.csv"))]
    drawn = by_label(rows, lambda row: text(row, "label"), 7123)
    names = {name: name for name in ("Benci", "Kasar", "Bersih")}
    for split, own in ((TRAIN, drawn.left), (TEST, drawn.asked)):
        yield from labelled(own, "Tweet", names, "label", split)


def _harm(row: Row) -> str:
    return "Benci" if row.values.get("HS") == "1" else "Kasar" if row.values.get("Abusive") == "1" else "Bersih"


def _in_latin_1(path: Path) -> Iterator[Row]:
    with path.open(encoding="latin-1", newline="") as file:
        for number, values in enumerate(csv.DictReader(file), 2):
            yield Row(f"{path}:{number}", {str(name): cell for name, cell in values.items()})


def vihsd(files: Files) -> Iterator[Instance]:
    names = {"0": "Sạch", "1": "Công kích", "2": "Thù ghét"}
    for split in (TRAIN, TEST):
        rows = [*read_csv(files.path(f"vihsd/{split}.csv"))]
        drawn = by_label(rows, lambda row: text(row, "label_id"), 4878).asked
        yield from labelled(drawn, "free_text", names, "label_id", split)


def thaitoxicitytweets(files: Files) -> Iterator[Instance]:
    rows = [
        row
        for row in read_parquet(files.path(path_of("thai_toxicity_tweet", "train")))
        if text(row, "tweet_text") not in ("", "TWEET_NOT_FOUND")
    ]
    drawn = by_label(rows, lambda row: str(row.values.get("is_toxic")), 4156)
    for split, own in ((TRAIN, drawn.left), (TEST, drawn.asked)):
        yield from labelled(own, "tweet_text", {"0": "N", "1": "Y"}, "is_toxic", split)


def indonli(files: Files) -> Iterator[Instance]:
    letters = {"e": "A", "c": "B", "n": "C"}
    train, test = ([*read_jsonl(files.path(name))] for name in ("train.jsonl", "test_lay.jsonl"))
    asked = by_label(test, lambda row: text(row, "label"), 4685).asked
    for split, rows in ((TRAIN, train), (TEST, asked)):
        yield from (_pair(row, letters[text(row, "label")], split) for row in rows)


def inferred(valid: Path, test: Path, one_more: int) -> Iterator[Instance]:
    """XNLI's rows: 999 drawn, and the first other row of the label `one_more`."""
    letters = {0: "A", 2: "B", 1: "C"}
    drawn = by_label([*read_parquet(test)], lambda row: str(integer(row, "label")), 4156)
    last = [row for row in drawn.left if integer(row, "label") == one_more][:1]
    for split, rows in ((TRAIN, [*read_parquet(valid)]), (TEST, [*drawn.asked, *last])):
        yield from (_pair(row, letters[integer(row, "label")], split) for row in rows)


def xnli(files: Files, language: str) -> Iterator[Instance]:
    valid, test = (files.path(f"{language}/{name}-00000-of-00001.parquet") for name in ("validation", "test"))
    yield from inferred(valid, test, one_more=1)


def indicxnli(files: Files) -> Iterator[Instance]:
    valid, test = (files.path(path_of("ta", name)) for name in ("validation", "test"))
    yield from inferred(valid, test, one_more=2)


def _pair(row: Row, letter: str, split: str) -> Instance:
    shown = f"X: {text(row, 'premise').strip()}\nY: {text(row, 'hypothesis').strip()}"
    return Instance(input=shown, references=right_answer(letter), split=split)


def xcopa(files: Files, language: str) -> Iterator[Instance]:
    """Choices in one language; cause or effect is asked for as in Tamil, which has no mistakes there."""
    asked = CAUSES[language]
    for name, split in (("val", TRAIN), ("test", TEST)):
        rows, tamil = ([*read_jsonl(files.path(f"data/{code}/{name}.{code}.jsonl"))] for code in (language, "ta"))
        kinds = {integer(row, "idx"): text(row, "question") for row in tamil}
        for row in rows:
            kind = kinds.get(integer(row, "idx"))
            if kind is None:
                continue
            question = asked.question.format(asked.cause if kind == "cause" else asked.effect)
            premise, first, second = (text(row, column).strip() for column in ("premise", "choice1", "choice2"))
            shown = f"{premise}\n{question}\nA: {first}\nB: {second}\n{asked.demand}"
            yield Instance(input=shown, references=right_answer("AB"[integer(row, "label")]), split=split)


FLORES = {"en": "eng_Latn", "id": "ind_Latn", "vi": "vie_Latn", "th": "tha_Thai", "ta": "tam_Taml"}


def flores(files: Files, pair: str) -> Iterator[Instance]:
    for part, split in (("dev", TRAIN), ("devtest", TEST)):
        source, target = (
            read_lines(files.path(f"flores200_dataset/{part}/{FLORES[code]}.{part}")) for code in pair.split("_")
        )
        if len(source) != len(target):
            raise DataError(f"flores: {len(source)} and {len(target)} sentences in {part}")
        for said, translated in zip(source, target, strict=True):
            yield Instance(input=said.strip(), references=right_answer(translated.strip()), split=split)


class Passage(NamedTuple):
    text: str
    question: str
    answers: list[str]


def tydiqa(files: Files) -> Iterator[Instance]:
    for name, split in (("train", TRAIN), ("validation", TEST)):
        rows = [
            Passage(text(row, "passage_text"), text(row, "question_text"), texts(member(row, "answers"), "text"))
            for row in read_parquet(files.path(path_of("indonesian", name)))
        ]
        yield from _passages("tydiqa", _shortest(rows) if split == TRAIN else rows, split)


def xquad(files: Files, language: str) -> Iterator[Instance]:
    rows = [
        Passage(text(row, "context"), text(row, "question"), texts(member(row, "answers"), "text"))
        for row in read_parquet(files.path(f"xquad.{language}/validation-00000-of-00001.parquet"))
    ]
    yield from _drawn(f"xquad_{language}", rows, {"th": 4520, "vi": 4502}[language])


def indicqa(files: Files) -> Iterator[Instance]:
    articles = objects(read_object(files.path("data/indicqa.ta.json")), "data")
    paragraphs = [paragraph for article in articles for paragraph in objects(article, "paragraphs")]
    rows = [
        Passage(
            text(paragraph, "context"), text(asked, "question"), [text(a, "text") for a in objects(asked, "answers")]
        )
        for paragraph in paragraphs
        for asked in objects(paragraph, "qas")
    ]
    yield from _drawn("indicqa", [row for row in rows if row.answers and row.answers[0].strip()], 7900)


def _drawn(name: str, rows: list[Passage], seed: int) -> Iterator[Instance]:
    """A thousand to be asked; examples from the shortest of the others."""
    asked, left = table_sample(rows, min(1.0, _ASKED / max(1, len(rows))), seed)
    yield from _passages(name, _shortest(left), TRAIN)
    yield from _passages(name, asked, TEST)


def _shortest(rows: Sequence[Passage]) -> list[Passage]:
    """Those with a passage shorter than four fifths of them have, between two lengths in proportion."""
    lengths = sorted(len(row.text) for row in rows)
    if not lengths:
        return []
    place = _SHORT * (len(lengths) - 1)
    low = int(place)
    limit = lengths[low] + (place - low) * (lengths[min(low + 1, len(lengths) - 1)] - lengths[low])
    return [row for row in rows if len(row.text) < limit]


def _passages(name: str, rows: Sequence[Passage], split: str) -> Iterator[Instance]:
    before_passage, before_question = PASSAGES[name]
    for row in rows:
        passage = row.text.strip()
        yield Instance(
            input=f"{before_passage}{passage}\n{before_question}{row.question.strip()}",
            references=tuple(Reference(answer.strip(), (CORRECT,)) for answer in row.answers),
            split=split,
            cluster=passage,
        )
