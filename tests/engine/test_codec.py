import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import Choice, Completion, Outcome, Token, Usage
from holoscope.engine.codec import decode, encode

FULL = Completion(
    Outcome.TRUNCATED,
    (Choice("a b", -1.5, (Token("a", None), Token(" b", -1.5)), "length", "hm"), Choice("")),
    "hit the limit",
    Usage(3, 2, 1, None),
    0.25,
    0.1,
    1.7e9,
    "m-1",
    ("top_k",),
    2,
)

completions = st.builds(
    Completion,
    st.sampled_from(Outcome),
    st.lists(st.builds(Choice, st.text(), st.none() | st.floats(allow_nan=False))).map(tuple),
    st.text(),
    st.none() | st.builds(Usage, st.none() | st.integers(0, 2**40)),
    attempts=st.integers(1, 99),
)


@given(completions)
def test_what_is_written_is_read(completion: Completion) -> None:
    assert decode(encode(completion)) == completion


def test_every_field_survives() -> None:
    assert decode(encode(FULL)) == FULL


@given(st.integers(0, len(encode(FULL)) - 1), st.integers(1, 255))
def test_damaged_bytes_are_no_answer(place: int, flip: int) -> None:
    value = bytearray(encode(FULL))
    value[place] ^= flip
    assert decode(bytes(value)) in (None, FULL)


@pytest.mark.parametrize("value", [None, 7, "text", b"", b"\x01", b"\x02" + encode(FULL)[1:], encode(FULL)[:-1]])
def test_anything_else_is_no_answer(value: object) -> None:
    assert decode(value) is None


def test_a_field_of_a_later_version_is_passed_over() -> None:
    class Later(msgspec.Struct):
        outcome: str = "ok"
        mood: str = "cheerful"

    assert decode(encode(Later())) == Completion(Outcome.OK)  # type: ignore[arg-type]
