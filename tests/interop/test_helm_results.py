import hashlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import Measure, MetricSpec, Outcome, Registry, ScenarioSpec, StoreError, builtin
from holoscope.interop import HelmFolder, ImportedRun, find_helm_runs, import_run
from holoscope.interop.helm_export import NOTE
from holoscope.store import StoredRun, Versions, open_run, run_folder, scan, write_manifest
from interop.helm_made import NAME, write_run
from paths import DATA, needs_data
from store.made import manifest, spec

RUNS = DATA / "helm_outputs" / "benchmark_output" / "runs"
Change = Callable[[str, Any], Any]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return builtin()


def read(folder: Path, registry: Registry, **how: Any) -> tuple[StoredRun, ImportedRun]:
    """Import a run made for the test."""
    done = import_run(HelmFolder(write_run(folder / "helm" / "run", **how), "v1"), folder / "out", registry)
    return open_run(done.path), done


def measure(run: StoredRun, metric: str, perturbation: str | None = None, **where: Any) -> Measure:
    found = [m for m in run.measures() or () if (m.metric, m.perturbation) == (metric, perturbation)]
    (one,) = [m for m in found if all(getattr(m, key) == value for key, value in where.items())]
    return one


def without(*names: str) -> Change:
    return lambda name, content: None if name in names else content


def test_a_run_becomes_a_run_of_ours(tmp_path: Path, registry: Registry) -> None:
    run, done = read(tmp_path, registry)
    spec = run.manifest.spec
    assert (run.name, done.notes, done.problems) == (NAME, (), ())
    assert (spec.scenario, spec.compat, spec.groups) == (
        ScenarioSpec("mmlu", {"subject": "anatomy"}),
        "helm",
        ("mmlu",),
    )
    assert spec.metrics == (MetricSpec("exact_match"),)
    assert [p.name for p in spec.augmentation.perturbations] == ["typos"]
    assert (run.manifest.model.name, run.manifest.model.deployment) == ("openai/gpt2", "huggingface/gpt2")
    assert (run.manifest.status, run.manifest.instances, run.manifest.requests) == ("complete", 2, 3)
    assert run.manifest.scenario.redistribution == "yes"


def test_completions_are_kept(tmp_path: Path, registry: Registry) -> None:
    run, _ = read(tmp_path, registry)
    assert [exchange.completion.text for exchange in run.exchanges()] == ["yes", "no", "no"]
    assert next(run.exchanges()).planned.num_prompt_tokens == 7


def test_a_score_is_kept_for_each_instance_and_form(tmp_path: Path, registry: Registry) -> None:
    run, _ = read(tmp_path, registry)
    rows = [row for row in run.scores() if row.score.metric == "exact_match"]
    assert [(row.instance_id, row.perturbation is None, row.score.value) for row in rows] == [
        ("id0", True, 1.0),
        ("id0", False, 0.0),
        ("id1", True, 0.0),
    ]


def test_a_value_has_the_interval_of_the_instances_behind_it(tmp_path: Path, registry: Registry) -> None:
    run, _ = read(tmp_path, registry)
    found = measure(run, "exact_match")
    assert (found.value, found.n, found.axis, found.split, found.method) == (0.5, 2, "accuracy", "test", "wilson")
    assert found.low is not None
    assert found.high is not None
    assert (found.low, found.high) == pytest.approx((0.0945, 0.9055), abs=1e-4)


@pytest.mark.parametrize(
    ("perturbation", "axis", "value", "n"),
    [
        ("typos", "accuracy", 0.0, 1),
        ("typos/original", "accuracy", 1.0, 1),
        ("typos/worst", "accuracy", 0.0, 1),
        ("robustness", "robustness", 0.0, 2),
    ],
)
def test_perturbed_values_stand_where_ours_stand(
    tmp_path: Path, registry: Registry, perturbation: str, axis: str, value: float, n: int
) -> None:
    run, _ = read(tmp_path, registry)
    found = measure(run, "exact_match", perturbation)
    assert (found.axis, found.value, found.n) == (axis, value, n)


def test_a_copy_of_the_value_is_no_fairness_where_nothing_was_perturbed_for_it(
    tmp_path: Path, registry: Registry
) -> None:
    run, _ = read(tmp_path, registry)
    assert [m for m in run.measures() or () if m.perturbation == "fairness" or m.axis == "fairness"] == []


def test_a_number_of_the_whole_set_has_no_interval(tmp_path: Path, registry: Registry) -> None:
    run, _ = read(tmp_path, registry)
    found = measure(run, "ece_10_bin")
    assert (found.value, found.n, found.axis, found.low, found.high) == (0.125, 2, "calibration", None, None)
    assert "no interval" in found.method


def test_helms_runtime_is_our_request_time(tmp_path: Path, registry: Registry) -> None:
    run, _ = read(tmp_path, registry)
    assert (measure(run, "request_time").value, measure(run, "request_time").axis) == (0.25, "efficiency")


def test_log_probabilities_that_helm_wrote_as_0_are_unknown(tmp_path: Path, registry: Registry) -> None:
    run, _ = read(tmp_path, registry, logprob=0.0)
    for metric in ("max_prob", "logprob"):
        found = measure(run, metric)
        assert (found.value, found.reason) == (None, "the model gave no log-probability, where HELM writes 0")
    (score,) = {row.score.value for row in run.scores() if row.score.metric == "logprob"}
    assert score is None


def test_where_helms_files_disagree_its_statistics_win_without_an_interval(tmp_path: Path, registry: Registry) -> None:
    def change(name: str, content: Any) -> Any:
        if name == "stats.json":
            content[0] |= {"sum": 0.75, "mean": 0.75}
        return content

    run, _ = read(tmp_path, registry, change=change)
    found = measure(run, "exact_match")
    assert (found.value, found.low, found.high) == (0.75, None, None)
    assert "made of its values per instance it is 0.5" in found.method


def test_files_of_2022_are_read_as_those_of_today(tmp_path: Path, registry: Registry) -> None:
    today, _ = read(tmp_path / "today", registry)
    then, done = read(tmp_path / "then", registry, old=True)
    assert (done.notes, done.problems) == ((), ())
    assert then.measures() == today.measures()
    assert list(then.exchanges()) == list(today.exchanges())
    assert then.manifest.spec.metrics == today.manifest.spec.metrics
    assert then.manifest.model.deployment == "openai/gpt2"


def test_importing_twice_gives_the_same_files(tmp_path: Path, registry: Registry) -> None:
    def hashes() -> dict[str, str]:
        return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in read(tmp_path, registry)[0].path.iterdir()}

    first = hashes()
    assert hashes() == first
    assert set(first) == {"run.json", "requests.parquet", "scores.parquet", "statistics.json"}


def test_where_it_comes_from_is_kept(tmp_path: Path, registry: Registry) -> None:
    run, _ = read(tmp_path, registry)
    origin = run.manifest.provenance.imported
    assert origin is not None
    assert (origin.tool, origin.version, origin.run) == ("HELM", "", "run")
    content = (tmp_path / "helm" / "run" / "stats.json").read_bytes()
    assert origin.files["stats.json"] == hashlib.sha256(content).hexdigest()
    assert run.manifest.started.year == 2022


def test_without_statistics_per_instance_there_is_no_interval(tmp_path: Path, registry: Registry) -> None:
    run, done = read(tmp_path, registry, change=without("per_instance_stats.json"))
    found = measure(run, "exact_match")
    assert (found.value, found.n, found.low, found.high) == (0.5, 2, None, None)
    assert "no values per instance" in found.method
    assert done.notes == ("no per_instance_stats.json: there are no scores per instance, and no intervals",)
    assert list(run.scores()) == []


def test_without_statistics_of_the_whole_values_are_means_of_the_instances(tmp_path: Path, registry: Registry) -> None:
    run, done = read(tmp_path, registry, change=without("stats.json"))
    assert measure(run, "exact_match").value == 0.5
    assert measure(run, "exact_match", "robustness").value == 0.0
    assert "no stats.json" in done.notes[0]


def test_without_any_statistics_the_completions_are_scored_here(tmp_path: Path, registry: Registry) -> None:
    run, done = read(tmp_path, registry, change=without("stats.json", "per_instance_stats.json"))
    found = measure(run, "exact_match")
    assert (found.value, found.version) == (0.5, "helm-0.5.16")
    assert "scored here" in " ".join(done.notes)


def test_without_request_states_numbers_remain(tmp_path: Path, registry: Registry) -> None:
    run, done = read(tmp_path, registry, change=without("scenario_state.json"))
    assert (measure(run, "exact_match").value, list(run.exchanges()), run.manifest.instances) == (0.5, [], 2)
    assert "no scenario_state.json" in done.notes[0]
    assert run.manifest.status == "complete"


def test_without_a_run_spec_the_folder_and_the_adapter_name_the_run(tmp_path: Path, registry: Registry) -> None:
    run, done = read(tmp_path, registry, change=without("run_spec.json"))
    assert (run.name, run.manifest.spec.scenario.name, run.manifest.model.name) == ("run", "mmlu", "openai/gpt2")
    assert measure(run, "exact_match").value == 0.5
    assert "no run_spec.json" in done.notes[0]


@pytest.mark.parametrize("name", ["scenario_state.json", "stats.json", "per_instance_stats.json", "run_spec.json"])
@pytest.mark.parametrize("content", ["", "{", '[{"a": 1}]', '{"request_states": [{}]}', "3"])
def test_a_damaged_file_is_one_line_and_the_rest_is_read(
    tmp_path: Path, registry: Registry, name: str, content: str
) -> None:
    run, done = read(tmp_path, registry, change=lambda each, made: content if each == name else made)
    (problem,) = done.problems
    assert name in problem
    assert "\n" not in problem
    assert run.manifest.status == "incomplete"
    assert name in run.manifest.reason
    assert str(tmp_path) not in run.manifest.reason
    assert measure(run, "exact_match").value == 0.5


def test_a_folder_that_helm_began_and_left_empty_is_refused(tmp_path: Path, registry: Registry) -> None:
    (tmp_path / "gsm:model=a").mkdir()
    with pytest.raises(StoreError, match="began this run and left no result"):
        import_run(HelmFolder(tmp_path / "gsm:model=a", "v1"), tmp_path / "out", registry)


def test_a_request_without_an_answer_leaves_the_run_incomplete(tmp_path: Path, registry: Registry) -> None:
    def change(name: str, content: Any) -> Any:
        if name == "scenario_state.json":
            content["request_states"][2]["result"] = {"success": False, "completions": [], "error": "quota"}
        return content

    run, _ = read(tmp_path, registry, change=change)
    assert run.manifest.status == "incomplete"
    assert run.manifest.reason == "1 of 3 requests have no answer: quota"
    assert run.manifest.outcomes == {Outcome.OK: 2, Outcome.TRANSPORT_ERROR: 1}


def test_a_run_that_holoscope_made_is_not_replaced(tmp_path: Path, registry: Registry) -> None:
    folder = run_folder(tmp_path / "out", "v1", f"{NAME},compat=helm")
    write_manifest(folder, manifest(run=spec(NAME, compat="helm"), versions=Versions(prompt="1")))
    before = (folder / "run.json").read_bytes()
    _, done = read(tmp_path, registry)
    assert (folder / "run.json").read_bytes() == before
    assert "left as it is" in done.notes[0]


def test_texts_that_an_export_left_out_are_not_taken_for_empty_answers(tmp_path: Path, registry: Registry) -> None:
    (tmp_path / "helm" / "run").mkdir(parents=True)
    (tmp_path / "helm" / "run" / NOTE).write_text("left out\n", encoding="utf-8")
    run, done = read(tmp_path, registry)
    assert list(run.exchanges()) == []
    assert NOTE in done.notes[0]


def test_sub_splits_are_joined_by_their_number_of_instances(tmp_path: Path, registry: Registry) -> None:
    def change(name: str, content: Any) -> Any:
        if name != "stats.json":
            return content if name == "run_spec.json" else None
        numbers = {"easy": (0.5, 30), "hard": (0.1, 10)}
        return [
            {"name": {"name": metric, "split": "test", "sub_split": part}, "count": 1, "sum": value, "sum_squared": 0}
            for part, (mean, n) in numbers.items()
            for metric, value in (("exact_match", mean), ("num_instances", n))
        ]

    run, _ = read(tmp_path, registry, change=change)
    whole = measure(run, "exact_match", sub_split=None)
    assert whole.value == pytest.approx(0.4)
    assert (whole.n, whole.low) == (40, None)
    assert measure(run, "exact_match", sub_split="hard").n == 10


def test_a_scenario_and_metrics_that_are_not_known_here_are_shown_by_their_names(
    tmp_path: Path, registry: Registry
) -> None:
    def change(name: str, content: Any) -> Any:
        if name == "run_spec.json":
            content["scenario_spec"]["class_name"] = "helm.benchmark.scenarios.my_scenario.MyOwnScenario"
            content["metric_specs"] = [{"class_name": "helm.benchmark.metrics.mine.MyMetric", "args": {}}]
        text = json.dumps(content).replace('"exact_match"', '"kindness"')
        return None if name == "scenario.json" else json.loads(text)

    run, _ = read(tmp_path, registry, change=change)
    card = run.manifest.scenario
    assert (card.name, card.main_metric, card.redistribution) == ("my_own", "kindness", "no")
    found = measure(run, "kindness")
    assert (found.value, found.n, found.axis) == (0.5, 2, "accuracy")
    assert found.low is not None


@needs_data
@pytest.mark.parametrize("folder", sorted(p.parent for p in RUNS.rglob("stats.json")), ids=lambda p: p.name[:30])
def test_each_statistic_of_helms_own_runs_is_the_value_of_a_cell(
    folder: Path, tmp_path: Path, registry: Registry
) -> None:
    (found,) = find_helm_runs(folder)
    done = import_run(found, tmp_path, registry)
    assert (done.notes, done.problems) == ((), ())
    cells = {(m.metric, m.split): m for m in open_run(done.path).measures() or () if m.perturbation is None}
    unknown = {"max_prob", "logprob", "perplexity", "bits_per_byte", "logprob_per_byte"}
    compared = 0
    for stat in json.loads((folder / "stats.json").read_text(encoding="utf-8")):
        name = stat["name"]
        if "perturbation" in name or not stat["count"]:
            continue
        cell = cells[name["name"].replace("inference_runtime", "request_time"), name["split"]]
        if name["name"] in unknown:  # these models gave no log-probabilities
            assert cell.value is None
        else:
            assert cell.value is not None
            assert math.isclose(cell.value, stat["mean"], rel_tol=1e-12)
            compared += 1
    assert compared > 20


@needs_data
def test_cells_of_helms_own_runs_are_those_worked_out_by_hand(tmp_path: Path, registry: Registry) -> None:
    for found in find_helm_runs(RUNS):
        import_run(found, tmp_path, registry)
    runs = {run.manifest.scenario.name: run for run in scan(tmp_path).runs}
    worked_out = {  # the values per instance by hand; Wilson's interval of 3 of 10 and of 1 of 9, Student's of four
        ("hellaswag", "exact_match", "valid"): (0.3, 10, 0.1078, 0.6032),
        ("mmlu", "exact_match", "test"): (1 / 9, 9, 0.0199, 0.4350),
        ("air_bench_2024", "air_score", "test"): (0.7, 10, None, None),
        ("narrative_qa", "f1_score", "test"): ((1 / 3 + 4 / 11) / 4, 4, 0.0, 0.4950),
    }
    for (scenario, metric, split), (value, n, low, high) in worked_out.items():
        cell = measure(runs[scenario], metric, split=split)
        assert cell.value == pytest.approx(value)
        assert cell.n == n
        if low is not None:
            assert (cell.low, cell.high) == pytest.approx((low, high), abs=1e-4)
