"""Changes of who is spoken of or who speaks, which should change no answer: dialect, gender, people's names.

Made on the references too, so that question and answers stay about the same people. Whole words only, at the edges of a
text as well; one pass, so that nothing that was put in is replaced again; in the case of the word replaced. A word that
would become itself is left, and a text in which every word was left counts as unchanged.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from holoscope.core import Instance, Json
from holoscope.perturbations.casting import Casting
from holoscope.perturbations.lexicon import GenderTable, NameList, WordMap
from holoscope.perturbations.rewriting import rewrite
from holoscope.perturbations.words import keep_case, key, swap, whole_words

_NEXT_WORD = re.compile(r"(?:[^\S\n]+|[^\S\n]*\n(?=[a-z]))[\"“‘(]?([^\W_]+)")
"""The word after a pronoun, not after punctuation; on the next line only where the sentence goes on there."""


def dialect(text: str, rng: Random, *, prob: float, lexicon: WordMap, **_classes: Json) -> str:
    """Words of one dialect become those of another."""

    def said(match: re.Match[str]) -> str | None:
        word = match.group()
        others = [new for new in (keep_case(word, w) for w in lexicon.candidates(word)) if new != word]
        return rng.choice(others) if others and rng.random() < prob else None

    return swap(lexicon.unhyphenated, said, text)


def gender(
    text: str,
    rng: Random,
    *,
    mode: str,
    prob: float,
    source_class: str,
    target_class: str,
    bidirectional: bool = False,
    lexicon: GenderTable,
    **_files: Json,
) -> str:
    """Terms or pronouns of one gender become those of another; with `bidirectional` also the other way, at once."""
    pattern, counterparts = _counterparts(lexicon, mode, source_class, target_class, bidirectional)

    def other(match: re.Match[str]) -> str | None:
        options = counterparts.get(key(match.group()))
        if not options or rng.random() >= prob:
            return None
        return keep_case(match.group(), _fitting(options, match, lexicon))

    return swap(pattern, other, text)


@lru_cache(maxsize=32)
def _counterparts(
    lexicon: GenderTable, mode: str, source: str, target: str, bidirectional: bool
) -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """The words to look for, and what each may become, leaving out those that would become themselves."""
    found: dict[str, tuple[str, ...]] = {}
    for word, new in lexicon.pairs(mode, source, target):
        if new != word:
            found[word] = (*found.get(word, ()), new)
    if bidirectional:
        found = _counterparts(lexicon, mode, target, source, False)[1] | found
    return whole_words(found), found


def _fitting(options: Sequence[str], match: re.Match[str], lexicon: GenderTable) -> str:
    """The form that fits here: `his book` is `her book`, but `it was his.` is `it was hers.`"""
    if match.group().lower() not in lexicon.before_a_noun:
        return options[0]
    following = _NEXT_WORD.match(match.string, match.end())
    noun_follows = following is not None and following[1].lower() not in lexicon.not_a_noun
    return next((form for form in options if (form in lexicon.before_a_noun) is noun_follows), options[0])


def person_name(
    instance: Instance,
    rng: Random,
    *,
    prob: float,
    source_class: Mapping[str, str],
    target_class: Mapping[str, str],
    person_name_type: str = "first_name",
    preserve_gender: bool = True,
    lexicon: NameList,
    **_files: Json,
) -> Instance:
    """People get names of another group: one person one name throughout, and no two the same while names last."""
    kind = person_name_type.lower()
    source = lexicon.members(kind, lowered(source_class))
    target = lexicon.members(kind, lowered(target_class))
    taken = {key(word) for text in texts(instance) for word in re.findall(r"[\w-]+", text)}

    def fitting(name: str) -> Sequence[str]:
        return lexicon.same_gender(kind, name, target) if preserve_gender else target

    casting = Casting(fitting, taken, rng, prob=prob)

    def renamed(match: re.Match[str]) -> str | None:
        found, name = match.group(), key(match.group())
        if name in lexicon.also_words and not found[0].isupper():
            return None
        new = casting.role(name)
        return None if new is None else keep_case(found, new.title())

    pattern = whole_words(source, hyphenated=True)
    return rewrite(instance, lambda text: swap(pattern, renamed, text), references=True)


def lowered(categories: Mapping[str, str]) -> dict[str, str]:
    """The categories as the lists write them."""
    return {kind.lower(): value.lower() for kind, value in categories.items()}


def texts(instance: Instance) -> list[str]:
    said = [m.content for m in instance.messages or () if isinstance(m.content, str)]
    return [instance.input, *said, *(r.text for r in instance.references)]
