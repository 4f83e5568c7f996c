"""An answer as it grows."""

from holoscope.core import Token
from holoscope.models.local._writing import Writing


def write(*pieces: bytes, stops: tuple[str, ...] = (), reasons: bool = False) -> Writing:
    writing = Writing(stops, reasons=reasons)
    for piece in pieces:
        if not writing.stopped:
            writing.add(piece, -1.0)
    return writing


def test_tokens_joined_are_the_text() -> None:
    written = write(b"The", b" answer", b" is").end("length")
    assert written.text == "The answer is"
    assert written.tokens == (Token("The", -1.0), Token(" answer", -1.0), Token(" is", -1.0))


def test_a_character_of_two_tokens_belongs_to_the_second() -> None:
    assert [token.text for token in write(b"caf\xc3", b"\xa9").end("stop").tokens] == ["caf", "é"]


def test_half_a_character_at_the_end_is_shown_as_such() -> None:
    written = write(b"a", b"caf\xc3").end("length")
    assert written.text == "acaf\ufffd"
    assert "".join(token.text for token in written.tokens) == written.text


def test_a_stop_sequence_is_no_part_of_the_text() -> None:
    writing = write(b"9", b"\n", b"\n", b"Question", stops=("\n\n",))
    assert writing.stopped
    assert writing.end("stop").text == "9"


def test_a_stop_sequence_cuts_within_a_token() -> None:
    assert write(b"yes", b".\nNo", stops=("\n",)).end("stop").tokens == (Token("yes", -1.0), Token(".", -1.0))


def test_of_two_stop_sequences_the_first_in_the_text_counts() -> None:
    assert write(b"a;b.c", stops=(".", ";")).end("stop").text == "a"


def test_an_empty_stop_sequence_stops_nothing() -> None:
    assert not write(b"a", stops=("",)).stopped


def test_stop_sequences_do_not_count_within_reasoning() -> None:
    writing = write(b"<think>", b"one\n", b"two</think>", b"yes", b"\n", stops=("\n",))
    assert writing.end("stop").text == "<think>one\ntwo</think>yes"


def test_reasoning_that_the_prompt_opened_is_reasoning() -> None:
    writing = write(b"one\n", b"two</think>", b"yes", b"\n", stops=("\n",), reasons=True)
    assert writing.end("stop").text == "<think>one\ntwo</think>yes"


def test_tokens_made_include_those_cut_off() -> None:
    assert write(b"9", b"\n", stops=("\n",)).made == 2
