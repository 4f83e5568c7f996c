"""Characters as a hurried or a hostile writer sets them: neighbouring keys, lost and doubled letters, look-alikes.

Slips within words follow Pruthi, Dhingra and Lipton (2019, arXiv:1905.11268): a word of four letters or more gets at
most one, and its first and last letter stay, since people read such words without a stumble. Only alphabets with upper
and lower case have words of that kind; other scripts are left. Made on the input only.
"""

import re
from collections.abc import Mapping
from random import Random

from holoscope.perturbations.lexicon import table
from holoscope.perturbations.words import swap

_WORD = re.compile(r"(?<!\w)[^\W\d_]{4,}(?!\w)")
_KINDS = ("swap", "drop", "insert")


def homoglyphs(text: str, rng: Random, *, prob: float) -> str:
    """Some Latin letters become a letter of another alphabet that looks the same."""
    alike: Mapping[str, str] = table("confusables.json")
    return "".join(rng.choice(alike[c]) if c in alike and rng.random() < prob else c for c in text)


def keyboard(text: str, rng: Random, *, prob: float) -> str:
    """In some words one letter becomes its neighbour on the keyboard."""
    neighbours: Mapping[str, str] = table("keyboard.json")

    def slipped(match: re.Match[str]) -> str | None:
        word = match.group()
        places = [i for i in range(1, len(word) - 1) if word[i].isascii()]
        if not places or rng.random() >= prob:
            return None
        at = rng.choice(places)
        return word[:at] + _in_case(word[at], rng.choice(neighbours[word[at].lower()])) + word[at + 1 :]

    return swap(_WORD, slipped, text)


def character_noise(text: str, rng: Random, *, prob: float) -> str:
    """In some words two letters change places, or one is lost, or one is put in that the word has elsewhere."""

    def noisy(match: re.Match[str]) -> str | None:
        word = match.group()
        return _noisy(word, rng) if all(map(_has_case, word)) and rng.random() < prob else None

    return swap(_WORD, noisy, text)


def _noisy(word: str, rng: Random) -> str:
    kind = rng.choice(_KINDS)
    unequal = [i for i in range(1, len(word) - 2) if word[i].lower() != word[i + 1].lower()]
    if kind == "swap" and unequal:
        at = rng.choice(unequal)
        return word[:at] + _in_case(word[at], word[at + 1]) + _in_case(word[at + 1], word[at]) + word[at + 2 :]
    if kind == "insert":
        at = rng.randrange(1, len(word))
        return word[:at] + _in_case(word[at], rng.choice(word)) + word[at:]
    at = rng.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1 :]


def _has_case(letter: str) -> bool:
    """True for a letter with two forms of one character each (ß and İ have none)."""
    return letter.lower() != letter.upper() and len(letter.lower()) == len(letter.upper()) == 1


def _in_case(like: str, letter: str) -> str:
    return letter.upper() if like.isupper() else letter.lower()
