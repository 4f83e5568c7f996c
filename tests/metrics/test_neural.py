"""BERTScore: what is asked of the package, and what is said without it."""

import sys
from types import ModuleType
from typing import Any

import pytest

from holoscope.core import Outcome
from holoscope.metrics.neural import scorer
from metrics.made import generated, instance, one


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A `bert_score` that counts equal words, and what it was called with."""
    made: list[Any] = []

    class Scorer:
        def __init__(self, **settings: object) -> None:
            made.append(settings)

        def score(self, said: list[str], golds: list[str]) -> tuple[list[float], list[float], list[float]]:
            made.append((said, golds))
            shared = [float(a == b) for a, b in zip(said, golds, strict=True)]
            return shared, [0.25] * len(said), shared

    module = ModuleType("bert_score")
    module.BERTScorer = Scorer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bert_score", module)
    scorer.cache_clear()
    return made


def test_the_best_reference_counts(calls: list[Any]) -> None:
    trial = generated(instance(["other", "same"]), "same")
    assert one("BERTScore-F", trial).value == 1
    assert one("BERTScore-R", trial).value == 0.25
    assert calls[1] == (["same", "same"], ["other", "same"])
    scorer.cache_clear()


def test_the_encoder_is_opened_once_and_named(calls: list[Any]) -> None:
    found = [one("BERTScore-F", generated(instance("a"), "b"), encoder="small").rule for _ in range(3)]
    assert found == ["small"] * 3
    assert [c["model_type"] for c in calls if isinstance(c, dict)] == ["small"]
    scorer.cache_clear()


def test_an_empty_answer_is_ungradable(calls: list[Any]) -> None:
    assert one("BERTScore-F", generated(instance("a"), "")).outcome is Outcome.UNGRADABLE
    assert calls == []


def test_without_the_package_the_reason_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer.cache_clear()
    monkeypatch.setitem(sys.modules, "bert_score", None)
    found = one("BERTScore-F", generated(instance("a"), "b"))
    assert found.outcome is Outcome.NOT_SUPPORTED
    assert found.reason == 'BERTScore needs an extra: pip install "holoscope[neural]"'
