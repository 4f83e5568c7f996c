"""A few rows of financial, legal and other benchmarks, made up, in exactly upstream's layout."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

from holoscope.core import Json
from scenarios.made import write_rows
from scenarios.office import write_sheet
from scenarios.upstream import write_csv, write_json, write_text


def financebench(root: Path) -> None:
    def row(number: int) -> dict[str, Json]:
        page: Json = {"evidence_text": "x", "evidence_text_full_page": f"Page {number}.", "doc_name": "3M_2018_10K"}
        identity: dict[str, Json] = {"financebench_id": f"financebench_id_{number:05}", "company": "3M"}
        return {**identity, "question": f"How much in {number}?", "answer": f"${number}", "evidence": [page]}

    write_rows(root / "financebench/financebench_open_source.jsonl", *map(row, range(12)))


PROGRAMS = (
    ("subtract(110, 100), divide(#0, 100)", 0.1),
    ("table_average(net sales, none), add(#0, const_100)", 115.0),
    ("greater(12, 9.5)", "yes"),
    ("multiply(2, 3), exp(#0, const_2)", 36.0),
)


def fin_qa(root: Path) -> None:
    def row(program: str, result: Json) -> Json:
        table: Json = [["in millions", "2006", "2005"], ["net sales", "$ 10", "20 ( 1 )"], ["é", "5%", "1"]]
        asked: Json = {"question": "how much ?", "program": program, "exe_ans": result, "answer": "x"}
        return {"pre_text": ["sales grew .", "."], "post_text": ["end"], "table": table, "qa": asked, "id": "a"}

    for split in ("train", "test"):
        write_json(root / f"fin_qa/{split}.json", [row(*each) for each in PROGRAMS])
    write_text(
        root / "fin_qa/fin_qa_scenario.py", 'import json\n\nINSTRUCTIONS = """Write a program.\n\nOnly that.\n"""\n'
    )


def conv_fin_qa(root: Path) -> None:
    def turn(asked: list[Json], answers: list[Json], **facts: Json) -> Json:
        noted: Json = {"cur_dial": asked, "exe_ans_list": answers, "exe_ans": answers[-1], **facts}
        return {"table": [["", "2006"], ["sales", 7.5]], "annotation": noted, "filename": "A/2006.pdf", "id": "a"}

    first = turn(["what were sales ?"], [7.5], gold_ind={"table_1": "no", "text_3": "sales rose ."})
    second = turn(["what were sales ?", "and half ?"], [7.5, 3.75], gold_inds={"table_1": "no"})
    for name in ("train_turn.json", "dev_turn.json"):
        write_json(root / f"conv_fin_qa_calc/{name}", [first, second])


def financial_phrasebank(root: Path) -> None:
    path = root / "financial_phrasebank/FinancialPhraseBank-v1.0/Sentences_AllAgree.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    labels = ("positive", "neutral", "negative")
    lines = [f"Sentence @ {number} of Nokia \x85 .@{labels[number % 3]}\r\n" for number in range(20)]
    path.write_bytes("".join(lines).encode("iso-8859-1"))


def gold_commodity_news(root: Path) -> None:
    header = ["Dates", "URL", "News", "Price or Not", "Direction Up", "Asset Comparision"]
    rows = [["1", "x", f"gold news {number}", "1", str(number % 2), "0"] for number in range(20)]
    write_csv(root / "gold_commodity_news/finalDataset_0208.csv", header, *rows)


def legal_opinions(root: Path) -> None:
    folder = root / "legal_opinion_sentiment_classification"
    write_sheet(folder / "train.xlsx", ["ID", "Phrase", "Label"], *([n, f"phrase {n}", n % 3] for n in range(6)))
    write_sheet(folder / "test.xlsx", ["sentence", "label"], ["It was fair.", 0], ["It wasn't.", 1], ["It was.", 2])


def echr(root: Path) -> None:
    path = root / "echr_judgment_classification/ECHR_Dataset.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as zipped:
        for split in ("train", "dev", "test", "train_Anon"):
            for number, articles in enumerate((["3"], [])):
                case = {"TEXT": ["1. The case.", f"2. Of {split}."], "VIOLATED_ARTICLES": articles}
                zipped.writestr(f"EN_{split}/{number}.json", json.dumps(case))
        long = {"TEXT": ["word " * 700], "VIOLATED_ARTICLES": ["6"]}
        zipped.writestr("EN_test/long.json", json.dumps(long))


def sumosum(root: Path) -> None:
    words = "word " * 120
    write_sheet(
        root / "sumosum/climate_claims_raw.xlsx",
        ["Claims of the web"],
        ["Claim", "Title", "Doc_text"],
        *([f"claim {n}", f"Title_x000D_\n {n}", f"{words}{n}"] for n in range(9)),
        ["claim", None, words],
        ["claim", "Too short", "word"],
    )


def casehold(root: Path) -> None:
    def row(number: int) -> dict[str, Json]:
        holdings: dict[str, Json] = {f"holding_{i}": f"holding that {number}.{i}" for i in range(5)}
        return {"example_id": number, "citing_prompt": f"See <HOLDING> {number}", **holdings, "label": str(number % 5)}

    write_rows(root / "casehold/train.jsonl", *map(row, range(3)))
    write_rows(root / "casehold/test.jsonl", *map(row, range(10, 13)))


def kpi_edgar(root: Path) -> None:
    def sentence(split: Json, *words: str, **spans: list[int]) -> Json:
        noted: list[Json] = [{"type_": kind, "start": start, "end": end} for kind, (start, end) in spans.items()]
        said: list[Json] = [{"value": word} for word in words]
        return {"split_type": split, "words": said, "entities_anno": noted}

    marked = ("Net", "sales", "[", "1", "]", "were", "$", "12")
    sentences: list[Json] = [
        sentence(split, *marked, kpi=[0, 5], cy=[7, 8], davon=[0, 1]) for split in ("train", "test")
    ]
    others: list[Json] = [sentence("test", "Nothing", "here"), sentence(None, "Net", "sales", kpi=[0, 2])]
    reports: Json = [{"segments": [{"sentences": [*sentences, *others]}, {"sentences": None}]}]
    write_json(root / "kpi_edgar/kpi_edgar.json", reports)


def cti_to_mitre(root: Path) -> None:
    rows = [[f"T{number % 4}", f"S{number}", f"They did {number}."] for number in range(12)]
    write_csv(root / "cti_to_mitre/dataset.csv", ["label_tec", "label_subtec", "sentence"], *rows)

    def technique(number: int, **rest: Json) -> Json:
        known: list[Json] = [
            {"source_name": "mitre-attack", "external_id": f"T{number}"},
            {"source_name": "capec", "external_id": "CAPEC-1"},
        ]
        return {"type": "attack-pattern", "name": f"Technique {number}", "external_references": known, **rest}

    techniques: list[Json] = [technique(number, x_mitre_is_subtechnique=False) for number in range(12)]
    parts: list[Json] = [technique(99, x_mitre_is_subtechnique=True), technique(98), {"type": "malware", "name": "x"}]
    write_json(root / "cti_to_mitre/enterprise-attack.json", {"objects": [*parts, *techniques]})


def lm_entry(root: Path) -> None:
    def write(name: str, asked: str, **metadata: Json) -> None:
        example: Json = {"input": asked, "metadata": metadata}
        write_json(root / f"lm_entry/{name}.json", {"name": name, "settings": {}, "examples": {"1": example}})

    write("bigger_number", "Q: Which number is bigger, 3 or 4?\nA:", n1=3, n2=4, answer=4)
    write("first_letter", "Q: What is the first letter of tea?\n", word="tea", answer="t")
    write("most_associated_word", "Which?\nA:", answer="cup", distractors=["sea", "sky"])
    for part in ("", "_0_distractors", "_1_distractors", "_2_distractors"):
        write(f"all_words_from_category{part}", "Are all?", num_distractors=len(part) and int(part[1]))


def ewok(root: Path) -> None:
    def row(domain: str, number: int) -> Json:
        contexts: dict[str, Json] = {f"Context{i}": f"It is {i} of {number}." for i in (1, 2)}
        return {"Domain": domain, **contexts, **{f"Target{i}": f"So {i} of {number}." for i in (1, 2)}}

    write_rows(root / "ewok/test.jsonl", row("social-relations", 0), row("spatial-relations", 1))


def wildbench(root: Path) -> None:
    def turn(role: str, content: str) -> Json:
        return {"role": role, "content": content, "language": "English", "redacted": False, "toxic": False}

    turns: list[Json] = [turn("user", "Plan a trip."), turn("assistant", "Where to?"), turn("user", "Oslo.")]
    checklist: list[Json] = ["Is it about Oslo?"]
    row: Json = {"id": "1", "session_id": "a", "conversation_input": turns, "checklist": checklist, "references": {}}
    write_rows(root / "wildbench/v2.jsonl", row)


def omni_math(root: Path) -> None:
    row: dict[str, Json] = {"domain": ["Mathematics -> Algebra"], "difficulty": 4.0, "source": "olympiad"}
    solved: dict[str, Json] = {"problem": "What is $1+1$?", "solution": "Count.", "answer": r"\frac{4}{2}"}
    write_rows(root / "omni_math/test.jsonl", {**row, **solved})


FINANCIAL: dict[str, Callable[[Path], None]] = {
    "financebench": financebench,
    "fin_qa": fin_qa,
    "conv_fin_qa": conv_fin_qa,
    "financial_phrasebank": financial_phrasebank,
    "gold_commodity_news": gold_commodity_news,
    "legal_opinions": legal_opinions,
    "echr": echr,
    "sumosum": sumosum,
    "casehold": casehold,
    "kpi_edgar": kpi_edgar,
    "cti_to_mitre": cti_to_mitre,
    "lm_entry": lm_entry,
    "ewok": ewok,
    "wildbench": wildbench,
    "omni_math": omni_math,
}
