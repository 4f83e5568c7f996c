"""tiktoken's tokenizers: read from files whose content is what tiktoken says, and never fetched unasked."""

import base64
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.cli import invoke
from holoscope.core import DataError, Settings, UsageError
from holoscope.models import Limits, encodings, resolve
from holoscope.models.encodings import TiktokenWindow, encoding_of, open_encoding, pull_encoding

tiktoken = pytest.importorskip("tiktoken")

URL = "https://example.org/encodings/tiny.tiktoken"
WORDS = [bytes([byte]) for byte in range(256)] + [b"th", b"the", b" the", b"an", b"and"]
FILE = b"".join(base64.b64encode(word) + b" %d\n" % rank for rank, word in enumerate(WORDS))
NAME = hashlib.sha1(URL.encode()).hexdigest()
TABLE = f"""
from tiktoken.load import load_tiktoken_bpe

def tiny():
    ranks = load_tiktoken_bpe({URL!r}, expected_hash={hashlib.sha256(FILE).hexdigest()!r})
    return {{"name": "tiny", "pat_str": r" ?\\w+|\\W", "mergeable_ranks": ranks, "special_tokens": {{"<|end|>": 261}}}}

ENCODING_CONSTRUCTORS = {{"tiny": tiny}}
"""
TINY = TiktokenWindow(
    name="tiny",
    encoding=tiktoken.Encoding(
        "tiny",
        pat_str=r" ?\w+|\W",
        mergeable_ranks={word: rank for rank, word in enumerate(WORDS)},
        special_tokens={"<|end|>": 261},
    ),
)


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that adds the encoding `tiny`, as tiktoken has packages do."""
    (tmp_path / "plugin" / "tiktoken_ext").mkdir(parents=True)
    (tmp_path / "plugin" / "tiktoken_ext" / "tiny_tables.py").write_text(TABLE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "plugin")


def kept(folder: Path, data: bytes = FILE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(data)
    return folder


def window(settings: Settings, name: str = "tiktoken/tiny") -> TiktokenWindow | None:
    return open_encoding(name, Limits(5), "", settings)


@pytest.mark.usefixtures("tables")
def test_a_file_in_our_cache_counts(settings: Settings) -> None:
    assert window(settings) is None
    kept(settings.cache_dir / "tiktoken")
    found = window(settings)
    assert found is not None
    assert (found.count("the and the"), found.exact, found.source) == (4, True, "tiktoken's tiny")
    assert found.pieces("the and the") == ["the", " ", "and", " the"]
    assert found.max_request_length == 5


@pytest.mark.usefixtures("tables")
def test_a_file_in_tiktokens_own_cache_counts(settings: Settings, tmp_path: Path) -> None:
    folder = kept(tmp_path / "elsewhere")
    assert window(replace(settings, environ={"TIKTOKEN_CACHE_DIR": str(folder)})) is not None


@pytest.mark.usefixtures("tables")
def test_a_file_with_another_content_is_not_used_and_left_alone(settings: Settings) -> None:
    folder = kept(settings.cache_dir / "tiktoken", FILE + b"\n")
    assert window(settings) is None
    assert (folder / NAME).read_bytes() == FILE + b"\n"


@pytest.mark.usefixtures("tables")
def test_a_served_model_counts_with_it(settings: Settings) -> None:
    kept(settings.cache_dir / "tiktoken")
    assert resolve("vllm/m?tokenizer=tiktoken/tiny&window=9", settings).window().source == "tiktoken's tiny"


@pytest.mark.usefixtures("tables")
def test_helms_configuration_of_a_tiktoken_tokenizer_means_it(settings: Settings) -> None:
    kept(settings.cache_dir / "tiktoken")
    settings.local_path.mkdir()
    (settings.local_path / "tokenizer_configs.yaml").write_text(
        "tokenizer_configs:\n  - name: openai/tiny\n    tokenizer_spec:\n"
        "      class_name: helm.tokenizers.tiktoken_tokenizer.TiktokenTokenizer\n",
        encoding="utf-8",
    )
    assert resolve("vllm/m?tokenizer=openai/tiny&window=9", settings).window().source == "tiktoken's tiny"


@pytest.mark.parametrize(
    ("name", "means"),
    [
        ("gpt-4o-2024-08-06", "o200k_base"),
        ("openai/gpt-4.1-mini", "o200k_base"),
        ("openai/cl100k_base", "cl100k_base"),
        ("tokenizer/o200k_harmony", "o200k_harmony"),
        ("gpt2", "r50k_base"),
        ("claude-x", ""),
    ],
)
def test_a_name_means_what_tiktokens_tables_say(name: str, means: str) -> None:
    assert encoding_of(name) == means


def test_without_its_file_openais_model_is_estimated(settings: Settings, tmp_path: Path) -> None:
    known = replace(settings, environ={"OPENAI_API_KEY": "x", "TIKTOKEN_CACHE_DIR": str(tmp_path)})
    assert not resolve("openai/gpt-4o", known).window().exact


@pytest.mark.usefixtures("tables")
def test_pulling_fetches_the_file_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []
    monkeypatch.setattr(encodings, "_fetched", lambda url: fetched.append(url) or FILE)  # type: ignore[func-returns-value]
    paths = [pull_encoding("tokenizer/tiny", settings) for _ in range(2)]
    assert paths == [[settings.cache_dir / "tiktoken" / NAME]] * 2
    assert fetched == [URL]
    assert window(settings) is not None


@pytest.mark.usefixtures("tables")
def test_what_is_not_as_expected_is_not_kept(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encodings, "_fetched", lambda url: b"<html>")
    with pytest.raises(DataError, match="not what tiktoken expects"):
        pull_encoding("tokenizer/tiny", settings)
    assert not (settings.cache_dir / "tiktoken").exists()


@pytest.mark.usefixtures("tables")
def test_offline_nothing_is_fetched(settings: Settings) -> None:
    with pytest.raises(DataError, match=f"offline is set.*{NAME}"):
        pull_encoding("tokenizer/tiny", replace(settings, offline=True))


def test_an_unknown_one_names_those_there_are(settings: Settings) -> None:
    with pytest.raises(UsageError, match="did you mean 'o200k_base'"):
        pull_encoding("tokenizer/o200k_bas", settings)


@pytest.mark.usefixtures("tables")
def test_the_command_pulls_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOLOSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HOLOSCOPE_OFFLINE", raising=False)
    monkeypatch.setattr(encodings, "_fetched", lambda url: FILE)
    assert invoke(["models", "pull", "tokenizer/tiny"]) == 0
    assert NAME in capsys.readouterr().err.replace("\n", "")


@given(text=st.text(max_size=60), limit=st.integers(-1, 40))
def test_t122_holds_for_tiktoken(text: str, limit: int) -> None:
    cut = TINY.truncate_right(text, limit)
    assert TINY.count(cut) <= max(limit, 0)
    assert text.startswith(cut)


@given(text=st.text(alphabet=st.characters(), max_size=60))
def test_the_pieces_are_the_text(text: str) -> None:
    assert "".join(TINY.pieces(text)) == text


@pytest.mark.parametrize("unit", ["the and ", " ", "and", "\n"])
def test_a_very_long_text_is_counted_in_parts(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encodings, "_BLOCK", 3_000)
    text = unit * 2_000
    whole = len(TINY.encoding.encode_ordinary(text))
    assert abs(TINY.count(text) - whole) <= (0 if unit == "the and " else len(text) // 2_000)
    assert "".join(TINY.pieces(text)) == text


def test_a_special_tokens_name_in_a_text_is_text() -> None:
    assert TINY.count("<|end|>") == 7
