"""Whether a mathematical answer equals its reference: `math_equiv` and its reading of worked solutions.

The final answer is found first (`extract.final`), in the reference too, which may be a whole solution; the two are
then compared by what they are worth (`maths`). The score keeps the rule and the span of the answer. Where two formulas
can't be compared within the time limit, the score is missing; where one is not understood, they are compared as texts,
and the reason says so.
"""

from collections.abc import Callable, Iterator

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, empty_score, matched, moved, shown
from holoscope.metrics.extract import Found, find_final_answer
from holoscope.metrics.maths import Verdict, equivalent

NAMES = {
    "math_equiv": "Equal as mathematics",
    "math_equiv_chain_of_thought": "Equal as mathematics, after a solution",
}
"""One definition under HELM's two names: ours finds the answer in a solution and outside one."""
_NO_GOLD = "no reference of the instance is marked as right"


def cards() -> Iterator[Metric]:
    """The metrics of this module."""
    for name, title in NAMES.items():
        yield Metric(
            name=name,
            version="1",
            axis="accuracy",
            title=title,
            binary=True,
            score=math_equiv(name),
            needs=("references",),
        )


def math_equiv(name: str) -> Callable[..., Score]:
    """A metric that is 1 where the answer equals one of the right references.

    `pattern` is the adapter's own expression for the answer, tried first.
    """

    def score(trial: Trial, pattern: str | None = None) -> Score:
        golds = [find_final_answer(gold).answer or gold for gold in correct_texts(trial)]
        if not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, _NO_GOLD)
        given = answer(trial)
        if not given.text.strip():
            return empty_score(name, trial)
        found = (matched(given.text, pattern) if pattern else None) or find_final_answer(given.text)
        if found.answer is None:
            return Score(name, None, Outcome.UNGRADABLE, found.reason, rule=found.rule)
        verdicts = [equivalent(gold, found.answer) for gold in golds]
        return _scored(name, verdicts, found, moved(found.span, given.start))

    return score


def _scored(name: str, verdicts: list[Verdict], found: Found, span: tuple[int, int] | None) -> Score:
    """Right if one verdict says so; else unknown if one is."""
    best = max(verdicts, key=lambda verdict: (verdict.same is True, verdict.same is None))
    outcome = Outcome.UNGRADABLE if best.same is None else Outcome.OK
    value = None if best.same is None else float(best.same)
    return Score(name, value, outcome, best.note, found.rule, span, shown(found.answer or ""))
