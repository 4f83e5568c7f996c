"""Hangul: a syllable as the letters that it is typed with, and particles in the form that fits the word before them.

Korean has no words between spaces: particles are written on to the noun, and most of them have two forms, one after a
consonant and one after a vowel. So a noun is replaced together with its particle, and what follows a noun without being
a particle (`왕국`, `왕가`) shows that the noun is part of another word and is left.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache

from holoscope.perturbations.lexicon import table

INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
_FIRST = 0xAC00
_KEYS = dict(zip("qwertyuiopasdfghjklzxcvbnm", "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ", strict=True))
"""The keyboard of two sets (dubeolsik): consonants left, vowels right."""


def is_syllable(character: str) -> bool:
    return "가" <= character <= "힣"


def letters(syllable: str) -> tuple[str, str, str]:
    """Initial, vowel and final of a syllable.

    >>> letters("글")
    ('ㄱ', 'ㅡ', 'ㄹ')
    """
    index = ord(syllable) - _FIRST
    return INITIALS[index // 588], VOWELS[index // 28 % 21], FINALS[index % 28]


def syllable(initial: str, vowel: str, final: str) -> str:
    """The syllable of its letters."""
    return chr(_FIRST + 588 * INITIALS.index(initial) + 28 * VOWELS.index(vowel) + FINALS.index(final))


@cache
def neighbours(letter: str) -> tuple[str, ...]:
    """The letters on the keys around a letter's key that are of its kind, consonants or vowels; none for a compound."""
    near = {_KEYS[k]: [_KEYS[n] for n in around] for k, around in table("keyboard.json").items()}
    return tuple(other for other in near.get(letter, ()) if (other in VOWELS) is (letter in VOWELS))


def final_of(word: str) -> str:
    """The final consonant of a word's last syllable; empty if it ends in a vowel."""
    return letters(word[-1])[2] if word and is_syllable(word[-1]) else ""


def refit(ending: str, old: str, new: str) -> str | None:
    """The particle `ending` of `old` as it is after `new`; None if `old` does not take it.

    >>> [refit("이", "형", "누나"), refit("로", "딸", "아들"), refit("가", "왕", "여왕")]
    ['가', '로', None]
    """
    listed = table("korean.json")
    if not ending or ending in listed["alike"]:
        return ending
    for pair in listed["particles"]:
        if ending == _form(pair, old):
            return _form(pair, new)
        if ending == pair[0] == f"이{pair[1]}":
            return ending  # the copula may be written out after a vowel too
    return None


def _form(pair: tuple[str, str], word: str) -> str:
    """The one of a pair (after a consonant, after a vowel) that stands after a word; `로` also after ㄹ."""
    final = final_of(word)
    return pair[0] if final and not (final == "ㄹ" and pair[1] == "로") else pair[1]


@cache
def with_particle(words: tuple[str, ...], before: str = "") -> re.Pattern[str]:
    """Groups 1 to 3: what stands `before` (a pattern), one of the words, and what is perhaps its particle."""
    listed = table("korean.json")
    endings = {*listed["alike"], *(form for pair in listed["particles"] for form in pair)}
    endings |= {f"이{ending}" for ending in endings}  # 지은이는: a name that ends in a consonant
    return re.compile(rf"(?<![\w])({before})({_any(words)})({_any(endings)})?(?![\w])")


def replace_nouns(pattern: re.Pattern[str], new: Callable[[str], str | None], text: str) -> str:
    """The text with nouns replaced, each with its particle; `new(noun)` is None where it is left."""

    def put(match: re.Match[str]) -> str:
        before, noun, ending = match[1], match[2], match[3] or ""
        stem = "이" if final_of(noun) and ending.startswith("이") and refit(ending, noun, noun) is None else ""
        if refit(ending.removeprefix(stem), noun + stem, noun + stem) is None:
            return match.group()
        other = new(noun)
        if other is None:
            return match.group()
        kept = stem if final_of(other) else ""
        return f"{before}{other}{kept}{refit(ending.removeprefix(stem), noun + stem, other + kept)}"

    return pattern.sub(put, text)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))
