"""BLEU and chrF against sacrebleu itself, for a sentence and for the corpus."""

import sys

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from holoscope.core import Measure, MetricSpec, Outcome, Trial
from holoscope.metrics import measure, score
from holoscope.metrics.translation import engine
from metrics.made import failed, generated, instance, one, registry

PAIRS = [
    ("The house is small.", "The house is little."),
    ("It rains in the north.", "It is raining in the north."),
    ("She reads a book every day.", "Every day she reads a book."),
    ("We will meet tomorrow.", "We meet tomorrow."),
] * 4


def trials() -> list[Trial]:
    return [generated(instance(gold, id=f"id{i}"), said) for i, (gold, said) in enumerate(PAIRS)]


def corpus(name: str, given: list[Trial], **args: str) -> Measure:
    specs = [MetricSpec(name, dict(args))]
    return measure(specs, given, score(specs, given, registry()), registry())[0]


@pytest.mark.parametrize(("name", "theirs"), [("bleu", BLEU()), ("chrf", CHRF()), ("chrf++", CHRF(word_order=2))])
def test_the_corpus_score_is_sacrebleus(name: str, theirs: BLEU | CHRF) -> None:
    found = corpus(f"corpus_{name}", trials())
    expected = theirs.corpus_score([said for _, said in PAIRS], [[gold for gold, _ in PAIRS]]).score / 100
    assert found.value == pytest.approx(expected)
    assert found.low is not None
    assert found.high is not None
    assert found.low < expected < found.high
    assert "bca bootstrap" in found.method


def test_the_method_names_sacrebleus_settings() -> None:
    assert "tok:13a" in corpus("corpus_bleu", trials()).method
    assert "tok:zh" in corpus("corpus_bleu", trials(), language="zh").method


def test_a_sentence_is_compared_with_all_its_references() -> None:
    golds = ["The house is small.", "The house is tiny."]
    expected = BLEU(effective_order=True).sentence_score("The house is tiny.", golds).score / 100
    assert one("bleu", generated(instance(golds), "The house is tiny.")).value == pytest.approx(expected)


def test_an_empty_answer_scores_nothing_and_counts() -> None:
    assert one("chrf", generated(instance("a b"), "")).value == 0
    assert corpus("corpus_chrf", [*trials(), generated(instance("more text", id="x"), "")]).n == len(PAIRS) + 1


def test_an_unanswered_request_is_missing_from_the_corpus() -> None:
    found = corpus("corpus_bleu", [*trials(), failed(instance("x", id="x"), Outcome.TRANSPORT_ERROR)])
    assert (found.n, found.n_missing) == (len(PAIRS), 1)


def test_an_empty_corpus_says_why() -> None:
    found = corpus("corpus_bleu", [failed(instance("x"), Outcome.TRANSPORT_ERROR)])
    assert (found.value, bool(found.reason)) == (None, True)


def test_without_the_package_the_cell_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.cache_clear()
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics.bleu", None)
    assert corpus("corpus_bleu", trials()).reason == 'BLEU and chrF needs an extra: pip install "holoscope[text]"'
    assert one("chrf", trials()[0]).outcome is Outcome.NOT_SUPPORTED
