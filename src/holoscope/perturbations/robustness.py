"""Changes that a careful reader would not notice or not mind: spaces, case, contractions, fillers, slips of the pen.

Each takes a text and a generator and returns a text; a text with nothing to change comes back as it is. They are made
on the input only: an answer that a model must give should not have to be misspelt.
"""

import re
from collections.abc import Mapping
from functools import cache
from random import Random

from holoscope.perturbations.lexicon import WordMap, table
from holoscope.perturbations.words import keep_case, key, swap, whole_words

_LOWER_WORD = re.compile(r"(?<![\w'’-])[a-z]{3,}(?![\w'’-])")
"""No capitals: a word with one may be a name."""
_ARTICLE = re.compile(r"\ban? $", re.IGNORECASE)
_NO_PLAIN_S = frozenset("sxzhyo")


def lowercase(text: str, rng: Random) -> str:
    return text.lower()


def extra_space(text: str, rng: Random, *, num_spaces: int) -> str:
    """Each space becomes `num_spaces` of them."""
    return text.replace(" ", " " * num_spaces)


def space(text: str, rng: Random, *, max_spaces: int) -> str:
    """Each run of spaces becomes one of 1 to `max_spaces`."""
    return re.sub(r" +", lambda run: " " * rng.randint(1, max_spaces), text)


def style(text: str, rng: Random, *, suffix: str) -> str:
    """`a dog` becomes `a dog, pixel art`."""
    return f"{text}, {suffix}"


def filler_words(
    text: str,
    rng: Random,
    *,
    insert_prob: float = 0.333,
    max_num_insert: int | None = None,
    speaker_ph: bool = True,
    uncertain_ph: bool = True,
    fill_ph: bool = True,
) -> str:
    """`I think`, `maybe`, `uhm` ... before some of the words."""
    chosen = {"speaker": speaker_ph, "uncertain": uncertain_ph, "fill": fill_ph}
    phrases = [phrase for kind, wanted in chosen.items() if wanted for phrase in table("fillers.json")[kind]]
    if not phrases:
        return text
    words: list[str] = []
    inserted = 0
    for word in text.split(" "):
        if (max_num_insert is None or inserted < max_num_insert) and rng.random() <= insert_prob:
            words.append(rng.choice(phrases))
            inserted += 1
        words.append(word)
    return " ".join(words)


def typos(text: str, rng: Random, *, prob: float) -> str:
    """Some letters of the Latin alphabet become a neighbour on the keyboard."""
    neighbours: Mapping[str, str] = table("keyboard.json")

    def typed(letter: str) -> str:
        near = neighbours.get(letter.lower()) if letter.isascii() else None
        if near is None or rng.random() >= prob:
            return letter
        new = rng.choice(near)
        return new.upper() if letter.isupper() else new

    return "".join(map(typed, text))


def misspellings(text: str, rng: Random, *, prob: float, lexicon: WordMap) -> str:
    """Some words become one of their common misspellings."""

    def misspelt(match: re.Match[str]) -> str | None:
        word = match.group()
        wrong = [new for new in (keep_case(word, w) for w in lexicon.candidates(word)) if new != word]
        return rng.choice(wrong) if wrong and rng.random() < prob else None

    return swap(lexicon.pattern, misspelt, text)


def synonym(text: str, rng: Random, *, prob: float, lexicon: WordMap) -> str:
    """Some words become another for the same, in the plural too; `a` and `an` stay right, and so do names."""

    def meant(match: re.Match[str]) -> str | None:
        word = match.group()
        options = _other_words(word, lexicon)
        if _ARTICLE.search(match.string[: match.start()]):
            options = [new for new in options if (new[0] in "aeiou") is (word[0] in "aeiou")]
        return rng.choice(options) if options and rng.random() < prob else None

    return swap(_LOWER_WORD, meant, text)


def _other_words(word: str, lexicon: WordMap) -> list[str]:
    """What the list has for a word, or for its singular where both have a plural in -s."""
    singular = word.removesuffix("s")
    if word in lexicon.entries or singular == word or singular[-1:] in _NO_PLAIN_S:
        return [new for new in lexicon.entries.get(word, ()) if new != word]
    return [f"{new}s" for new in lexicon.entries.get(singular, ()) if new[-1] not in _NO_PLAIN_S and new != singular]


def paraphrase(text: str, rng: Random, *, model: str = "", lexicon: WordMap) -> str:
    """The text in the words that a model found for it beforehand; as it is, where it found none."""
    return next(iter(lexicon.entries.get(text, ())), text)


def contraction(text: str, rng: Random) -> str:
    """`it is` becomes `it's`, except before punctuation and at the end: nobody writes `yes, it's.` for `yes, it is.`"""
    pattern, short = _contractions(reverse=True)

    def contracted(match: re.Match[str]) -> str | None:
        goes_on = match.string[match.end() : match.end() + 1].isspace()
        return _in_case(match, short) if goes_on else None

    return swap(pattern, contracted, text)


def expansion(text: str, rng: Random) -> str:
    """`it's` becomes `it is`."""
    pattern, long = _contractions(reverse=False)
    return swap(pattern, lambda match: _in_case(match, long), text)


def _in_case(match: re.Match[str], table: Mapping[str, str]) -> str | None:
    """What the table has for the match; None where only a look-alike letter made it match."""
    new = table.get(key(match.group()))
    return None if new is None else keep_case(match.group(), new)


@cache
def _contractions(*, reverse: bool) -> tuple[re.Pattern[str], dict[str, str]]:
    """What to look for, and what becomes of it (`reverse`: the short of the long); of two for one, the later."""
    pairs: list[tuple[str, str]] = [(b, a) if reverse else (a, b) for a, b in table("contractions.json")]
    return whole_words(word for word, _ in pairs), {key(word): new for word, new in pairs}


def mild_mix(text: str, rng: Random, *, lexicon: WordMap) -> str:
    """HELM's canonical mix: lower case, contractions, a tenth of the misspellings, up to three spaces."""
    text = contraction(lowercase(text, rng), rng)
    text = misspellings(text, rng, prob=0.1, lexicon=lexicon)
    return space(text, rng, max_spaces=3)
