"""Windows: limits, lengths, and cutting to a length."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import ConfigError
from holoscope.models import CharacterWindow, EstimateWindow, FileWindow, Limits, Window, WordWindow, open_window

anything = st.text(alphabet=st.characters(), max_size=200)


@dataclass(frozen=True)
class Treacherous(Window):
    """A tokenizer that makes two tokens of a word that was cut: a word with an odd number of letters counts twice."""

    def pieces(self, text: str) -> list[str]:
        return WordWindow().pieces(text)

    def count(self, text: str) -> int:
        return sum(1 + len(piece) % 2 for piece in self.pieces(text))


@pytest.mark.parametrize("make", [CharacterWindow, WordWindow, EstimateWindow, Treacherous])
@given(text=anything, limit=st.integers(-1, 60))
def test_t122_a_cut_text_never_has_more_tokens_than_the_limit(
    make: Callable[[], Window], text: str, limit: int
) -> None:
    cut = make().truncate_right(text, limit)
    assert make().count(cut) <= max(limit, 0)
    assert text.startswith(cut)


@pytest.mark.parametrize("make", [CharacterWindow, WordWindow, EstimateWindow])
@given(text=anything)
def test_a_text_that_fits_is_left_as_it_is(make: Callable[[], Window], text: str) -> None:
    assert make().truncate_right(text, make().count(text)) == text


@pytest.mark.parametrize("make", [CharacterWindow, WordWindow, EstimateWindow])
@given(text=anything)
def test_the_pieces_are_the_text(make: Callable[[], Window], text: str) -> None:
    assert "".join(make().pieces(text)) == text


@given(text=anything)
def test_an_estimate_errs_on_the_long_side_for_other_scripts(text: str) -> None:
    assert EstimateWindow().count(text) >= len(text) // 4


def test_helm_s_simple_tokenizer_counts_characters() -> None:
    window = open_window("simple/tokenizer1", Limits(10))
    assert (window.count("añ🙂 "), window.prefix_token, window.exact) == (4, "<s>", True)


def test_words_are_counted_with_the_space_before_them() -> None:
    assert open_window("words", Limits()).pieces("The sky\n is ") == ["The", " sky", "\n is", " "]


def test_a_prompt_may_be_as_long_as_the_sequence_unless_said_otherwise() -> None:
    assert CharacterWindow(Limits(100)).max_request_length == 100
    assert CharacterWindow(Limits(100, 90)).max_request_length == 90
    assert CharacterWindow().max_request_length is None


def test_an_unknown_tokenizer_is_an_estimate_and_says_so() -> None:
    window = open_window("openai/o200k_base", Limits(10))
    assert (window.exact, window.count("x" * 40)) == (False, 10)


def test_a_tokenizer_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no tokenizer file"):
        open_window(str(tmp_path / "tokenizer.json"), Limits())


def test_without_the_library_a_tokenizer_file_gives_an_estimate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    assert isinstance(open_window(str(tmp_path / "tokenizer.json"), Limits()), EstimateWindow)
    assert isinstance(open_window(str(tmp_path), Limits()), EstimateWindow)


class Pairs:
    """A tokenizer that joins characters by two; a lone one at the end is two tokens."""

    def encode(self, text: str, *, add_special_tokens: bool) -> SimpleNamespace:
        assert not add_special_tokens
        spans = [(i, min(i + 2, len(text))) for i in range(0, len(text), 2)]
        if len(text) % 2:
            spans.append(spans[-1])
        return SimpleNamespace(ids=list(range(len(spans))), offsets=spans)


def test_with_the_library_the_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = SimpleNamespace(Tokenizer=SimpleNamespace(from_file=lambda path: Pairs()))
    monkeypatch.setitem(sys.modules, "tokenizers", library)
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    window = open_window(str(tmp_path), Limits())
    assert isinstance(window, FileWindow)
    assert (window.count("abcde"), window.exact) == (4, True)


@given(text=anything, limit=st.integers(0, 60))
def test_t122_holds_for_tokenizer_files(text: str, limit: int) -> None:
    window = FileWindow(tokenizer=Pairs())
    cut = window.truncate_right(text, limit)
    assert window.count(cut) <= limit
    assert text.startswith(cut)


def test_a_real_tokenizer_file_counts(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.save(str(tmp_path / "tokenizer.json"))
    window = open_window(str(tmp_path / "tokenizer.json"), Limits(5))
    assert (window.count("a b a"), window.truncate_right("a b a", 2)) == (3, "a b")


def test_an_estimated_window_divides_a_long_text_into_pieces_of_four_bytes() -> None:
    text = "añb🎉" * 3
    pieces = EstimateWindow().pieces(text)
    assert "".join(pieces) == text
    assert all(len(piece.encode()) <= 4 for piece in pieces)
