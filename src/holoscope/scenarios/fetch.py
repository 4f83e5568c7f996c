"""Getting one file from its pinned address, whole and verified or not at all.

A file appears under its name only by a rename, after its length and (where it is pinned) its sha256 were checked, so a
broken download or a killed process leaves nothing that looks like data. Where a file lands is decided by its `Source`,
never by a name within an archive. A host that could not be reached is not tried again (`Settings.unreached`): behind a
firewall that drops packets, each attempt would wait until its time is up.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Literal, cast

from holoscope.core import DataError

if TYPE_CHECKING:
    from http.client import HTTPResponse

TIMEOUT = 60.0
"""Seconds without a byte after which a download is given up."""
PROBE_TIMEOUT = 10.0
_AGENT = "holoscope (benchmark data)"


class NotInArchive(DataError):
    """The archive was had, and the member is not in it."""


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(url: str, target: Path, unreached: dict[str, str], sha256: str = "") -> None:
    """Put the bytes at `url` into `target`; its host is not one of `unreached`, or becomes one."""
    from http.client import HTTPException

    with _written_whole(target) as out:
        try:
            with _open(url, "GET", TIMEOUT, unreached) as reply:
                shutil.copyfileobj(reply, out, 1 << 20)
                expected = reply.headers.get("Content-Length")
        except (OSError, HTTPException) as error:
            raise DataError(_in_words(url, error)) from error
        if expected is not None and out.tell() != int(expected):
            raise DataError(f"could not fetch {url}: {out.tell()} of {expected} bytes came; run it again")
        _verify(Path(out.name), out, url, sha256)


def extract(archive: Path, member: str, target: Path, sha256: str = "") -> None:
    """Put one regular file of a zip or tar into `target`."""
    with _written_whole(target) as out:
        with _member(archive, member) as content:
            shutil.copyfileobj(content, out, 1 << 20)
        _verify(Path(out.name), out, f"{member} in {archive}", sha256)


def unreachable(url: str, unreached: dict[str, str]) -> str | None:
    """Why `url` does not answer, in words; None if it does. Asks for the headers only."""
    from http.client import HTTPException

    try:
        with _open(url, "HEAD", PROBE_TIMEOUT, unreached):
            return None
    except (OSError, HTTPException) as error:
        may_serve_it = getattr(error, "code", None) in (405, 501)  # a host may refuse HEAD and still have the file
        return None if may_serve_it else _in_words(url, error)


def inside(root: Path, relative: str) -> Path:
    """`root / relative`, which must not lead out of `root`."""
    path = root / relative
    if not path.resolve().is_relative_to(root.resolve()):
        raise DataError(f"refused: {relative!r} leads out of {root}")
    return path


def host_of(url: str) -> str:
    from urllib.parse import urlsplit

    return urlsplit(url).hostname or ""


def _open(url: str, method: Literal["GET", "HEAD"], timeout: float, unreached: dict[str, str]) -> "HTTPResponse":
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen  # slow to import, and seldom needed

    if not url.startswith(("https://", "http://")):
        raise DataError(f"refused: {url!r} is not an http(s) address")
    host = host_of(url)
    if host in unreached:
        raise URLError(unreached[host])
    try:
        reply = urlopen(Request(url, method=method, headers={"User-Agent": _AGENT}), timeout=timeout)
    except HTTPError:
        raise
    except (URLError, TimeoutError) as error:
        unreached[host] = _cause(error.reason if isinstance(error, URLError) else error)
        raise
    return cast("HTTPResponse", reply)


def _in_words(url: str, error: Exception) -> str:
    """What failed: the host that was not reached, what it answered, or what broke off."""
    from urllib.error import HTTPError, URLError

    if isinstance(error, HTTPError):
        return f"could not fetch {url}: the server answered {error.code} {error.reason}"
    if isinstance(error, URLError):
        return f"could not reach {host_of(url)} ({url}): {_cause(error.reason)}"
    return f"could not fetch {url}: {_cause(error)}"


def _cause(error: BaseException | str) -> str:
    """The system's words without its number."""
    return str(getattr(error, "strerror", None) or error) or type(error).__name__


@contextmanager
def _written_whole(target: Path) -> Iterator[BinaryIO]:
    """A temporary file beside `target` that takes its name if the block ends well, and vanishes if not."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".part-", delete=False) as out:
        part = Path(out.name)
        try:
            yield cast(BinaryIO, out)
            out.close()
            part.chmod(0o644)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def _verify(path: Path, out: BinaryIO, what: str, sha256: str) -> None:
    out.flush()
    if sha256 and (found := sha256_of(path)) != sha256:
        raise DataError(f"{what} has changed: its sha256 is {found}, and {sha256} is pinned")


@contextmanager
def _member(archive: Path, member: str) -> Iterator[IO[bytes]]:
    """One file within a zip or tar; links and folders are not files."""
    import tarfile
    import zipfile

    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped, zipfile.Path(zipped, member).open("rb") as content:
                yield content
            return
        with tarfile.open(archive, encoding="utf-8") as tarred:
            info = tarred.getmember(member)
            if not info.isfile():
                raise KeyError(member)
            with cast(IO[bytes], tarred.extractfile(info)) as content:
                yield content
    except (KeyError, FileNotFoundError, IsADirectoryError) as error:
        raise NotInArchive(f"{archive} holds no file {member!r}") from error
    except (tarfile.TarError, zipfile.BadZipFile) as error:
        raise DataError(f"{archive} is damaged ({error}): delete it and run again") from error
