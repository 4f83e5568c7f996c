"""HELM's readings of answers to long documents and in languages of South-East Asia, as it has them.

RULER's looks for an answer in the completion as it is, MRCR's wants its string at the very start, SEA-HELM's lowers
case and drops ASCII punctuation whatever the language.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial

from holoscope.core import Json, Metric, NotSupportedError, Score, Trial
from holoscope.metrics.answers import shown
from holoscope.metrics.helm.score import VERSION, sorted_choices
from holoscope.metrics.long_context import MRCR, RULER
from holoscope.metrics.normalise import helm_normalise
from holoscope.metrics.spans import CHRF, EXACT, F1, chrf

ScoreFunction = Callable[..., Score]

SEAHELM_QA = "seahelm_qa"
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def helm_ruler(trial: Trial) -> Score:
    """1 if an answer occurs in the completion."""
    said = trial.exchanges[0].completion.text
    value = max(float(r.text.lower() in said.lower()) for r in trial.instance.references)
    return Score(RULER, value, rule="substring", answer=shown(said))


def helm_mrcr(trial: Trial) -> Score:
    """Likeness of the texts after the string that must come first."""
    said, gold = trial.exchanges[0].completion.text, trial.instance.references[0].text
    mark = str(trial.instance.extra["random_string_to_prepend"])
    if not said.startswith(mark):
        return Score(MRCR, 0.0, rule="required_prefix", answer=shown(said))
    ratio = SequenceMatcher(None, said.removeprefix(mark), gold.removeprefix(mark)).ratio()
    return Score(MRCR, ratio, rule="required_prefix", answer=shown(said))


def helm_span(name: str) -> ScoreFunction:
    """SEA-HELM's SQuAD scores of the likeliest completion."""

    def score(trial: Trial, language: str = "en") -> Score:
        said = sorted_choices(trial.exchanges[0].completion)[0].text.strip()
        golds = [r.text.strip() for r in trial.instance.references if r.is_correct]
        found = _words(said, language)
        value = max(_compared(name, _words(gold, language), found) for gold in golds)
        return Score(name, value, rule="whole_text", answer=shown(said))

    return score


def helm_chrf(trial: Trial) -> Score:
    """chrF++ of the completion with all references."""
    said = trial.exchanges[0].completion.text.strip()
    return Score(CHRF, chrf(said, [r.text for r in trial.instance.references]), rule="whole_text", answer=shown(said))


def _compared(name: str, wanted: Sequence[str], found: Sequence[str]) -> float:
    if name == EXACT:
        return float(wanted == found)
    shared = (Counter(wanted) & Counter(found)).total()
    return 2 * shared / (len(wanted) + len(found)) if shared else 0.0


def _words(text: str, language: str) -> list[str]:
    if language == "th":
        raise NotSupportedError("HELM cuts Thai into words with pythainlp, which this package does not bring")
    plain = helm_normalise(text, articles=False)
    return (_ARTICLES.sub(" ", plain) if language == "en" else plain).split()


READINGS: dict[str, ScoreFunction] = {
    RULER: helm_ruler,
    MRCR: helm_mrcr,
    EXACT: helm_span(EXACT),
    F1: helm_span(F1),
    CHRF: helm_chrf,
}
"""HELM's functions by metric."""


def recorded(names: tuple[str, ...], trial: Trial, args: Mapping[str, Json]) -> list[tuple[str, float | None]]:
    """What HELM's class of these metrics records for a trial; nothing where a package of its is missing."""
    try:
        return [(name, READINGS[name](trial, **args).value) for name in names]
    except NotSupportedError:
        return []


READING_CLASSES = {
    RULER: partial(recorded, (RULER,)),
    MRCR: partial(recorded, (MRCR,)),
    SEAHELM_QA: partial(recorded, (EXACT, F1)),
    CHRF: partial(recorded, (CHRF,)),
}
"""By the name under which a run lists the class."""


def cards() -> Iterator[Metric]:
    """HELM's versions of these metrics."""
    for name, function in READINGS.items():
        yield Metric(
            name=f"{name}@helm",
            version=VERSION,
            axis="accuracy",
            title=f"{name.replace('_', ' ').capitalize()} (HELM)",
            binary=name in (RULER, EXACT),
            ends=(0.0, 100.0 if name == CHRF else 1.0),
            score=function,
            needs=("references",),
        )
