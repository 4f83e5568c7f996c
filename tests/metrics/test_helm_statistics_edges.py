"""HELM's statistics where the golden runs have nothing to say: failures, repetitions, unknown times, training cost."""

from typing import Any

from holoscope.core import AdapterSpec, Choice, MetricSpec, Outcome, RunSpec, ScenarioSpec, Trial
from holoscope.metrics.helm import TrainingCost, statistics
from metrics.made import failed, generated, instance, separate


def run(*metrics: str, **adapter: Any) -> RunSpec:
    return RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(**{"method": "generation", "num_outputs": 1, **adapter}),
        metrics=tuple(map(MetricSpec, metrics or ("exact_match",))),
    )


def plain(trials: list[Trial], spec: RunSpec | None = None, **options: Any) -> dict[str, dict[str, Any]]:
    """Unperturbed statistics by name."""
    stats: list[dict[str, Any]] = statistics(spec or run(), trials, **options)[0]
    return {s["name"]["name"]: s for s in stats if "perturbation" not in s["name"]}


def test_a_withheld_reply_is_an_empty_one() -> None:
    found = plain([generated(instance("a"), "a"), failed(instance("a", id="id1"), Outcome.CONTENT_FILTER)])
    assert found["exact_match"]["mean"] == 0.5
    assert found["num_instances"]["mean"] == 2
    assert found["num_completion_tokens"]["mean"] == 0


def test_a_reply_that_never_came_is_left_out() -> None:
    found = plain([generated(instance("a"), "a"), failed(instance("a", id="id1"), Outcome.TRANSPORT_ERROR)])
    assert found["exact_match"]["mean"] == 1
    assert found["num_instances"]["mean"] == 1


def test_only_the_first_repetition_is_taken() -> None:
    once = generated(instance("a"), "a")
    again = generated(once.instance, "b")
    found = plain([once, Trial(again.instance, again.exchanges, 0, 1)])
    assert (found["exact_match"]["mean"], found["num_instances"]["mean"]) == (1, 1)


def test_an_unknown_time_is_absent_unless_it_is_given() -> None:
    trials = [generated(instance("a"), "a")]
    assert "inference_runtime" not in plain(trials)
    assert plain(trials, request_time=0.5)["inference_runtime"]["mean"] == 0.5


def test_training_cost_is_counted_where_it_is_known() -> None:
    trials = [generated(instance("a"), "a")]
    assert plain(trials)["training_co2_cost"] == {
        "name": {"name": "training_co2_cost", "split": "test"},
        "count": 0,
        "sum": 0,
        "sum_squared": 0,
    }
    assert plain(trials, training=TrainingCost(co2=10.0))["training_co2_cost"]["mean"] == 10


def test_the_finish_reason_is_counted() -> None:
    found = plain([generated(instance("a"), Choice("a", finish_reason="stop"))])
    assert (found["finish_reason_stop"]["mean"], found["finish_reason_unknown"]["mean"]) == (1, 0)
    assert plain([generated(instance("a"), Choice("a", finish_reason="odd"))])["finish_reason_unknown"]["mean"] == 1


def test_several_outputs_have_a_best() -> None:
    trials = [generated(instance("a"), Choice("b", -1.0), Choice("a", -2.0))]
    found = plain(trials, run(num_outputs=2))
    assert (found["exact_match"]["mean"], found["exact_match@2"]["mean"]) == (0, 1)


def test_without_log_probabilities_there_is_no_calibration() -> None:
    assert "ece_10_bin" not in plain([generated(instance("a"), "a")])


def test_an_adapters_expression_is_applied() -> None:
    trials = [generated(instance("C"), "the answer is C. Bye")]
    assert plain(trials, run(output_mapping_pattern=r"is (.)\."))["exact_match"]["mean"] == 1


def test_metrics_that_are_not_helms_are_not_in_its_files() -> None:
    assert "cost" not in plain([generated(instance("a"), "a")], run("exact_match", "cost"))


def test_options_scored_one_by_one_have_no_likelihood_of_text() -> None:
    found = plain([separate([-1.0, -2.0])], run(method="multiple_choice_separate_original"))
    assert found["predicted_index"]["mean"] == 0
    assert "logprob" not in found


def test_a_run_without_trials_has_no_statistics() -> None:
    assert statistics(run(), []) == ([], [])
    assert statistics(run(method="language_modeling"), []) == ([], [])
