"""Reading many small files out of one archive, as upstream publishes them, without unpacking it.

Members are given in the archive's order, by the names they have in it; links and folders are no files.
"""

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from holoscope.core import DataError


def read_members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Name and text of each member of a zip or tar whose name is `wanted`."""
    try:
        for name, content in _members(archive, wanted):
            yield name, content.decode("utf-8")
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError) as error:
        raise DataError(f"{archive}: not a whole archive ({error})") from error


def _members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            for name in zipped.namelist():
                if wanted(name):
                    yield name, zipped.read(name)
        return
    with tarfile.open(archive, "r|*", encoding="utf-8") as tarred:
        for info in tarred:
            content = tarred.extractfile(info) if info.isfile() and wanted(info.name) else None
            if content is not None:
                yield info.name, content.read()
