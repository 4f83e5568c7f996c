"""Weighted aggregates: only by chosen weights, never over what is missing."""

import pytest
from msgspec.structs import replace

from holoscope.core import UnknownNameError, UsageError
from holoscope.report.aggregate import Reversal, aggregate
from holoscope.report.standing import AxisStanding, Entry


def axis(name: str, **places: float | None) -> AxisStanding:
    return AxisStanding(
        axis=name,
        title=name,
        lower_is_better=False,
        unit="",
        metrics=(),
        scenarios=("gsm",),
        left_out={},
        paired=(),
        entries=tuple(
            Entry(model=m, reason="no log-probabilities")
            if p is None
            else Entry(model=m, place=p, place_low=p - 0.1, place_high=p + 0.1)
            for m, p in places.items()
        ),
        surely_better=(),
    )


ACCURACY, CALIBRATION = axis("accuracy", a=0.8, b=0.6, c=0.9), axis("calibration", a=0.2, b=0.7, c=None)
AXES = (ACCURACY, CALIBRATION)


def test_the_aggregate_is_the_weighted_mean_of_the_places() -> None:
    found = aggregate(AXES, {"accuracy": 3, "calibration": 1})
    assert found.weights == {"accuracy": 0.75, "calibration": 0.25}
    values = {total.model: total.value for total in found.totals}
    assert values == {"a": pytest.approx(0.65), "b": pytest.approx(0.625), "c": None}


def test_its_interval_holds_however_the_errors_go_together() -> None:
    first = aggregate(AXES, {"accuracy": 1, "calibration": 1}).totals[0]
    assert first.low == pytest.approx(0.55)
    assert first.high == pytest.approx(0.75)


def test_a_model_that_lacks_an_axis_has_no_aggregate_and_says_why() -> None:
    last = aggregate(AXES, {"accuracy": 3, "calibration": 1}).totals[-1]
    assert (last.model, last.value, last.reason) == ("c", None, "lacks calibration (no log-probabilities)")


def test_an_axis_of_no_weight_may_be_missing() -> None:
    found = aggregate(AXES, {"accuracy": 1, "calibration": 0})
    assert [total.model for total in found.totals] == ["c", "a", "b"]
    assert found.weights == {"accuracy": 1.0}


def test_each_pair_has_the_share_of_weightings_that_would_turn_it_round() -> None:
    found = aggregate(AXES, {"accuracy": 3, "calibration": 1})
    assert found.reversals == (Reversal("a", "b", pytest.approx(5 / 7)),)  # type: ignore[arg-type]


def test_an_axis_without_a_scale_cannot_be_weighed() -> None:
    bare = replace(ACCURACY, entries=(Entry(model="a", value=3.0),))
    found = aggregate([bare], {"accuracy": 1})
    assert found.totals[0].reason == "lacks accuracy (no fixed scale)"


def test_an_unknown_axis_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'accuracy'"):
        aggregate(AXES, {"acuracy": 1})


@pytest.mark.parametrize("weights", [{}, {"accuracy": 0}, {"accuracy": -1}, {"accuracy": float("nan")}])
def test_weights_that_weigh_nothing_are_refused(weights: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="weights"):
        aggregate(AXES, weights)
