"""A model's name and its options."""

import msgspec
import pytest

from holoscope.core import UnknownNameError, UsageError
from holoscope.models.names import parse_name, read_options


class Options(msgspec.Struct):
    window: int | None = None
    stream: bool = False
    tokenizer: str = ""


def test_options_follow_the_first_question_mark() -> None:
    typed = parse_name(" replay/a.jsonl?window=2048&tokenizer=characters ")
    assert typed.name == "replay/a.jsonl"
    assert typed.options == {"window": "2048", "tokenizer": "characters"}


def test_a_name_without_options_has_none() -> None:
    assert parse_name("openai/gpt-4o").options == {}


def test_escapes_in_values_are_read_and_a_plus_is_a_plus() -> None:
    assert parse_name("vllm/m?tokenizer=a%26b+c").options == {"tokenizer": "a&b+c"}


def test_an_option_without_a_value_is_refused() -> None:
    with pytest.raises(UsageError, match=r"expected option=value .* found 'stream'"):
        parse_name("vllm/m?stream")


def test_values_are_read_by_their_type() -> None:
    read = read_options({"window": "2048", "stream": "yes"}, Options, "vllm/m")
    assert (read.window, read.stream) == (2048, True)


def test_an_unknown_option_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'window'"):
        read_options({"windw": "1"}, Options, "vllm/m")


def test_a_value_of_the_wrong_type_is_refused_with_its_option() -> None:
    with pytest.raises(UsageError, match=r"vllm/m.*window"):
        read_options({"window": "many"}, Options, "vllm/m")
