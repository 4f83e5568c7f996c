"""Reasoning within an answer: `<think>...</think>` and all other marks that core knows, and the user's own tags.

What is graded is what follows the reasoning, and stop sequences count only there. Models whose template opens the
reasoning for them send only the closing tag; models cut off within it only the opening one.
"""

from typing import NamedTuple

from holoscope.core import UsageError, find_thinking


class Tags(NamedTuple):
    """What opens and closes reasoning."""

    start: str
    end: str


TAGS = Tags("<think>", "</think>")
"""The usual ones. Whatever tags are given, those that core knows are looked for too."""


class Split(NamedTuple):
    """A text taken apart."""

    thinking: str | None
    """None if there was no reasoning in it."""
    answer: str
    is_open: bool = False
    """True if the reasoning never ended."""


def read_tags(option: str) -> Tags | None:
    """Tags from an option: empty for the usual ones, `none`, a tag's name, or both tags with a comma between.

    >>> read_tags("reasoning"), read_tags("[T],[/T]"), read_tags("none")
    (Tags(start='<reasoning>', end='</reasoning>'), Tags(start='[T]', end='[/T]'), None)
    """
    if not option:
        return TAGS
    if option == "none":
        return None
    start, comma, end = option.partition(",")
    if comma and not (start and end):
        raise UsageError(f"option think={option}: expected a tag's name, or both tags with a comma between")
    return Tags(start, end) if comma else Tags(f"<{option}>", f"</{option}>")


def split_thinking(text: str, tags: Tags | None) -> Split:
    """Take the reasoning out of a text.

    >>> split_thinking("<think>maybe A</think>B", TAGS).answer, split_thinking("maybe A</think>B", TAGS).answer
    ('B', 'B')
    """
    if tags is None:
        return Split(None, text)
    found = find_thinking(text, () if tags == TAGS else (tags,))
    if found is None:
        return Split(None, text)
    return Split(text[found.start : found.end].strip(), text[found.answer :].lstrip(), found.is_open)


def cut_at_stop(text: str, stops: tuple[str, ...]) -> str:
    """`text` up to the first stop sequence in it.

    >>> cut_at_stop("9\\n\\nQ: next", ("\\n\\n",))
    '9'
    """
    ends = [at for stop in stops if stop and (at := text.find(stop)) >= 0]
    return text[: min(ends)] if ends else text
