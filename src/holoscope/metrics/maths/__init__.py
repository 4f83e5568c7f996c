r"""Whether two mathematical answers are equal.

Texts are first brought into one notation; those that are then the same are equal without further work, so that every
answer equals itself. Others are parsed and compared by what they are worth, in a process of its own with a time
limit, and in both orders, so that it never matters which of two is the gold. A formula that is not understood is
compared as a text, and never by a number found within it.
"""

from holoscope.metrics.maths.equality import equivalent
from holoscope.metrics.maths.verdict import Verdict

__all__ = ["Verdict", "equivalent"]
