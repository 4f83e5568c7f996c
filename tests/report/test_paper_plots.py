"""The plots of HELM's paper: what each is made of, and why it is not drawn."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import AdapterSpec
from holoscope.report.figures import Figure, alternative
from holoscope.report.grid import Grid
from holoscope.report.paper_plots import plots
from holoscope.store import StoredRun, scan
from report.evidence.runs import Answer, Made, measure, write

EXACT = "exact_match"


def of(model: str, scenario: str, value: float, **axes: float) -> Made:
    metrics = {"calibration": "ece_10_bin", "robustness": EXACT, "efficiency": "request_time"}
    more = [
        measure(metrics[axis], axis, found, perturbation="robustness" if axis == "robustness" else None)
        for axis, found in axes.items()
    ]
    return Made(model, scenario, measures=[measure(EXACT, "accuracy", value), *more])


def drawn(made: Grid, runs: Mapping[str, StoredRun] | None = None) -> dict[str, Figure | str]:
    return {plot.name: plot.found for plot in plots(made, runs or {})}


def figure(found: Figure | str) -> Figure:
    assert not isinstance(found, str), found
    return found


def of_kind(found: Figure | str, kind: str) -> list[dict[str, Any]]:
    return [dict(trace) for trace in figure(found)["data"] if trace["type"] == kind]


def test_helms_names_and_ours_each_once(tmp_path: Path) -> None:
    names = [plot.name for plot in plots(write(tmp_path, of("a", "gsm", 0.5)), {})]
    helms = {
        *("accuracy_v_x", "metric_correlation", "model_ranking_all", "generic_summary", "targeted_evals", "copyright"),
        *("accuracy_over_release_date", "accuracy_over_num_parameters", "accuracy_over_the_pile_perplexity"),
        *("accuracy_v_access", "bbq_bars", "in_context_ablations", "mc_ablations", "contrast_sets"),
    }
    assert helms <= set(names)
    assert set(names) - helms == {"head_to_head", "scenario_bars", "prompt_ablations", "in_context_choice"}
    assert len(names) == len(set(names))


def test_what_is_not_drawn_says_why(tmp_path: Path) -> None:
    found = drawn(write(tmp_path, of("a", "gsm", 0.5)))
    reasons = {name: why for name, why in found.items() if isinstance(why, str)}
    assert set(found) - set(reasons) == {"scenario_bars", "targeted_evals"}
    assert reasons["model_ranking_all"] == "needs at least two models on one scenario"
    assert "released" in reasons["accuracy_over_release_date"]


def test_accuracy_stands_against_each_axis_that_a_run_has_too(tmp_path: Path) -> None:
    made = write(tmp_path, of("a", "gsm", 0.5, calibration=0.1, robustness=0.4), of("b", "gsm", 0.7, calibration=0.2))
    found = figure(drawn(made)["accuracy_v_x"])
    calibration, robustness = found["data"]
    assert (calibration["x"], calibration["y"]) == ([0.5, 0.7], [0.1, 0.2])
    assert (robustness["x"], robustness["y"]) == ([0.5], [0.4])
    assert len([s for s in found["layout"]["shapes"] if s["type"] == "line"]) == 1  # type: ignore[attr-defined]


def test_metrics_in_other_units_are_not_drawn_on_one_axis(tmp_path: Path) -> None:
    pile = Made("a", "the_pile", measures=[measure("bits_per_byte", "accuracy", 3.0)], main="bits_per_byte")
    found = figure(drawn(write(tmp_path, of("a", "gsm", 0.5), of("a", "math", 0.6), pile))["scenario_bars"])
    assert {x for trace in found["data"] for x in trace["x"]} == {0.5, 0.6}  # type: ignore[attr-defined]


def test_a_correlation_is_over_models_and_needs_three(tmp_path: Path) -> None:
    two = [of(m, "gsm", v, calibration=1 - v) for m, v in (("a", 0.2), ("b", 0.4))]
    assert "at least 3 models" in str(drawn(write(tmp_path, *two))["metric_correlation"])
    three = write(tmp_path, *two, of("c", "gsm", 0.9, calibration=0.1))
    boxes = of_kind(drawn(three)["metric_correlation"], "box")
    assert [box["y"] for box in boxes] == [[-1.0], [-1.0]]


def test_win_rates_are_of_this_panel_and_name_its_size(tmp_path: Path) -> None:
    made = write(tmp_path, *(of(m, s, v) for s in ("gsm", "math") for m, v in (("a", 0.9), ("b", 0.5), ("c", 0.1))))
    found = figure(drawn(made)["model_ranking_all"])
    assert found["data"][0]["x"] == [1.0, 0.5, 0.0]
    assert "accuracy (2 scenarios)" in alternative(found)


def test_head_to_head_is_the_share_of_scenarios_won_with_ties_as_half(tmp_path: Path) -> None:
    made = write(tmp_path, of("a", "gsm", 0.9), of("b", "gsm", 0.5), of("a", "math", 0.5), of("b", "math", 0.5))
    (heat,) = of_kind(drawn(made)["head_to_head"], "heatmap")
    assert heat["z"] == [[None, 0.5], [-0.5, None]]
    assert heat["text"] == [["", "0.75"], ["0.25", ""]]


def test_a_suite_too_large_for_bars_is_drawn_as_dots(tmp_path: Path) -> None:
    made = write(tmp_path, *(of(f"m{i}", f"s{k}", 0.5) for i in range(25) for k in range(10)))
    assert not of_kind(drawn(made)["scenario_bars"], "bar")
    assert of_kind(drawn(made)["scenario_bars"], "scatter")


def test_bbq_is_the_mean_over_its_subjects_and_copyright_leaves_distances_out(tmp_path: Path) -> None:
    bbq = [measure("bbq_metric_ambiguous_bias", "bias", 0.2)]
    copied = [measure(m, "accuracy", 0.5) for m in ("longest_common_prefix_length", "edit_distance")]
    found = drawn(write(tmp_path, Made("a", "bbq", measures=bbq), Made("a", "copyright", measures=copied)))
    assert of_kind(found["bbq_bars"], "bar")[0]["x"] == [0.2]
    assert len(of_kind(found["copyright"], "box")) == 1


def adapted(model: str, value: float, **fields: Any) -> Made:
    """A run of mmlu under another adapter; its name tells it apart, so its folder does."""
    measures = [measure(EXACT, "accuracy", value)]
    adapter = AdapterSpec(model=model, **fields)
    scenario = f"mmlu,{','.join(f'{k}={v}' for k, v in fields.items())}"
    return Made(model, scenario, measures=measures, fields={"adapter": adapter})


@pytest.mark.parametrize(
    ("plot", "fields", "kind"),
    [
        ("in_context_ablations", ({"max_train_instances": 0}, {"max_train_instances": 5}), "scatter"),
        ("prompt_ablations", ({"instructions": "Answer."}, {"instructions": "Please answer."}), "bar"),
        ("mc_ablations", ({"method": "multiple_choice_joint"}, {"method": "multiple_choice_separate_original"}), "bar"),
    ],
)
def test_runs_that_differ_in_one_choice_are_an_ablation(
    plot: str, fields: tuple[dict[str, Any], ...], kind: str, tmp_path: Path
) -> None:
    made = write(tmp_path, *(adapted("a", 0.4 + i / 10, **each) for i, each in enumerate(fields)))
    traces = of_kind(drawn(made)[plot], kind)
    assert sorted(y for trace in traces for y in trace["y"]) == [0.4, 0.5]


def test_runs_that_differ_in_two_choices_are_none(tmp_path: Path) -> None:
    runs = [
        adapted("a", 0.4, max_train_instances=0, instructions="Answer."),
        adapted("a", 0.5, max_train_instances=5, instructions="Please answer."),
    ]
    found = drawn(write(tmp_path, *runs))
    assert "max_train_instances" in str(found["in_context_ablations"])
    assert isinstance(found["prompt_ablations"], str)


def test_a_contrast_set_stands_against_its_worst_case(tmp_path: Path) -> None:
    parts = {"contrast_sets/original": 0.9, "contrast_sets": 0.7, "contrast_sets/worst": 0.6}
    found = [measure(EXACT, "accuracy", value, perturbation=part) for part, value in parts.items()]
    made = write(tmp_path, Made("a", "boolq", measures=found))
    (points,) = of_kind(drawn(made)["contrast_sets"], "scatter")
    assert (points["x"], points["y"]) == ([0.9], [0.6])


def test_draws_of_examples_are_read_from_the_scores(tmp_path: Path) -> None:
    answers = [Answer({EXACT: v}, draw=draw) for draw, v in ((0, 1.0), (0, 0.0), (1, 1.0), (1, 1.0))]
    fields = {"adapter": AdapterSpec(num_train_trials=2)}
    made = write(tmp_path, Made("a", "gsm", answers, [measure(EXACT, "accuracy", 0.75)], fields=fields))
    runs = {run.name: run for run in scan(tmp_path, "mine").runs}
    (box,) = of_kind(drawn(made, runs)["in_context_choice"], "box")
    assert box["y"] == [0.5, 1.0]
