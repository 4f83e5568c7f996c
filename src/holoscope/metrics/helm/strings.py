"""HELM's comparisons of two strings, by its names (helm.md 3.2).

`None` is a joint multiple-choice completion that is no letter of the question.
"""

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from holoscope.core import MissingExtraError
from holoscope.metrics.helm.formulas import math_equiv, math_equiv_chain_of_thought
from holoscope.metrics.normalise import helm_normalise
from holoscope.metrics.speech import rate

_FINAL_NUMBER = re.compile(r"-?[\d,]+(?:.\d+)?")

StringFunction = Callable[[str, str | None], float]


def exact_match(gold: str, said: str | None) -> float:
    return int(bool(said) and gold.strip() == str(said).strip())


def quasi_exact_match(gold: str, said: str | None, *, articles: bool = True) -> float:
    return int(bool(said) and helm_normalise(gold, articles=articles) == helm_normalise(str(said), articles=articles))


def prefix_exact_match(gold: str, said: str | None) -> float:
    return int(bool(said) and str(said).strip().startswith(gold.strip()))


def quasi_prefix_exact_match(gold: str, said: str | None) -> float:
    return int(bool(said) and helm_normalise(str(said)).startswith(helm_normalise(gold)))


def exact_match_indicator(gold: str, said: str | None) -> float:
    return exact_match(gold.split(" ")[-1].strip(), (said or "").split(" ")[-1].strip())


def final_number_exact_match(gold: str, said: str | None) -> float:
    return exact_match(_final_number(gold), _final_number(said or ""))


def f1_score(gold: str, said: str | None) -> float:
    wanted, found = set(helm_normalise(gold).split()), set(helm_normalise(said or "").split())
    shared = len(wanted & found)
    if not shared:
        return 0.0
    return 1 / (0.5 / (shared / len(found)) + 0.5 / (shared / len(wanted)))


def exact_set_match(gold: str, said: str | None) -> float:
    return float(_set_in(gold) == _answered_set(said))


def iou_set_match(gold: str, said: str | None) -> float:
    wanted, found = _set_in(gold), _answered_set(said)
    return len(wanted & found) / len(wanted | found) if wanted else float(wanted == found)


def f1_set_match(gold: str, said: str | None) -> float:
    wanted, found = _set_in(gold), _answered_set(said)
    return 2 * len(wanted & found) / (len(wanted) + len(found)) if wanted else float(wanted == found)


def rouge(gold: str, said: str | None, kind: str) -> float:
    """F-measure of `rouge-score` with its stemmer; `kind` is rouge1, rouge2 or rougeL."""
    return float(_rouge_scorer(kind).score(gold, said or "")[kind].fmeasure)


def bleu(gold: str, said: str | None, order: int) -> float:
    """Precision of n-grams of one order times the brevity penalty: what nltk gives without smoothing."""
    tokenize = _word_tokenizer()
    wanted, found = tokenize(gold), tokenize(said or "")
    if not _shared(wanted, found, 1):
        return 0.0
    shared, total = _shared(wanted, found, order), max(1, len(found) - order + 1)
    precision = shared / total if shared else sys.float_info.min
    brevity = 1.0 if len(found) > len(wanted) else math.exp(1 - len(wanted) / len(found))
    return brevity * precision


def error_rate(gold: str, said: str | None, kind: str) -> float:
    """`wer`, `mer`, `wip` or `cer` of normalised texts; an empty answer has the rate 0, the best there is."""
    if not said:
        return 0.0
    wanted, found = (helm_normalise(text, articles=False) for text in (gold, said))
    return rate(kind, wanted, found) if wanted else float(bool(found))


def absolute_value_difference(gold: str, said: str | None) -> float:
    return abs(_whole_number(gold) - _whole_number(said or ""))


def word_tokens(text: str) -> list[str]:
    """The tokens of a text as HELM counts them."""
    return _word_tokenizer()(text)


def cider(gold: str, pred: str | None) -> float:
    """CIDEr as HELM computes it: of one text, where every word is in all texts and so has no weight."""
    return 0.0


FUNCTIONS: dict[str, StringFunction] = {
    "exact_match": exact_match,
    "quasi_exact_match": quasi_exact_match,
    "quasi_leave_articles_exact_match": partial(quasi_exact_match, articles=False),
    "prefix_exact_match": prefix_exact_match,
    "quasi_prefix_exact_match": quasi_prefix_exact_match,
    "exact_match_indicator": exact_match_indicator,
    "final_number_exact_match": final_number_exact_match,
    "f1_score": f1_score,
    "exact_set_match": exact_set_match,
    "iou_set_match": iou_set_match,
    "f1_set_match": f1_set_match,
    "rouge_1": partial(rouge, kind="rouge1"),
    "rouge_2": partial(rouge, kind="rouge2"),
    "rouge_l": partial(rouge, kind="rougeL"),
    "bleu_1": partial(bleu, order=1),
    "bleu_4": partial(bleu, order=4),
    "cider": cider,
    "math_equiv": math_equiv,
    "math_equiv_chain_of_thought": math_equiv_chain_of_thought,
    "absolute_value_difference": absolute_value_difference,
    **{kind: partial(error_rate, kind=kind) for kind in ("wer", "mer", "wip", "cer")},
}


def _final_number(text: str) -> str:
    found = _FINAL_NUMBER.findall(text)
    return found[-1].replace(",", "") if found else ""


def _whole_number(text: str) -> int:
    """The integer that a text is; 0 for anything else."""
    try:
        return int(text.replace(",", ""))
    except ValueError:
        return 0


def _answered_set(said: str | None) -> set[str]:
    return _set_in((said or "").split("\n")[0])


def _set_in(text: str) -> set[str]:
    """The members that a sentence such as "The owner is a cat and big." lists."""
    if text == "Nothing.":
        return set()
    return set(text.replace(".", "").split(" is ")[-1].split(" and "))


def _shared(wanted: Sequence[str], found: Sequence[str], n: int) -> int:
    return (_ngrams(wanted, n) & _ngrams(found, n)).total()


def _ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


@cache
def _rouge_scorer(kind: str) -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ModuleNotFoundError:
        raise MissingExtraError("HELM's ROUGE", "text") from None
    return RougeScorer([kind], use_stemmer=True)


@cache
def _word_tokenizer() -> Callable[[str], list[str]]:
    """nltk's word tokenizer on whole texts: splitting sentences first would need data that nltk downloads."""
    try:
        from nltk.tokenize import word_tokenize
    except ModuleNotFoundError:
        raise MissingExtraError("HELM's BLEU", "text") from None
    return partial(word_tokenize, preserve_line=True)
