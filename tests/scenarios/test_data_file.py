import json
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pyarrow.parquet
import pytest

from holoscope import scenarios
from holoscope.core import ConfigError, DataError, Instance, Json, ScenarioSpec, Task, UsageError
from holoscope.core.labels import letters_of
from scenarios.made import registry, settings

QUESTION = {"question": "Sum of 1 and 1?", "answer": "2"}


def jsonl(path: Path, *rows: Mapping[str, Json]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def csv(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def task(path: Path, **args: str) -> Task:
    return registry().tasks.get("file")(path=str(path), **args)


def instances(path: Path, **args: str) -> list[Instance]:
    return scenarios.load_instances(task(path, **args).scenario, registry(), settings(path.parent))


def right(instance: Instance) -> list[int]:
    return [position for position, reference in enumerate(instance.references) if reference.is_correct]


def test_a_file_needs_no_description(tmp_path: Path) -> None:
    [instance] = instances(jsonl(tmp_path / "q.jsonl", QUESTION))
    assert (instance.id, instance.input, instance.split) == ("id0", "Sum of 1 and 1?", "test")
    assert [reference.text for reference in instance.correct_references] == ["2"]


def test_without_choices_the_answer_is_generated(tmp_path: Path) -> None:
    adapter = task(jsonl(tmp_path / "q.jsonl", QUESTION)).adapter
    assert (adapter.method, adapter.input_prefix, adapter.output_prefix) == ("generation", "Question: ", "Answer: ")
    assert (adapter.max_train_instances, adapter.max_tokens, adapter.stop_sequences) == (0, 100, ())


def test_choices_make_it_multiple_choice(tmp_path: Path) -> None:
    made = task(jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": ["a", "b"], "answer": "b"}))
    assert made.adapter.method == "multiple_choice_joint"
    assert made.metrics[0].name == "exact_match"


def test_a_method_can_be_typed(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": ["a", "b"], "answer": "b"})
    adapter = task(path, method="multiple_choice_separate_original").adapter
    assert (adapter.method, adapter.max_tokens) == ("multiple_choice_separate_original", 0)


def test_multiple_choice_without_choices_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs a column of choices"):
        task(jsonl(tmp_path / "q.jsonl", QUESTION), method="multiple_choice_joint")


@pytest.mark.parametrize(
    ("answers", "choices"),
    [
        (("first", "second"), ("first", "second")),
        (("A", "B"), ("first", "second")),
        (("a", " B. "), ("first", "second")),
        (("(A)", "(B)"), ("first", "second")),
        (("0", "1"), ("first", "second")),
        ((0, 1), ("first", "second")),
        ((3, 4), (3, 4)),
    ],
)
def test_an_answer_is_text_letter_or_index(tmp_path: Path, answers: tuple[Json], choices: tuple[Json]) -> None:
    rows = [{"question": "q", "choices": list(choices), "answer": answer} for answer in answers]
    assert [right(instance) for instance in instances(jsonl(tmp_path / "q.jsonl", *rows))] == [[0], [1]]


def test_an_answer_counted_from_one_is_seen_by_its_last_number(tmp_path: Path) -> None:
    rows: list[dict[str, Json]] = [{"q": "q", "question": "q", "options": ["x", "y"], "label": n} for n in (1, 2)]
    assert [right(i) for i in instances(jsonl(tmp_path / "q.jsonl", *rows))] == [[0], [1]]


def test_an_answer_that_can_be_read_two_ways_is_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": ["x", "y", "z"], "answer": 1})
    with pytest.raises(DataError, match="can be read as index or as number; say which"):
        task(path)


def test_a_typed_reading_settles_it(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": ["x", "y", "z"], "answer": 1})
    assert [right(instances(path, answer_as=reading)[0]) for reading in ("index", "number")] == [[1], [0]]


def test_numbers_that_are_choices_and_indices_are_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": ["3", "2", "1", "0"], "answer": "1"})
    with pytest.raises(DataError, match="say which"):
        task(path)


def test_an_answer_that_names_no_choice_is_an_error_with_its_row(tmp_path: Path) -> None:
    rows: list[dict[str, Json]] = [{"question": "q", "choices": ["x", "y"], "answer": a} for a in ("x", "nought")]
    with pytest.raises(DataError, match=r"q\.jsonl:2: answer names none of the choices"):
        task(jsonl(tmp_path / "q.jsonl", *rows))


FORTY: list[Json] = [f"choice {n}" for n in range(40)]


@pytest.mark.parametrize(("letter", "position"), [("AB", 27), ("B", 1), ("aj", 35), ("(AN)", 39)])
def test_letters_go_on_after_z(tmp_path: Path, letter: str, position: int) -> None:
    [instance] = instances(jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": FORTY, "answer": letter}))
    assert right(instance) == [position]


def test_letters_without_a_separator_are_not_several_answers(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": ["w", "x", "y", "z"], "answer": "BC"})
    with pytest.raises(DataError, match=r"q\.jsonl:1: answer names none of the choices"):
        task(path)


@pytest.mark.parametrize("answer", ["B, C", "b;c", "(B),(C)"])
def test_letters_with_a_separator_are_several_answers(tmp_path: Path, answer: str) -> None:
    [instance] = instances(
        jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": ["w", "x", "y", "z"], "answer": answer})
    )
    assert right(instance) == [1, 2]


def test_answers_written_in_two_ways_are_refused_with_the_row(tmp_path: Path) -> None:
    path = csv(tmp_path / "q.csv", "question,A,B,C,D,answer", "one?,w,x,y,z,B", "two?,w,x,y,z,2")
    with pytest.raises(DataError, match=r"q\.csv:3: answer '2' can be read as index or as number, .*answer_as=letter"):
        task(path)


def test_a_number_too_long_to_count_names_no_choice(tmp_path: Path) -> None:
    path = csv(tmp_path / "q.csv", "question,A,B,answer", f"one?,x,y,{'1' * 5000}")
    with pytest.raises(DataError, match=r"q\.csv:2: answer names none"):
        task(path)


@pytest.mark.parametrize(
    "header",
    [
        "question,A,B,answer",
        "question,option_a,option_b,answer",
        "goal,sol1,sol2,label",
        "question,choice0,choice1,target",
    ],
)
def test_choices_may_be_columns(tmp_path: Path, header: str) -> None:
    path = csv(tmp_path / "q.csv", header, "which?,first,second,second")
    [instance] = instances(path)
    assert ([r.text for r in instance.references], right(instance)) == (["first", "second"], [1])


@pytest.mark.parametrize(
    ("names", "answer"),
    [([letters_of(n) for n in range(40)], "AB"), ([f"option{n}" for n in range(1, 41)], "28")],
)
def test_forty_choices_may_be_columns(tmp_path: Path, names: list[str], answer: str) -> None:
    cells = ",".join(f"choice {n}" for n in range(40))
    path = csv(tmp_path / "q.csv", f"no,id,question,{','.join(names)},answer", f"x,y,which?,{cells},{answer}")
    [instance] = instances(path, **({} if answer == "AB" else {"answer_as": "number"}))
    assert (len(instance.references), right(instance)) == (40, [27])


def test_a_choice_column_that_is_empty_at_the_end_is_no_choice(tmp_path: Path) -> None:
    path = csv(tmp_path / "q.csv", "question,A,B,C,answer", "one?,x,y,z,C", "two?,x,y,,B")
    assert [len(i.references) for i in instances(path)] == [3, 2]


@pytest.mark.parametrize(
    "choices",
    [
        [{"text": "x", "label": "A"}, {"text": "y", "label": "B"}],
        {"text": ["x", "y"], "label": ["A", "B"]},
        {"A": "x", "B": "y"},
        '["x", "y"]',
    ],
)
def test_choices_may_be_written_in_several_ways(tmp_path: Path, choices: Json) -> None:
    [instance] = instances(jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": choices, "answerKey": "B"}))
    assert ([r.text for r in instance.references], right(instance)) == (["x", "y"], [1])


def test_nested_columns_have_dotted_names(tmp_path: Path) -> None:
    row: dict[str, Json] = {"question": {"stem": "which?", "choices": ["x", "y"]}, "answerKey": "A"}
    [instance] = instances(jsonl(tmp_path / "q.jsonl", row))
    assert instance.input == "which?"


def test_several_accepted_answers_are_several_references(tmp_path: Path) -> None:
    [instance] = instances(jsonl(tmp_path / "q.jsonl", {"question": "q", "answers": ["two", 2]}))
    assert [r.text for r in instance.correct_references] == ["two", "2"]


def test_two_columns_that_could_be_the_input_are_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "q", "text": "t", "answer": "a"})
    with pytest.raises(DataError) as error:
        task(path)
    assert "question and text could each be the input" in str(error.value)
    assert "its columns are question, text, answer" in str(error.value)
    assert "q.jsonl:input=question" in str(error.value)
    assert "`input: question` in" in str(error.value)


def test_a_typed_column_settles_it(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "q", "text": "t", "answer": "a"})
    assert instances(path, input="text")[0].input == "t"


def test_a_column_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no column 'questoin'; it has question, answer"):
        task(jsonl(tmp_path / "q.jsonl", QUESTION), input="questoin")


def test_no_column_like_an_answer_lists_the_columns(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no column is called like the answer; its columns are question, response"):
        task(jsonl(tmp_path / "q.jsonl", {"question": "q", "response": "r"}))


def test_the_description_names_columns_and_settings(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"stem": "q", "gold1": "a", "gold2": "b"})
    (tmp_path / "q.yaml").write_text(
        "input: stem\nreferences: [gold1, gold2]\ninstructions: Réponds.\n"
        "max_tokens: 9\nstop: ['###']\nmetric: f1_score\n",
        encoding="utf-8",
    )
    made = task(path)
    assert made.adapter.instructions == "Réponds.\n"
    assert (made.adapter.max_tokens, made.adapter.stop_sequences) == (9, ("###",))
    assert [metric.name for metric in made.metrics] == ["f1_score"]
    assert [r.text for r in instances(path)[0].references] == ["a", "b"]


def test_a_description_may_carry_the_whole_file_name(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"stem": "q", "answer": "a"})
    (tmp_path / "q.jsonl.yaml").write_text("input: stem\n", encoding="utf-8")
    assert instances(path)[0].input == "q"


def test_an_unknown_line_in_a_description_is_an_error_that_lists_the_known(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", QUESTION)
    (tmp_path / "q.yaml").write_text("inptu: question\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"q\.yaml: .*inptu.*it takes input, reference"):
        task(path)


@pytest.mark.parametrize("count", [-3, 0])
def test_a_description_must_allow_some_tokens(tmp_path: Path, count: int) -> None:
    path = jsonl(tmp_path / "q.jsonl", QUESTION)
    (tmp_path / "q.yaml").write_text(f"max_tokens: {count}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"q\.yaml: .*max_tokens"):
        task(path)


def test_a_parquet_file_is_a_data_file(tmp_path: Path) -> None:
    rows = [{"question": "q", "choices": ["x", "y"], "answer": answer} for answer in (1, 0)]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "q.parquet")
    assert [right(instance) for instance in instances(tmp_path / "q.parquet")] == [[1], [0]]


def test_examples_come_from_a_file_of_their_own(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", QUESTION)
    jsonl(tmp_path / "train.jsonl", {"question": "1+2?", "answer": "3"})
    (tmp_path / "q.yaml").write_text("train: train.jsonl\n", encoding="utf-8")
    assert [(i.id, i.split) for i in instances(path)] == [("id0", "test"), ("id1", "train")]
    assert task(path).adapter.max_train_instances == 5


def test_a_split_column_parts_the_rows(tmp_path: Path) -> None:
    rows: list[dict[str, Json]] = [{**QUESTION, "split": split} for split in ("train", "validation", "test")]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    assert [i.split for i in instances(path)] == ["train", "valid", "test"]
    assert task(path).adapter.eval_splits is None


def test_validation_rows_are_asked_where_there_are_no_test_rows(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {**QUESTION, "split": "dev"})
    assert task(path).adapter.eval_splits == ("valid",)


def test_a_file_of_train_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nothing to ask"):
        task(jsonl(tmp_path / "q.jsonl", {**QUESTION, "split": "train"}))


def test_rows_may_bring_their_ids(tmp_path: Path) -> None:
    assert instances(jsonl(tmp_path / "q.jsonl", {**QUESTION, "id": "mine"}))[0].id == "mine"


def test_a_column_called_id_that_repeats_is_not_taken_for_one(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {**QUESTION, "id": "p1"}, {**QUESTION, "id": "p1"})
    assert [i.id for i in instances(path)] == ["id0", "id1"]


def test_an_id_column_that_was_named_must_not_repeat(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", *({**QUESTION, "key": key} for key in ("a", "b", "a")))
    (tmp_path / "q.yaml").write_text("id: key\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"q\.jsonl:1 and .*q\.jsonl:3 both have key 'a'"):
        task(path)


def test_an_id_that_is_empty_is_an_error_where_the_column_was_named(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {**QUESTION, "key": "a"}, {**QUESTION, "key": ""})
    (tmp_path / "q.yaml").write_text("id: key\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"q\.jsonl:2: key is empty"):
        instances(path)


def test_a_column_called_split_that_names_none_is_not_taken_for_one(tmp_path: Path) -> None:
    [instance] = instances(jsonl(tmp_path / "q.jsonl", {**QUESTION, "split": "zeroshot"}))
    assert instance.split == "test"


def test_a_split_that_was_named_must_be_one(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {**QUESTION, "part": "zeroshot"})
    (tmp_path / "q.yaml").write_text("split: part\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"q\.jsonl:1: part should be one of train"):
        task(path)


def test_ids_of_examples_do_not_meet_those_of_rows(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {**QUESTION, "id": 1})
    jsonl(tmp_path / "train.jsonl", {**QUESTION, "id": 1})
    (tmp_path / "q.yaml").write_text("train: train.jsonl\n", encoding="utf-8")
    assert [i.id for i in instances(path)] == ["1", "train-1"]


def test_the_spec_is_plain_json_and_loads_the_same(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", {"question": "q", "choices": ["a", "b"], "answer": "b"})
    spec = task(path).scenario
    again = msgspec.json.decode(msgspec.json.encode(spec), type=ScenarioSpec)
    assert again == spec
    assert scenarios.load_instances(again, registry(), settings(tmp_path)) == instances(path)


def test_hashes_name_no_folder(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", QUESTION)
    assert list(scenarios.data_hashes(task(path).scenario, registry(), settings(tmp_path))) == ["q.jsonl"]


def test_a_row_without_an_answer_is_named(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", QUESTION, {"question": "q", "answer": None})
    with pytest.raises(DataError, match=r"q\.jsonl:2: answer should be text or a number, and is missing"):
        instances(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no data file"):
        task(tmp_path / "q.jsonl")


def test_a_name_with_an_entrys_marks_is_quoted(tmp_path: Path) -> None:
    assert task(jsonl(tmp_path / "a,b.jsonl", QUESTION)).name == f'file:path="{tmp_path}/a,b.jsonl"'
