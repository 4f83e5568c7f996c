"""Answers in other languages than English: spans of a passage as SQuAD counts them, and translations by chrF++.

`squad_exact_match_score` and `squad_f1_score` fold case and punctuation and know the articles of the language they are
told. Thai is written without spaces, and which words it has is a dictionary's opinion, so its F1 counts characters;
HELM cuts it into words with `pythainlp`, which `squad_f1_score@helm` would need.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from holoscope.core import Metric, MissingExtraError, NotSupportedError, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, empty_score, shown
from holoscope.metrics.normalise import normalise
from holoscope.metrics.overlap import words
from holoscope.metrics.translation import engine

ScoreFunction = Callable[..., Score]

EXACT, F1 = "squad_exact_match_score", "squad_f1_score"
CHRF = "chr_f_plus_plus"
_NO_GOLD = "no reference of the instance is marked as right"
_UNSPACED = "th"


def exact(gold: str, said: str, language: str) -> float:
    return float(normalise(gold, language) == normalise(said, language))


def f1(gold: str, said: str, language: str) -> float:
    """Token F1; in Thai of characters.

    >>> f1("sungai Nil", "Sungai Nil.", "id")
    1.0
    """
    wanted, found = (Counter(_tokens(text, language)) for text in (gold, said))
    shared = (wanted & found).total()
    return 2 * shared / (wanted.total() + found.total()) if shared else 0.0


def span(name: str, compare: Callable[[str, str, str], float]) -> ScoreFunction:
    """A metric that keeps the best comparison of the answer with an accepted one."""

    def score(trial: Trial, language: str = "en") -> Score:
        golds = correct_texts(trial)
        if not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, _NO_GOLD)
        said = answer(trial).text.strip()
        if not said:
            return empty_score(name, trial)
        value = max(compare(gold, said, language) for gold in golds)
        return Score(name, value, rule="whole_text", answer=shown(said))

    return score


def chr_f_plus_plus(trial: Trial) -> Score:
    """chrF++ of the answer, from 0 to 100."""
    golds = correct_texts(trial)
    if not golds:
        return Score(CHRF, None, Outcome.NOT_SUPPORTED, _NO_GOLD)
    said = answer(trial).text.strip()
    if not said:
        return empty_score(CHRF, trial)
    return Score(CHRF, chrf(said, golds), rule="whole_text", answer=shown(said))


def chrf(said: str, golds: Sequence[str]) -> float:
    """`sacrebleu`'s chrF++ of a sentence; a run without that package says so instead."""
    try:
        return float(engine("chrf++", sentence=True).sentence_score(said, list(golds)).score)
    except MissingExtraError as error:
        raise NotSupportedError(str(error)) from error


def cards() -> Iterator[Metric]:
    """The metrics of this module."""
    of_answers: list[tuple[str, str, float, ScoreFunction]] = [
        (EXACT, "Exact match (SQuAD)", 1.0, span(EXACT, exact)),
        (F1, "F1 (SQuAD)", 1.0, span(F1, f1)),
        (CHRF, "chrF++ (0 to 100)", 100.0, chr_f_plus_plus),
    ]
    for name, title, most, function in of_answers:
        yield Metric(
            name=name,
            version="1",
            axis="accuracy",
            title=title,
            binary=name == EXACT,
            ends=(0.0, most),
            score=function,
            needs=("references",),
        )


def _tokens(text: str, language: str) -> Sequence[str]:
    return words(text) if language == _UNSPACED else normalise(text, language).split()
