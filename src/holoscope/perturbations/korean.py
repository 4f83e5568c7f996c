"""Korean: slips on the keyboard, spaces left out, and who is spoken of.

Nouns are replaced with their particles (`hangul.py`). `그` is a pronoun only with a particle, since by itself it means
`that`. Names follow what English names follow: one person one name, none the same.
"""

import re
from collections.abc import Mapping
from functools import cache
from random import Random

from holoscope.core import Instance
from holoscope.perturbations.casting import Casting
from holoscope.perturbations.fairness import lowered, texts
from holoscope.perturbations.hangul import (
    FINALS,
    INITIALS,
    final_of,
    is_syllable,
    letters,
    neighbours,
    replace_nouns,
    syllable,
    with_particle,
)
from holoscope.perturbations.lexicon import GenderTable, NameList, gender_table, given_names, table
from holoscope.perturbations.rewriting import rewrite

_LEADS_TO_A_VERB = "아어여해고지와워려켜"
"""Ends of a verb before an auxiliary: `먹고 싶다`, `가지 않다`."""


def korean_typos(text: str, rng: Random, *, prob: float) -> str:
    """In some syllables one letter becomes its neighbour on the keyboard."""

    def typed(character: str) -> str:
        if not is_syllable(character) or rng.random() >= prob:
            return character
        options = _slips(character)
        return rng.choice(options) if options else character

    return "".join(map(typed, text))


@cache
def _slips(character: str) -> tuple[str, ...]:
    """The syllables that one slip makes of a syllable."""
    initial, vowel, final = letters(character)
    return (
        *(syllable(new, vowel, final) for new in neighbours(initial) if new in INITIALS),
        *(syllable(initial, new, final) for new in neighbours(vowel)),
        *(syllable(initial, vowel, new) for new in neighbours(final) if new in FINALS),
    )


def korean_spacing(text: str, rng: Random, *, prob: float) -> str:
    """Spaces that many leave out are left out: before bound nouns (`할 수` becomes `할수`) and auxiliary verbs.

    No space after a particle is touched: where a noun ends would be hard to tell without it.
    """
    return _spaces().sub(lambda match: "" if _is_left_out(match) and rng.random() < prob else " ", text)


@cache
def _spaces() -> re.Pattern[str]:
    listed = table("korean.json")
    nouns, verbs = ("|".join(sorted(listed[kind], key=len, reverse=True)) for kind in ("bound_nouns", "auxiliaries"))
    return re.compile(rf"(?<=[가-힣]) (?=(?:({nouns})|({verbs}))(?!\w))")


def _is_left_out(match: re.Match[str]) -> bool:
    """True if a verb stands before: in its adnominal form (ㄴ, ㄹ) before a noun, else with a linking ending."""
    before = match.string[match.start() - 1]
    if match[1]:
        return final_of(before) in ("ㄴ", "ㄹ") and before != "은"
    return before in _LEADS_TO_A_VERB


def korean_gender(text: str, rng: Random, *, mode: str, prob: float, source_class: str, target_class: str) -> str:
    """Terms or pronouns of one gender become those of another."""
    pairs = dict(korean_genders().pairs(mode, source_class, target_class))

    def other(word: str) -> str | None:
        new = pairs[word]
        return new if new != word and rng.random() < prob else None

    if mode == "terms":
        return replace_nouns(with_particle(tuple(pairs)), other, text)
    endings = "|".join(sorted(table("korean.json")["after_a_pronoun"], key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)({'|'.join(pairs)})(?=(?:{endings})(?!\w))")
    return pattern.sub(lambda match: other(match[1]) or match[1], text)


@cache
def korean_genders() -> GenderTable:
    return gender_table("korean.json")


@cache
def korean_names() -> NameList:
    return given_names("korean.json")


def korean_person_name(
    instance: Instance,
    rng: Random,
    *,
    prob: float,
    source_class: Mapping[str, str],
    target_class: Mapping[str, str],
    preserve_gender: bool = True,
) -> Instance:
    """People get other given names; family names stay, as within a family.

    With `preserve_gender` any name becomes another of its gender; without, one of `source_class` becomes one of
    `target_class`.
    """
    names = korean_names()
    replaced, fitting = names.exchange(lowered(source_class), lowered(target_class), preserve_gender=preserve_gender)
    pattern = with_particle(tuple(replaced), f"[{table('korean.json')['surnames']}]?")
    taken = {row.name for row in names.rows if any(row.name in text for text in texts(instance))}
    casting = Casting(fitting, taken, rng, prob=prob)
    return rewrite(instance, lambda text: replace_nouns(pattern, casting.role, text), references=True)
