"""The process that compares formulas: a line of JSON in, a line of JSON out, until its input ends.

It is apart because a formula is hostile text: one that takes too long costs this process its life and nothing else.
The limit is CPU time, not the clock, so that a busy machine gives the same verdicts as an idle one; where the system
has no such timer, the parent's clock decides.
"""

import sys
from contextlib import suppress
from typing import BinaryIO

import msgspec

from holoscope.metrics.maths.compare import same
from holoscope.metrics.maths.tokens import NotationError
from holoscope.metrics.maths.verdict import Question, Verdict

CPU_SECONDS = 5.0
_MEMORY = 2 << 30
_LONGEST = 2000
"""Characters of a formula that is parsed; a longer text is compared as a text."""


def serve(questions: BinaryIO, verdicts: BinaryIO) -> None:
    """Answer each question as it comes; an empty line says that the process is ready."""
    verdicts.write(b"\n")
    verdicts.flush()
    for line in questions:
        _limit_time(CPU_SECONDS)
        verdict = judge(msgspec.json.decode(line, type=Question))
        _limit_time(0)
        verdicts.write(msgspec.json.encode(verdict) + b"\n")
        verdicts.flush()


def judge(question: Question) -> Verdict:
    """Compare two formulas; what is not understood is compared as a text, and the verdict says so."""
    if max(len(question.one), len(question.other)) > _LONGEST:
        return Verdict(False, "compared as texts: a formula of this length is not parsed")
    try:
        return Verdict(same(question.one, question.other))
    except NotationError as error:
        return Verdict(False, f"compared as texts: {error}")
    except MemoryError:
        return Verdict(None, "the comparison took too much memory")
    except Exception as error:  # noqa: BLE001 - one formula's failure becomes data
        return Verdict(False, f"compared as texts: {type(error).__name__} while the formulas were compared")


def _limit_time(seconds: float) -> None:
    """End this process after so much more CPU time; 0 lifts the limit. The default action needs no Python to run."""
    import signal

    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory() -> None:
    with suppress(ModuleNotFoundError, ValueError, OSError):  # not on Windows, nor where the system sets its own
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, hard))


if __name__ == "__main__":
    _limit_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer)
