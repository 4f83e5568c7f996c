"""Finding the answer in what a model wrote, and saying by which rule.

Every finder is a pure function of the text (and the options): it returns the answer, the name of the rule that found
it and where it stands, or the reason why no rule matched. A finder never guesses: letters inside words are not
options, a mention is not a statement, and thinking is not an answer. Rules are data in the order in which they are
tried, so that a language or a format is added as rows, not as branches.
"""

from holoscope.metrics.extract.boxed import last_boxed
from holoscope.metrics.extract.code import find_blocks, find_code
from holoscope.metrics.extract.final import find_final_answer
from holoscope.metrics.extract.folding import folded
from holoscope.metrics.extract.found import Found
from holoscope.metrics.extract.numbers import find_number, parse_number, same_number
from holoscope.metrics.extract.objects import find_json
from holoscope.metrics.extract.options import find_option
from holoscope.metrics.extract.run_on import answer_end
from holoscope.metrics.extract.thinking import answer_start

__all__ = [
    "Found",
    "answer_end",
    "answer_start",
    "find_blocks",
    "find_code",
    "find_final_answer",
    "find_json",
    "find_number",
    "find_option",
    "folded",
    "last_boxed",
    "parse_number",
    "same_number",
]
