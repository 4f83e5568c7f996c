"""Where the answer begins, for models that write their thinking into the same text. Thinking is never graded."""

from holoscope.core import find_thinking


def answer_start(text: str, tags: tuple[tuple[str, str], ...] = ()) -> int:
    """Index of the first character that is not thinking; the text's length where all of it is.

    `tags` are further pairs of opening and closing marks, as they are written.

    >>> answer_start("maybe A</think>B"), answer_start("{{A}}B", (("{{", "}}"),))
    (15, 5)
    """
    found = find_thinking(text, tags)
    return found.answer if found else 0
