"""How prompts are divided into batches: by their tokens alone, so that what two prompts share is read once."""

from hypothesis import given
from hypothesis import strategies as st

from holoscope.models.local._sequence import BATCH, common, split

NEWLINE, WORD = 1, 2
tokens = st.lists(st.integers(0, 5), max_size=200)


def piece(token: int) -> bytes:
    return {NEWLINE: b"\n", 3: b"\n\n"}.get(token, b"word")


@given(tokens)
def test_batches_joined_are_the_prompt(prompt: list[int]) -> None:
    assert [token for chunk in split(prompt, piece) for token in chunk] == prompt


@given(tokens)
def test_batches_are_never_empty_nor_too_long(prompt: list[int]) -> None:
    assert all(0 < len(chunk) <= BATCH for chunk in split(prompt, piece))


@given(tokens, tokens)
def test_what_follows_does_not_change_the_batches_before_it(prompt: list[int], more: list[int]) -> None:
    full = split(prompt, piece)[:-1]
    assert split(prompt + more, piece)[: len(full)] == full


def test_a_blank_line_ends_a_batch() -> None:
    assert split([WORD, NEWLINE, NEWLINE, WORD], piece) == [(WORD, NEWLINE, NEWLINE), (WORD,)]


def test_a_single_line_end_does_not() -> None:
    assert split([WORD, NEWLINE, WORD], piece) == [(WORD, NEWLINE, WORD)]


def test_common_counts_leading_batches_only() -> None:
    assert common([(1,), (2,), (3,)], [(1,), (9,), (3,)]) == 1
    assert common([(1,), (2,)], [(1,), (2,), (3,)]) == 2
    assert common([], [(1,)]) == 0
