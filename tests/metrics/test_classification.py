"""A set of answers as a classifier, ours and HELM's."""

import math
from typing import Any

import pytest

from holoscope.core import (
    CORRECT,
    AdapterSpec,
    Choice,
    Instance,
    Measure,
    MetricSpec,
    Outcome,
    Reference,
    RunSpec,
    ScenarioSpec,
    Trial,
)
from holoscope.metrics import expanded, measure, score
from holoscope.metrics.helm import statistics
from metrics.made import failed, generated, instance, joint, registry, separate


def answers(*pairs: tuple[str, str]) -> list[Trial]:
    return [generated(instance(gold, id=f"id{i}"), said) for i, (gold, said) in enumerate(pairs)]


def classified(trials: list[Trial], **args: Any) -> dict[str, Measure]:
    specs = [MetricSpec("classification", args)]
    return {m.metric: m for m in measure(specs, trials, score(specs, trials, registry()), registry())}


THREE = answers(("cat", "Cat."), ("cat", "cat"), ("cat", "dog"), ("dog", "dog"), ("dog", "fish"), ("fish", "fish"))


def test_averages_are_over_labels() -> None:
    found = classified(THREE)
    assert found["classification_micro_f1"].value == pytest.approx(4 / 6)
    assert found["classification_macro_recall"].value == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert found["classification_weighted_f1"].value == pytest.approx((3 * 0.8 + 2 * 0.5 + 2 / 3) / 6)
    assert found["classification_macro_f1"].n == 6


def test_scores_have_intervals() -> None:
    found = classified(THREE * 1)["classification_macro_f1"]
    assert found.low is not None
    assert found.high is not None
    assert found.low < (found.value or 0) < found.high


def test_a_label_with_more_behind_it_is_recognised() -> None:
    found = classified(answers(("yes", "Yes, it does."), ("no", "no"), ("no", "nothing")))
    assert found["confusion:gold=yes,answer=yes"].value == 1
    assert found["confusion:gold=no,answer=(none of them)"].value == 0.5


def test_the_confusion_matrix_is_in_shares_of_its_rows() -> None:
    found = classified(THREE)
    shares = {name: m.value for name, m in found.items() if name.startswith("confusion:gold=cat")}
    assert shares == {
        "confusion:gold=cat,answer=cat": pytest.approx(2 / 3),
        "confusion:gold=cat,answer=dog": pytest.approx(1 / 3),
    }


def test_labels_may_be_given() -> None:
    found = classified(answers(("yes", "yes"), ("yes", "no")), labels=["yes", "no"])
    assert found["classification_macro_f1"].value == pytest.approx((2 / 3 + 0) / 2)


def test_the_area_is_of_the_answers_probability() -> None:
    rows = [("yes", "yes", 0.9), ("yes", "yes", 0.6), ("no", "yes", 0.7), ("no", "no", 0.8)]
    trials = [
        generated(instance(gold, id=f"id{i}"), Choice(said, math.log(p))) for i, (gold, said, p) in enumerate(rows)
    ]
    assert classified(trials)["classification_auroc"].value == pytest.approx(3 / 4)


def test_without_probabilities_there_is_no_area() -> None:
    found = classified(answers(("yes", "yes"), ("no", "no")))["classification_auroc"]
    assert found.value is None
    assert "log-probabilities" in found.reason


def test_options_are_labels_too() -> None:
    trials = [
        joint("A", correct=0, options=("yes", "no"), id="id0"),
        joint("A", correct=1, options=("yes", "no"), id="b"),
    ]
    assert classified(trials)["classification_micro_f1"].value == 0.5
    assert classified([separate([-1.0, -2.0], correct=0)])["classification_micro_f1"].value == 1


def test_texts_without_end_are_no_classes() -> None:
    trials = answers(*((f"text {i}", "x") for i in range(150)))
    found = classified(trials)["classification_macro_f1"]
    assert found.value is None
    assert "150 labels" in found.reason


def test_missing_answers_are_counted() -> None:
    found = classified([*THREE, failed(instance("cat", id="x"), Outcome.TRANSPORT_ERROR)])["classification_macro_f1"]
    assert (found.n, found.n_missing) == (6, 1)


def several(index: int, golds: tuple[str, ...], said: str) -> Trial:
    of = Instance(id=f"id{index}", input="?", references=tuple(Reference(g, (CORRECT,)) for g in golds))
    return generated(of, said)


MANY = [several(0, ("a", "b"), "a, b"), several(1, ("a",), "a, c"), several(2, ("c",), "b")]


def test_several_labels_are_listed_with_a_delimiter() -> None:
    found = classified(MANY, delimiter=",")
    assert found["classification_micro_precision"].value == pytest.approx(3 / 5)
    assert found["classification_micro_recall"].value == pytest.approx(3 / 4)


def test_an_answer_of_no_label_counts_where_none_is_right() -> None:
    none = Instance(id="id3", input="?", references=(Reference("a"), Reference("b")))
    found = classified([*MANY, generated(none, "n/a")], delimiter=",")["classification_micro_precision"]
    assert found.value == pytest.approx(3 / 5)
    assert found.n == 4
    wrong = classified([*MANY, generated(none, "b")], delimiter=",")["classification_micro_precision"]
    assert wrong.value == pytest.approx(3 / 6)


def helms(metric: MetricSpec, trials: list[Trial]) -> dict[str, Any]:
    spec = RunSpec(
        name="x", entry="x", scenario=ScenarioSpec("x"), adapter=AdapterSpec(), metrics=(metric,), compat="helm"
    )
    written: list[dict[str, Any]] = statistics(spec, trials)[0]
    return {s["name"]["name"]: s for s in written if s["name"]["name"].startswith("classification")}


def test_helms_statistics_of_generations() -> None:
    args: dict[str, Any] = {"averages": ["macro", "micro"], "scores": ["f1", "precision"]}
    found = helms(MetricSpec("classification", args), THREE)
    assert found["classification_micro_f1"]["mean"] == pytest.approx(4 / 6)
    assert found["classification_macro_precision"]["mean"] == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)
    assert set(found) == {f"classification_{a}_{s}" for a in ("macro", "micro") for s in ("f1", "precision")}


def test_helms_statistics_of_several_labels() -> None:
    found = helms(MetricSpec("classification", {"delimiter": ","}), MANY)
    assert found["classification_micro_f1"]["mean"] == pytest.approx(2 * 3 / (5 + 4))


def test_helms_statistics_of_options() -> None:
    trials = [joint(said, correct=0, options=("yes", "no"), id=said) for said in ("A", "B", "C")]
    found = helms(MetricSpec("multiple_choice_classification"), trials)
    assert found["classification_micro_f1"]["mean"] == pytest.approx(1 / 3)
    assert found["classification_macro_f1"]["mean"] == pytest.approx((2 * 1 / (3 + 1)) / 3)


def test_both_of_helms_metrics_are_ours() -> None:
    given = [MetricSpec("multiple_choice_classification"), MetricSpec("classification", {"averages": ["macro"]})]
    assert expanded(given) == (MetricSpec("classification"),)
