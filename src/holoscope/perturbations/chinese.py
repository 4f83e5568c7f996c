"""Chinese: characters that sound alike, other words for the same, other script, other speech, and who is spoken of.

Written Chinese has no spaces, and which words a segmenter finds depends on its version, so none is used: words are
looked for as they stand, the longest first, in one pass. Our tables hold words of which that is safe. Who is spoken of
and how the text is written are changed in the references too.
"""

import re
from collections.abc import Mapping
from functools import cache
from random import Random

from holoscope.core import Instance
from holoscope.perturbations.casting import Casting
from holoscope.perturbations.fairness import lowered, texts
from holoscope.perturbations.lexicon import GenderTable, NameList, WordMap, gender_table, given_names, table
from holoscope.perturbations.rewriting import rewrite
from holoscope.perturbations.words import alternation


def chinese_typos(text: str, rng: Random, *, prob: float, consider_tone: bool = False) -> str:
    """Some characters become one that sounds the same; with `consider_tone`, in the same tone."""
    alike = _homophones(consider_tone)
    return "".join(rng.choice(alike[c]) if c in alike and rng.random() < prob else c for c in text)


@cache
def _homophones(consider_tone: bool) -> dict[str, str]:
    """Character -> the others that are pronounced so."""
    groups: dict[str, str] = {}
    for reading, characters in table("chinese_homophones.json").items():
        sound = reading if consider_tone else reading.rstrip("12345")
        groups[sound] = groups.get(sound, "") + characters
    return {c: group.replace(c, "") for group in groups.values() if len(group) > 1 for c in group}


def chinese_synonym(text: str, rng: Random, *, prob: float, trial_num: int = 10, lexicon: WordMap) -> str:
    """Some words become another for the same; drawn anew, at most `trial_num` times, while nothing has changed."""

    def meant(match: re.Match[str]) -> str:
        word = match.group()
        others = [new for new in lexicon.entries[word] if new != word]
        return rng.choice(others) if others and rng.random() < prob else word

    pattern = _anywhere(lexicon.entries)
    drawn = (pattern.sub(meant, text) for _ in range(trial_num))
    return next((changed for changed in drawn if changed != text), text)


def cleva_mild_mix(text: str, rng: Random, *, lexicon: WordMap) -> str:
    """CLEVA's mix: three tenths of the synonyms, then a twentieth of the characters."""
    return chinese_typos(chinese_synonym(text, rng, prob=0.3, lexicon=lexicon), rng, prob=0.05)


def chinese_gender(text: str, rng: Random, *, mode: str, prob: float, source_class: str, target_class: str) -> str:
    """Terms or pronouns of one gender become those of another."""
    pairs = dict(chinese_genders().pairs(mode, source_class, target_class))

    def other(match: re.Match[str]) -> str:
        new = pairs[match.group()]
        return new if new != match.group() and rng.random() < prob else match.group()

    if mode == "terms":
        return _anywhere(pairs).sub(other, text)
    alone = table("chinese.json")["not_alone"]
    return re.sub(rf"(?<![{alone['before']}])[{''.join(pairs)}](?![{alone['after']}])", other, text)


def chinese_person_name(
    instance: Instance,
    rng: Random,
    *,
    prob: float,
    source_class: Mapping[str, str],
    target_class: Mapping[str, str],
    preserve_gender: bool = True,
) -> Instance:
    """People get other given names; family names stay, as within a family.

    A listed name is somebody's after a family name; then also by itself, unless it is a word too (`建国`); and `小明`
    always. With `preserve_gender` any name becomes another of its gender, as in HELM; without, one of `source_class`
    becomes one of `target_class`.
    """
    names = chinese_names()
    replaced, fitting = names.exchange(lowered(source_class), lowered(target_class), preserve_gender=preserve_gender)
    pattern = re.compile(rf"(?:(?<=([{_surnames()}])))?({alternation(replaced)})")
    found = [match for text in texts(instance) for match in pattern.finditer(text)]
    people = {match[2] for match in found if match[1]} - names.also_words
    casting = Casting(fitting, {match[2] for match in found}, rng, prob=prob)

    def renamed(match: re.Match[str]) -> str:
        is_person = match[1] or match[2] in people or match[2].startswith("小")
        return (casting.role(match[2]) if is_person else None) or match[2]

    return rewrite(instance, lambda text: pattern.sub(renamed, text), references=True)


def simplified_to_traditional(text: str, rng: Random) -> str:
    """Simplified characters become traditional ones; where one has several, the word decides."""
    pattern, traditional = _traditional()
    return pattern.sub(lambda match: traditional[match.group()], text)


def mandarin_to_cantonese(text: str, rng: Random) -> str:
    """The commonest words of Mandarin become those of Cantonese, in traditional characters."""
    cantonese: Mapping[str, str] = table("mandarin_to_cantonese.json")
    return simplified_to_traditional(_anywhere(cantonese).sub(lambda match: cantonese[match.group()], text), rng)


@cache
def _traditional() -> tuple[re.Pattern[str], dict[str, str]]:
    listed = table("simplified_to_traditional.json")
    words = dict(pair.split("=") for line in listed["words"] for pair in line.split())
    characters = dict(zip("".join(listed["simplified"]), "".join(listed["traditional"]), strict=True))
    return _pattern((*words, *characters)), characters | words


@cache
def chinese_genders() -> GenderTable:
    return gender_table("chinese.json")


@cache
def chinese_names() -> NameList:
    return given_names("chinese.json")


@cache
def _surnames() -> str:
    return "".join(table("chinese.json")["surnames"])


def _anywhere(words: Mapping[str, object]) -> re.Pattern[str]:
    """Any of the words as they stand, the longest first."""
    return _pattern(tuple(words))


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(alternation(sorted(filter(None, words), key=lambda word: (-len(word), word))))
