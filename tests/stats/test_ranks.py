"""Rank intervals hold the true ranks of all models at once, and narrow as the data allow."""

import numpy as np
import pytest
from numpy.typing import NDArray

from holoscope.stats import Ranks, one_sided, pair_moments, rank_intervals

Floats = NDArray[np.float64]


def from_instances(values: Floats, clusters: list[int] | None = None) -> Ranks:
    return rank_intervals(one_sided(*pair_moments(values, clusters)))


def hold(ranks: Ranks, truth: Floats) -> bool:
    """True if each interval holds the model's rank, models alike sharing the best of theirs."""
    true = [1 + int((truth > own).sum()) for own in truth]
    return all(b <= rank <= w for b, rank, w in zip(ranks.best, true, ranks.worst, strict=True))


@pytest.mark.parametrize("spread", [0.0, 0.05, 0.3])
def test_all_ranks_are_held_at_once(spread: float) -> None:
    rng = np.random.default_rng(1)
    truth = 0.5 + np.linspace(0, spread, 8)
    hits = [hold(from_instances((rng.random((80, 8)) < truth).astype(float)), truth) for _ in range(400)]
    assert np.mean(hits) >= 0.94


def test_all_ranks_are_held_where_instances_share_passages() -> None:
    rng = np.random.default_rng(2)
    labels = np.repeat(np.arange(40), 5)

    def draw() -> Floats:
        return rng.normal(size=(200, 6)) + rng.normal(size=(40, 6))[labels]

    grouped = [hold(from_instances(draw(), labels.tolist()), np.zeros(6)) for _ in range(200)]
    plain = [hold(from_instances(draw()), np.zeros(6)) for _ in range(200)]
    assert np.mean(grouped) >= 0.92
    assert np.mean(plain) < 0.8


def test_ranks_from_published_errors_are_held() -> None:
    rng = np.random.default_rng(3)
    truth, error = np.linspace(0.4, 0.6, 10), 0.03

    def draw() -> Ranks:
        seen = rng.normal(truth, error)
        return rank_intervals(one_sided(seen[:, None] - seen[None, :], np.full((10, 10), 2 * error**2)))

    assert np.mean([hold(draw(), truth) for _ in range(400)]) >= 0.94


def test_clear_differences_give_single_ranks() -> None:
    rng = np.random.default_rng(4)
    found = from_instances((rng.random((2000, 4)) < [0.2, 0.8, 0.5, 0.95]).astype(float))
    assert (found.best, found.worst) == ((4, 2, 3, 1), (4, 2, 3, 1))


def test_pairing_separates_what_published_errors_do_not() -> None:
    rng = np.random.default_rng(5)
    hardness = rng.random(500)
    values = np.stack([hardness < 0.5, hardness < 0.53], axis=1).astype(float)
    paired = from_instances(values)
    gap, variance = values.mean(axis=0), values.var(axis=0) / 500
    unpaired = rank_intervals(one_sided(gap[:, None] - gap[None, :], variance[:, None] + variance[None, :]))
    assert paired.best == (2, 1)
    assert unpaired.best == (1, 1)


def test_few_pairs_all_one_way_prove_nothing() -> None:
    values = np.zeros((20, 2))
    values[:2, 0] = 1
    assert from_instances(values).worst == (2, 2)


def test_equal_models_share_every_rank() -> None:
    column = (np.random.default_rng(6).random(50) < 0.5).astype(float)
    found = from_instances(np.stack([column, column, column], axis=1))
    assert (found.best, found.worst) == ((1, 1, 1), (3, 3, 3))


def test_an_unknown_pair_is_not_sure() -> None:
    assert one_sided(np.array([[0.0, 5.0]]), np.array([[0.0, 0.0]])).tolist() == [[1.0, 1.0]]


def test_one_model_is_first() -> None:
    assert rank_intervals(np.ones((1, 1)))[:2] == ((1,), (1,))


def test_no_model_has_no_rank() -> None:
    assert rank_intervals(np.ones((0, 0)))[:2] == ((), ())
