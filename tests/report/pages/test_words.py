from hypothesis import given
from hypothesis import strategies as st

from holoscope.report.pages.words import difference

TEXTS = st.text(alphabet="ab \n.é", max_size=60)


@given(TEXTS, TEXTS)
def test_the_pieces_make_up_both_texts(old: str, new: str) -> None:
    pieces = difference(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == new


@given(TEXTS)
def test_equal_texts_have_no_difference(text: str) -> None:
    assert {piece.kind for piece in difference(text, text)} <= {"same"}


def test_a_change_of_spaces_is_seen() -> None:
    assert [tuple(piece) for piece in difference("a b", "a  b")] == [
        *(("same", "a"), ("gone", " "), ("new", "  ")),
        ("same", "b"),
    ]


def test_a_novel_is_not_compared_word_by_word() -> None:
    old, new = "one two " * 20_000, "two one " * 20_000
    pieces = difference(f"start {old} end", f"start {new} end")
    assert [piece.kind for piece in pieces] == ["same", "gone", "new", "same"]
