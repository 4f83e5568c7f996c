"""Questions with a passage or without: TruthfulQA, BoolQ, Natural Questions, LSAT, and the medical and legal ones."""

import gzip
import json
from pathlib import Path

import pytest

from holoscope.core import DataError, Instance, Json, ScenarioSpec
from holoscope.scenarios import data_hashes
from paths import DATA, needs_data
from scenarios.made import load, registry, settings, write_rows


def splits(instances: list[Instance]) -> dict[str, int]:
    found = [i.split for i in instances]
    return {split: found.count(split) for split in ("train", "valid", "test") if split in found}


def right(instance: Instance) -> list[str]:
    return [reference.text for reference in instance.correct_references]


@needs_data
@pytest.mark.parametrize(
    ("name", "args", "counts", "first"),
    [
        (
            "truthful_qa",
            {"task": "mc_single"},
            {"train": 90, "valid": 360},
            "What happens to you if you eat watermelon",
        ),
        ("boolq", {}, {"train": 100, "valid": 200}, ""),
        (
            "natural_qa",
            {"mode": "closedbook"},
            {"train": 200, "valid": 200},
            "When was the last time anyone was on the",
        ),
        ("lsat_qa", {"task": "all"}, {"train": 177, "valid": 71, "test": 118}, "Exactly six trade"),
        ("med_qa", {}, {"train": 100, "valid": 50, "test": 250}, ""),
        ("pubmed_qa", {}, {"test": 350}, "Context: "),
        ("legalbench", {"subset": "abercrombie"}, {"train": 5, "test": 52}, 'Description: The mark "Ivory" for a'),
        ("mmlu_pro", {"subject": "all"}, {"train": 70, "test": 350}, ""),
        (
            "mmlu_clinical_afr",
            {"subject": "virology", "lang": "zu"},
            {"train": 5, "valid": 18, "test": 40},
            "",
        ),
    ],
)
def test_rows_become_instances(
    tmp_path: Path, name: str, args: dict[str, Json], counts: dict[str, int], first: str
) -> None:
    instances = load(tmp_path, name, DATA, **args)
    assert splits(instances) == counts
    assert instances[0].input.startswith(first)
    assert all(i.correct_references for i in instances)


def truthful(tmp_path: Path, *rows: tuple[str, str, str]) -> list[Instance]:
    header = "Type,Category,Question,Best Answer,Correct Answers,Incorrect Answers,Source\n"
    lines = (f"T,Law,{question},{best},{best},{wrong},S\n" for question, best, wrong in rows)
    path = tmp_path / "truthful_qa/TruthfulQA.csv"
    path.parent.mkdir()
    path.write_text(header + "".join(lines), encoding="utf-8")
    return load(tmp_path, "truthful_qa", tmp_path, task="mc_single")


def test_truthful_qa_turns_the_options_by_the_first_letter(tmp_path: Path) -> None:
    [instance] = truthful(tmp_path, (" Why? ", "Because", "never; ;always."))
    assert ord("B") % 3 == 0
    assert [r.text for r in instance.references] == ["never.", "always.", "Because."]
    assert (instance.input, right(instance)) == ("Why?", ["Because."])


def test_truthful_qas_first_fifth_are_the_examples(tmp_path: Path) -> None:
    assert splits(truthful(tmp_path, *[("q", "a", "b")] * 9)) == {"train": 1, "valid": 8}


def test_truthful_qa_needs_a_best_answer(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"TruthfulQA\.csv:2: Best Answer is empty"):
        truthful(tmp_path, ("q", "", "b"))


def boolq_row(question: str, answer: bool, passage: str = "The sky is blue.") -> Json:
    return {"question": question, "answer": answer, "passage": passage}


def boolq(tmp_path: Path, *, contrast: bool = False, only: bool = False) -> list[Instance]:
    write_rows(tmp_path / "boolq/train.jsonl", boolq_row("is water wet", True))
    asked = boolq_row("is the Sky blue ", True), boolq_row("is it red", False), boolq_row("is it", True, "It is.")
    write_rows(tmp_path / "boolq/dev.jsonl", *asked)
    if contrast:
        turned: Json = [
            {"perturbed_q": "is the sky red", "answer": "FALSE"},
            {"perturbed_q": "is the sky azure", "answer": "TRUE"},
            {"perturbed_q": "", "answer": "FALSE"},
        ]
        kept: Json = {"question": "is the Sky blue ", "answer": "TRUE", "perturbed_questions": turned}
        same: Json = {"question": "is it red", "answer": "FALSE", "perturbed_questions": []}
        text = json.dumps({"data": [{"about": "the set"}, kept, same]})
        (tmp_path / "boolq/boolq_perturbed.json").write_text(text, encoding="utf-8")
    return load(tmp_path, "boolq", tmp_path, only_contrast=only)


def test_boolq_asks_in_sentences(tmp_path: Path) -> None:
    instance = boolq(tmp_path)[1]
    assert instance.input == "The sky is blue.\nQuestion: Is the sky blue?"
    assert (right(instance), instance.split) == (["Yes"], "valid")


def test_boolq_clusters_questions_of_one_passage(tmp_path: Path) -> None:
    assert [i.cluster for i in boolq(tmp_path)] == [None, "passage 0", "passage 0", None]


def test_boolq_keeps_rewordings_that_turn_the_answer(tmp_path: Path) -> None:
    instances = boolq(tmp_path, contrast=True)
    assert instances[1].extra == {
        "contrast_inputs": ["The sky is blue.\nQuestion: Is the sky red?"],
        "contrast_references": [[{"text": "No", "tags": ["correct"]}]],
    }
    assert [bool(i.extra) for i in instances] == [False, True, False, False]


def test_boolq_asks_only_questions_with_a_contrast(tmp_path: Path) -> None:
    assert splits(boolq(tmp_path, contrast=True, only=True)) == {"train": 1, "valid": 1}


def test_boolq_needs_the_contrast_set_where_only_that_is_asked(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no boolq_perturbed\.json"):
        boolq(tmp_path, only=True)


def nq_row(question: str, *answers: str) -> Json:
    """A page whose paragraph holds the answers; an annotator for each, and one who found none."""
    page = "<html>é<P>" + " ".join(f"<b>{answer}</b>\u00a0&amp;" for answer in answers) + "</P></html>"
    start, end = page.encode().index(b"<P>"), page.encode().index(b"</P>")
    places = [page.encode().index(answer.encode()) for answer in answers]
    annotations: list[Json] = [
        {
            "long_answer": {"start_byte": start, "end_byte": end},
            "short_answers": [{"start_byte": place, "end_byte": place + len(answer.encode())}],
        }
        for place, answer in zip(places, answers, strict=True)
    ]
    none: Json = {"long_answer": {"start_byte": -1, "end_byte": -1}, "short_answers": []}
    return {"question_text": question, "document_html": page, "annotations": [*annotations, none]}


def natural(tmp_path: Path, mode: str) -> list[Instance]:
    for i in range(5):
        rows = [nq_row("none"), nq_row(f"who WAS {i}", "Ada", "Bob"), nq_row(f"where is {i}?", "Rome", "Rom", "Rome")]
        content = gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())
        (tmp_path / "natural_qa").mkdir(exist_ok=True)
        (tmp_path / f"natural_qa/nq-dev-{i:02d}.jsonl.gz").write_bytes(content)
    return load(tmp_path, "natural_qa", tmp_path, mode=mode)


def test_natural_questions_without_a_short_answer_are_left_out(tmp_path: Path) -> None:
    instances = natural(tmp_path, "closedbook")
    assert [i.input for i in instances[:3]] == ["Who was 0?", "Where is 0?", "Who was 1?"]
    assert splits(instances) == {"train": 5, "valid": 5}


def test_a_natural_question_has_one_answer_as_an_example_and_all_when_asked(tmp_path: Path) -> None:
    instances = natural(tmp_path, "closedbook")
    assert {len(i.references) for i in instances if i.split == "train"} == {1}
    assert right(instances[1]) == ["Rome", "Rom"]


def test_natural_answers_are_drawn_from_one_generator_over_all_files(tmp_path: Path) -> None:
    """`random.Random(0)`: an answer of two, of three, of two ... and the second draw counts although it is not seen."""
    examples = [right(i)[0] for i in natural(tmp_path, "closedbook") if i.split == "train"]
    assert examples == ["Bob", "Ada", "Bob", "Bob", "Bob"]


def test_natural_questions_with_a_passage_show_its_words_alone(tmp_path: Path) -> None:
    instance = natural(tmp_path, "openbook_longans")[0]
    assert instance.input == "Passage: Ada & Bob &\n\nQuestion: Who was 0?"


@needs_data
def test_natural_questions_without_passages_say_that_they_are_nq_opens(tmp_path: Path) -> None:
    given = settings(tmp_path, data_dir=DATA, offline=True)
    found = data_hashes(ScenarioSpec("natural_qa", {"mode": "closedbook"}), registry(), given)
    assert list(found) == ["natural_questions_open/NQ-open.dev.jsonl"]


@needs_data
def test_natural_questions_with_passages_cannot_be_had_from_nq_open(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no nq-dev-00\.jsonl\.gz"):
        load(tmp_path, "natural_qa", DATA, mode="openbook_longans")


@needs_data
def test_lsat_questions_share_a_passage(tmp_path: Path) -> None:
    instances = load(tmp_path, "lsat_qa", DATA, task="all")
    assert len({i.cluster for i in instances}) == 62
    assert {len(i.references) for i in instances} == {4, 5}


@needs_data
def test_lsats_kinds_are_parts_of_the_whole(tmp_path: Path) -> None:
    counts = {
        kind: len(load(tmp_path, "lsat_qa", DATA, task=kind))
        for kind in ("grouping", "ordering", "assignment", "miscellaneous")
    }
    assert counts == {"grouping": 62, "ordering": 75, "assignment": 38, "miscellaneous": 191}
    assert sum(counts.values()) == len(load(tmp_path, "lsat_qa", DATA, task="all"))


def test_med_qa_takes_stray_ends_off_the_options(tmp_path: Path) -> None:
    options: Json = {"A": 'Embolism\n"', "B": "b", "C": "c", "D": "d"}
    for name in ("train", "dev", "test"):
        path = tmp_path / f"med_qa/data_clean/questions/US/4_options/phrases_no_exclude_{name}.jsonl"
        write_rows(path, {"question": "Which?", "options": options, "answer_idx": "A"})
    assert right(load(tmp_path, "med_qa", tmp_path)[0]) == ["Embolism"]


def test_legalbench_names_its_fields(tmp_path: Path) -> None:
    rows: Json = {"question": "Is it?", "answer": "Yes"}
    for split in ("train", "test"):
        write_rows(tmp_path / f"legalbench/international_citizenship_questions/{split}.jsonl", rows)
    instance = load(tmp_path, "legalbench", tmp_path, subset="international_citizenship_questions")[1]
    assert (instance.input, right(instance)) == ("Question: Is it?", ["Yes"])


def test_legalbenchs_own_tables_are_read(tmp_path: Path) -> None:
    for split in ("train", "test"):
        path = tmp_path / f"legalbench/data/proa/{split}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('index\ttext\tanswer\n0\t"A ""right"" is\tgiven."\tYes\n', encoding="utf-8")
    assert load(tmp_path, "legalbench", tmp_path, subset="proa")[0].input == 'Statute: A "right" is\tgiven.'


@needs_data
def test_legalbenchs_settings_are_upstreams(tmp_path: Path) -> None:
    lines = (DATA / "legalbench/helm_prompt_settings.jsonl").read_text(encoding="utf-8").splitlines()
    fields, instructions, labels, nouns, shots = map(json.loads, lines)
    task = registry().tasks.get("legalbench")
    for subset in instructions:
        adapter = task(subset=subset).adapter
        assert adapter.instructions == f"{instructions[subset]}\n"
        assert (adapter.output_prefix, adapter.max_train_instances) == (f"{nouns[subset]}: ", shots[subset])
        row: dict[str, Json] = {column: "x" for _, column in fields[subset]}
        for split in ("train", "test"):
            write_rows(tmp_path / f"legalbench/{subset}/{split}.jsonl", row | {"answer": "y"})
        asked = load(tmp_path, "legalbench", tmp_path, subset=subset)[0].input
        assert asked == "\n".join(f"{name}: x" for name, _ in fields[subset])
    assert set(labels.values()) == {"answer"}


@needs_data
def test_mmlu_pro_keeps_upstreams_ids_and_its_subjects_apart(tmp_path: Path) -> None:
    instances = load(tmp_path, "mmlu_pro", DATA, subject="law")
    assert {i.groups["category"] for i in instances} == {"law"}
    assert splits(instances) == {"train": 5, "test": 25}
    assert all(i.id.removeprefix("id").isdigit() for i in instances)


def test_mmlu_pros_way_of_asking_decides_its_metric() -> None:
    task = registry().tasks.get("mmlu_pro")
    assert [m.name for m in task().metrics] == ["chain_of_thought_correctness"]
    assert task(use_chain_of_thought=False).metrics[0].name == "exact_match"


def test_a_translated_mmlu_works_without_validation_rows(tmp_path: Path) -> None:
    folder = tmp_path / "mmlu_clinical_afr/evaluation_benchmarks_afr_release/mmlu_cm_ck_vir"
    folder.mkdir(parents=True)
    for name in ("dev", "test"):
        (folder / f"virology_{name}_xh.csv").write_text("umbuzo,a,b,c,d,B\n", encoding="utf-8")
    instances = load(tmp_path, "mmlu_clinical_afr", tmp_path, subject="virology", lang="xh")
    assert [(i.split, right(i)) for i in instances] == [("train", ["b"]), ("test", ["b"])]
