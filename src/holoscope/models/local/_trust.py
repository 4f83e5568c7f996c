"""Whether the installed build of llama.cpp computes what it should.

The C interface has no version of its own and changes with the builds. Known ones are trusted. Another one first reads
a sentence, in a process of its own, since a structure that has changed may crash it; it is used only if the sentence
comes out as language, and known weights as they are known to score it. A build that passed is not tried again.
"""

import math
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from holoscope.core import Settings
from holoscope.models.local._llama import KNOWN_BUILDS, build, unusable_build

SENTENCE = "The capital of France is Paris."
WORST = 7.0
"""Nats a token of the sentence may cost on average; guessing among 49,000 tokens costs 10.8."""


def check_build(path: Path, settings: Settings) -> None:
    """Raise NotSupportedError if the installed xllamacpp is unknown and gets a sentence wrong on these weights."""
    version = build()
    if version in KNOWN_BUILDS:
        return
    passed = settings.cache_dir / "models" / "builds" / f"xllamacpp-{version}.ok"
    if passed.is_file():
        return
    cost = _probe(path)
    if not cost < WORST:
        raise unusable_build(f"the sentence {SENTENCE!r} came out at {cost:.1f} nats a token")
    with suppress(OSError):  # a read-only cache costs a probe at each start, no more
        passed.parent.mkdir(parents=True, exist_ok=True)
        passed.touch()


def _probe(path: Path) -> float:
    """Nats a token of the sentence in a new process; NaN if that dies."""
    command = [sys.executable, "-m", "holoscope.models.local._probe", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    try:
        return float(done.stdout)
    except ValueError:
        return math.nan
