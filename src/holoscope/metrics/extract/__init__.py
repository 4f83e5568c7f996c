"""Finding the answer in what a model wrote, and saying by which rule.

Every finder is a pure function of the text (and the options): it returns the answer, the name of the rule that found
it and where it stands, or the reason why no rule matched. A finder never guesses: letters inside words are not
options, a mention is not a statement, and thinking is not an answer. Rules are data in the order in which they are
tried, so that a language or a format is added as rows, not as branches.
"""

from holoscope.metrics.extract.boxed import last_boxed
from holoscope.metrics.extract.found import Found
from holoscope.metrics.extract.numbers import find_number, parse_number
from holoscope.metrics.extract.options import find_option
from holoscope.metrics.extract.thinking import answer_start

__all__ = ["Found", "answer_start", "find_number", "find_option", "last_boxed", "parse_number"]
