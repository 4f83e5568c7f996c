"""What crosses the border comes out as it went in, and no bytes do more than make a value."""

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.sandbox.inside.values import Opaque, decode, encode

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.complex_numbers(allow_nan=False),
    st.text(st.characters()),
    st.binary(),
    st.just(Ellipsis),
    st.builds(range, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 3)),
)
HASHABLE = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.tuples(st.integers(), st.text()))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.sets(HASHABLE, max_size=4),
        st.frozensets(HASHABLE, max_size=4),
        st.dictionaries(HASHABLE, inner, max_size=4),
    ),
    max_leaves=20,
)


@given(VALUES)
def test_a_value_comes_out_as_it_went_in(value: object) -> None:
    found = decode(encode(value))
    assert (found, type(found)) == (value, type(value))


@given(st.binary(max_size=200))
def test_any_bytes_make_a_value_or_an_error(data: bytes) -> None:
    with suppress(ValueError, TypeError, RecursionError):
        decode(data)


def test_numbers_that_equal_nothing_come_out_too() -> None:
    assert math.isnan(decode(encode(math.nan)))
    assert math.copysign(1, decode(encode(-0.0))) == -1


def test_a_large_number_has_no_limit_of_digits() -> None:
    assert decode(encode(10**9000)) == 10**9000


class Sly(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


def test_a_subclass_leaves_its_methods_behind() -> None:
    found = decode(encode([Sly(3)]))
    assert type(found[0]) is int
    assert found != [4]


@pytest.mark.parametrize("kind", [int, str, list, ValueError])
def test_built_in_types_cross_by_name(kind: type) -> None:
    assert decode(encode(kind)) is kind


def test_views_of_a_dictionary_are_sets() -> None:
    assert decode(encode({"a": 1}.keys())) == {"a"}


def test_other_objects_are_refused() -> None:
    with pytest.raises(Opaque):
        encode([object()])


def test_other_objects_may_be_numbered() -> None:
    kept: list[object] = []

    def number(value: object) -> int:
        kept.append(value)
        return len(kept) - 1

    thing = object()
    assert decode(encode([thing, 1], number), kept.__getitem__) == [thing, 1]


def test_a_size_that_lies_is_refused() -> None:
    with pytest.raises(ValueError, match="size"):
        decode(b"l999999999999:")
