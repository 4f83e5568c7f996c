"""Finding whole words and putting others in their place, in any script.

A word is whole where no letter, digit or accent that belongs to it touches it. The edges of the text count; neighbours
are looked at but never consumed, so that adjacent words are both found. All words are looked for in one pass, the
longest first, so that nothing that was put in is replaced again. What is put in keeps the case of what it replaces.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

Replace = Callable[[re.Match[str]], str | None]
"""What to put in place of a match; None leaves it."""

_JOINERS = "\u200c\u200d\u00ad"
"""Zero-width (non-)joiner and soft hyphen: invisible, within a word."""


def alternation(words: Sequence[str]) -> str:
    """A pattern that tries distinct words in their order, found by their first letters: fast for thousands of them.

    >>> alternation(["about", "abode", "a"])
    '(?:a(?:b(?:out|ode)|))'
    """
    if len(words) == 1:
        return re.escape(words[0])
    if "" in words[:-1] or len(words) < 3:
        return f"(?:{'|'.join(map(re.escape, words))})"
    tails: dict[str, list[str]] = {}
    for word in words:
        tails.setdefault(word[:1], []).append(word[1:])
    return f"(?:{'|'.join(re.escape(first) + alternation(rest) for first, rest in tails.items())})"


def whole_words(words: Iterable[str], *, hyphenated: bool = False) -> re.Pattern[str]:
    """Matches the words, whole, in any case, with straight or curly apostrophes.

    With `hyphenated`, a word within a hyphenated one (`the` in `over-the-top`) is not whole.
    """
    longest_first = sorted({key(word) for word in words if word}, key=lambda word: (-len(word), word))
    if not longest_first:
        return re.compile(r"(?!)")
    touching = r"[\w-]" if hyphenated else r"\w"
    body = alternation(longest_first).replace("'", "['’]")
    return re.compile(rf"(?<!{touching})({body})(?!{touching})", re.IGNORECASE)


def key(word: str) -> str:
    """The form under which a word is looked up."""
    return word.lower().replace("’", "'")


def swap(pattern: re.Pattern[str], replace: Replace, text: str) -> str:
    """The text with each whole match replaced."""

    def put(match: re.Match[str]) -> str:
        found = match.group()
        new = None if _touches_mark(match) else replace(match)
        return found if new is None else new

    return pattern.sub(put, text)


def _touches_mark(match: re.Match[str]) -> bool:
    """True if an accent or joiner before or after makes the match a part of a longer word."""
    text, start, end = match.string, match.start(), match.end()
    return any(
        c in _JOINERS or unicodedata.category(c)[0] == "M"
        for c in text[max(start - 1, 0) : start] + text[end : end + 1]
    )


def keep_case(source: str, target: str) -> str:
    """The target in the case of the source.

    >>> [keep_case(word, "mom") for word in ("dad", "Dad", "DAD")]
    ['mom', 'Mom', 'MOM']
    """
    cased = [c for c in source if c.isupper() or c.islower()]
    if not cased:
        return target
    if all(c.islower() for c in cased):
        return target.lower()
    if len(cased) > 1 and all(c.isupper() for c in cased):
        return target.upper()
    return target[:1].upper() + target[1:] if source[:1].isupper() else target
