from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import Token
from holoscope.report.pages.passages import AT_ONCE, FOLDED, Mark, Passage, passage, tokens

LONG = "word " * 210_000


def text_of(found: Passage) -> str:
    return "".join(segment.text for segment in found.shown)


def test_a_short_text_is_shown_whole() -> None:
    found = passage("so it is")
    assert (text_of(found), found.folded, found.left_out) == ("so it is", (), 0)


def test_a_long_text_is_cut_folded_and_counted() -> None:
    found = passage(LONG)
    assert len(text_of(found)) == AT_ONCE
    assert sum(len(segment.text) for segment in found.folded) == FOLDED - AT_ONCE
    assert found.left_out == len(LONG) - FOLDED


def test_a_mark_splits_the_text_and_says_what_it_is() -> None:
    assert [tuple(segment) for segment in passage("the answer is B.", [Mark(14, 15, "the answer")]).shown] == [
        *(("the answer is ", ""), ("B", "the answer")),
        (".", ""),
    ]


def test_a_mark_far_inside_is_shown_with_what_is_around_it() -> None:
    at = len(LONG)
    found = passage(f"{LONG}B and so on", [Mark(at, at + 1, "the answer")])
    assert found.is_excerpt
    assert ("B", "the answer") in [tuple(segment) for segment in found.shown]
    assert len(text_of(found)) < 1_000


def test_of_overlapping_marks_the_first_given_counts() -> None:
    found = passage("0123456789", [Mark(2, 5, "main"), Mark(4, 8, "other"), Mark(5, 6, "beside")])
    assert [segment.mark for segment in found.shown if segment.mark] == ["main", "beside"]


@given(st.text(max_size=50), st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=5))
def test_whatever_the_marks_nothing_of_the_text_is_lost(text: str, spans: list[tuple[int, int]]) -> None:
    assert text_of(passage(text, [Mark(start, end, "m") for start, end in spans])) == text


def test_tokens_are_bounded_and_their_sum_is_of_all() -> None:
    found = tokens([Token("a", -0.5)] * 1_000)
    assert len(found.shown) + found.left_out == 1_000
    assert found.total == -500.0


def test_a_token_without_a_number_has_none() -> None:
    found = tokens([Token("a"), Token("b", 0.0)])
    assert [(token.logprob, token.probability) for token in found.shown] == [(None, None), (0.0, 1.0)]
    assert tokens([Token("a")]).total is None
