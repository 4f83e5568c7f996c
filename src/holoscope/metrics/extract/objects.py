"""Finding JSON in an answer: the last object that is valid, or what stands in it under a key."""

import json
import re
from collections.abc import Iterator
from typing import cast

import msgspec

from holoscope.core import Json
from holoscope.metrics.extract.found import Found

_MOST_TRIES = 100
"""Passages in braces that are tried: a model's text must not make us compute for minutes."""
_BRACE_OR_STRING = re.compile(r'"(?:[^"\\\n]|\\.){0,1000}"|[{}]')
_DECODER = json.JSONDecoder()


def find_json(text: str, key: str = "") -> Found:
    """The last valid JSON object as it is written; with `key`, the value in the last object that has it.

    A string is given without its quotes, any other value as JSON.
    """
    seen = False
    for start, end in _passages(text):
        found = _decoded(text[start:end])
        if not isinstance(found, dict):
            continue
        seen = True
        if not key:
            return Found(text[start:end], "json", (start, end))
        if key in found:
            value = found[key]
            shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            return Found(shown, "json_key", (start, end))
    return Found(None, reason=f"no object has the key {key!r}" if seen else "there is no valid JSON object")


def _decoded(passage: str) -> Json:
    try:
        return cast("Json", msgspec.json.decode(passage))
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def _passages(text: str) -> Iterator[tuple[int, int]]:
    """Where an object may be, the last first and each before what it encloses."""
    yield from _balanced(text)
    yield from _readable(text)  # a stray quotation mark in the prose hides what is balanced


def _balanced(text: str) -> Iterator[tuple[int, int]]:
    """Passages in braces, those within strings not counted."""
    opened: list[int] = []
    pairs: list[tuple[int, int]] = []
    for match in _BRACE_OR_STRING.finditer(text):
        if match.group() == "{":
            opened.append(match.start())
        elif match.group() == "}" and opened:
            pairs.append((opened.pop(), match.end()))
    yield from sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:_MOST_TRIES]


def _readable(text: str) -> Iterator[tuple[int, int]]:
    """Passages from a brace on that read as JSON."""
    pairs = []
    for match in [*re.finditer(r"\{", text)][-_MOST_TRIES:]:
        try:
            pairs.append((match.start(), _DECODER.raw_decode(text, match.start())[1]))
        except (ValueError, RecursionError):
            continue
    yield from sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
