import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import ConfigError, Registry, StoreError, UsageError
from holoscope.interop import load_schema, summarize
from paths import DATA, needs_data

DAY = date(2026, 6, 1)
SUITE_FILES = {
    *("summary.json", "run_specs.json", "runs.json", "runs_to_run_suites.json", "groups.json"),
    *("groups_metadata.json", "costs.json", "schema.json"),
}


def stat(name: str, mean: float, split: str = "test", **more: Any) -> dict[str, Any]:
    return {"name": {"name": name, "split": split, **more}, "count": 1, "sum": mean, "mean": mean}


def write_run(
    out: Path,
    name: str,
    score: float,
    *,
    suite: str = "mine",
    model: str = "openai/gpt2",
    group: str = "mmlu",
    **args: Any,
) -> None:
    folder = out / "runs" / suite / f"{name},model={model.replace('/', '_')}"
    folder.mkdir(parents=True)
    spec = {
        "name": folder.name,
        "scenario_spec": {"class_name": f"helm.{group}", "args": args},
        "adapter_spec": {"method": "generation", "model": model, "model_deployment": model},
        "metric_specs": [{"class_name": "helm.Basic", "args": {"names": ["exact_match"]}}],
        "groups": [group],
    }
    worst = {"name": "robustness", "computed_on": "worst"}
    stats = [
        stat("exact_match", score),
        stat("exact_match", score / 2, perturbation=worst),
        stat("exact_match", 0.99, perturbation={"name": "robustness", "computed_on": "original"}),
        stat("inference_runtime", 0.5),
        stat("num_instances", 10.0),
        stat("num_prompt_tokens", 100.0),
        stat("num_completion_tokens", 2.0),
    ]
    (folder / "run_spec.json").write_text(json.dumps(spec), encoding="utf-8")
    (folder / "stats.json").write_text(json.dumps(stats), encoding="utf-8")


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def values(table: dict[str, Any], heading: str) -> dict[str, Any]:
    """Model -> value under one heading."""
    column = [head["value"] for head in table["header"]].index(heading)
    return {row[0]["value"]: row[column].get("value") for row in table["rows"]}


def test_the_suite_gets_helms_files(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5)
    done = summarize(tmp_path, Registry(), suite="mine", today=DAY)
    assert {path.name for path in done.path.iterdir()} >= SUITE_FILES
    assert read(done.path / "summary.json") == {"suites": ["mine"], "suite": "mine", "date": "2026-06-01"}
    assert (done.path / "groups" / "mmlu.json").exists()
    assert (done.path / "groups" / "json" / "mmlu.json").exists()


def test_a_run_added_later_appears_beside_the_first(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5)
    summarize(tmp_path, Registry(), suite="mine")
    write_run(tmp_path, "gsm", 0.25, group="gsm")
    done = summarize(tmp_path, Registry(), suite="mine")
    assert done.runs == 2
    assert len(read(done.path / "runs.json")) == 2
    assert {group["name"] for group in read(done.path / "schema.json")["run_groups"]} == {
        "all_scenarios",
        "mmlu",
        "gsm",
    }
    (accuracy, *_) = read(done.path / "groups" / "all_scenarios.json")
    assert values(accuracy, "mmlu - exact_match") == {"openai/gpt2": 0.5}
    assert values(accuracy, "gsm - exact_match") == {"openai/gpt2": 0.25}


def test_a_run_that_the_schema_does_not_know_is_shown_under_other_with_a_warning(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5)
    write_run(tmp_path, "mine:x=1", 0.25, group="brand_new")
    path = tmp_path / "schema.yaml"
    path.write_text(
        "metric_groups: [{name: accuracy, metrics: [{name: exact_match, split: test}]}]\n"
        "run_groups: [{name: mmlu, display_name: MMLU, metric_groups: [accuracy]}]\n",
        encoding="utf-8",
    )
    done = summarize(tmp_path, Registry(), suite="mine", schema=load_schema(path))
    assert [warning for warning in done.warnings if "brand_new" in warning and "'other'" in warning]
    (table, *_) = read(done.path / "groups" / "other.json")
    assert values(table, "exact_match") == {"openai/gpt2": 0.25}
    assert "Other" in [table["title"] for table in read(done.path / "groups.json")]


def test_a_cell_is_the_plain_mean_over_runs_and_says_over_how_many(tmp_path: Path) -> None:
    for subject, score in (("anatomy", 0.2), ("virology", 0.6)):
        write_run(tmp_path, f"mmlu:subject={subject}", score, subject=subject)
    done = summarize(tmp_path, Registry(), suite="mine")
    aggregate, *parts = read(done.path / "groups" / "mmlu.json")
    assert values(aggregate, "exact_match") == {"openai/gpt2": 0.4}
    cell = aggregate["rows"][0][1]
    assert cell["description"].endswith("(2)")
    assert len(cell["run_spec_names"]) == 2
    assert [part["title"] for part in parts] == ["subject: anatomy", "subject: virology"]


def test_a_perturbation_column_is_the_worst_case(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5)
    done = summarize(tmp_path, Registry(), suite="mine")
    (table,) = read(done.path / "groups" / "mmlu.json")
    assert values(table, "exact_match (robustness)") == {"openai/gpt2": 0.25}


def test_a_win_rate_counts_the_models_that_are_beaten_and_half_the_ties(tmp_path: Path) -> None:
    for model, score in (("a/best", 0.9), ("a/tied", 0.5), ("a/same", 0.5)):
        write_run(tmp_path, "mmlu:subject=anatomy", score, model=model)
    done = summarize(tmp_path, Registry(), suite="mine")
    (accuracy, *_) = read(done.path / "groups" / "all_scenarios.json")
    assert values(accuracy, "Mean win rate") == {"a/best": 1.0, "a/same": 0.25, "a/tied": 0.25}


def test_where_lower_is_better_the_lowest_wins_and_is_bold(tmp_path: Path) -> None:
    for model in ("a/one", "a/two"):
        write_run(tmp_path, "mmlu:subject=anatomy", 0.5, model=model)
    stats = tmp_path / "runs" / "mine" / "mmlu:subject=anatomy,model=a_two" / "stats.json"
    stats.write_text(stats.read_text(encoding="utf-8").replace("0.5", "0.1"), encoding="utf-8")
    done = summarize(tmp_path, Registry(), suite="mine")
    tables = {table["title"]: table for table in read(done.path / "groups" / "all_scenarios.json")}
    rows = {row[0]["value"]: row for row in tables["Efficiency"]["rows"]}
    assert (rows["a/two"][1]["value"], rows["a/one"][1]["value"]) == (1.0, 0.0)
    assert rows["a/two"][2]["style"] == {"font-weight": "bold"}


def test_a_model_without_a_run_has_an_empty_cell_that_says_so(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5, model="a/one")
    write_run(tmp_path, "gsm", 0.5, model="a/two", group="gsm")
    done = summarize(tmp_path, Registry(), suite="mine")
    (accuracy, *_) = read(done.path / "groups" / "all_scenarios.json")
    column = [head["value"] for head in accuracy["header"]].index("gsm - exact_match")
    (cell,) = [row[column] for row in accuracy["rows"] if row[0]["value"] == "a/one"]
    assert cell == {"description": "No matching runs", "markdown": False}


def test_costs_count_every_request(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5)
    write_run(tmp_path, "gsm", 0.5, group="gsm")
    done = summarize(tmp_path, Registry(), suite="mine")
    assert read(done.path / "costs.json")["openai/gpt2"] == {
        "num_prompt_tokens": 2000,
        "num_completion_tokens": 40,
        "num_completions": 20,
        "num_requests": 20,
        "total_tokens": 2040,
    }


def test_a_release_joins_suites_and_the_later_wins(tmp_path: Path) -> None:
    for suite, score in (("old", 0.1), ("new", 0.9)):
        write_run(tmp_path, "mmlu:subject=anatomy", score, suite=suite)
    done = summarize(tmp_path, Registry(), release="v1", suites=["old", "new"], today=DAY)
    assert done.path == tmp_path / "releases" / "v1"
    assert set(read(done.path / "runs_to_run_suites.json").values()) == {"new"}
    (table,) = read(done.path / "groups" / "mmlu.json")
    assert values(table, "exact_match") == {"openai/gpt2": 0.9}


def test_a_damaged_run_is_passed_over_with_a_warning(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5)
    write_run(tmp_path, "gsm", 0.5, group="gsm")
    (tmp_path / "runs" / "mine" / "gsm,model=openai_gpt2" / "stats.json").write_text("[{", encoding="utf-8")
    done = summarize(tmp_path, Registry(), suite="mine")
    assert done.runs == 1
    assert ["gsm" in warning for warning in done.warnings] == [True]


@pytest.mark.parametrize(
    ("suite", "says"), [("mien", "there are mine; did you mean 'mine'"), ("default", "there are mine$")]
)
def test_a_suite_without_runs_is_refused_and_not_made(suite: str, says: str, tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5)
    with pytest.raises(UsageError, match=says):
        summarize(tmp_path, Registry(), suite=suite)
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["mine"]


def test_without_any_run_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no runs of suite 'default' .* helm-run"):
        summarize(tmp_path, Registry(), suite="default")
    assert list(tmp_path.iterdir()) == []


def test_a_release_of_a_suite_without_runs_is_refused(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5)
    with pytest.raises(UsageError, match="'nope'"):
        summarize(tmp_path, Registry(), release="v1", suites=["mine", "nope"])
    assert not (tmp_path / "releases").exists()


def test_a_suite_whose_runs_are_all_damaged_says_which(tmp_path: Path) -> None:
    write_run(tmp_path, "gsm", 0.5, group="gsm")
    (tmp_path / "runs" / "mine" / "gsm,model=openai_gpt2" / "stats.json").write_text("[{", encoding="utf-8")
    with pytest.raises(StoreError, match=r"gsm,model=openai_gpt2/stats\.json"):
        summarize(tmp_path, Registry(), suite="mine")


def test_latex_escapes_names(tmp_path: Path) -> None:
    write_run(tmp_path, "mmlu:subject=anatomy", 0.5, model="a/50%_{x}\\y")
    done = summarize(tmp_path, Registry(), suite="mine")
    text = (done.path / "groups" / "latex" / "mmlu.tex").read_text(encoding="utf-8")
    assert r"a/50\%\_\{x\}\textbackslash{}y" in text
    assert text.count("&") // 2 == len(read(done.path / "groups" / "mmlu.json")[0]["header"]) - 1


@pytest.mark.parametrize("given", [{}, {"suite": "a", "release": "v1", "suites": ["a"]}, {"release": "v1"}])
def test_a_suite_or_a_release_is_named_and_not_both(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="--suite NAME"):
        summarize(tmp_path, Registry(), **given)


def test_a_schema_that_is_none_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "schema.yaml"
    path.write_text("run_groups:\n- {name: 3}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"cannot use the schema .*run_groups") as caught:
        load_schema(path)
    assert "\n" not in str(caught.value)


@needs_data
def test_helms_own_result_folder_is_summarised(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(DATA / "helm_outputs" / "benchmark_output" / "runs", tmp_path / "runs")
    for path in (tmp_path / "runs").rglob("*"):
        path.chmod(0o755)
    done = summarize(tmp_path, Registry(), suite="every_eval_ever")
    assert (done.runs, done.warnings) == (3, ())
    (accuracy, *_) = read(done.path / "groups" / "all_scenarios.json")
    assert values(accuracy, "narrative_qa - exact_match") == {
        "eleutherai/pythia-1b-v0 [huggingface/pythia-1b-v0]": None,
        "openai/gpt2 [huggingface/gpt2]": 0.0,
    }
