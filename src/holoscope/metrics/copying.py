"""How much of a known text a model writes down by heart: common prefix, edit distance, edit similarity.

The instance's input is the beginning of the text, its one reference the whole or what follows. The reference is cut to
the length of the completion, both become words, and the most similar of a request's completions counts.
"""

from collections.abc import Callable, Sequence

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.axes import GENERAL
from holoscope.metrics.overlap import words
from holoscope.metrics.separate import is_separate
from holoscope.metrics.written import written

Words = Sequence[str]
ScoreFunction = Callable[..., Score]


def longest_common_prefix(a: Words, b: Words) -> int:
    """How many words are the same from the start."""
    return next((i for i, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), min(len(a), len(b)))


def edit_distance(a: Words, b: Words) -> int:
    """Insertions, deletions and substitutions of words, by Myers' bit-parallel recurrence.

    >>> edit_distance("a b c".split(), "a x c d".split())
    2
    """
    if not a or not b:
        return max(len(a), len(b))
    places: dict[str, int] = {}
    for i, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << i
    full, last = (1 << len(a)) - 1, 1 << (len(a) - 1)
    rises, falls, distance = full, 0, len(a)
    for word in b:
        equal = places.get(word, 0)
        carried = (((equal & rises) + rises) ^ rises) | equal
        right = falls | (~(carried | rises) & full)
        left = rises & carried
        distance += bool(right & last) - bool(left & last)
        right, left = (right << 1 | 1) & full, (left << 1) & full
        rises, falls = left | (~(equal | falls | right) & full), right & (equal | falls)
    return distance


def edit_similarity(a: Words, b: Words) -> float:
    """1 less the edit distance per word of the longer text; 0 where either is empty."""
    return 1 - edit_distance(a, b) / max(len(a), len(b)) if a and b else 0.0


MEASURES: dict[str, tuple[Callable[[Words, Words], float], Callable[..., float]]] = {
    "longest_common_prefix_length": (longest_common_prefix, max),
    "edit_distance": (edit_distance, min),
    "edit_similarity": (edit_similarity, max),
}
"""Metric -> how two texts compare, and which of several completions counts."""


def copying(name: str) -> ScoreFunction:
    """Our version of the metric `name`."""
    compare, best = MEASURES[name]

    def score(
        trial: Trial, normalize_by_prefix_length: bool = False, normalize_newline_space_tab: bool = False
    ) -> Score:
        """HELM's two arguments change nothing: a count is not divided by the prompt, and white space is no word."""
        texts = [text for text in written(trial) if text]
        reference = _following(trial)
        if not reference:
            return Score(name, None, Outcome.NOT_SUPPORTED, "needs an instance with one reference, the text's course")
        if not texts:
            return Score(name, None, Outcome.UNGRADABLE, "every completion is empty")
        pairs = ((words(text), words(reference[: len(text)])) for text in texts)
        return Score(name, float(best(compare(*pair) for pair in pairs)), rule="whole_text")

    return score


TITLES = {
    "longest_common_prefix_length": "Words copied from the start",
    "edit_distance": "Words changed",
    "edit_similarity": "Similarity to the text",
}


def card(name: str, version: str, made: Callable[[str], ScoreFunction], suffix: str = "") -> Metric:
    """The metric `name`, ours or HELM's, as it is registered."""
    return Metric(
        name=name + suffix,
        version=version,
        axis=GENERAL,
        title=TITLES[name] + (" (HELM)" if suffix else ""),
        lower_is_better=name != "edit_distance",
        score=made(name),
    )


def cards() -> Sequence[Metric]:
    return [card(name, "1", copying) for name in TITLES]


def _following(trial: Trial) -> str:
    """The text after the prompt; empty where the instance has no single reference."""
    references = trial.instance.references
    if is_separate(trial) or len(references) != 1:
        return ""
    return references[0].text.removeprefix(trial.instance.input).strip()
