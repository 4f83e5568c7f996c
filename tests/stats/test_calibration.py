"""Calibration numbers: definitions, edges, and HELM's published values."""

import gzip
import json
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from holoscope.stats import calibration, equal_mass_ece, equal_width_ece, platt, selective_accuracy
from paths import GOLDEN, needs_golden


def test_constant_confidence_is_off_by_the_gap() -> None:
    assert equal_mass_ece([0.8] * 10, [1] * 6 + [0] * 4) == pytest.approx(0.2)
    assert equal_width_ece([0.8] * 10, [1] * 6 + [0] * 4, bins=10) == pytest.approx(0.2)


def test_confidence_of_zero_and_one_falls_in_the_outer_bins() -> None:
    assert equal_width_ece([0.0, 1.0], [0, 1], bins=10) == 0
    assert equal_width_ece([0.0, 1.0], [1, 0], bins=10) == 1


def test_equal_mass_bins_hold_equally_many() -> None:
    p = np.arange(1, 21) / 21
    y = (np.arange(20) % 2).astype(float)
    pairs = (p - y).reshape(10, 2).sum(axis=1)
    assert equal_mass_ece(p, y) == pytest.approx(np.abs(pairs).sum() / 20)


def test_perfectly_calibrated_answers_have_a_small_error() -> None:
    rng = np.random.default_rng(1)
    p = rng.random(20_000)
    assert equal_mass_ece(p, (rng.random(20_000) < p).astype(float)) < 0.01


def test_selective_accuracy_takes_the_most_confident_first() -> None:
    found = selective_accuracy([0.1, 0.9, 0.5], [0, 1, 1])
    assert found.area == pytest.approx((1 + 1 + 2 / 3) / 3)
    assert found.accuracy_at_10 == 1.0


def test_equal_confidences_keep_their_order() -> None:
    assert selective_accuracy([0.5] * 20, [1.0] + [0.0] * 19).accuracy_at_10 == pytest.approx(1 / 3)


def test_platt_is_undefined_without_both_kinds_of_answer() -> None:
    assert platt([0.2, 0.8], [1, 1]) is None
    assert calibration([0.2, 0.8], [0, 0]).platt_ece_10_bin == 0


def test_platt_recovers_a_known_distortion() -> None:
    rng = np.random.default_rng(2)
    logit = rng.normal(size=5_000)
    y = (rng.random(5_000) < 1 / (1 + np.exp(-(2 * logit + 0.5)))).astype(float)
    fit = platt(1 / (1 + np.exp(-logit)), y)
    assert fit is not None
    assert fit.coef == pytest.approx(2, abs=0.15)
    assert fit.intercept == pytest.approx(0.5, abs=0.1)


def test_confidence_of_exactly_zero_and_one_can_be_fitted() -> None:
    fit = platt([0.0, 1.0, 0.5, 0.5], [0, 1, 1, 0])
    assert fit is not None
    assert np.isfinite(fit.apply([0.0, 1.0])).all()


@needs_golden
def test_every_published_number_is_met() -> None:
    compared = 0
    for path in sorted(GOLDEN.glob("*.json.gz")):
        for run in json.loads(gzip.decompress(path.read_bytes()))["runs"]:
            if run["run_spec"]["adapter_spec"]["num_train_trials"] == 1:
                compared += _compare(run)
    assert compared > 200


def _compare(run: dict[str, Any]) -> int:
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in run["per_instance_stats"]:
        by_name = {s["name"]["name"]: s for s in row["stats"]}
        if {"max_prob", "exact_match", "logprob"} <= by_name.keys():
            point = by_name["max_prob"]["mean"], by_name["exact_match"]["mean"]
            points[_context(by_name["max_prob"]["name"])].append(point)
    published = {(_context(s["name"]), s["name"]["name"]): s.get("mean") for s in run["stats"]}
    compared = 0
    for context, pairs in points.items():
        ours = calibration(*zip(*pairs, strict=True))
        names = {
            "ece_10_bin": ours.ece_10_bin,
            "ece_1_bin": ours.ece_1_bin,
            "selective_cov_acc_area": ours.selective_area,
            "selective_acc@10": ours.selective_accuracy_at_10,
            "platt_coef": ours.platt.coef if ours.platt else None,
            "platt_intercept": ours.platt.intercept if ours.platt else None,
            "platt_ece_10_bin": ours.platt_ece_10_bin,
            "platt_ece_1_bin": ours.platt_ece_1_bin,
        }
        for name, value in names.items():
            expected = published.get((context, name))
            assert (value is None) == (expected is None), (context, name)
            assert value is None or value == pytest.approx(expected, rel=1e-9, abs=1e-9), (context, name)
            compared += 1
    return compared


def _context(name: dict[str, Any]) -> str:
    return json.dumps({k: v for k, v in name.items() if k != "name"}, sort_keys=True)
