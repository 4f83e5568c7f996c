"""CIDEr-D: rare words count, common ones don't, and a set of one has no rare words."""

import math

import pytest

from holoscope.core import MetricSpec, Trial
from holoscope.metrics import measure
from holoscope.metrics.captions import similarities
from metrics.made import generated, instance, registry


def trial(number: int, said: str, *references: str) -> Trial:
    return generated(instance(references, id=f"id{number}"), said)


def test_the_reference_itself_shares_its_words_and_pairs() -> None:
    assert similarities(["red oak", "cat"], [["red oak"], ["sun moon"]]) == pytest.approx([10 * (1 + 1) / 4, 0.0])


def test_words_that_every_instance_uses_do_not_count() -> None:
    assert similarities(["tree", "tree"], [["tree"], ["tree"]]) == [0.0, 0.0]


def test_a_repeated_word_is_clipped() -> None:
    references = [["oak"], ["cat"]]
    once, twice = (similarities([said, "x"], references)[0] for said in ("oak", "oak oak"))
    assert once == pytest.approx(10 / 4)
    assert twice == pytest.approx(10 / 4 / 2 * math.exp(-1 / 72))


def test_references_are_averaged() -> None:
    assert similarities(["oak", "x"], [["oak", "elm"], ["cat"]])[0] == pytest.approx(10 / 4 / 2)


def test_it_is_a_measure_of_the_set() -> None:
    trials = [trial(0, "Red oak.", "red oak"), trial(1, "dog", "sun moon"), trial(2, "sea", "sea")]
    [found] = measure([MetricSpec("cider")], trials, [[]] * 3, registry())
    assert found.value == pytest.approx((5 + 0 + 2.5) / 3)
    assert (found.n, found.axis) == (3, "accuracy")
    assert found.low is not None


def test_one_instance_is_not_enough() -> None:
    [found] = measure([MetricSpec("cider")], [trial(0, "oak", "oak")], [[]], registry())
    assert (found.value, found.n_missing) == (None, 1)
    assert "fewer than two instances" in found.reason


def test_helms_is_always_nothing() -> None:
    books = registry()
    assert books.metrics.get("cider@helm").score(trial(0, "oak", "oak")).value == 0.0
