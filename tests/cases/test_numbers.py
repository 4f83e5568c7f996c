"""Public reports of numbers read wrongly, by their ids in the shared list of cases."""

import pytest

from holoscope.core import Outcome
from holoscope.metrics.extract import find_number, parse_number
from metrics.made import generated, instance, one

METRIC = "final_number_exact_match"


def value(gold: str, said: str) -> float | None:
    return one(METRIC, generated(instance(gold), said)).value


def test_t001_a_bare_comma_is_no_number() -> None:
    assert value("48", "So she needs 48 jars, all told.") == 1
    assert one(METRIC, generated(instance("48"), ",")).outcome is Outcome.UNGRADABLE


@pytest.mark.parametrize("written", ["$29.00", "29.", "29.0", "$29", r"\$29", "29 dollars"])
def test_t003_currency_points_and_zeros_do_not_change_a_number(written: str) -> None:
    assert value("29", f"In the end it is {written}") == 1


def test_t003_another_number_is_another() -> None:
    assert value("29", "In the end it is 29.5") == 0


@pytest.mark.parametrize(
    ("gold", "said", "right"),
    [
        ("5", "The answer is 25", False),
        ("5", "50 is it", False),
        ("-5", "5", False),
        ("-5", "it is -5 exactly", True),
        ("3.14", "so 33.14", False),
        ("1e3", "1000", True),
    ],
)
@pytest.mark.parametrize("metric", [METRIC, "quasi_exact_match", "prefix_exact_match", "exact_match_indicator"])
def test_t005_values_are_compared_with_sign_and_exponent(metric: str, gold: str, said: str, right: bool) -> None:
    found = one(metric, generated(instance(gold), said)).value
    assert found == right if metric == METRIC else found in (0, float(right))


def test_t007_an_escaped_currency_sign_is_one() -> None:
    assert value("460", "... \\$400 + \\$60 = \\$460\nANSWER: \\$460") == 1


def test_t007_an_unreadable_last_answer_is_not_replaced_by_an_earlier_one() -> None:
    found = one(METRIC, generated(instance("400"), "... \\$400 + \\$60\nANSWER: unknown"))
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)


@pytest.mark.parametrize(("gold", "said"), [("0.5", "½"), ("0.75", "¾ cup"), ("2.5", "2½"), ("2.5", "2 ½ cups")])
def test_t009_fraction_characters_are_numbers(gold: str, said: str) -> None:
    assert value(gold, said) == 1


@pytest.mark.parametrize("last", ["#### 31", r"\boxed{31}", "The answer is 31."])
def test_t011_the_last_mark_wins(last: str) -> None:
    text = f"Example: 3+5\n#### 8\nNow ours: 8+23.\n{last}"
    assert value("31", text) == 1
    assert value("#### 31", text) == 1


def test_t013_a_gold_keeps_its_sign() -> None:
    assert value("#### -3", "-3") == 1
    assert value("#### -1,234.5", "-1234.5") == 1
    assert value("#### -3", "3") == 0


@pytest.mark.parametrize(
    ("written", "number"),
    [
        *(("٤٨", "48"), ("４８", "48"), ("४८", "48"), ("1 1/2", "3/2"), (r"\frac{3}{2}", "3/2"), ("1.5e0", "3/2")),
        *(("−7", "-7"), ("－7", "-7"), ("1,234", "1234"), ("1.234,50", "1234.5"), ("2 million", "2000000")),
    ],
)
def test_numbers_are_read_as_they_are_written_anywhere(written: str, number: str) -> None:
    found = find_number(f"It is {written} in all")
    assert found.answer is not None
    assert parse_number(found.answer) == parse_number(number)


def test_a_percentage_is_its_number_unless_the_gold_is_a_fraction_of_one() -> None:
    assert [value(gold, "It is 20 %.") for gold in ("20", "0.2", "1/5", "2000")] == [1, 1, 1, 0]
