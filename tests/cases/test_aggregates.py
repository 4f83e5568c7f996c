"""Public reports of wrong aggregates and of answers that run on, by their ids in the shared list of cases."""

import math

import pytest

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Measure,
    Metric,
    MetricSpec,
    Outcome,
    Params,
    PlannedRequest,
    Registry,
    Request,
    Score,
    Trial,
)
from holoscope.metrics import measure, score
from metrics.made import generated, instance, one, registry

PROMPT = "Passage: One.\nQuestion: How many?\nAnswer: 1\n\nPassage: Ten.\nQuestion: How many?\nAnswer:"


def asked(said: str, gold: str, **params: object) -> Trial:
    of = instance(gold)
    planned = PlannedRequest(instance=of, request=Request(Params(**params), prompt=PROMPT))  # type: ignore[arg-type]
    return Trial(of, (Exchange(planned, Completion(Outcome.OK, (Choice(said),))),))


@pytest.mark.parametrize("metric", ["f1_score", "exact_match", "quasi_exact_match"])
def test_t047_the_next_passage_is_no_part_of_the_answer(metric: str) -> None:
    assert one(metric, asked(" 10\n\nPassage: Another one.\nQuestion: Why?\nAnswer: 3", "10")).value == 1


@pytest.mark.parametrize("metric", ["f1_score", "exact_match", "quasi_exact_match"])
def test_t047_a_full_stop_does_not_cut_a_decimal(metric: str) -> None:
    assert one(metric, asked(" 12.25", "12.25", stop_sequences=(".",))).value == 1
    assert one(metric, asked(" 12.25", "12", stop_sequences=(".",))).value == 0


def rated(values: list[float | None]) -> Measure:
    """The mean of scores of which some could not be read."""
    given = iter(values)

    def rating(trial: Trial) -> Score:
        value = next(given)
        return Score(
            "rating", value, Outcome.OK if value is not None else Outcome.JUDGE_FAILED, "" if value else "prose"
        )

    books = Registry()
    books.metrics.add("rating", Metric(name="rating", version="1", axis="accuracy", title="Rating", score=rating))
    trials = [generated(instance(id=f"id{i}"), "x") for i in range(len(values))]
    specs = [MetricSpec("rating")]
    return measure(specs, trials, score(specs, trials, books), books)[0]


def test_t060_replies_that_cannot_be_read_are_counted_and_not_dropped() -> None:
    found = rated([4, 4, None, 5, None])
    assert found.value == pytest.approx(4.33, abs=0.01)
    assert (found.n, found.n_missing, found.outcomes) == (3, 2, {"judge_failed": 2})


def test_t063_one_cluster_has_no_interval_and_no_nan() -> None:
    trials = [generated(instance(id=f"id{i}", cluster="passage"), "gold") for i in range(3)]
    specs = [MetricSpec("exact_match")]
    (found,) = measure(specs, trials, score(specs, trials, registry()), registry())
    assert (found.value, found.n, found.low, found.high) == (1, 3, None, None)


def test_t063_a_value_that_is_no_number_is_flagged_and_counted() -> None:
    found = rated([1, math.nan, 0.5])
    assert (found.value, found.n, found.n_missing) == (0.75, 2, 1)


def test_t063_a_group_called_like_the_total_is_told_from_it() -> None:
    trials = [generated(instance(id=f"id{i}", groups={"region": "all" if i else "west"}), "gold") for i in range(3)]
    specs = [MetricSpec("exact_match"), MetricSpec("groups")]
    found = measure(specs, trials, score(specs, trials, registry()), registry())
    counts = {m.sub_split: m.n for m in found if m.metric == "exact_match"}
    assert counts == {None: 3, "region=all": 2, "region=west": 1}
