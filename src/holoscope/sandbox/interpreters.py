"""Which Python runs the programs, and what of the file system it needs to see.

The likeliest first: the Python that the user named, else this one with its packages (published harnesses have numpy at
hand), else the system's. Which of them the sandbox can really start is found out by starting it.
"""

import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from holoscope.core import ConfigError

SYSTEM = Path("/usr/bin/python3")
_ASK = (
    "import sys, sysconfig; print('[\"' + '\", \"'.join([getattr(sys, '_base_executable', sys.executable), "
    "sys.base_prefix, sysconfig.get_path('purelib'), sysconfig.get_path('platlib')]) + '\"]')"
)


class Interpreter(NamedTuple):
    """A Python and its packages."""

    executable: Path
    prefix: Path
    """Where its own library is."""
    packages: tuple[Path, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """What it needs beside /usr."""
        needed = dict.fromkeys((self.prefix, *self.packages))
        return tuple(path for path in needed if not path.is_relative_to("/usr") and path.is_dir())


def interpreters(named: Path | None) -> Iterator[Interpreter]:
    """The Pythons to try, in order."""
    if named is not None:
        yield _ask(named)
        return
    own = _packages(sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    here = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    yield Interpreter(here, Path(sys.base_prefix).resolve(), own)
    if SYSTEM.exists() and SYSTEM.resolve() != here:
        if SYSTEM.resolve().name == f"python{sys.version_info.major}.{sys.version_info.minor}":
            yield Interpreter(SYSTEM, Path("/usr"), own)  # compiled packages go with the version
        yield Interpreter(SYSTEM, Path("/usr"))


def _ask(python: Path) -> Interpreter:
    """What the Python that the user named says of itself; it is trusted, as the user's own."""
    try:
        done = subprocess.run([python, "-c", _ASK], capture_output=True, timeout=30, check=True)
        executable, prefix, pure, plat = msgspec.json.decode(done.stdout, type=tuple[str, str, str, str])
    except (OSError, subprocess.SubprocessError, msgspec.MsgspecError) as error:
        raise ConfigError(
            f"HOLOSCOPE_SANDBOX_PYTHON: {python} is not a Python that can be started ({error})"
        ) from error
    return Interpreter(Path(executable).resolve(), Path(prefix).resolve(), _packages(pure, plat))


def _packages(*folders: str) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(folder).resolve() for folder in folders))
