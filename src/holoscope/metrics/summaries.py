"""How a summary uses its article: coverage, density and compression (Grusky et al. 2018).

An extractive fragment is a run of words that the summary shares with the article, taken greedily from the left.
*Coverage* is the share of the summary's words in fragments, *density* the mean length of the fragment that a word is
in, *compression* the article's words per word of the summary. They describe; high is not good.
"""

from collections.abc import Callable, Sequence

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer
from holoscope.metrics.axes import GENERAL
from holoscope.metrics.overlap import words
from holoscope.metrics.separate import is_separate

ScoreFunction = Callable[..., Score]


def fragments(article: Sequence[str], summary: Sequence[str]) -> list[int]:
    """Lengths of the extractive fragments, from the left.

    >>> fragments("the cat sat on the mat".split(), "the mat the cat sat".split())
    [2, 3]
    """
    places: dict[str, list[int]] = {}
    for index, word in enumerate(article):
        places.setdefault(word, []).append(index)
    found = []
    start = 0
    while start < len(summary):
        longest = 0
        for place in places.get(summary[start], ()):
            longest = max(longest, _shared(article, place, summary, start))
            if longest == len(summary) - start:
                break
        if longest:
            found.append(longest)
        start += longest or 1
    return found


def _shared(article: Sequence[str], place: int, summary: Sequence[str], start: int) -> int:
    length = 0
    while (
        place + length < len(article)
        and start + length < len(summary)
        and article[place + length] == summary[start + length]
    ):
        length += 1
    return length


_VALUES: dict[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    "summarization_coverage": lambda article, summary: sum(fragments(article, summary)) / len(summary),
    "summarization_density": lambda article, summary: sum(f * f for f in fragments(article, summary)) / len(summary),
    "summarization_compression": lambda article, summary: len(article) / len(summary),
}


def described(name: str) -> ScoreFunction:
    """The metric `name` of a trial, whose input is the article."""

    def score(trial: Trial) -> Score:
        article = words(trial.instance.input)
        if is_separate(trial) or not article:
            return Score(name, None, Outcome.NOT_SUPPORTED, "the instance holds no article that was summarised")
        summary = words(answer(trial).text)
        if not summary:
            return Score(name, None, Outcome.UNGRADABLE, "the answer holds no words", rule="whole_text")
        return Score(name, _VALUES[name](article, summary), rule="whole_text")

    return score


def cards() -> Sequence[Metric]:
    return [
        Metric(
            name=name,
            version="1",
            axis=GENERAL,
            title=name.replace("summarization_", "Summary's ").capitalize(),
            score=described(name),
        )
        for name in _VALUES
    ]
