"""Financial, legal and other small benchmarks: what becomes of upstream's rows."""

from pathlib import Path

import pytest

from holoscope.core import TEST, TRAIN, VALID, DataError, Registry
from holoscope.scenarios import check, instructed
from paths import DATA, needs_data
from scenarios.financial import FINANCIAL
from scenarios.golds import resolved
from scenarios.made import load, registry, settings


@pytest.fixture(scope="module")
def known() -> Registry:
    return registry()


def splits(tmp_path: Path, name: str, data_dir: Path, **args: str | int) -> list[int]:
    found = load(tmp_path, name, data_dir, **args)
    return [sum(i.split == split for i in found) for split in (TRAIN, VALID, TEST)]


@needs_data
def test_banking77_has_upstreams_rows_and_rafts_words(tmp_path: Path, known: Registry) -> None:
    assert splits(tmp_path, "banking77", DATA) == [400, 0, 300]
    assert load(tmp_path, "banking77", DATA)[400].input == "When will I get my card?"
    here = settings(tmp_path, data_dir=DATA, offline=True)
    told = instructed(resolved("banking77", known), known, here).adapter.instructions
    raft = instructed(resolved("raft:subset=banking_77", known), known, here).adapter.instructions
    added = " Answer with only the label for the last query.\n"
    assert told == raft.removesuffix("\n").replace("\n", added, 1) + "\n"


def test_ten_of_financebenchs_questions_are_examples(tmp_path: Path) -> None:
    FINANCIAL["financebench"](tmp_path)
    assert splits(tmp_path, "financebench", tmp_path) == [10, 0, 2]
    first = load(tmp_path, "financebench", tmp_path)[0]
    assert (first.id, first.input) == ("financebench_id_00000", "Evidence: Page 0.\nQuestion: How much in 0?")


def test_fin_qas_prompt_holds_the_table_as_json(tmp_path: Path) -> None:
    FINANCIAL["fin_qa"](tmp_path)
    first = load(tmp_path, "fin_qa", tmp_path)[0]
    assert first.input == (
        "Pre-table text: sales grew .\n.\n"
        'Table: [["in millions", "2006", "2005"], ["net sales", "$ 10", "20 ( 1 )"], ["\\u00e9", "5%", "1"]]\n'
        "Post-table text: end\nQuestion: how much ?"
    )
    assert [r.text for r in first.references][:2] == ["subtract(110, 100), divide(#0, 100)", "0.1"]
    assert [r.is_correct for r in first.references] == [True, False, False]


def test_conv_fin_qas_turns_hold_the_answers_before(tmp_path: Path) -> None:
    FINANCIAL["conv_fin_qa"](tmp_path)
    first, second, *_ = load(tmp_path, "conv_fin_qa_calc", tmp_path)
    table = "Table: \n|  | 2006 |\n| sales | 7.5 |\n\n"
    assert first.input == f"{table}Text: \nsales rose .\n\nQuestion: what were sales ?"
    assert second.input == f"{table}Question: what were sales ?\nAnswer: 7.5\nQuestion: and half ?"
    assert second.references[0].text == "3.75"


def test_conv_fin_qa_is_known_by_its_shorter_name(known: Registry) -> None:
    assert resolved("conv_fin_qa", known).scenario.name == "conv_fin_qa_calc"


def test_a_sentences_label_stands_behind_the_last_at_sign(tmp_path: Path) -> None:
    FINANCIAL["financial_phrasebank"](tmp_path)
    found = load(tmp_path, "financial_phrasebank", tmp_path, agreement=100)
    assert splits(tmp_path, "financial_phrasebank", tmp_path, agreement=100) == [14, 0, 6]
    assert {i.references[0].text for i in found} == {"positive", "neutral", "negative"}
    assert all(i.input.startswith("Sentence @ ") and i.input.endswith("\x85 .") for i in found)
    assert [i.input for i in found] != sorted(i.input for i in found)


def test_a_tenth_of_the_headlines_are_examples(tmp_path: Path) -> None:
    FINANCIAL["gold_commodity_news"](tmp_path)
    assert splits(tmp_path, "gold_commodity_news", tmp_path, category="direction_up") == [2, 0, 18]
    found = load(tmp_path, "gold_commodity_news", tmp_path, category="direction_up")
    assert [i.references[0].text for i in found[:2]] == ["No", "Yes"]


def test_opinions_are_labelled_by_number(tmp_path: Path) -> None:
    FINANCIAL["legal_opinions"](tmp_path)
    found = load(tmp_path, "legal_opinion_sentiment_classification", tmp_path)
    assert [i.references[0].text for i in found if i.split == TEST] == ["positive", "negative", "neutral"]


def test_long_cases_and_anonymous_ones_are_left_out(tmp_path: Path) -> None:
    FINANCIAL["echr"](tmp_path)
    assert splits(tmp_path, "echr_judgment_classification", tmp_path, filter_max_length=600) == [2, 2, 2]
    first = load(tmp_path, "echr_judgment_classification", tmp_path, filter_max_length=600)[0]
    assert (first.input, first.references[0].text) == ("1. The case. 2. Of train.", "Yes")


def test_articles_without_a_title_or_too_short_are_left_out(tmp_path: Path) -> None:
    FINANCIAL["sumosum"](tmp_path)
    lengths = {"test_filter_min_length": 100, "test_filter_max_length": 3700}
    found = load(tmp_path, "sumosum", tmp_path, **lengths)
    titles = [i.references[0].text for i in found if i.split == TEST]
    assert set(titles) <= {f"Title {n}" for n in range(9)}
    assert splits(tmp_path, "sumosum", tmp_path, **lengths)[0] == 2


def test_only_four_kinds_of_phrases_are_asked_for(tmp_path: Path) -> None:
    FINANCIAL["kpi_edgar"](tmp_path)
    found = load(tmp_path, "kpi_edgar", tmp_path)
    assert [i.split for i in found] == [TRAIN, TEST]
    assert found[0].references[0].text == "Net sales ( 1 ) [kpi], 12 [cy]"
    assert found[0].input.startswith("Context: Net sales ( 1 ) were $ 12\nTask: Extract key performance indicators")
    assert found[0].input.endswith("py: Prior Year monetary value, py1: Two Year Past Value.")


def test_the_last_technique_is_others_and_never_right(tmp_path: Path) -> None:
    FINANCIAL["cti_to_mitre"](tmp_path)
    found = load(tmp_path, "cti_to_mitre", tmp_path, num_options=5, seed=42)
    assert [i.split for i in found].count(TRAIN) == 8
    for instance in found:
        options = [r.text for r in instance.references]
        assert (len(options), options[-1], len(set(options))) == (5, "Others", 5)
        assert len(instance.correct_references) == 1


def test_a_label_that_is_no_technique_is_refused(tmp_path: Path) -> None:
    FINANCIAL["cti_to_mitre"](tmp_path)
    path = tmp_path / "cti_to_mitre/dataset.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("T3", "T77"), encoding="utf-8")
    with pytest.raises(DataError, match="T77 is no technique"):
        load(tmp_path, "cti_to_mitre", tmp_path, num_options=5, seed=42)


def test_lm_entrys_questions_lose_the_letters_around_them(tmp_path: Path) -> None:
    FINANCIAL["lm_entry"](tmp_path)
    [bigger] = load(tmp_path, "lm_entry", tmp_path, task="bigger_number")
    assert bigger.input == "Which number is bigger, 3 or 4?"
    assert [(r.text, r.is_correct) for r in bigger.references] == [("3", False), ("4", True)]
    assert load(tmp_path, "lm_entry", tmp_path, task="first_letter")[0].input == "What is the first letter of tea?"


def test_a_task_of_several_files_reads_them_all(tmp_path: Path) -> None:
    FINANCIAL["lm_entry"](tmp_path)
    found = load(tmp_path, "lm_entry", tmp_path, task="all_words_from_category")
    assert [i.correct_references[0].text for i in found] == ["yes", "yes", "no", "no"]


def test_ewoks_ids_count_rows_of_all_domains(tmp_path: Path) -> None:
    FINANCIAL["ewok"](tmp_path)
    found = load(tmp_path, "ewok", tmp_path, domain="spatial_relations")
    assert [(i.id, i.split) for i in found] == [("id2", TEST), ("id3", TEST), ("id4", TRAIN), ("id5", TRAIN)]
    assert found[1].correct_references[0].text == "It is 2 of 1."


def test_wildbench_is_a_conversation_and_a_checklist(tmp_path: Path) -> None:
    FINANCIAL["wildbench"](tmp_path)
    [only] = load(tmp_path, "wildbench", tmp_path, subset="v2", use_model_outputs=False)
    assert only.messages is not None
    assert [m.role for m in only.messages] == ["user", "assistant", "user"]
    assert only.extra == {"checklist": ["Is it about Oslo?"]}


@pytest.mark.parametrize(("name", "args"), [("omni_math", {}), ("ewok", {"domain": "all"})], ids=["omni_math", "ewok"])
def test_gated_rows_are_not_fetched(name: str, args: dict[str, str], tmp_path: Path, known: Registry) -> None:
    reason = check(known.scenarios.get(name), {**args}, settings(tmp_path))
    assert reason is not None
    assert "not fetched: its" in reason
