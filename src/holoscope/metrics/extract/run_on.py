"""Where an answer ends and the model runs on with a question of its own.

A base model that has answered writes the next example of the prompt: a blank line, the heading that opens an example
(`Question:`, `Passage:`), and a question nobody asked. What follows is not its answer. A question that stands in the
prompt is one that it recites or restates, and the answer is still to come.
"""

import re
from functools import lru_cache

_HEADING = re.compile(r"^(?P<name>\w[^\n:]{0,24}):", re.MULTILINE)
_COMPARED = 40
"""Characters of a question by which it is recognised."""


def answer_end(text: str, prompt: str | None) -> int:
    r"""Index at which the next question begins; the text's length where there is none.

    >>> answer_end("10\n\nPassage: Another", "Passage: One\nQuestion: How many?\nAnswer:")
    2
    """
    if not prompt or "\n\n" not in text.lstrip():
        return len(text)
    for match in _starts(prompt).finditer(text, len(text) - len(text.lstrip())):
        question = text[match.end() : match.end() + _COMPARED].lstrip().partition("\n")[0].rstrip()
        if match.start() and question not in prompt:
            return match.start()
    return len(text)


@lru_cache(maxsize=64)
def _starts(prompt: str) -> re.Pattern[str]:
    """A blank line and a heading of the prompt: any but the last, which the answer itself follows."""
    names = [match["name"] for match in _HEADING.finditer(prompt)]
    opening = {name for name in names if name != names[-1]}
    return re.compile(rf"\n[ \t]*\n(?:{'|'.join(map(re.escape, sorted(opening)))}):" if opening else r"(?!)")
