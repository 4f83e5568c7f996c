"""Metrics of summaries, worked out by hand: ROUGE, and how a summary uses its article."""

import pytest

from holoscope.core import CORRECT, Instance, MetricSpec, Outcome, Reference
from holoscope.metrics import expanded
from holoscope.metrics.helm.completions import summarization_values
from metrics.made import generated, one

ARTICLE = "the old mill by the river burned down on monday night"
SAID = "the mill by the river burned on monday"
GOLD = "the mill by the river burned on friday"


def summary(gold: str = GOLD, article: str = ARTICLE) -> Instance:
    return Instance(id="id0", input=article, references=(Reference(gold, (CORRECT,)),))


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("rouge_1", 7 / 8),  # seven of eight words are shared
        ("rouge_2", 6 / 7),  # and six of seven pairs
        ("rouge_l", 7 / 8),
        ("summarization_coverage", 1.0),  # the | mill by the river burned | on monday: all eight words
        ("summarization_density", (1 + 25 + 4) / 8),
        ("summarization_compression", 11 / 8),
    ],
)
def test_a_summary_by_hand(metric: str, value: float) -> None:
    assert one(metric, generated(summary(), SAID)).value == pytest.approx(value)


@pytest.mark.parametrize(("metric", "value"), [("rouge_1", 5 / 6), ("rouge_2", 3 / 5), ("rouge_l", 5 / 6)])
@pytest.mark.parametrize("compat", [False, True])
def test_rouge_by_hand(metric: str, value: float, compat: bool) -> None:
    trial = generated(summary("the cat sat on the mat"), "the cat lay on the mat")
    assert one(metric, trial, compat=compat).value == pytest.approx(value)


def test_rouge_l_keeps_the_order_and_rouge_1_does_not() -> None:
    trial = generated(summary("a red boat left port"), "port left boat red a")
    assert one("rouge_1", trial).value == pytest.approx(1.0)
    assert one("rouge_l", trial).value == pytest.approx(1 / 5)


def test_words_that_are_new_are_not_covered() -> None:
    trial = generated(summary(article="a b c d e f"), "a b x d")
    assert one("summarization_coverage", trial).value == pytest.approx(3 / 4)
    assert one("summarization_density", trial).value == pytest.approx((4 + 1) / 4)
    assert one("summarization_compression", trial).value == pytest.approx(6 / 4)


def test_helms_summaries_lose_their_braces() -> None:
    pytest.importorskip("nltk")
    values = dict(summarization_values(generated(summary("{the mill burned}"), "{the mill burned}"), {}))
    assert values == pytest.approx({"rouge_1": 1.0, "rouge_2": 1.0, "rouge_l": 1.0})


def members(**args: str) -> list[str]:
    return [metric.name for metric in expanded([MetricSpec("summarization", {"task": "summarization_xsum", **args})])]


def test_without_a_device_a_summary_is_measured_by_its_words() -> None:
    assert members(device="cpu") == members()
    assert members() == [
        *("rouge_1", "rouge_2", "rouge_l"),
        *("summarization_coverage", "summarization_density", "summarization_compression"),
    ]


def test_with_a_device_what_models_say_is_listed_too() -> None:
    assert members(device="cuda")[6:] == ["BERTScore-P", "BERTScore-R", "BERTScore-F", "summac", "QAFactEval"]


@pytest.mark.parametrize(("metric", "reason"), [("summac", "a model of entailment"), ("QAFactEval", "models that ask")])
def test_what_needs_another_model_says_so(metric: str, reason: str) -> None:
    found = one(metric, generated(summary(), SAID))
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)
    assert reason in found.reason
