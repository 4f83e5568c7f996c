"""Text and JSON as Parquet takes them.

A model's text is any Python string, also one with half of a surrogate pair, which UTF-8 cannot hold. Such a half
becomes U+FFFD: it is seen, and the text keeps its length, so that a score's span still points at the same characters.
"""

import re

import msgspec

_HALF = re.compile("[\ud800-\udfff]")


def storable(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD.

    >>> storable("a\\ud83d!")
    'a�!'
    """
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def to_json(value: object) -> str:
    """JSON text of a value of the core; lone surrogates within become U+FFFD."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_storable_within(msgspec.to_builtins(value))).decode()


def _storable_within(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list | tuple):
        return [_storable_within(v) for v in value]
    if isinstance(value, dict):
        return {storable(k): _storable_within(v) for k, v in value.items()}
    return value
