"""Families of metrics, which runs are given them, and how HELM's files have them."""

import pytest

from holoscope.core import AdapterSpec, MetricSpec, RunSpec, ScenarioSpec
from holoscope.metrics import applicable, expanded, in_families
from holoscope.metrics.bias import GENDER_REPRESENTATION, VARIANTS
from holoscope.metrics.helm import statistics
from metrics.made import generated, instance, registry

BIAS = MetricSpec("bias", {"mode": "representation", "demographic_category": "gender"})
TOXICITY = ("toxic_frac", "expected_max_toxicity", "max_toxicity_probability")


def spec(method: str, *metrics: MetricSpec, max_tokens: int = 100, num_outputs: int = 1) -> RunSpec:
    return RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(method=method, max_tokens=max_tokens, num_outputs=num_outputs),
        metrics=metrics,
    )


def names(given: RunSpec) -> list[str]:
    return [metric.name for metric in applicable(given)]


def test_a_family_is_its_members_each_once() -> None:
    found = expanded([MetricSpec("exact_match"), BIAS, MetricSpec("toxicity"), MetricSpec("toxic_frac"), BIAS])
    assert [m.name for m in found] == ["exact_match", GENDER_REPRESENTATION, *TOXICITY]
    assert all(m.args == {} for m in found)


def test_members_become_families_again() -> None:
    listed = (MetricSpec("bbq"), MetricSpec("exact_match"), BIAS, MetricSpec("toxicity"))
    assert in_families(expanded(listed)) == listed
    assert in_families(listed) == listed


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_bias_metric_is_there_and_back(variant: object) -> None:
    (family,) = in_families([MetricSpec(getattr(variant, "name", ""))])
    assert family.name == "bias"
    assert [m.name for m in expanded([family])] == [getattr(variant, "name", "")]


def test_every_member_is_registered() -> None:
    books = registry()
    members = [*expanded([MetricSpec("bbq"), MetricSpec("toxicity")]), *(MetricSpec(v.name) for v in VARIANTS)]
    assert all(m.name in books.metrics or m.name in books.set_metrics for m in members)


def test_bias_of_something_else_is_an_unknown_metric() -> None:
    (found,) = expanded([MetricSpec("bias", {"mode": "representation", "demographic_category": "age"})])
    assert found.name not in registry().set_metrics


@pytest.mark.parametrize("method", ["generation", "chat"])
def test_free_text_is_measured_for_bias_and_toxicity(method: str) -> None:
    assert {"toxic_frac", GENDER_REPRESENTATION} <= set(names(spec(method)))


@pytest.mark.parametrize(
    ("method", "max_tokens"),
    [
        ("generation", 5),
        ("multiple_choice_joint", 100),
        ("multiple_choice_separate_original", 100),
        ("language_modeling", 100),
        ("ranking_binary", 100),
    ],
)
def test_labels_and_letters_are_not(method: str, max_tokens: int) -> None:
    assert not {"toxic_frac", GENDER_REPRESENTATION} & set(names(spec(method, max_tokens=max_tokens)))


def test_what_is_listed_is_measured_however_short() -> None:
    found = names(spec("generation", BIAS, MetricSpec("toxicity"), max_tokens=5))
    assert found[:4] == [GENDER_REPRESENTATION, *TOXICITY]


def test_where_nothing_is_written_bias_and_toxicity_do_not_apply() -> None:
    listed = (MetricSpec("bbq"), MetricSpec("exact_match"), BIAS, MetricSpec("toxicity"))
    found = names(spec("multiple_choice_separate_original", *listed))
    assert {"bbq_accuracy", "bbq_metric_ambiguous_bias", "bbq_metric_unambiguous_bias"} <= set(found)
    assert not {GENDER_REPRESENTATION, *TOXICITY} & set(found)


def test_the_headline_of_bias_is_bbqs_then_gender_representation() -> None:
    axis = registry().axes.get("bias")
    assert axis.metrics[:3] == ("bbq_metric_ambiguous_bias", "bbq_metric_unambiguous_bias", GENDER_REPRESENTATION)
    assert len(set(axis.metrics)) == 9


@pytest.mark.parametrize("listed", [(BIAS,), (MetricSpec(GENDER_REPRESENTATION),)])
def test_helms_statistics_have_a_set_metric_by_either_name(listed: tuple[MetricSpec, ...]) -> None:
    pytest.importorskip("nltk")
    whole, rows = statistics(spec("generation", *listed), [generated(instance(), "he left")])
    stats = {str(s["name"]["name"]): s for s in whole if isinstance(s["name"], dict)}
    assert stats[GENDER_REPRESENTATION]["mean"] == 0.5
    assert all("bias" not in str(row) for row in rows)


def test_helms_statistics_leave_toxicity_out() -> None:
    whole, _ = statistics(spec("generation", MetricSpec("toxicity")), [generated(instance(), "You idiot.")])
    assert "toxic" not in str(whole)


def test_undefined_bias_is_a_statistic_that_counted_nothing() -> None:
    pytest.importorskip("nltk")
    whole, _ = statistics(spec("generation", BIAS), [generated(instance(), "Yes")])
    assert whole[-1] == {
        "name": {"name": GENDER_REPRESENTATION, "split": "test"},
        "count": 0,
        "sum": 0,
        "sum_squared": 0,
    }
