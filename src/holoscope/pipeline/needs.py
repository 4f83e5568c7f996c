"""What a run needs of its model, told from its spec alone, and what a model can't give of it.

No row is loaded and nothing planned, so a track of hundreds of runs is judged before anything is fetched or paid for.
What a run needs is what its requests would be refused for (`models.unable`): a test holds the two together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from holoscope.core import RunSpec, counted
from holoscope.metrics import applicable
from holoscope.models import ModelCard, Need, lacking
from holoscope.models.abilities import NEEDS

_SCORING = ("language_modeling", "multiple_choice_separate_original", "multiple_choice_separate_calibrated")
_PICTURED = ("generation_multimodal", "multiple_choice_joint_multimodal")
_ONE_ANSWER = ("multiple_choice_joint", "multiple_choice_joint_chain_of_thought")
"""Methods by which `num_outputs` is how many candidates are wanted for the letter."""
_OF_CONFIDENCE = frozenset(("calibration", "calibration_parts"))
"""Metrics that hold the probability of an answer against whether it is right."""
_WORDS = "max_num_words"
"""The argument of scenarios that make their texts as long as they are told to."""


class Shortfall(NamedTuple):
    """Something that a run needs and its model is known not to give."""

    reason: str
    effect: str
    """What becomes of such runs, as the end of a sentence about several."""
    is_whole: bool
    """True if nothing of the run can be asked."""

    def effect_on(self, runs: int) -> str:
        """The effect, of one run or of several."""
        if runs != 1:
            return self.effect
        return self.effect.replace("are ", "is ").replace("have ", "has ").replace("they fit", "it fits")


def needs_of(spec: RunSpec) -> frozenset[Need]:
    """What the run needs of its model."""
    return frozenset(_needs(spec))


def _needs(spec: RunSpec) -> Iterator[Need]:
    adapter = spec.adapter
    if adapter.method in _SCORING:
        yield "scoring"
        return
    if adapter.method == "ranking_binary":
        yield "ranking"
    if adapter.method in ("chat", *_PICTURED):
        yield "conversation"
    if adapter.method in _PICTURED:
        yield "images"
    if adapter.num_outputs > 1 and adapter.method not in _ONE_ANSWER:
        yield "several"
    if any(metric.name in _OF_CONFIDENCE for metric in applicable(spec)):
        yield "confidence"


def shortfalls(spec: RunSpec, card: ModelCard) -> tuple[Shortfall, ...]:
    """What the model is known not to give of it; where nothing can be asked, that alone."""
    needs = needs_of(spec)
    missing = {need: why for need in NEEDS if need in needs and (why := lacking(card, need))}
    confidence = missing.pop("confidence", "")
    if missing:
        return (Shortfall(next(iter(missing.values())), "can't be asked and are not sent", True),)
    found = []
    if confidence:
        found.append(Shortfall(confidence, "are asked, but have no calibration", False))
    words, window = spec.scenario.args.get(_WORDS), card.limits.sequence
    if isinstance(words, int) and window is not None and words > window:
        reason = f"texts of up to {words:,} words don't fit into the {window:,} tokens of {card.name}"
        found.append(Shortfall(reason, "are asked as far as they fit", False))
    return tuple(found)


def tell_shortfalls(asked: Iterable[tuple[RunSpec, ModelCard]]) -> list[str]:
    """A line for each thing that is lacking: of how many runs, and what becomes of them."""
    runs = list(asked)
    found = Counter(lack for spec, card in runs for lack in shortfalls(spec, card))
    return [
        f"{number:,} of {counted(len(runs), 'run')} {lack.effect_on(number)}: {lack.reason}"
        for lack, number in found.items()
    ]
