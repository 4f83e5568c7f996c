"""The scorer: reasons instead of numbers, versions, arguments, and speed."""

import sys

import pytest

from holoscope.core import (
    Metric,
    MetricSpec,
    Outcome,
    Score,
    Trial,
    UsageError,
)
from holoscope.metrics import score
from holoscope.metrics.helm import strings
from metrics.made import failed, generated, instance, joint, one, registry


@pytest.mark.parametrize(
    "outcome",
    [Outcome.CONTENT_FILTER, Outcome.TRANSPORT_ERROR, Outcome.CONTEXT_OVERFLOW, Outcome.NOT_SUPPORTED],
)
def test_a_trial_without_text_has_the_reason_for_its_score(outcome: Outcome) -> None:
    for compat in (False, True):
        found = one("exact_match", failed(instance(), outcome, "because"), compat=compat)
        assert (found.value, found.outcome, found.reason) == (None, outcome, "because")


def test_one_failed_request_of_a_trial_leaves_it_without_a_score() -> None:
    good = generated(instance("a"), "a")
    bad = failed(good.instance, Outcome.TRANSPORT_ERROR)
    assert one("exact_match", Trial(good.instance, good.exchanges + bad.exchanges)).value is None


@pytest.mark.parametrize("outcome", [Outcome.TRUNCATED, Outcome.REFUSED])
def test_what_there_is_of_an_answer_is_graded(outcome: Outcome) -> None:
    assert one("exact_match", generated(instance("a"), "a", outcome=outcome)).value == 1


def test_scores_come_in_the_order_of_trials_and_metrics() -> None:
    specs = [MetricSpec("exact_match"), MetricSpec("calibration"), MetricSpec("f1_score")]
    found = score(specs, [joint("B"), joint("A")], registry())
    assert [[s.metric for s in row] for row in found] == [["exact_match", "f1_score"]] * 2
    assert [row[0].value for row in found] == [1, 0]


def test_compat_takes_helms_version_where_there_is_one() -> None:
    assert one("f1_score", joint("B"), compat=True).version == "helm-0.5.16"
    assert one("f1_score", joint("B")).version == "1"
    assert one("request_time", joint("B"), compat=True).version == "1"


def test_helms_version_can_be_asked_for_by_name() -> None:
    found = one("f1_score@helm", generated(instance("a b"), "a b b"))
    assert (found.metric, found.version, found.value) == ("f1_score@helm", "helm-0.5.16", 1)


def test_arguments_only_ours_has_are_left_out_under_compat() -> None:
    trial = generated(instance("a"), "A.")
    assert one("quasi_exact_match", trial, language="fr").value == 1
    assert one("quasi_exact_match", trial, compat=True, language="fr").value == 1


def test_an_argument_nobody_takes_is_an_error() -> None:
    with pytest.raises(UsageError, match="metric 'f1_score'"):
        one("f1_score", joint("B"), colour="red")


def test_an_unknown_metric_makes_no_score() -> None:
    assert score([MetricSpec("no_such_metric")], [joint("B")], registry()) == [[]]


def add_metric(value: float | None, error: Exception | None = None, needs: tuple[str, ...] = ()) -> Score:
    def function(trial: Trial) -> Score:
        if error:
            raise error
        return Score("odd", value)

    books = registry()
    books.metrics.add("odd", Metric(name="odd", version="7", axis="accuracy", title="Odd", score=function, needs=needs))
    return score([MetricSpec("odd")], [joint("B")], books)[0][0]


def test_an_error_on_one_trial_is_its_score() -> None:
    found = add_metric(None, ZeroDivisionError("oops"))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)
    assert found.reason == "ZeroDivisionError: oops"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_score_is_a_number_or_missing(value: float) -> None:
    assert add_metric(value).outcome is Outcome.UNGRADABLE


def test_a_plug_in_gets_its_version() -> None:
    assert add_metric(1.0).version == "7"


@pytest.mark.parametrize("need", ["logprobs", "echo", "usage"])
def test_what_a_metric_needs_and_lacks_is_said(need: str) -> None:
    found = add_metric(1.0, needs=(need,))
    assert found.outcome is Outcome.NOT_SUPPORTED
    assert found.reason


@pytest.mark.parametrize(("metric", "module"), [("rouge_l", "rouge_score.rouge_scorer"), ("bleu_4", "nltk.tokenize")])
def test_a_missing_extra_is_named(metric: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    strings._rouge_scorer.cache_clear()
    strings._word_tokenizer.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    found = one(metric, generated(instance("a"), "a"), compat=True)
    assert found.outcome is Outcome.NOT_SUPPORTED
    assert 'pip install "holoscope[text]"' in found.reason


def test_our_overlap_metrics_need_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("rouge_score", "nltk"):
        monkeypatch.setitem(sys.modules, module, None)
    assert one("rouge_l", generated(instance("a"), "a")).value == 1
