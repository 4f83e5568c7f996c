"""Running model-written code, safely or not at all.

A job is a program with the tests that are to say whether it is right; a `Sandbox` runs it in bubblewrap, as a user who
owns nothing, with limits, and kills everything that is left of it. The invariant: no program can harm the machine, and
none can call itself right: the verdict is made in a process (or outside) that the program can't write to. Where that
can't be had, nothing runs, and the reason is the result. docs/sandbox.md says what is contained and what is not.
"""

from holoscope.sandbox.jobs import Assertions, Calls, Job, Result, Scripts, UnitTests, Verdict
from holoscope.sandbox.sandbox import Sandbox

__all__ = ["Assertions", "Calls", "Job", "Result", "Sandbox", "Scripts", "UnitTests", "Verdict"]
