"""Error rates of transcripts and other text that should match word for word: WER, MER, WIP, CER.

Words are those of every text metric here (runs of letters in scripts with spaces, characters in others), folded and
without punctuation. The best of several references counts, which is the lowest rate. An answer without text has missed
everything: its rate is 1, and it preserves no information. WER and CER exceed 1 where more is inserted than there was.
"""

from collections.abc import Callable, Sequence

from holoscope.core import Metric, MissingExtraError, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, shown
from holoscope.metrics.normalise import fold, normalise
from holoscope.metrics.overlap import words
from holoscope.metrics.separate import is_separate

Units = Callable[[str], str]
ScoreFunction = Callable[..., Score]

ALL_MISSED = {"wer": 1.0, "mer": 1.0, "wip": 0.0, "cer": 1.0}
"""Metric -> its value for an empty answer."""

_TITLES = {
    "wer": "Word error rate",
    "mer": "Match error rate",
    "wip": "Word information preserved",
    "cer": "Character error rate",
}


def rate(name: str, gold: str, said: str) -> float:
    """One rate between two texts of at least one word."""
    try:
        import jiwer
    except ModuleNotFoundError:
        raise MissingExtraError(_TITLES[name], "text") from None
    if name == "cer":
        return float(jiwer.process_characters(gold, said).cer)
    return float(getattr(jiwer.process_words(gold, said), name))


def error_rate(name: str) -> ScoreFunction:
    """The metric `name` of a trial."""
    units = _characters if name == "cer" else _words
    best = max if name == "wip" else min

    def score(trial: Trial) -> Score:
        golds = [] if is_separate(trial) else list(filter(None, map(units, correct_texts(trial))))
        if not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, "no reference marked as right holds text")
        text = answer(trial).text
        said = units(text)
        if not said:
            return Score(name, ALL_MISSED[name], reason="the answer is empty", rule="empty_answer", answer="")
        value = best(rate(name, gold, said) for gold in golds)
        return Score(name, value, rule="whole_text", answer=shown(text.strip()))

    return score


def cards() -> Sequence[Metric]:
    return [
        Metric(
            name=name,
            version="1",
            axis="accuracy",
            title=title,
            lower_is_better=name != "wip",
            score=error_rate(name),
            needs=("references",),
        )
        for name, title in _TITLES.items()
    ]


def _words(text: str) -> str:
    return " ".join(words(text)) or fold(text)


def _characters(text: str) -> str:
    return normalise(text, "")
