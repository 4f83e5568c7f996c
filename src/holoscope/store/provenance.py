"""What a run was made with: this package, its dependencies, Python, the machine's kind, the user's commit.

It names no host, user or path, because run folders are published.
"""

import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from holoscope import __version__

_PACKAGES = (
    "aiohttp",
    "duckdb",
    "msgspec",
    "nltk",
    "numpy",
    "pyarrow",
    "rouge-score",
    "scipy",
    "tokenizers",
    "transformers",
    "xllamacpp",
)
"""Those whose version can change a number."""


class Imported(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a run comes from that another tool made."""

    tool: str
    version: str = ""
    """Empty: its files don't say."""
    run: str = ""
    """What its folder was called."""
    files: dict[str, str] = {}
    """sha256 of each file that was read."""


class Provenance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Versions of the software a run was made with."""

    holoscope: str
    python: str
    """Empty for a run that another tool made."""
    platform: str
    """Operating system and processor, e.g. `Linux x86_64`; empty for a run that another tool made."""
    packages: dict[str, str] = {}
    """Installed ones only."""
    git_commit: str | None = None
    """Of the folder the command ran in, with `-dirty` where files had changed; None outside a repository."""
    imported: Imported | None = None
    """Set where another tool asked the model; `holoscope` is then the version that read its files."""


def provenance(folder: Path) -> Provenance:
    """What a run started in `folder` is made with."""
    return Provenance(
        holoscope=__version__,
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        packages={name: found for name in _PACKAGES if (found := _version(name))},
        git_commit=_commit(folder),
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit(folder: Path) -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    command = [git, "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
