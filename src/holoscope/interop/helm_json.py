"""HELM's large JSON files, an element at a time.

The `scenario_state.json` of one run is hundreds of megabytes. It is mapped into memory, not read: one pass checks that
it is whole and finds where its elements lie, and each is decoded when its turn comes, so that what the process holds
is one element and the places of the others. Python also writes NaN and Infinity, which are no JSON: they say that a
number is not known, and are read as null.
"""

import mmap
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from holoscope.core import StoreError

_NO_NUMBER = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b')
"""Strings too, so that what stands within one is left alone."""


class _State(msgspec.Struct):
    request_states: list[msgspec.Raw]


class _Head(msgspec.Struct):
    adapter_spec: dict[str, Any] | None = None


def read_states(path: Path) -> Iterator[Any]:
    """The request states of a `scenario_state.json`; StoreError where it is damaged, before the first."""
    return _each(_decoded(path, _State).request_states, path)


def read_list(path: Path) -> Iterator[Any]:
    """The elements of a file that is a list; StoreError where it is damaged, before the first."""
    return _each(_decoded(path, list[msgspec.Raw]), path)


def read_adapter(path: Path) -> dict[str, Any]:
    """The adapter spec within a `scenario_state.json`; empty if it has none."""
    return _decoded(path, _Head).adapter_spec or {}


def _each(elements: list[msgspec.Raw], path: Path) -> Iterator[Any]:
    decode = msgspec.json.Decoder().decode
    for element in elements:
        try:
            yield decode(element)
        except msgspec.DecodeError as error:  # what stands in a list is checked when it is decoded
            raise StoreError(f"cannot read {path}: {error}") from error


def _decoded(path: Path, kind: Any) -> Any:
    try:
        if not path.stat().st_size:
            raise StoreError(f"cannot read {path}: it is empty")
        with path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.DecodeError:
            return msgspec.json.decode(_NO_NUMBER.sub(_json, content), type=kind)
    except (OSError, ValueError) as error:  # msgspec's errors are ValueErrors
        raise StoreError(f"cannot read {path}: {str(error).splitlines()[0]}") from error


def _json(found: "re.Match[bytes]") -> bytes:
    return found[0] if found[0].startswith(b'"') else b"null"
