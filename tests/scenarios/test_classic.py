"""The rest of HELM's classic scenarios: dialogues, news, reviews, comments, facts, competition problems, memory."""

import gzip
import json
import pickle
import random
from pathlib import Path
from typing import Any

import numpy
import pytest

from holoscope.core import DataError, Instance, Json, ScenarioSpec, UsageError, builtin
from holoscope.scenarios import check, instructed
from holoscope.scenarios.cells import shown_column
from paths import DATA, needs_data
from scenarios import upstream
from scenarios.golds import resolved
from scenarios.made import load, registry, settings, write_rows


def splits(instances: list[Instance]) -> dict[str, int]:
    found = [i.split for i in instances]
    return {split: found.count(split) for split in ("train", "valid", "test") if split in found}


def right(instance: Instance) -> list[str]:
    return [reference.text for reference in instance.correct_references]


def test_quac_breaks_a_dialogue_off_and_leaves_the_turn_before_out(tmp_path: Path) -> None:
    upstream.quac(tmp_path)
    instances = load(tmp_path, "quac", tmp_path)
    assert splits(instances) == {"train": 1, "valid": 2}
    first = random.Random(0).randint(3, 4) - 1
    assert instances[0].input.endswith(f"Question: What of {first}?")
    assert instances[1].input == (
        "Title: Oslo\n\nBackground: A town.\n\nSection: Past\nPassage: a king and a fire and a harbour\n\n"
        "Question: What of 0?\nAnswer: a king\n\nQuestion: What of 2?"
    )
    assert right(instances[1]) == ["a harbour"]


def test_quacs_missing_answer_may_be_said_in_words(tmp_path: Path) -> None:
    upstream.quac(tmp_path)
    answers = ["CANNOTANSWER", "Not enough information", "Cannot answer", "Do not know"]
    assert right(load(tmp_path, "quac", tmp_path)[2]) == answers


def test_a_quac_dialogue_of_two_turns_is_refused(tmp_path: Path) -> None:
    upstream.quac(tmp_path)
    short: list[Json] = [upstream.quac_dialogue("Ulm", "a", "b")]
    upstream.write_json(tmp_path / "quac/val_v0.2.json", {"data": short})
    with pytest.raises(DataError, match=r"val_v0\.2\.json row 1: expected a passage"):
        load(tmp_path, "quac", tmp_path)


def test_summaries_examples_are_of_a_length_that_leaves_room(tmp_path: Path) -> None:
    upstream.summarization(tmp_path)
    args: dict[str, Any] = {"sampling_min_length": 50, "sampling_max_length": 150, "doc_max_length": 512}
    instances = load(tmp_path, "summarization", tmp_path, dataset_name="cnn-dm", **args)
    assert splits(instances) == {"train": 1, "valid": 1, "test": 1}
    assert instances[0].input.startswith("Ships w0 w1")
    assert len(instances[2].input.split()) == 512
    assert right(instances[2])[0].endswith("s11 t")


def test_xsums_examples_are_no_captions(tmp_path: Path) -> None:
    upstream.summarization(tmp_path)
    kept = upstream.news("document", "summary", 100, " ".join("abcdefghijkl"))
    rows = [
        {**kept, "summary": "a caption"},
        {**kept, "summary": " ".join("x" * 30)},
        {**kept, "document": f"{kept['document']} Last updated at noon"},
        kept,
    ]
    (tmp_path / "summarization/xsum.pk").write_bytes(pickle.dumps({"train": rows, "validation": [], "test": []}))
    args: dict[str, Any] = {"sampling_min_length": 50, "sampling_max_length": 150, "doc_max_length": 512}
    assert [right(i)[0][:3] for i in load(tmp_path, "summarization", tmp_path, dataset_name="xsum", **args)] == ["a b"]


class Trap:
    """A value whose unpickling would run something."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("run",)


def test_a_pickle_that_names_a_function_is_refused_unrun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "summarization").mkdir()
    (tmp_path / "summarization/xsum.pk").write_bytes(pickle.dumps({"train": [Trap()]}))
    args: dict[str, Any] = {"sampling_min_length": 50, "sampling_max_length": 150, "doc_max_length": 512}
    with pytest.raises(DataError, match=r"xsum\.pk: not a pickle of plain rows \(it names builtins\.print"):
        load(tmp_path, "summarization", tmp_path, dataset_name="xsum", **args)
    assert capsys.readouterr().out == ""


def test_news_may_lie_there_as_json(tmp_path: Path) -> None:
    row = upstream.news("document", "summary", 60, "It sailed.")
    upstream.write_json(tmp_path / "summarization/xsum-sampled.json", {"train": [], "validation": [], "test": [row]})
    args: dict[str, Any] = {"sampling_min_length": 50, "sampling_max_length": 150, "doc_max_length": 512}
    assert right(load(tmp_path, "summarization", tmp_path, dataset_name="xsum-sampled", **args)[0]) == ["It sailed."]


def test_imdbs_reviews_are_read_in_the_pinned_order(tmp_path: Path) -> None:
    upstream.imdb(tmp_path)
    instances = load(tmp_path, "imdb", tmp_path)
    assert [(i.input, i.split) for i in instances] == [
        ("A fine film.<br />", "train"),
        ("Never again.", "valid"),
        ("Dull.", "train"),
        ("Ten.", "valid"),
        ("Two.", "valid"),
        ("Nought.", "valid"),
    ]


def test_imdbs_reviews_follow_their_numbers_without_that_order(tmp_path: Path) -> None:
    upstream.imdb(tmp_path, order=False, contrast=False)
    instances = load(tmp_path, "imdb", tmp_path)
    assert [i.input for i in instances[3:5]] == ["Two.", "Ten."]
    assert not any(i.extra for i in instances)


def test_imdbs_contrast_is_the_edited_review_with_its_label(tmp_path: Path) -> None:
    upstream.imdb(tmp_path)
    [instance] = [i for i in load(tmp_path, "imdb", tmp_path, only_contrast=True) if i.split == "valid"]
    assert (instance.input, right(instance)) == ("Never again.", ["Negative"])
    assert instance.extra == {
        "contrast_inputs": ["Again and again."],
        "contrast_references": [[{"text": "Positive", "tags": ["correct"]}]],
    }


def test_imdb_needs_the_contrast_sets_where_only_they_are_asked(tmp_path: Path) -> None:
    upstream.imdb(tmp_path, contrast=False)
    with pytest.raises(DataError, match=r"no test_original\.tsv"):
        load(tmp_path, "imdb", tmp_path, only_contrast=True)


def test_a_comment_is_toxic_from_one_half_on(tmp_path: Path) -> None:
    upstream.civil_comments(tmp_path)
    instances = load(tmp_path, "civil_comments", tmp_path, demographic="all")
    assert [(right(i)[0], i.sub_split) for i in instances] == [
        ("False", "non-toxic"),
        ("True", "toxic"),
        ("False", "non-toxic"),
        ("True", "toxic"),
        ("False", "non-toxic"),
    ]
    assert instances[3].input == "No, they are\nnot.\nQuestion: Is the passage above toxic?"
    assert instances[4].input.startswith("nan\n")


def test_a_group_has_the_comments_that_half_of_the_annotators_say_are_of_it(tmp_path: Path) -> None:
    upstream.civil_comments(tmp_path)
    instances = load(tmp_path, "civil_comments", tmp_path, demographic="male")
    assert splits(instances) == {"train": 2, "test": 1}
    assert instances[2].groups == {"male": "mentioned", "black": "mentioned"}


@needs_data
def test_rafts_fifth_are_examples_and_its_fields_stand_in_upstreams_order(tmp_path: Path) -> None:
    instances = load(tmp_path, "raft", DATA, subset="neurips_impact_statement_risks")
    assert splits(instances) == {"train": 10, "test": 40}
    assert all(i.input.startswith("Impact statement: ") and "\nPaper title: " in i.input for i in instances)
    assert {right(i)[0] for i in instances} == {
        "mentions a harmful application",
        "doesn't mention a harmful application",
    }


@needs_data
def test_rafts_instructions_are_read_from_its_settings(tmp_path: Path) -> None:
    here, known = settings(tmp_path, data_dir=DATA, offline=True), registry()
    task = known.tasks.get("raft")(subset="banking_77")
    assert task.adapter.instructions == "{instructions}\n"
    spec = instructed(resolved("raft:subset=banking_77", builtin()), known, here)
    assert spec.adapter.instructions == (
        "The following is a banking customer service query. "
        "Classify the query into one of the 77 categories available.\n"
    )


def test_rafts_settings_are_two_lines(tmp_path: Path) -> None:
    upstream.write_text(tmp_path / "raft/prompt_construction_settings.jsonl", '{"overruling": ["Sentence"]}\n')
    with pytest.raises(DataError, match="expected two lines"):
        load(tmp_path, "raft", tmp_path, subset="overruling")


def test_a_facts_objects_are_right_by_every_name(tmp_path: Path) -> None:
    upstream.wikifact(tmp_path)
    instances = load(tmp_path, "wikifact", tmp_path, subject="capital")
    assert splits(instances) == {"train": 1, "valid": 1, "test": 1}
    assert right(instances[0]) == ["Oslo", "Christiania"]


def test_a_fact_without_an_object_is_named(tmp_path: Path) -> None:
    write_rows(tmp_path / "wikifact/train.jsonl", {"property": "P36", "template": "?", "result_names": ["Oslo"]})
    with pytest.raises(DataError, match=r"train\.jsonl:1: result_names should be lists"):
        load(tmp_path, "wikifact", tmp_path, subject="capital")


def test_maths_rows_are_sorted_and_shuffled_whole(tmp_path: Path) -> None:
    upstream.math(tmp_path)
    instances = load(tmp_path, "math", tmp_path, subject="algebra", level=1)
    assert splits(instances) == {"train": 3, "test": 3}
    assert [i.input for i in instances[:3]] == [i.input for i in instances[3:]]
    assert {right(i)[0] for i in instances} == {r"\frac{2}{1}", r"\frac{4}{1}", r"\frac{6}{1}"}


def test_math_with_a_chain_of_thought_has_the_solution_for_an_answer(tmp_path: Path) -> None:
    upstream.math(tmp_path)
    instances = load(tmp_path, "math", tmp_path, subject="geometry", level=1, use_chain_of_thought=True)
    assert right(instances[0]) == [r"Adding gives $\boxed{10}$, and \boxed{\frac{10}{1}} is right."]


def test_maths_official_examples_are_read_from_upstreams_prompt(tmp_path: Path) -> None:
    upstream.math(tmp_path)
    upstream.official_examples(tmp_path)
    instances = load(tmp_path, "math", tmp_path, subject="algebra", level=2, use_official_examples=True)
    assert splits(instances) == {"train": 8, "test": 1}
    assert (instances[0].input, right(instances[0])) == (r"What is $\left(\frac{1}{2}\right)$?", ["1"])
    assert right(instances[3]) == [r"\frac{1}{32}"]


def test_math_is_taken_from_the_users_own_copy_alone(tmp_path: Path) -> None:
    card = registry().scenarios.get("math")
    reason = check(card, {"subject": "algebra", "level": 1}, settings(tmp_path))
    assert reason is not None
    assert "not fetched: the rows of MATH were taken down" in reason


def test_a_solution_that_boxes_nothing_is_named(tmp_path: Path) -> None:
    write_rows(tmp_path / "math/train.jsonl", {**upstream.math_row(1), "solution": "Two."})
    with pytest.raises(DataError, match=r"train\.jsonl:1: the solution boxes no answer"):
        load(tmp_path, "math", tmp_path, subject="algebra", level=1)


def test_official_examples_have_no_solutions() -> None:
    with pytest.raises(UsageError, match="leave out one of the two"):
        registry().tasks.get("math")(subject="algebra", level=1, use_official_examples=True, use_chain_of_thought=True)


def test_one_of_two_cases_supports_the_claim(tmp_path: Path) -> None:
    upstream.legal_support(tmp_path)
    instances = load(tmp_path, "legal_support", tmp_path)
    assert splits(instances) == {"train": 1, "valid": 1, "test": 1}
    assert [r.is_correct for r in instances[0].references] == [False, True]


@needs_data
def test_examples_of_matching_are_half_matches(tmp_path: Path) -> None:
    instances = load(tmp_path, "entity_matching", DATA, dataset="Abt_Buy")
    train = [right(i)[0] for i in instances if i.split == "train"]
    assert train == ["No"] * 40 + ["Yes"] * 40
    assert splits(instances) == {"train": 80, "valid": 45, "test": 150}
    assert instances[-1].input.endswith("Are A and B the same?")


def pairs(root: Path, **files: str) -> None:
    folder = root / "entity_matching/Structured/Beer/exp_data"
    tables = {"tableA": "id,name,abv\n0,Ale,5\n1,Bock,\n", "tableB": "id,name,abv\n0,Ale,5\n1,Stout,7\n"}
    labels = dict.fromkeys(("train", "valid", "test"), "ltable_id,rtable_id,label\n1,1,0\n0,1,0\n0,0,1\n")
    for name, content in {**tables, **labels, **files}.items():
        upstream.write_text(folder / f"{name}.csv", content)


def test_a_tables_numbers_read_as_their_column_does(tmp_path: Path) -> None:
    pairs(tmp_path)
    [first, *_] = [i.input for i in load(tmp_path, "entity_matching", tmp_path, dataset="Beer") if i.split == "valid"]
    assert first == "Product A is name: Bock. abv: nan. Product B is name: Stout. abv: 7. Are A and B the same?"
    assert shown_column(["5", "", "6.50"]) == ["5.0", "nan", "6.5"]
    assert shown_column(["1_0", "N/A"]) == ["1_0", "nan"]


def test_saved_states_draw_other_examples(tmp_path: Path) -> None:
    pairs(tmp_path, train="ltable_id,rtable_id,label\n" + "1,1,0\n" + "0,1,0\n" * 30 + "0,0,1\n")
    plain = load(tmp_path, "entity_matching", tmp_path, dataset="Beer")[0].input
    draws = [numpy.random.RandomState(seed).choice(31, 1, replace=False)[0] for seed in range(200)]
    name, keys, position, has_gauss, gauss = numpy.random.RandomState(draws.index(0)).get_state()
    state: Json = {"Beer": [str(name), [int(k) for k in keys], int(position), int(has_gauss), float(gauss)]}
    upstream.write_json(tmp_path / "entity_matching/entity_matching_scenario_fixed_random_state.json", state)
    assert load(tmp_path, "entity_matching", tmp_path, dataset="Beer")[0].input != plain


def test_matches_must_be_fewer_than_the_others(tmp_path: Path) -> None:
    pairs(tmp_path, train="ltable_id,rtable_id,label\n0,1,0\n0,0,1\n")
    with pytest.raises(DataError, match="expected more pairs that don't match than the 1"):
        load(tmp_path, "entity_matching", tmp_path, dataset="Beer")


def test_dirty_tables_lie_where_upstream_has_them() -> None:
    [first, *_] = registry().scenarios.get("entity_matching").sources(dataset="Dirty_iTunes_Amazon")
    assert first.path == "Dirty/iTunes-Amazon/exp_data/tableA.csv"
    assert first.url.endswith("deepmatcher_data/Dirty/iTunes-Amazon/dirty_itunes_amazon_exp_data.zip")


def test_a_texts_beginning_is_asked_and_its_whole_known(tmp_path: Path) -> None:
    upstream.copyright_(tmp_path)
    [instance] = load(tmp_path, "copyright", tmp_path, datatag="prompt_num_line_1-min_lines_20.json")
    assert (instance.input, right(instance)) == ("int main", ["int main(void)\n{\n\treturn 0;\n}\n"])


def test_books_are_not_fetched() -> None:
    card = registry().scenarios.get("copyright")
    [books], [code] = card.sources(datatag="pilot"), card.sources(datatag="prompt_num_line_5-min_lines_20.json")
    assert (books.url, books.gated) == ("", "the books are under copyright")
    assert code.url.startswith("https://drive.google.com/")


def test_a_theses_headlines_are_one_reference(tmp_path: Path) -> None:
    upstream.disinformation(tmp_path)
    instances = load(tmp_path, "disinformation", tmp_path, capability="reiteration", topic="climate")
    assert splits(instances) == {"train": 1, "valid": 1}
    assert right(instances[0]) == ["Snow\nHeadline: Ice\nHeadline: Frost"]
    assert len(load(tmp_path, "disinformation", tmp_path, capability="reiteration", topic="covid")) == 1


def test_messages_are_told_apart_by_the_vote_they_want(tmp_path: Path) -> None:
    upstream.disinformation(tmp_path)
    instances = load(tmp_path, "disinformation", tmp_path, capability="wedging", topic="covid")
    assert [i.sub_split for i in instances] == ["no_vote", "none"]


def test_texts_of_a_length_are_files_of_their_own(tmp_path: Path) -> None:
    upstream.synthetic_efficiency(tmp_path)
    args: dict[str, Any] = {"num_prompt_tokens": 16, "num_instances": 10, "tokenizer": "huggingface/gpt2"}
    instances = load(tmp_path, "synthetic_efficiency", tmp_path, **args)
    assert (len(instances), instances[3].input) == (10, "text 3 ")


def test_a_length_and_a_tokenizer_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="num_prompt_tokens=256,tokenizer=huggingface/gpt2"):
        load(tmp_path, "synthetic_efficiency", num_prompt_tokens=None, num_instances=10, tokenizer=None)


@pytest.mark.parametrize(
    ("relation", "first", "solution"),
    [
        ("linear", 2, "y = 2x + 5"),
        ("parabola", 2, "y = x^2 + 2"),
        ("plane", 3, "z = 2x + y + 5"),
        ("paraboloid", 3, "z = 2x^2 + y^2 + 2"),
    ],
)
def test_numeracys_examples_are_points_of_a_known_polynomial(
    tmp_path: Path, relation: str, first: int, solution: str
) -> None:
    instances = load(tmp_path, "numeracy", relation_type=relation, mode="example", seed=0)
    assert splits(instances) == {"train": 100, "test": 100}
    assert [r.text for r in instances[0].references[1:]] == [solution, relation]
    assert len({i.input for i in instances}) == 200
    assert len(instances[0].input.split(", ")) == first - 1


def test_a_point_is_worth_what_the_polynomial_is_there(tmp_path: Path) -> None:
    for instance in load(tmp_path, "numeracy", relation_type="plane", mode="example", seed=1):
        x, y = map(int, instance.input.split(", "))
        assert right(instance) == [str(2 * x + y + 5)]


def test_a_question_may_bring_its_own_table(tmp_path: Path) -> None:
    instances = load(tmp_path, "numeracy", relation_type="linear", mode="function", seed=0)
    assert splits(instances) == {"test": 1000}
    header, *told, asked = instances[0].input.split("\n")
    assert (header, len(told)) == ("x, y", 100)
    assert asked not in {line.split(",")[0] for line in told}
    assert len({i.references[1].text for i in instances}) > 10


def test_another_seed_draws_another_polynomial(tmp_path: Path) -> None:
    found = {
        load(tmp_path, "numeracy", relation_type="paraboloid", mode="standard", seed=seed)[0].references[1].text
        for seed in range(8)
    }
    assert len(found) > 3
    assert not any(load_is_flat in text for text in found for load_is_flat in ("0x", "0y"))


def test_a_whole_page_stands_before_the_question(tmp_path: Path) -> None:
    page = "<html><P>It is <b>red</b></P></html>"
    place: Json = {"start_byte": page.index("red"), "end_byte": page.index("red") + 3}
    row: Json = {
        "document_html": page,
        "document_title": "Red",
        "question_text": "what colour is it",
        "document_tokens": [{"token": word} for word in ("<P>", "It is", "red", "&amp;", "<b>")],
        "annotations": [{"long_answer": {"start_byte": 6, "end_byte": 20}, "short_answers": [place]}],
    }
    for number in range(5):
        path = tmp_path / f"natural_qa/nq-dev-{number:02d}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(f"{json.dumps(row)}\n".encode()))
    instance = load(tmp_path, "natural_qa", tmp_path, mode="openbook_wiki")[0]
    assert instance.input == "Title: Red\n\nPassage:  It_is red & \n\nQuestion: What colour is it?"
    assert right(instance) == ["red"]


def test_runs_of_news_are_asked_for_a_summary() -> None:
    task = registry().tasks.get("summarization_xsum")()
    assert task.adapter.output_prefix == "Summarize the above article in 1 sentence.\n"
    assert task.scenario == ScenarioSpec(
        "summarization",
        {"dataset_name": "xsum", "sampling_min_length": 50, "sampling_max_length": 150, "doc_max_length": 512},
    )
