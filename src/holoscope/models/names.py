"""A model's name as typed: `provider/what/ever?option=value&option=value`.

Options are checked against a struct, so that a misspelt one is an error that suggests the right one and never a run
under other settings than the user thinks.
"""

from typing import NamedTuple, TypeVar
from urllib.parse import unquote

import msgspec

from holoscope.core import UnknownNameError, UsageError

T = TypeVar("T", bound=msgspec.Struct)

_WORDS = {"true": True, "false": False, "yes": True, "no": False}


class TypedName(NamedTuple):
    """A name and its options, as typed."""

    name: str
    options: dict[str, str]
    query: str
    """The options as they were typed."""


def parse_name(text: str) -> TypedName:
    """Split a name from its options.

    >>> parse_name("vllm/a/b?api=chat&window=2048").options
    {'api': 'chat', 'window': '2048'}
    """
    name, _, query = text.strip().partition("?")
    options: dict[str, str] = {}
    for part in filter(None, query.split("&")):
        key, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"model {text!r}: expected option=value after '?', found {part!r}")
        options[unquote(key)] = unquote(value)
    return TypedName(name, options, query)


def read_options(options: dict[str, str], kind: type[T], name: str) -> T:
    """The options as a `kind`; raises UsageError naming what is wrong."""
    known = [field.encode_name for field in msgspec.structs.fields(kind)]
    for key in options:
        if key not in known:
            raise UnknownNameError(f"option of model {name!r}:", key, known, f"(it takes {', '.join(known)})")
    words = {key: _WORDS.get(value.lower(), value) for key, value in options.items()}
    try:
        return msgspec.convert(words, kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"model {name!r}: option {_complaint(str(error), options)}") from None


def _complaint(error: str, options: dict[str, str]) -> str:
    """What is wrong with which option.

    >>> _complaint("Expected `int` >= 1 - at `$.window`", {"window": "-5"})
    "window: Expected int >= 1, found '-5'"
    """
    said, _, path = error.replace("`", "").partition(" - at $")
    option = path.removeprefix(".")
    if option not in options:
        return said
    expected, is_type, _ = said.partition(", got ")
    found = f", found {options[option]!r}" if is_type or "Expected" in said else ""
    return f"{option}: {expected}{found}"
