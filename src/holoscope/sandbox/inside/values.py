"""Plain values as bytes, for what crosses the border between model-written code and its tests.

Only values of built-in types have a form; anything else is refused (`Opaque`), or stands as a number that means
something to one side alone. Reading never runs code and never calls a method of what was sent, so hostile bytes can
make a wrong value and nothing else. A subclass is written as the built-in type it extends, its own `__eq__` left
behind. The module runs on both sides of the border, in a Python that has read nothing else.

>>> decode(encode([1, (2.5, "x"), {"k": {3}}]))
[1, (2.5, 'x'), {'k': {3}}]
"""

from __future__ import annotations

import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_CONSTANTS: dict[bytes, object] = {b"N": None, b"T": True, b"F": False, b"E": Ellipsis}
_TAGS: dict[object, bytes] = {None: b"N", True: b"T", False: b"F", Ellipsis: b"E"}
_SEQUENCES: tuple[tuple[Any, bytes], ...] = ((list, b"l"), (tuple, b"t"), (set, b"s"), (frozenset, b"z"))


class Opaque(Exception):
    """A value that has no plain form."""


def encode(value: object, handle: Callable[[object], int] | None = None) -> bytes:
    """The bytes of `value`; an object without a plain form is named by `handle`, or refused."""
    parts: list[bytes] = []
    _write(value, parts, handle)
    return b"".join(parts)


def decode(data: bytes, handled: Callable[[int], object] | None = None) -> Any:
    """The value of `data`; ValueError where it is none. `handled` gives the object of a handle's number."""
    value, end = _read(data, 0, handled)
    if end != len(data):
        raise ValueError("bytes are left over")
    return value


def _write(value: object, parts: list[bytes], handle: Callable[[object], int] | None) -> None:
    if value is None or value is True or value is False or value is Ellipsis:
        parts.append(_TAGS[value])
    elif isinstance(value, int):
        _sized(b"i", b"%x" % int.__index__(value), parts)
    elif isinstance(value, float):
        _sized(b"f", float.hex(value).encode(), parts)
    elif isinstance(value, str):
        _sized(b"u", str.encode(value, "utf-8", "surrogatepass"), parts)
    elif isinstance(value, complex):
        parts.append(b"c")
        _write(value.real, parts, None)
        _write(value.imag, parts, None)
    elif isinstance(value, bytearray):
        _sized(b"a", bytes(value), parts)
    elif isinstance(value, bytes):
        _sized(b"b", bytes(value), parts)
    elif isinstance(value, type) and _is_builtin(value):
        _sized(b"y", value.__name__.encode(), parts)
    elif isinstance(value, range):
        _many(b"r", (value.start, value.stop, value.step), parts, None)
    else:
        _write_container(value, parts, handle)


def _write_container(value: object, parts: list[bytes], handle: Callable[[object], int] | None) -> None:
    for kind, tag in _SEQUENCES:
        if isinstance(value, kind):
            return _many(tag, list(kind.__iter__(value)), parts, handle)
    if isinstance(value, dict):
        return _many(b"d", [each for pair in dict.items(value) for each in pair], parts, handle)
    if isinstance(value, type({}.keys()) | type({}.items())):  # equal to a set, as upstream's tests compare them
        return _many(b"s", list(value), parts, handle)
    if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0:  # one of its numbers
        return _write(value.item(), parts, handle)  # type: ignore[attr-defined]
    if handle is None:
        raise Opaque(type(value).__name__)
    return _sized(b"h", b"%x" % handle(value), parts)


def _sized(tag: bytes, content: bytes, parts: list[bytes]) -> None:
    parts.append(b"%b%d:" % (tag, len(content)))
    parts.append(content)


def _many(tag: bytes, items: Sequence[object], parts: list[bytes], handle: Callable[[object], int] | None) -> None:
    parts.append(b"%b%d:" % (tag, len(items)))
    for item in items:
        _write(item, parts, handle)


def _read(data: bytes, at: int, handled: Callable[[int], object] | None) -> tuple[Any, int]:
    tag = data[at : at + 1]
    if tag in _CONSTANTS:
        return _CONSTANTS[tag], at + 1
    if tag == b"c":
        real, at = _read(data, at + 1, None)
        imaginary, at = _read(data, at, None)
        return complex(real, imaginary), at
    colon = data.index(b":", at)
    size, at = int(data[at + 1 : colon]), colon + 1
    if size < 0 or size > len(data):
        raise ValueError("a size that cannot be")
    if tag in b"ltszdr":
        return _read_many(tag, data, at, size, handled)
    content, at = data[at : at + size], at + size
    if len(content) != size:
        raise ValueError("the bytes end too early")
    if tag == b"h":
        if handled is None:
            raise ValueError("no objects are known here")
        return handled(int(content, 16)), at
    return _PLAIN[tag](content), at


def _is_builtin(kind: type) -> bool:
    return builtins.__dict__.get(kind.__name__) is kind


def _builtin_type(name: str) -> type:
    found = getattr(builtins, name, None)
    if not isinstance(found, type):
        raise ValueError("no built-in type")
    return found


_PLAIN: dict[bytes, Callable[[bytes], object]] = {
    b"i": lambda content: int(content, 16),
    b"f": lambda content: float.fromhex(content.decode()),
    b"u": lambda content: content.decode("utf-8", "surrogatepass"),
    b"a": bytearray,
    b"b": bytes,
    b"y": lambda content: _builtin_type(content.decode()),
}


def _read_many(tag: bytes, data: bytes, at: int, size: int, handled: Callable[[int], object] | None) -> tuple[Any, int]:
    items: list[Any] = []
    for _ in range(size):
        item, at = _read(data, at, handled)
        items.append(item)
    if tag == b"d":
        return dict(zip(items[::2], items[1::2], strict=True)), at
    if tag == b"r":
        return range(*items), at
    return {b"l": list, b"t": tuple, b"s": set, b"z": frozenset}[tag](items), at
