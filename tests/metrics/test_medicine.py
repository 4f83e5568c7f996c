"""Medical answers that a rule checks: quantities within limits, errors in notes, codes of diseases."""

import pytest
from msgspec.structs import replace

from holoscope.core import Outcome, Score, Trial
from holoscope.metrics.unmeasured import JURIES
from metrics.made import generated, instance, one

FLAG, SENTENCE = "medec_error_flag_accuracy", "medec_error_sentence_accuracy"


def quantity(category: str, gold: str, low: str, high: str, said: str, *, helm: bool = False) -> Score:
    asked = replace(instance(gold), extra={"category": category, "lower_limit": low, "upper_limit": high})
    return one("medcalc_bench_accuracy" + "@helm" * helm, generated(asked, said))


@pytest.mark.parametrize(
    ("category", "gold", "low", "high", "said", "ours", "helms"),
    [
        ("physical", "25.2", "23.9", "26.5", "25", 1.0, 1.0),
        ("physical", "25.2", "23.9", "26.5", "The BMI is 25.1 kg/m2.", 1.0, 0.0),
        ("physical", "25.2", "23.9", "26.5", "27", 0.0, 0.0),
        ("physical", "1200", "1100", "1300", "1,250", 1.0, 0.0),
        ("lab test", "140", "133", "147", "141", 1.0, 0.0),
        ("dosage conversion", "12", "11", "13", "12.5", 1.0, 1.0),
        ("risk", "4", "4", "4", "4", 1.0, 1.0),
        ("risk", "4", "4", "4", "The score is 4.", 1.0, 0.0),
        ("risk", "4", "4", "4", "5", 0.0, 0.0),
        ("diagnosis", "Severe", "", "", "severe.", 1.0, 0.0),
        ("date", "06/12/2023", "06/12/2023", "06/12/2023", "6/12/2023", 1.0, 1.0),
        ("date", "06/12/2023", "06/12/2023", "06/12/2023", "2023-06-12", 1.0, 0.0),
        ("date", "06/12/2023", "06/12/2023", "06/12/2023", "06/13/2023", 0.0, 0.0),
        ("date", *(["('3 weeks', '2 days')"] * 3), "('3 weeks', '2 days')", 1.0, 1.0),
        ("date", *(["('3 weeks', '2 days')"] * 3), "3 weeks and 2 days", 1.0, 0.0),
        ("date", *(["('3 weeks', '2 days')"] * 3), "3 weeks, 3 days", 0.0, 0.0),
    ],
)
def test_quantities(category: str, gold: str, low: str, high: str, said: str, ours: float, helms: float) -> None:
    assert quantity(category, gold, low, high, said).value == ours
    assert quantity(category, gold, low, high, said, helm=True).value == helms


@pytest.mark.parametrize(
    ("category", "said", "reason"),
    [("physical", "I can't say.", ""), ("date", "in June", "no date"), ("date", "13/45/2023", "no date")],
)
def test_an_answer_without_a_quantity_is_not_wrong_but_ungradable(category: str, said: str, reason: str) -> None:
    found = quantity(category, "06/12/2023", "06/12/2023", "06/12/2023", said)
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)
    assert reason in found.reason


def note(gold: str, said: str) -> Trial:
    return generated(instance(gold), said)


@pytest.mark.parametrize(
    ("gold", "said", "flag", "sentence"),
    [
        ("CORRECT", "CORRECT", 1.0, 1.0),
        ("CORRECT", "Correct.", 1.0, 1.0),
        ("CORRECT", "3 He has a cold.", 0.0, 0.0),
        ("3 He has a cold.", "3 He had a cold.", 1.0, 1.0),
        ("3 He has a cold.", "Sentence 3: He had a cold.", 1.0, 1.0),
        ("3 He has a cold.", "4 He had a cold.", 1.0, 0.0),
        ("3 He has a cold.", "CORRECT", 0.0, 0.0),
    ],
)
def test_errors_in_notes(gold: str, said: str, flag: float, sentence: float) -> None:
    assert one(FLAG, note(gold, said)).value == flag
    assert one(SENTENCE, note(gold, said)).value == sentence


def test_an_answer_that_names_no_sentence_is_ungradable() -> None:
    found = one(FLAG, note("CORRECT", "I think that it is wrong."))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)


def test_helm_never_finds_the_sentence_of_an_error() -> None:
    assert one(f"{SENTENCE}@helm", note("3 He has a cold.", "3 He has a cold.")).value == 0.0
    assert one(f"{FLAG}@helm", note("3 He has a cold.", "3 He has a cold.")).value == 1.0
    assert one(f"{FLAG}@helm", note("CORRECT", "CORRECT.")).value == 0.0
    assert one(f"{SENTENCE}@helm", note("CORRECT", "CORRECT")).value == 1.0


@pytest.mark.parametrize(("part", "value"), [("precision", 2 / 3), ("recall", 0.5), ("f1", 4 / 7)])
def test_codes_are_counted_once(part: str, value: float) -> None:
    trial = note("I10,E11.9,Z79.4,C7A.00", "**I10**, E11.9 and I10; J45.")
    assert one(f"mimiciv_billing_code_{part}", trial).value == pytest.approx(value)


def test_every_jury_has_its_rating() -> None:
    for name in JURIES:
        assert one(f"{name}_accuracy", note("x", "y")).reason == "needs a judge model"
