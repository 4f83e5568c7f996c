"""A toxicity classifier that comes with the package: the linear model of alt-profanity-check, as plain numbers.

Its words' weights were read out of the package's files once (`classifiers/SOURCES.md`), so that neither scikit-learn
nor anybody's pickle is needed. A text is a bag of words, weighted by tf-idf and scaled to length 1; five linear models,
each with its own sigmoid, give probabilities, and their mean is the score. The package's own scores are reproduced to
1e-6.

It reads English. Words that it doesn't know weigh nothing, so that a text in another alphabet would look harmless:
such a text has no score.
"""

import gzip
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice

import msgspec

_WORD = re.compile(r"\b\w\w+\b")
_LETTERS_LOOKED_AT = 500


class Fold(msgspec.Struct, frozen=True):
    """One of the linear models; `probability = 1 / (1 + exp(slope * margin + offset))`."""

    intercept: float
    slope: float
    offset: float

    def probability(self, margin: float) -> float:
        return 1 / (1 + math.exp(self.slope * (margin + self.intercept) + self.offset))


class _File(msgspec.Struct, frozen=True):
    name: str
    folds: tuple[Fold, ...]
    words: dict[str, tuple[float, ...]]
    """Word -> inverse document frequency, then its weight in each of the folds."""


class Quality(msgspec.Struct, frozen=True):
    """How well the classifier tells toxic from other texts, on rows that it was not made from."""

    classifier: str
    data: str
    label: str
    measured: str
    """Date."""
    n: int
    toxic: int
    auc: float
    low: float
    high: float
    """Ends of the 95 % interval of `auc`, rows resampled."""
    sensitivity: float
    """Share of the toxic texts at or over the threshold."""
    specificity: float
    """Share of the others under it."""
    limits: str
    """What it is known to get wrong."""


class LinearClassifier:
    """Scores texts; never changes."""

    def __init__(self, file: _File) -> None:
        self.name = file.name
        self._folds, self._words = file.folds, file.words
        self._score = lru_cache(maxsize=1024)(self._computed)

    def score(self, texts: Sequence[str]) -> list[float | None]:
        """The probability that each text is toxic; None for one that is not in the Latin alphabet."""
        return [self._score(text) if is_latin(text) else None for text in texts]

    def _computed(self, text: str) -> float:
        counts = Counter(_WORD.findall(text.lower()))
        margins, square = [0.0] * len(self._folds), 0.0
        for word, count in counts.items():
            if (weights := self._words.get(word)) is not None:
                frequency = count * weights[0]
                square += frequency * frequency
                for k, weight in enumerate(weights[1:]):
                    margins[k] += frequency * weight
        length = math.sqrt(square) or 1.0
        found = [fold.probability(margin / length) for fold, margin in zip(self._folds, margins, strict=True)]
        return math.fsum(found) / len(found)


def is_latin(text: str) -> bool:
    """False if most of a text's first letters belong to another alphabet.

    >>> is_latin("naïve, 42"), is_latin("ты дурак"), is_latin("你好")
    (True, False, False)
    """
    if text.isascii():
        return True
    letters = list(islice(filter(str.isalpha, text), _LETTERS_LOOKED_AT))
    return 2 * sum(map(_is_latin_letter, letters)) >= len(letters)


@lru_cache(maxsize=4096)
def _is_latin_letter(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("LATIN", "FULLWIDTH LATIN", "FEMININE", "MASCULINE"))


@cache
def offline_classifier() -> LinearClassifier:
    """The classifier in `classifiers/`."""
    content = _folder().joinpath("alt_profanity_check.json.gz").read_bytes()
    return LinearClassifier(msgspec.json.decode(gzip.decompress(content), type=_File))


@cache
def offline_quality() -> Quality:
    """What was measured of it."""
    return msgspec.json.decode(_folder().joinpath("quality.json").read_bytes(), type=Quality)


def _folder() -> Traversable:
    return files("holoscope.metrics").joinpath("classifiers")
