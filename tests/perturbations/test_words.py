"""Whole words in any script, and the case of what replaces them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.perturbations.words import alternation, keep_case, swap, whole_words

WORDS = st.lists(st.text("abcA '", min_size=1, max_size=4), min_size=1, max_size=12, unique=True)


def mark(words: list[str], text: str) -> str:
    return swap(whole_words(words), lambda match: f"[{match.group()}]", text)


@given(WORDS, st.text("abcA '.", max_size=30))
def test_the_fast_alternation_finds_what_the_plain_one_finds(words: list[str], text: str) -> None:
    plain = re.compile(rf"\b({'|'.join(map(re.escape, words))})\b")
    fast = re.compile(rf"\b({alternation(words)})\b")
    assert [m.span() for m in fast.finditer(text)] == [m.span() for m in plain.finditer(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("he he", "[he] [he]"),
        ("(he)", "([he])"),
        ("the hen", "the hen"),
        ("he_he 1he he2", "he_he 1he he2"),
        ("he\u0301 he", "he\u0301 [he]"),
        ("e\u0301he", "e\u0301he"),
        ("he\u200dx", "he\u200dx"),
        ("日he本", "日he本"),
        ("-he-", "-[he]-"),
        ("HE He", "[HE] [He]"),
    ],
)
def test_a_word_is_whole_where_nothing_of_it_touches(text: str, expected: str) -> None:
    assert mark(["he"], text) == expected


def test_the_longest_word_is_tried_first() -> None:
    assert mark(["a", "a lot"], "a lot of a") == "[a lot] of [a]"


def test_no_words_match_nothing() -> None:
    assert mark([], "any text") == "any text"


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("dad", "mom", "mom"),
        ("Dad", "mom", "Mom"),
        ("DAD", "mom", "MOM"),
        ("It is", "it's", "It's"),
        ("IT IS", "it's", "IT'S"),
        ("I", "we", "We"),
        ("dAD", "mom", "mom"),
        ("日本", "japan", "japan"),
    ],
)
def test_case_is_kept(source: str, target: str, expected: str) -> None:
    assert keep_case(source, target) == expected
