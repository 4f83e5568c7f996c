"""How much two texts have in common: token F1, ROUGE and BLEU for any script, without further packages.

Words are runs of letters, marks and digits; scripts that don't separate words are compared character by character.
There is no stemming, which knows English only: HELM's stemmed ROUGE is `rouge_l@helm`. Tokens are counted as often as
they occur, so that repeating the right word costs precision.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from holoscope.metrics.normalise import fold, normalise

_MAX_ORDER = 4


def f1(gold: str, said: str, language: str = "en") -> float:
    """Token F1 as SQuAD defines it, over normalised words."""
    wanted, found = normalise(gold, language).split(), normalise(said, language).split()
    return _f1((Counter(wanted) & Counter(found)).total(), len(wanted), len(found))


def rouge_n(gold: str, said: str, n: int) -> float:
    """F-measure of the n-grams in common."""
    wanted, found = _ngrams(words(gold), n), _ngrams(words(said), n)
    return _f1((wanted & found).total(), wanted.total(), found.total())


def rouge_l(gold: str, said: str) -> float:
    """F-measure of the longest common subsequence of words."""
    wanted, found = words(gold), words(said)
    return _f1(_longest_common_subsequence(wanted, found), len(wanted), len(found))


def bleu(gold: str, said: str, order: int = _MAX_ORDER) -> float:
    """Sentence BLEU, exponentially smoothed, up to the longest n-gram of the answer; 0 without a shared word."""
    wanted, found = words(gold), words(said)
    logs: list[float] = []
    smoothing = 1.0
    for n in range(1, min(order, len(found)) + 1):
        total = len(found) - n + 1
        shared = (_ngrams(wanted, n) & _ngrams(found, n)).total()
        if n == 1 and not shared:
            return 0.0
        smoothing = smoothing if shared else smoothing * 2
        logs.append(math.log(shared / total if shared else 1 / (smoothing * total)))
    if not logs:
        return 0.0
    brevity = min(0.0, 1 - len(wanted) / len(found))
    return math.exp(math.fsum(logs) / len(logs) + brevity)


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[str, ...]:
    """The words of a text in any script, folded.

    >>> words("Dogs bark; नमस्ते 你好!")
    ('dogs', 'bark', 'नमस्ते', '你', '好')
    """
    found: list[str] = []
    for kind, run in groupby(fold(text), _kind):
        if kind == "word":
            found.append("".join(run))
        elif kind == "character":
            found.extend(run)
    return tuple(found)


@lru_cache(maxsize=65536)
def _kind(character: str) -> str:
    if unicodedata.category(character)[0] not in "LMN":
        return "between"
    return "character" if any(low <= ord(character) <= high for low, high in _UNSPACED) else "word"


_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x9FFF),  # Han
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
"""Scripts written without spaces between words."""


def _ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


def _f1(shared: int, wanted: int, found: int) -> float:
    return 2 * shared / (wanted + found) if shared else 0.0


def _longest_common_subsequence(a: Sequence[str], b: Sequence[str]) -> int:
    """Length, by Hyyrö's bit-parallel recurrence: one addition of long integers per token of `b`."""
    positions: dict[str, int] = {}
    for i, token in enumerate(a):
        positions[token] = positions.get(token, 0) | 1 << i
    full = (1 << len(a)) - 1
    state = full
    for token in b:
        matches = state & positions.get(token, 0)
        state = ((state + matches) | (state - matches)) & full
    return len(a) - state.bit_count()
