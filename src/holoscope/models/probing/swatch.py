"""A small picture of one colour, made here so that a model can be shown one without a file."""

import base64
import hashlib
import struct
import zlib

from holoscope.core import Image

_SIDE = 64
"""Pixels; some endpoints refuse smaller pictures."""


def swatch(red: int, green: int, blue: int) -> Image:
    """A PNG of one colour."""
    row = b"\0" + bytes((red, green, blue)) * _SIDE
    head = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(row * _SIDE, 9)), (b"IEND", b"")
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)
    return Image(hashlib.sha256(data).hexdigest(), "image/png", base64.b64encode(data).decode())


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
