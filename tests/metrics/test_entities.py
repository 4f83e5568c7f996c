"""Phrases and their kinds: F1 over words, counted over all instances."""

import pytest

from holoscope.core import MetricSpec
from holoscope.metrics import measure, score
from holoscope.metrics.entities import words_by_kind
from metrics.made import generated, instance, registry


def measured(*pairs: tuple[str, str]) -> dict[str, float | None]:
    trials = [generated(instance(gold, id=f"id{n}"), said) for n, (gold, said) in enumerate(pairs)]
    metrics, books = [MetricSpec("kpi_edgar")], registry()
    scores = score(metrics, trials, books, compat=False)
    return {m.metric: m.value for m in measure(metrics, trials, scores, books, compat=False)}


def test_phrases_end_at_their_kind() -> None:
    found = words_by_kind("total income [kpi], 284 [cy],12 [py]")
    assert found == {"kpi": {"total", "income"}, "cy": {"284"}, "py": {"12"}, "py1": set()}


def test_what_is_no_list_holds_no_phrases() -> None:
    assert not any(words_by_kind("The income was [high].").values())


def test_a_kind_that_nobody_names_counts_as_nothing() -> None:
    found = measured(("income [kpi], 1 [cy]", "income [kpi], 1 [cy]"))
    assert found == {"word_macro_f1_score": 0.5, "adjusted_macro_f1_score": 0.5}


def test_words_are_counted_over_all_instances() -> None:
    found = measured(("net income [kpi]", "income [kpi]"), ("sales [kpi]", "total sales costs [kpi]"))
    assert found["word_macro_f1_score"] == pytest.approx((2 * 2 / (4 + 3)) / 4)
    true, untrue = 2 / 3, 2 / 4
    assert found["adjusted_macro_f1_score"] == pytest.approx(2 * true / (2 * true + untrue + (1 - true)) / 4)
