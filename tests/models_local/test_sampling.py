"""From logits to tokens."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from holoscope.models.local._sampling import Sampler, logprob
from holoscope.models.local._sequence import Logits


def logits(*probabilities: float) -> Logits:
    return np.log(np.array(probabilities, dtype=np.float32))


def draws(temperature: float, top_p: float, of: Logits, count: int = 4000) -> Counter[int]:
    sampler = Sampler(temperature, top_p, random.Random(0))
    return Counter(sampler.pick(of) for _ in range(count))


def test_logprob_is_normalised() -> None:
    assert logprob(logits(0.2, 0.3, 0.5) + 7, 2) == pytest.approx(math.log(0.5), abs=1e-6)


def test_temperature_zero_takes_the_most_probable() -> None:
    assert draws(0, 1, logits(0.2, 0.5, 0.3), 10) == {1: 10}


def test_temperature_zero_takes_the_first_of_equals() -> None:
    assert draws(0, 1, logits(0.2, 0.4, 0.4), 10) == {1: 10}


def test_temperature_one_draws_by_probability() -> None:
    counts = draws(1, 1, logits(0.2, 0.3, 0.5))
    assert [counts[i] / 4000 for i in range(3)] == pytest.approx([0.2, 0.3, 0.5], abs=0.03)


def test_a_high_temperature_evens_out() -> None:
    counts = draws(100, 1, logits(0.01, 0.99))
    assert counts[0] / 4000 == pytest.approx(0.5, abs=0.03)


def test_a_low_temperature_is_nearly_greedy() -> None:
    assert draws(1e-6, 1, logits(0.49, 0.51), 10) == {1: 10}


def test_top_p_keeps_the_fewest_tokens_that_reach_it() -> None:
    assert set(draws(1, 0.6, logits(0.3, 0.5, 0.2))) == {0, 1}


def test_top_p_keeps_at_least_one() -> None:
    assert set(draws(1, 0.0, logits(0.3, 0.5, 0.2))) == {1}


def test_draws_come_from_the_generator_alone() -> None:
    assert draws(1, 1, logits(0.2, 0.3, 0.5)) == draws(1, 1, logits(0.2, 0.3, 0.5))
