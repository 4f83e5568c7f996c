"""The one question that the rest of the package asks about formulas."""

from functools import lru_cache

from holoscope.metrics.extract import same_number
from holoscope.metrics.maths.notation import plain_form
from holoscope.metrics.maths.process import ask, require
from holoscope.metrics.maths.verdict import Verdict


@lru_cache(maxsize=4096)
def equivalent(one: str, other: str) -> Verdict:
    r"""Whether two texts are the same mathematical answer; MissingExtraError without the `math` extra.

    >>> equivalent(r"\frac{1}{2}", "0.5").same
    True
    """
    require()
    alike = plain_form(one) == plain_form(other) or same_number(one, other) or same_number(other, one)
    return Verdict(True) if alike else ask(*sorted((one, other)))
