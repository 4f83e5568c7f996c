"""The perturbations as HELM 0.5.16 defines them, where ours differ: what `compat` uses, byte for byte.

What looks like a slip here is one there: a word at the edge of a text is not found, since a neighbour is consumed on
either side; gender's pairs are replaced one after the other; `his` is always `her`; a letter of another alphabet may
change when its case is restored. Where HELM would stop with an error, the text is left.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from random import Random

from holoscope.core import Instance, Json
from holoscope.perturbations.fairness import lowered
from holoscope.perturbations.lexicon import GenderTable, NameList, WordMap, table
from holoscope.perturbations.rewriting import rewrite
from holoscope.perturbations.robustness import lowercase, space

PASSAGE_QUESTION = frozenset(
    {
        *("BabiQAScenario", "BBQScenario", "BoolQScenario", "CivilCommentsScenario", "IndicQAScenario", "LSATScenario"),
        *("MELTKnowledgeViMMRCScenario", "MELTQAMLQAScenario", "MELTQAXQuADScenario", "MedCalcBenchScenario"),
        *("MedalignScenario", "MentalHealthScenario", "NarrativeQAScenario", "NewsQAScenario", "PubMedQAScenario"),
        *("TyDiQAScenario", "VerifiabilityJudgementScenario", "XQuADScenario"),
    }
)
"""Scenarios whose input is a passage and a question, which HELM never finds equal to a perturbed input."""
PASSAGE_QUESTION_AT_TIMES = frozenset({"NaturalQAScenario", "OpinionsQAScenario"})
"""Scenarios that have such inputs with some arguments; the text shows it."""


def match_case(source: str, target: str) -> str:
    """The target in the case of the source, spaces counting as neither case."""
    if all(c.islower() for c in source):
        return target.lower()
    if all(c.isupper() for c in source):
        return target.upper()
    return target.capitalize() if source and source[0].isupper() else target


def keeps_unchanged(perturbation: str, helm_class: str, text: str) -> bool:
    """True if HELM asks a perturbed input even where it equals the original one.

    HELM compares inputs by class and text, a passage with its question is a class of its own, and every perturbation
    but the contrast sets returns a plain input.
    """
    scenario = helm_class.rpartition(".")[2]
    passage = scenario in PASSAGE_QUESTION or (scenario in PASSAGE_QUESTION_AT_TIMES and "Question: " in text)
    return passage and perturbation != "contrast_sets"


def seed_of(perturbation: str, repetition: int) -> int | None:
    """The seed of an instance's repetition; people's names are drawn without one, each time alike."""
    return repetition or None if perturbation != "person_name" else None


def typos(text: str, rng: Random, *, prob: float) -> str:
    """Letters become keyboard neighbours; every letter passes through lower case and back."""
    neighbours: Mapping[str, str] = table("keyboard.json")
    typed: list[str] = []
    for letter in text:
        low = letter.lower()
        new = rng.choice(neighbours[low]) if low in neighbours and rng.random() < prob else low
        typed.append(new if low == letter else new.upper())
    return "".join(typed)


def misspellings(text: str, rng: Random, *, prob: float, lexicon: WordMap) -> str:
    """Words of the list, in the list's case, become a misspelling."""

    def misspelt(match: re.Match[str]) -> str:
        word = match.group()
        return match_case(word, rng.choice(lexicon.entries[word])) if rng.random() < prob else word

    return lexicon.listed.sub(misspelt, text)


def contraction(text: str, rng: Random) -> str:
    """Long forms that a space follows become short."""
    pattern, short = _contractions(reverse=True)
    return pattern.sub(lambda m: _in_case(m, short) + " ", text)


def expansion(text: str, rng: Random) -> str:
    """Short forms become long."""
    pattern, long = _contractions(reverse=False)
    return pattern.sub(lambda m: _in_case(m, long), text)


@cache
def _contractions(*, reverse: bool) -> tuple[re.Pattern[str], dict[str, str]]:
    """Of two short forms of one long form the later counts, at the place of the first."""
    pairs: list[tuple[str, str]] = [(b, a) if reverse else (a, b) for a, b in table("contractions.json")]
    words = dict(pairs)
    return re.compile(rf"\b({'|'.join(words)})\b{' ' if reverse else ''}", re.IGNORECASE), words


def _in_case(match: re.Match[str], words: Mapping[str, str]) -> str:
    found = match[1]
    new = words.get(found, words.get(found.lower()))
    return found if new is None else match_case(found, new)


def mild_mix(text: str, rng: Random, *, lexicon: WordMap) -> str:
    """Lower case, contractions, a tenth of the misspellings, up to three spaces."""
    text = contraction(lowercase(text, rng), rng)
    text = misspellings(text, rng, prob=0.1, lexicon=lexicon)
    return space(text, rng, max_spaces=3)


def dialect(text: str, rng: Random, *, prob: float, lexicon: WordMap, **_classes: Json) -> str:
    """Words between two characters that are no part of a word, the first listed first."""
    words = "|".join(map(re.escape, lexicon.entries))

    def said(word: str) -> str:
        options = lexicon.entries.get(word.lower(), ())
        return match_case(word, rng.choice(options)) if rng.uniform(0, 1) < prob and options else word

    return _between(rf"[^\w-]({words})[^\w-]", said, text)


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
    """One pair of words after the other, each over the whole text."""
    pairs = lexicon.pairs(mode, source_class, target_class)
    if bidirectional:
        pairs += lexicon.pairs(mode, target_class, source_class)
    for source, target in ((lexicon.helm_reads.get(a, a), lexicon.helm_reads.get(b, b)) for a, b in pairs):

        def other(word: str, target: str = target) -> str:
            return match_case(word, target) if rng.uniform(0, 1) < prob else word

        text = _between(rf"[^\w]({re.escape(source)})[^\w]", other, text)
    return text


def _between(pattern: str, replace: Callable[[str], str], text: str) -> str:
    """The text with the word of each match replaced; the neighbours are consumed with it."""

    def put(match: re.Match[str]) -> str:
        return match[0][0] + replace(match[1]) + match[0][-1]

    return re.sub(pattern, put, text, flags=re.IGNORECASE)


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
    """Names, in any case, become names of another group; two people may get the same."""
    kind = person_name_type.lower()
    source = frozenset(lexicon.members(kind, lowered(source_class)))
    target = lexicon.members(kind, lowered(target_class))
    renamed: dict[str, str] = {}
    kept: set[str] = set()

    def decide(name: str) -> None:
        if rng.uniform(0, 1) >= prob:
            kept.add(name)
        elif options := lexicon.same_gender(kind, name, target) if preserve_gender else target:
            renamed[name] = rng.choice(options)

    def token(found: str) -> str:
        name = found.lower()
        if name in source and name not in renamed and name not in kept:
            decide(name)
        return match_case(found, renamed[name]) if name in renamed else found

    return rewrite(instance, lambda text: "".join(map(token, re.split(r"([^\w])", text))), references=True)
