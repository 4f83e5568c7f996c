"""The labels of a question's options, and how they may be written.

A label stands alone: letters within a word are not labels, in any script. Where a script writes on without a space,
only the particles that follow a name may follow a label (`B是`, `C입니다`); `答案是C语言` names no option.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from holoscope.metrics.extract.folding import folded

_PARTICLES = (
    r"项|項|选项|選項|[是为為对對才这這的也和或与與及、]|正确|正確"
    r"|번|입|이다|이며|이고|이라|[이가은는을를로와과](?![가-힣])|가\s|예요|에요"
    r"|です|である|[がはをでだとのやに]"
)
_MARKS = "\u0300-\u036f\u064b-\u065f\u0670\u093c-\u094d\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
"""Marks that belong to the letter before them: with one, it is another syllable."""
ENDS = rf"(?![{_MARKS}])(?:(?!\w)|(?={_PARTICLES}))(?!'\w)(?!`\w)(?!-\w)(?!\.(?:[A-Za-z]\b|\d))(?!&\w)(?![+#%])"
"""After a label: no word goes on."""

_SERIES = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "123456789",
    "①②③④⑤⑥⑦⑧⑨⑩",
    "ابجدهوزحطي",
    "กขคงจฉชซ",
    "가나다라마바사아자차",
    "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊ",
    "甲乙丙丁戊己庚辛壬癸",
    "アイウエオカキクケコ",
    "कखगघङ",
    "কখগঘঙ",
    "אבגדהוזחטי",
)
"""How languages count options. Cyrillic is not among them: its third letter looks like the Latin second."""


class Labels(NamedTuple):
    """The labels of one question, and an expression for any of them."""

    known: dict[str, str]
    """As written in folded text -> label."""
    any_case: str
    """Matches a label, or its lower-case form, in a group `label`."""
    exact: str
    """Matches a label as the question writes it."""
    starts: str
    """Before a label that nothing announces: no word that goes on into it."""

    def of(self, written: str) -> str:
        """The label that is written so."""
        return self.known.get(written) or self.known[written.lower()]


@lru_cache(maxsize=256)
def labels_of(labels: tuple[str, ...]) -> Labels:
    """What is to be known about a question's labels."""
    known: dict[str, str] = {}
    for form in (folded, _bare, lambda label: folded(label).lower(), lambda label: folded(label).upper()):
        for label in labels:
            known.setdefault(form(label), label)
    ascii_only = all(written.isascii() for written in known)
    return Labels(
        known,
        rf"(?P<label>{_any_of(known)}){ENDS}",
        rf"(?P<label>{_any_of(map(folded, labels))}){ENDS}",
        r"(?<![A-Za-z0-9_'\\])" if ascii_only else r"(?<![\w'])",
    )


def in_other_scripts(labels: tuple[str, ...], text: str) -> list[tuple[str, ...]]:
    """Other ways of counting that stand for these labels and occur in `text`: `الإجابة هي ب` means the second."""
    own = next((series for series in _SERIES if "".join(map(_bare, labels)).upper() == series[: len(labels)]), None)
    if own is None:
        return []
    others = (s for s in _SERIES if s != own and len(s) >= len(labels) and own.isascii() != s.isascii())
    return [tuple(s[: len(labels)]) for s in others if any(c in text for c in s[: len(labels)])]


def _bare(label: str) -> str:
    """Without the stroke that Arabic draws out: `هـ` is also written `ه`."""
    return folded(label).rstrip("ـ")


def _any_of(written: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(set(written), key=lambda form: (-len(form), form))))
