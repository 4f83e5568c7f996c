"""What counts as the same text.

Two versions. Ours folds case and compatibility forms of every script, chooses articles by language, keeps what gives
a number its value (the sign, the decimal point), and never empties an answer: a step that would leave nothing is
skipped, so that the option "A" or the French verb "a" survive English article removal. HELM's is the SQuAD/QuAC
script: lower case, ASCII punctuation, English articles, whatever the language.
"""

import re
import string
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_ARTICLES = {
    "ar": re.compile(r"\bال(?=\w)"),
    "de": re.compile(r"\b(?:der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines)\b"),
    "en": re.compile(r"\b(?:a|an|the)\b"),
    "es": re.compile(r"\b(?:el|la|los|las|un|una|unos|unas)\b"),
    "fr": re.compile(r"\b(?:le|la|les|un|une|des)\b"),
    "it": re.compile(r"\b(?:il|lo|la|i|gli|le|un|uno|una)\b"),
    "nl": re.compile(r"\b(?:de|het|een)\b"),
    "pt": re.compile(r"\b(?:o|a|os|as|um|uma|uns|umas)\b"),
    "vi": re.compile(r"\b(?:của|là|cái|chiếc|những)\b"),
}
"""What a language's answers may be written with or without; those of MLQA (Lewis et al. 2020), and neighbours'."""
_ELIDED = {"fr": re.compile(r"\bl['’]"), "it": re.compile(r"\b(?:l|un)['’]")}
"""Articles that are written together with the next word."""
_HELM_PUNCTUATION = str.maketrans("", "", string.punctuation)
_DIGIT_GROUP = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NOT_IN_A_NUMBER = re.compile(r"(?<!\d)\.|\.(?!\d)|(?<=\w)[-−]|[-−](?![\d.])")
_SYMBOLS = frozenset("$+<=>^`|~")
"""The ASCII marks that HELM counts as punctuation and Unicode does not."""


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Case-folded, compatibility-composed text with single spaces: `STRASSE` and `Straße` are the same."""
    once = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


@lru_cache(maxsize=4096)
def normalise(text: str, language: str = "en") -> str:
    """Folded text without punctuation and, where the language has them, articles.

    >>> normalise("The  answer, is: -1,234.50!")
    'answer is -1234.50'
    """
    folded = fold(text)
    elided = _ELIDED.get(language)
    if elided is not None:
        folded = _unless_empty(lambda s: elided.sub(" ", s), folded)
    plain = _unless_empty(_without_punctuation, folded)
    articles = _ARTICLES.get(language)
    return plain if articles is None else _unless_empty(lambda s: articles.sub(" ", s), plain)


def helm_normalise(text: str, *, articles: bool = True) -> str:
    """HELM's normalisation: lower case, no ASCII punctuation, no English articles (kept with `articles=False`)."""
    plain = text.lower().translate(_HELM_PUNCTUATION)
    return " ".join((_ARTICLES["en"].sub(" ", plain) if articles else plain).split())


def _unless_empty(step: Callable[[str], str], text: str) -> str:
    return " ".join(step(text).split()) or text


def _without_punctuation(text: str) -> str:
    if text.isalnum():
        return text
    bare = _NOT_IN_A_NUMBER.sub("", _DIGIT_GROUP.sub("", text))
    return "".join(c for c in bare if c in ".-−" or not (c in _SYMBOLS or unicodedata.category(c)[0] == "P"))
