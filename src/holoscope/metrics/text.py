"""Accuracy of one answer against its references: our versions.

Each metric is a comparison of two texts; the rest is shared. In joint multiple choice the option is found first
(`extract`), and whether it is right is whether its text is that of a right reference. Where no rule finds an option
or a number, the score is missing as ungradable, with the reason; it is not zero.
"""

import unicodedata
from collections.abc import Callable

from holoscope.core import Outcome, Score, Trial
from holoscope.metrics.answers import Answer, answer, chosen_option, correct_texts, empty_score, moved, shown
from holoscope.metrics.extract import find_number, same_number
from holoscope.metrics.helm.strings import exact_set_match, f1_set_match, iou_set_match
from holoscope.metrics.normalise import fold, normalise
from holoscope.metrics.overlap import bleu, f1, rouge_l, rouge_n
from holoscope.metrics.separate import is_separate, separate_score

Compare = Callable[[str, str, str], float]
"""`compare(gold, said, language)`, both non-empty or not, in [0, 1]."""
ScoreFunction = Callable[..., Score]


def exact(gold: str, said: str, language: str) -> float:
    """Equal but for white space around them and for how accents are composed."""
    return float(_composed(gold) == _composed(said))


def quasi_exact(gold: str, said: str, language: str) -> float:
    """Equal after normalisation, or two ways of writing one number."""
    return float(normalise(gold, language) == normalise(said, language) or same_number(gold, said))


def leave_articles_exact(gold: str, said: str, language: str) -> float:
    """Equal after normalisation that keeps articles."""
    return float(normalise(gold, "") == normalise(said, ""))


def prefix(gold: str, said: str, language: str) -> float:
    """The answer begins with the reference, which ends where a word ends."""
    return float(_begins_with(_composed(said), _composed(gold)))


def quasi_prefix(gold: str, said: str, language: str) -> float:
    """The same after normalisation."""
    return float(_begins_with(normalise(said, language), normalise(gold, language)))


def indicator(gold: str, said: str, language: str) -> float:
    """Equal last words, such as the number after "The answer is"."""
    return quasi_exact(_last_word(gold), _last_word(said), language)


def accuracy(name: str, compare: Compare, *, whole_option: bool = True) -> ScoreFunction:
    """A metric that compares the answer with each right reference and keeps the best.

    With `whole_option`, a multiple-choice answer is right or wrong as a whole, whatever the comparison.
    """

    def score(trial: Trial, language: str = "en", pattern: str | None = None) -> Score:
        if is_separate(trial):
            return separate_score(trial)
        golds = correct_texts(trial)
        if not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, "no reference of the instance is marked as right")
        given = answer(trial)
        if not given.text.strip():
            return empty_score(name, trial)
        mapping = trial.exchanges[0].planned.output_mapping
        if mapping:
            return _option_score(name, given, mapping, golds, pattern, None if whole_option else compare, language)
        return Score(
            name,
            max(compare(gold, given.text, language) for gold in golds),
            rule="whole_text",
            answer=shown(given.text.strip()),
        )

    return score


def final_number(trial: Trial) -> Score:
    """1 if the number that the answer gives equals the reference's, as numbers."""
    name = "final_number_exact_match"
    golds = [gold for gold in (find_number(text).answer for text in correct_texts(trial)) if gold is not None]
    if not golds:
        return Score(name, None, Outcome.NOT_SUPPORTED, "no reference marked as right holds a number")
    given = answer(trial)
    if not given.text.strip():
        return empty_score(name, trial)
    found = find_number(given.text)
    if found.answer is None:
        return Score(name, None, Outcome.UNGRADABLE, found.reason, rule=found.rule)
    value = float(any(same_number(gold, found.answer) for gold in golds))
    return Score(name, value, rule=found.rule, span=moved(found.span, given.start), answer=found.answer)


COMPARISONS: dict[str, tuple[Compare, bool]] = {
    "exact_match": (exact, True),
    "quasi_exact_match": (quasi_exact, True),
    "quasi_leave_articles_exact_match": (leave_articles_exact, True),
    "prefix_exact_match": (prefix, True),
    "quasi_prefix_exact_match": (quasi_prefix, True),
    "exact_match_indicator": (indicator, True),
    "f1_score": (f1, False),
    "rouge_1": (lambda gold, said, language: rouge_n(gold, said, 1), False),
    "rouge_2": (lambda gold, said, language: rouge_n(gold, said, 2), False),
    "rouge_l": (lambda gold, said, language: rouge_l(gold, said), False),
    "exact_set_match": (lambda gold, said, language: exact_set_match(gold, said.strip()), True),
    "iou_set_match": (lambda gold, said, language: iou_set_match(gold, said.strip()), True),
    "f1_set_match": (lambda gold, said, language: f1_set_match(gold, said.strip()), True),
    "bleu_1": (lambda gold, said, language: bleu(gold, said, 1), False),
    "bleu_4": (lambda gold, said, language: bleu(gold, said), False),
}
"""By metric name: the comparison, and whether a multiple-choice answer is right or wrong as a whole."""


def _option_score(
    name: str,
    given: Answer,
    mapping: dict[str, str],
    golds: list[str],
    pattern: str | None,
    compare: Compare | None,
    language: str,
) -> Score:
    found = chosen_option(given, mapping, pattern)
    if found.answer is None:
        return Score(name, None, Outcome.UNGRADABLE, found.reason, rule=found.rule)
    option = mapping[found.answer]
    if compare is None:
        value = float(option.strip() in {gold.strip() for gold in golds})
    else:
        value = max(compare(gold, option, language) for gold in golds)
    return Score(name, value, rule=found.rule, span=moved(found.span, given.start), answer=found.answer)


def _composed(text: str) -> str:
    return text.strip() if text.isascii() else unicodedata.normalize("NFC", text.strip())


def _begins_with(said: str, gold: str) -> bool:
    if not gold or not said.startswith(gold):
        return False
    return len(said) == len(gold) or not (_in_word(gold[-1]) and _in_word(said[len(gold)]))


def _in_word(character: str) -> bool:
    """True for what a word of a script with spaces is made of; ideographs begin anywhere."""
    return character.isdigit() or (character.isalpha() and unicodedata.category(character) != "Lo")


def _last_word(text: str) -> str:
    parts = fold(text).split()
    return parts[-1].strip(".,;:!?\"'()[]*") if parts else ""
