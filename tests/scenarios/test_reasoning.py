"""Benchmarks of reasoning and law: what their prompts hold, and what a task's own file decides."""

from pathlib import Path
from typing import get_args

import pytest

from holoscope.core import DataError, Registry, RunSpec, builtin
from holoscope.entries import Options, resolve
from holoscope.models.tokenizers import CharacterWindow, Limits
from holoscope.prompts import choose_eval, plan
from holoscope.scenarios import instructed, load_instances
from holoscope.scenarios.legalbench import Name as LegalTask
from paths import DATA, needs_data
from scenarios import reasoning
from scenarios.made import load, settings


@pytest.fixture(scope="module")
def known() -> Registry:
    return builtin()


def spec_of(entry: str, known: Registry, tmp_path: Path, data_dir: Path) -> RunSpec:
    [spec] = resolve(entry, known, models=("test/echo",), options=Options(max_eval_instances=1)).specs
    return instructed(spec, known, settings(tmp_path, data_dir=data_dir, offline=True))


def prompt_of(entry: str, known: Registry, tmp_path: Path, data_dir: Path) -> str:
    spec = spec_of(entry, known, tmp_path, data_dir)
    loaded = load_instances(spec.scenario, known, settings(tmp_path, data_dir=data_dir, offline=True))
    main_split = known.scenarios.get(spec.scenario.name).main_split
    chosen = choose_eval(loaded, spec.adapter, compat=False, main_split=main_split, seed=0)
    window = CharacterWindow(Limits(sequence=None))
    [first, *_] = plan(spec.adapter, [], chosen, window, compat=False, seed=0, trials=1, wants_logprobs=False)
    assert first.request.prompt is not None
    return first.request.prompt


@needs_data
def test_bbh_shows_worked_examples_without_their_mark(known: Registry, tmp_path: Path) -> None:
    shown = prompt_of("bbh:task=navigate", known, tmp_path, DATA)
    assert "canary" not in shown
    assert shown.count("A: Let's think step by step.") == 4
    assert shown.endswith("\nA: Let's think step by step.")


@needs_data
def test_agieval_asks_in_the_papers_words(known: Registry, tmp_path: Path) -> None:
    shown = prompt_of("agieval:task=sat-math", known, tmp_path, DATA)
    assert shown.startswith("Q: ")
    assert " Answer Choices: (A)" in shown
    assert shown.endswith("\nA: Among A through D, the answer is")
    assert " \nA:" not in shown


def test_a_task_of_big_bench_is_asked_as_its_file_says(known: Registry, tmp_path: Path) -> None:
    reasoning.big_bench(tmp_path)
    spec = spec_of("big_bench:task=simple_sums", known, tmp_path, tmp_path)
    asked = spec.adapter
    assert (asked.method, asked.instructions, asked.input_prefix) == ("generation", "Add.\n", "Sum: ")
    assert (asked.output_prefix, asked.stop_sequences) == ("Answer: ", ("\n",))
    names = [metric.name for metric in spec.metrics]
    assert names == ["exact_match", "quasi_exact_match", "rouge_1", "rouge_2", "rouge_l"]


def test_what_an_entry_changes_stays_changed(known: Registry, tmp_path: Path) -> None:
    reasoning.big_bench(tmp_path)
    spec = spec_of("big_bench:task=simple_sums,stop=hash,max_train_instances=2", known, tmp_path, tmp_path)
    assert (spec.adapter.stop_sequences, spec.adapter.max_train_instances) == (("###",), 2)


def test_a_choice_of_big_bench_stays_a_choice(known: Registry, tmp_path: Path) -> None:
    reasoning.big_bench(tmp_path)
    spec = spec_of("big_bench:task=choices,subtask=easy", known, tmp_path, tmp_path)
    assert (spec.adapter.method, spec.metrics[0].name) == ("multiple_choice_joint", "exact_match")


def test_legalbench_has_162_tasks() -> None:
    assert len(set(get_args(LegalTask))) == 162


def test_upstreams_legal_prompt_takes_the_rows_columns(tmp_path: Path) -> None:
    reasoning.legalbench(tmp_path)
    first, second = load(tmp_path, "legalbench_tasks", tmp_path, subset="hearsay")
    assert first.input == "Is there hearsay?\n\nQ: Tim ran. Is there hearsay?\nA: No\n\nQ: Bo said it. Said by Bo.\nA:"
    assert "Q: Cy {{x}}. Said by Cy." in second.input


def test_a_legal_prompt_without_a_place_is_an_error(tmp_path: Path) -> None:
    reasoning.legalbench(tmp_path)
    (tmp_path / "legalbench/tasks/hearsay/base_prompt.txt").write_text("Is there hearsay?", encoding="utf-8")
    with pytest.raises(DataError, match="no place for a row"):
        load(tmp_path, "legalbench_tasks", tmp_path, subset="hearsay")


def test_questions_about_one_story_are_one_cluster(tmp_path: Path) -> None:
    reasoning.musr(tmp_path)
    assert [i.cluster for i in load(tmp_path, "musr", tmp_path, task="murder_mysteries")] == ["story 0", "story 0"]


def test_the_gated_tasks_of_agieval_are_the_users(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="CC-BY-NC-SA"):
        load(tmp_path, "agieval", None, task="logiqa-en")
