"""Each benchmark's rows become the instances HELM makes of them, and its entry the run HELM would make."""

import hashlib
import json
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from holoscope import scenarios
from holoscope.core import DataError, Instance, Json, Registry, RunSpec, ScenarioSpec, Source
from holoscope.metrics import applicable
from holoscope.scenarios.mmlu import Subject
from paths import DATA, ROOT, SHARED, needs_data
from scenarios.made import load, registry, scenario, settings

FIXTURES = ROOT / "tests/fixtures/narrative_qa"


def write(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def mmlu_files(root: Path) -> None:
    write(root / "mmlu/data/dev/anatomy_dev.csv", "dev one,a,b,c,d,A")
    write(root / "mmlu/data/test/anatomy_test.csv", '"which, then?",same,x,same,y,C')


def test_an_mmlu_row_of_one_cell_is_named(tmp_path: Path) -> None:
    mmlu_files(tmp_path)
    write(tmp_path / "mmlu/data/test/anatomy_test.csv", "fine,a,b,c,d,A", "lost")
    with pytest.raises(DataError, match=r"anatomy_test\.csv:2: expected a question, its options and a letter"):
        load(tmp_path, "mmlu", tmp_path, subject="anatomy")


def test_a_row_that_no_loader_foresaw_is_an_error_of_its_scenario(tmp_path: Path) -> None:
    write(tmp_path / "toy/a.txt", "1", "two")
    numbers = scenario(
        Source(path="a.txt"),
        load=lambda files: (
            Instance(input=str(int(line))) for line in files.path("a.txt").read_text(encoding="utf-8").split()
        ),
    )
    known = registry()
    known.scenario(numbers)
    with pytest.raises(DataError, match=r"toy: .*a\.txt, after 1 instances of it: .*ValueError: invalid literal"):
        scenarios.load_instances(ScenarioSpec("toy"), known, settings(tmp_path, data_dir=tmp_path))


def test_ids_count_all_rows_train_included(tmp_path: Path) -> None:
    mmlu_files(tmp_path)
    instances = load(tmp_path, "mmlu", tmp_path, subject="anatomy")
    assert [(i.id, i.split) for i in instances] == [("id0", "train"), ("id1", "test")]


def test_mmlus_optional_validation_rows_stand_before_the_test(tmp_path: Path) -> None:
    mmlu_files(tmp_path)
    write(tmp_path / "mmlu/data/val/anatomy_val.csv", "val one,a,b,c,d,B")
    assert [i.split for i in load(tmp_path, "mmlu", tmp_path, subject="anatomy")] == ["train", "valid", "test"]


def test_mmlu_calls_options_of_equal_text_equally_right(tmp_path: Path) -> None:
    mmlu_files(tmp_path)
    last = load(tmp_path, "mmlu", tmp_path, subject="anatomy")[-1]
    assert [reference.is_correct for reference in last.references] == [True, False, True, False]


def test_a_malformed_mmlu_row_is_named(tmp_path: Path) -> None:
    mmlu_files(tmp_path)
    write(tmp_path / "mmlu/data/test/anatomy_test.csv", "fine,a,b,c,d,A", "lost,a,b,c,d,F")
    with pytest.raises(DataError, match=r"anatomy_test\.csv:2"):
        load(tmp_path, "mmlu", tmp_path, subject="anatomy")


def test_mmlu_has_57_subjects() -> None:
    assert len(set(get_args(Subject))) == 57


@needs_data
def test_every_subject_of_mmlu_loads(tmp_path: Path) -> None:
    for subject in get_args(Subject):
        assert len(load(tmp_path, "mmlu", DATA, subject=subject)) >= 10


def test_gsms_solution_ends_in_the_answer_on_one_line(tmp_path: Path) -> None:
    row = json.dumps({"question": "How many?", "answer": "Two and two.\n#### 4"})
    for split in ("train", "test"):
        write(tmp_path / f"gsm/{split}.jsonl", row)
    [_, instance] = load(tmp_path, "gsm", tmp_path)
    assert instance.references[0].text == "Two and two. The answer is 4."


def test_hellaswag_joins_activity_and_context(tmp_path: Path) -> None:
    row = {"activity_label": "Run", "ctx_a": "He runs.", "ctx_b": "then he", "endings": ["a", "b"], "label": 1}
    for name in ("train", "val"):
        write(tmp_path / f"hellaswag/hellaswag_{name}.jsonl", json.dumps(row))
    [_, instance] = load(tmp_path, "hellaswag", tmp_path)
    assert (instance.input, instance.split) == ("Run: He runs. Then he", "valid")
    assert [reference.text for reference in instance.correct_references] == ["b"]


def test_hellaswag_keeps_the_space_before_an_empty_context(tmp_path: Path) -> None:
    row = {"activity_label": "Run", "ctx_a": "He runs.", "ctx_b": "", "endings": ["a", "b"], "label": 1}
    for name in ("train", "val"):
        write(tmp_path / f"hellaswag/hellaswag_{name}.jsonl", json.dumps(row))
    assert load(tmp_path, "hellaswag", tmp_path)[0].input == "Run: He runs. "


def test_piqas_labels_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    for name in ("train", "valid"):
        write(tmp_path / f"piqa/{name}.jsonl", json.dumps({"goal": "open it", "sol1": "push", "sol2": "pull"}))
        write(tmp_path / f"piqa/{name}-labels.lst", "1")
    [_, instance] = load(tmp_path, "piqa", tmp_path)
    assert [reference.text for reference in instance.correct_references] == ["pull"]


def test_piqa_refuses_labels_that_do_not_pair_with_rows(tmp_path: Path) -> None:
    for name in ("train", "valid"):
        write(tmp_path / f"piqa/{name}.jsonl", json.dumps({"goal": "open it", "sol1": "push", "sol2": "pull"}))
        write(tmp_path / f"piqa/{name}-labels.lst", "1", "0")
    with pytest.raises(DataError, match=r"train\.jsonl has 1 rows and train-labels\.lst 2"):
        load(tmp_path, "piqa", tmp_path)


@needs_data
@pytest.mark.parametrize(
    ("name", "splits", "choices"),
    [
        ("hellaswag", {"train", "valid"}, 4),
        ("openbookqa", {"train", "test"}, 4),
        ("commonsenseqa", {"train", "valid"}, 5),
        ("piqa", {"train", "valid"}, 2),
    ],
)
def test_commonsense_rows_have_their_choices(tmp_path: Path, name: str, splits: set[str], choices: int) -> None:
    instances = load(tmp_path, name, DATA)
    assert {i.split for i in instances} == splits
    assert {len(i.references) for i in instances} == {choices}
    assert all(i.correct_references for i in instances)


@needs_data
def test_hashes_are_those_of_the_files_read(tmp_path: Path) -> None:
    found = scenarios.data_hashes(ScenarioSpec("gsm"), registry(), settings(tmp_path, data_dir=DATA, offline=True))
    assert found == {
        f"{split}.jsonl": hashlib.sha256((DATA / f"gsm/{split}.jsonl").read_bytes()).hexdigest()
        for split in ("train", "test")
    }


def test_synthetic_reasoning_has_helms_sizes(tmp_path: Path) -> None:
    splits = [i.split for i in load(tmp_path, "synthetic_reasoning", mode="induction")]
    assert [splits.count(split) for split in ("train", "valid", "test")] == [1000, 5000, 5000]


def test_synthetic_reasonings_modes_ask_about_the_same_draws(tmp_path: Path) -> None:
    induce = load(tmp_path, "synthetic_reasoning", mode="induction")[0]
    substitute = load(tmp_path, "synthetic_reasoning", mode="variable_substitution")[0]
    assert induce.input == "Two results: + blueberry = horse | + blueberry cobra = whale stork"
    assert induce.references[0].text == "Rule: + Z = X"
    assert substitute.input == 'Rules: + Z = X | Substitutions: X by " horse " , Z by " blueberry "'
    assert substitute.references[0].text == "+ blueberry = horse"


def narrative(tmp_path: Path) -> list[tuple[str, str, str | None]]:
    (tmp_path / "narrative_qa").symlink_to(FIXTURES)
    return [(i.input, i.split, i.cluster) for i in load(tmp_path, "narrative_qa", tmp_path)]


def test_narrative_qa_asks_one_question_of_each_document(tmp_path: Path) -> None:
    assert [(split, cluster) for _, split, cluster in narrative(tmp_path)] == [
        ("train", "d1"),
        ("train", "d2"),
        ("valid", "d3"),
        ("test", "d4"),
        ("test", "d5"),
    ]


def test_narrative_qa_trims_and_ends_its_question(tmp_path: Path) -> None:
    text = narrative(tmp_path)[3][0]
    assert (
        text
        == "Two horses, one grey and one black, race along the shore. The grey one wins.\nQuestion: Who wins the race?"
    )


def test_narrative_qa_draws_the_same_questions_as_helm(tmp_path: Path) -> None:
    asked = [text.rsplit("\n", 1)[1] for text, _, _ in narrative(tmp_path)]
    assert asked[0] == "Question: What does the storm break?"
    assert asked[4] == "Question: Who opens the box?"


def test_narrative_qa_accepts_both_answers(tmp_path: Path) -> None:
    (tmp_path / "narrative_qa").symlink_to(FIXTURES)
    last = load(tmp_path, "narrative_qa", tmp_path)[-1]
    assert [(r.text, r.is_correct) for r in last.references] == [("Lena", True), ("lena", True)]


@needs_data
def test_a_summary_and_question_read_as_in_a_run_of_helms(tmp_path: Path) -> None:
    state = SHARED / (
        "data/helm_outputs/benchmark_output/runs/every_eval_ever/narrative_qa-model=openai_gpt2/scenario_state.json"
    )
    [real, *_] = json.loads(state.read_text(encoding="utf-8"))["request_states"]
    summary, question = real["instance"]["input"]["text"].rsplit("\nQuestion: ", 1)
    columns = "document_id,set,question,answer1,answer2"
    write(tmp_path / "narrative_qa/narrativeqa-master/qaps.csv", columns, f'd,test," {question[:-1]} ",a,b')
    quoted = summary.replace('"', '""')
    write(
        tmp_path / "narrative_qa/narrativeqa-master/third_party/wikipedia/summaries.csv",
        "document_id,set,summary",
        f'd,test," {quoted}"',
    )
    [instance] = load(tmp_path, "narrative_qa", tmp_path)
    assert instance.input == real["instance"]["input"]["text"]


def test_other_common_names_are_known() -> None:
    known = registry()
    expected = {
        "cnn_dailymail": "summarization_cnndm",
        "civilcomments": "civil_comments:demographic=all",
        "gsm8k": "gsm",
        "harmbench": "harm_bench",
        "hh_rlhf": "anthropic_hh_rlhf:subset=hh",
        "humaneval": "code:dataset=humaneval",
        "medqa": "med_qa",
        "narrativeqa": "narrative_qa",
        "naturalquestions": "natural_qa:mode=closedbook",
        "truthfulqa": "truthful_qa:task=mc_single",
        "xsum": "summarization_xsum",
    }
    assert expected.items() <= known.aliases.items()
    assert known.tasks.get("piqa")(method="multiple_choice_joint").name == (
        "commonsense:dataset=piqa,method=multiple_choice_joint"
    )


ANY_OF = {"big_bench": "strategyqa"}
"""A value of the argument that takes any name."""


def first_values(known: Registry, name: str) -> dict[str, Json]:
    """For each argument that must be given, the first value it may have."""
    hints = get_type_hints(known.tasks.get(name))
    needed = (key for key, p in known.task_arguments(name).items() if p.default is p.empty)
    return {key: (get_args(hints[key]) or (ANY_OF.get(name, "any"),))[0] for key in needed}


def test_every_task_names_a_registered_scenario_and_its_main_metric() -> None:
    known: Registry = registry()
    for name in known.tasks:
        if name != "file":
            task = known.tasks.get(name)(**first_values(known, name))
            card = known.scenarios.get(task.scenario.name)
            run = RunSpec(name=name, entry=name, scenario=task.scenario, adapter=task.adapter, metrics=task.metrics)
            # as the metrics of whole sets call what they measure
            of_sets = {"classification_macro_f1", "classification_weighted_f1", "adjusted_macro_f1_score"}
            assert card.main_metric in {"", *of_sets, *(metric.name for metric in applicable(run))}


def test_scenarios_with_options_have_a_metric_that_every_way_of_asking_has() -> None:
    known: Registry = registry()
    for name in known.tasks:
        methods = get_args(get_type_hints(known.tasks.get(name)).get("method"))
        if "multiple_choice_separate_original" in methods:
            task = known.tasks.get(name)(**first_values(known, name), method="multiple_choice_separate_original")
            assert known.scenarios.get(task.scenario.name).main_metric == "exact_match"


def test_sources_follow_from_what_a_task_names() -> None:
    known: Registry = registry()
    for name in known.tasks:
        if name != "file":
            task = known.tasks.get(name)(**first_values(known, name))
            found = known.scenarios.get(task.scenario.name).sources(**task.scenario.args)
            assert len({source.path for source in found}) == len(found)


def test_ids_of_a_scenario_must_be_unique(tmp_path: Path) -> None:
    known = registry()
    known.scenario(scenario(load=lambda files: [Instance(id="a", input="one"), Instance(id="a", input="two")]))
    with pytest.raises(DataError, match="two rows have the id 'a'"):
        scenarios.load_instances(ScenarioSpec("toy"), known, settings(tmp_path))


def test_ids_are_given_to_all_where_any_row_lacks_one(tmp_path: Path) -> None:
    known = registry()
    known.scenario(scenario(load=lambda files: [Instance(id="a", input="one"), Instance(input="two")]))
    found = scenarios.load_instances(ScenarioSpec("toy"), known, settings(tmp_path))
    assert [instance.id for instance in found] == ["id0", "id1"]


def test_a_scenario_without_rows_is_an_error(tmp_path: Path) -> None:
    known = registry()
    known.scenario(scenario())
    with pytest.raises(DataError, match="hold no rows"):
        scenarios.load_instances(ScenarioSpec("toy"), known, settings(tmp_path))
