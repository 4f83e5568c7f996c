"""Where the thinking ends and the answer begins, for models that write both into one text.

A closing tag ends the thinking even where the template swallowed the opening one. An opening tag that is never
closed means that the whole text is thinking: the answer is empty.
"""

import re

_TAGS = r"think(?:ing)?|thoughts?|reasoning|reflection|seed:think"
_OPENS = re.compile(rf"\s*(?:<(?:{_TAGS})>|◁think▷|\[THINK\])", re.IGNORECASE)
_CLOSES = re.compile(rf"</(?:{_TAGS})>|◁/think▷|\[/THINK\]", re.IGNORECASE)


def answer_start(text: str) -> int:
    """Index of the first character that is not thinking; the text's length where all of it is.

    >>> answer_start("maybe A</think>B")
    15
    """
    if not ("<" in text or "◁" in text or "[" in text):
        return 0
    end = 0
    for match in _CLOSES.finditer(text):
        end = match.end()
    return len(text) if _OPENS.match(text, end) else end
