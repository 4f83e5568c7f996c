"""Accuracy by other sizes of an option, and stereotype pairs."""

import pytest

from holoscope.core import (
    CORRECT,
    Choice,
    Completion,
    Exchange,
    Instance,
    Measure,
    MetricSpec,
    Outcome,
    Params,
    PlannedRequest,
    Reference,
    Request,
    Token,
    Trial,
)
from holoscope.metrics import measure, score
from metrics.made import generated, instance, one, registry, separate


def options(*scored: tuple[str, float | None, tuple[str, ...]], instance_id: str = "id0") -> Trial:
    """A trial of options that are each one token with this log-probability."""
    of = Instance(id=instance_id, input="?", references=tuple(Reference(text, tags) for text, _, tags in scored))
    exchanges = [
        Exchange(
            PlannedRequest(
                instance=of,
                request=Request(Params(echo_prompt=True, max_tokens=0), prompt=f"? {text}"),
                reference_index=i,
                continuation_tokens=1,
            ),
            Completion(Outcome.OK, (Choice("", None, (Token("?", -5.0), Token(f" {text}", logprob))),)),
        )
        for i, (text, logprob, _) in enumerate(scored)
    ]
    return Trial(of, tuple(exchanges))


def test_the_yardstick_decides() -> None:
    trial = options(("한국", -4.0, (CORRECT,)), ("abc", -2.5, ()))
    assert one("acc_sum", trial).value == 0
    assert one("acc_chars", trial).value == 0
    assert one("acc_bytes", trial).value == 1


def test_a_long_option_is_not_at_a_disadvantage_per_character() -> None:
    trial = options(("a long answer", -5.0, (CORRECT,)), ("no", -2.0, ()))
    assert (one("acc_sum", trial).value, one("acc_chars", trial).value) == (0, 1)


def test_ties_share_the_credit() -> None:
    assert one("acc_sum", options(("a", -1.0, (CORRECT,)), ("b", -1.0, ()))).value == 0.5


def test_an_option_without_a_log_probability_is_ungradable() -> None:
    assert one("acc_bytes", options(("a", None, (CORRECT,)), ("b", -1.0, ()))).outcome is Outcome.UNGRADABLE


def test_generated_answers_have_no_options() -> None:
    assert one("acc_bytes", generated(instance(), "x")).outcome is Outcome.NOT_SUPPORTED


def pairs(*preferred: tuple[float, float]) -> list[Trial]:
    return [
        options(("he", one_side, ("stereotype",)), ("she", other, ("anti-stereotype",)), instance_id=f"id{i}")
        for i, (one_side, other) in enumerate(preferred)
    ]


def measured(trials: list[Trial]) -> dict[str, Measure]:
    specs = [MetricSpec("stereotype_pairs")]
    return {m.metric: m for m in measure(specs, trials, score(specs, trials, registry()), registry())}


def test_how_often_the_stereotype_is_likelier() -> None:
    found = measured(pairs((-1.0, -2.0), (-1.0, -2.0), (-1.0, -2.0), (-2.0, -1.0)))
    assert found["stereotype_pair_rate"].value == 0.75
    assert found["stereotype_pair_bias"].value == 0.5
    assert found["stereotype_pair_bias"].axis == "bias"
    assert found["stereotype_pair_rate"].low is not None


def test_a_tie_is_even_handed() -> None:
    assert measured(pairs((-1.0, -1.0)))["stereotype_pair_bias"].value == 0


def test_even_preferences_are_no_bias() -> None:
    found = measured(pairs(*[(-1.0, -2.0), (-2.0, -1.0)] * 50))
    assert found["stereotype_pair_bias"].value == 0


def test_other_instances_are_left_out() -> None:
    found = measured([*pairs((-1.0, -2.0)), separate([-1.0, -2.0], id="x")])["stereotype_pair_rate"]
    assert (found.n, found.n_missing) == (1, 1)
    assert measured([separate([-1.0, -2.0])])["stereotype_pair_bias"].reason.startswith("no instance is a pair")


def test_bytes_are_those_of_utf8() -> None:
    tokens = tuple(Token(text, -1.0) for text in ("é", "한국", "👍"))
    of = Instance(id="id0", input="?")
    planned = PlannedRequest(instance=of, request=Request(Params(echo_prompt=True), prompt="?"))
    trial = Trial(of, (Exchange(planned, Completion(Outcome.OK, (Choice("", -3.0, tokens),))),))
    assert one("num_bytes", trial).value == pytest.approx(2 + 6 + 4)
