"""Where a run lies: `<out>/runs/<suite>/<run>/`.

A run's readable name holds `:`, `,`, `=` and whatever a user typed, and none of that may stand in a folder name on
every system. The folder is a readable slug and a hash of the name: two different names never share a folder, also on
file systems that ignore case, and the whole stays short enough for Windows' path limit.
"""

import hashlib
import re
from pathlib import Path

from holoscope.core import UsageError

MANIFEST = "run.json"
REQUESTS = "requests.parquet"
SCORES = "scores.parquet"
STATISTICS = "statistics.json"

_MAX_SLUG = 80
_HASH_DIGITS = 12
_MAX_SUITE = 48
_SUITE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(?<!\.)")
_RUN = re.compile(rf"(.+--)?[0-9a-f]{{{_HASH_DIGITS}}}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def folder_name(run: str) -> str:
    """The portable folder name of the run called `run`.

    >>> folder_name("mmlu:subject=anatomy,model=openai_gpt-4o")
    'mmlu--subject-anatomy--model-openai_gpt-4o--220e7fdeff92'
    """
    slug = re.sub(r"[:,]+", "--", run)
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", slug)[:_MAX_SLUG].strip("-.")
    mark = hashlib.sha256(run.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    return f"{slug}--{mark}" if slug else mark


def is_run_folder(name: str) -> bool:
    """True if `folder_name` could have made this name."""
    return _RUN.fullmatch(name) is not None


def check_suite(suite: str) -> str:
    """`suite`, if it can be a folder name on every system; else UsageError."""
    return check_name(suite, "suite")


def check_name(name: str, kind: str) -> str:
    """The name of a suite or release, if it can be that of a folder or file on every system; else UsageError."""
    if len(name) > _MAX_SUITE or not _SUITE.fullmatch(name) or _RESERVED.fullmatch(name):
        raise UsageError(
            f"{kind} name {name!r} cannot be a folder on every system; "
            f"use up to {_MAX_SUITE} letters, digits, '.', '_' and '-', such as 'my-{kind}'"
        )
    return name


def suite_folder(out: Path, suite: str) -> Path:
    """`<out>/runs/<suite>`; UsageError if the name isn't portable."""
    return out / "runs" / check_suite(suite)


def run_folder(out: Path, suite: str, run: str) -> Path:
    """The folder of the run called `run` (its `RunSpec.name`)."""
    return suite_folder(out, suite) / folder_name(run)
