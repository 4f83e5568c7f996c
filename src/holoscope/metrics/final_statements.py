"""The answer that a worked-out reply states last: `So the answer is (B).`

What follows the last statement up to the end of its line is compared with the reference, without the full stop that
ends the sentence, without case and spaces; a letter with its option's text is that letter, and two ways of writing one
number are the same. A reply that states nothing is compared as a whole: a short one may be wrong, a longer one that is
not the answer is ungradable.
"""

import re
from collections.abc import Iterator

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, empty_score, moved, shown
from holoscope.metrics.extract import same_number
from holoscope.metrics.normalise import fold

NAME = "stated_exact_match"
_STATEMENT = re.compile(r"\banswer\s*(?:is|:)\s*:?[ \t]*(?=\S)", re.IGNORECASE)
_LABEL = re.compile(r"\((?P<letter>[A-Za-z])\)(?!\w)|(?P<bare>[A-Z])(?=[).:]|$)")
_GOLD_LABEL = re.compile(r"\([A-Za-z]\)")
_SHORT = 60
"""Characters of a reply that may be an answer by itself."""
_AROUND = " \t*_`\"'$"


def stated_exact_match(trial: Trial) -> Score:
    """1 if the answer that is stated last is a right one."""
    golds = correct_texts(trial)
    if not golds:
        return Score(NAME, None, Outcome.NOT_SUPPORTED, "no reference of the instance is marked as right")
    given = answer(trial)
    whole = given.text.strip()
    if not whole:
        return empty_score(NAME, trial)
    stated = [match.end() for match in _STATEMENT.finditer(given.text)]
    if stated:
        line = given.text[stated[-1] :].partition("\n")[0]
        span = moved((stated[-1], stated[-1] + len(line)), given.start)
        said, rule = _bare(line), "stated_answer"
    elif (len(whole) <= _SHORT and "\n" not in whole) or any(same_answer(gold, _bare(whole)) for gold in golds):
        said, span, rule = _bare(whole), None, "whole_text"
    else:
        return Score(NAME, None, Outcome.UNGRADABLE, "no sentence says what the answer is", rule="stated_answer")
    value = float(any(same_answer(gold, said) for gold in golds))
    return Score(NAME, value, rule=rule, span=span, answer=shown(said))


def same_answer(gold: str, said: str) -> bool:
    """True if both say the same.

    >>> [same_answer("(B)", said) for said in ("(B) 12/24/1937", "B", "(A)", "not (B)")]
    [True, True, False, False]
    """
    if _GOLD_LABEL.fullmatch(gold.strip()):
        found = _LABEL.match(said)
        return found is not None and (found["letter"] or found["bare"]).upper() == gold.strip()[1].upper()
    return _plain(gold) == _plain(said) or same_number(gold, said)


def cards() -> Iterator[Metric]:
    """The metric of this module."""
    yield Metric(
        name=NAME,
        version="1",
        axis="accuracy",
        title="Exact match of the stated answer",
        binary=True,
        score=stated_exact_match,
        needs=("references",),
    )


def _bare(text: str) -> str:
    return text.strip(_AROUND).removesuffix(".").strip(_AROUND)


def _plain(text: str) -> str:
    return fold(text).replace(" ", "")
