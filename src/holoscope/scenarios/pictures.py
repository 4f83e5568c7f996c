"""Images of benchmarks, as upstream publishes them: in a Parquet cell, or in a zip.

They are sent as they are, bytes and format, and only those that are asked for are read: an image is known by its name
until then. What kind it is its first bytes say; a name's ending may not.
"""

import base64
import hashlib
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from holoscope.core import DataError, Image, ImageReader

_KINDS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"RIFF": "image/webp",
}


def image_of(data: bytes, where: str) -> Image:
    """The image that `data` is."""
    kind = next((kind for start, kind in _KINDS.items() if data.startswith(start)), None)
    if kind is None or (kind == "image/webp" and data[8:12] != b"WEBP"):
        raise DataError(f"{where}: not a PNG, JPEG, GIF or WebP image")
    return Image(hashlib.sha256(data).hexdigest(), kind, base64.b64encode(data).decode("ascii"))


def read_from(load: Callable[[], Mapping[str, bytes]], where: str) -> ImageReader:
    """Reads images out of a mapping that is loaded when the first of them is asked for."""
    loaded = cache(load)

    def read(name: str) -> Image | None:
        data = loaded().get(name)
        return None if data is None else image_of(data, f"{where}, {name}")

    return read


def read_from_zip(archive: Callable[[], Path], member: Callable[[str], str]) -> ImageReader:
    """Reads images out of a zip; `member` is an image's name there, empty if it can't be in it."""

    def read(name: str) -> Image | None:
        within = member(name)
        if not within:
            return None
        path = archive()
        try:
            with zipfile.ZipFile(path) as zipped:
                return image_of(zipped.read(within), f"{path}, {within}")
        except KeyError:
            raise DataError(f"{path} holds no {within}") from None
        except (zipfile.BadZipFile, OSError) as error:
            raise DataError(f"{path}: not a whole zip ({error})") from error

    return read
