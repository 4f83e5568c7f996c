"""Answers to long documents: the answer anywhere in what was written, a repeated text, and LongBench's own measures.

    ruler_string_match_part   an accepted answer occurs in the completion (RULER)
    openai_mrcr_accuracy      how alike the repeated text is, 0 unless it begins with the string that was asked for
    longbench_qa_f1           token F1 as SQuAD defines it
    longbench_rouge_l         ROUGE-L of sentences, over distinct words, as the package `rouge` has it
    longbench_classification  the right class among those that are named: shared by all of them
    longbench_retrieval       the share of numbers that are the paragraph's
    longbench_code_similarity how alike the next line of code is

LongBench's are defined by its own program (Bai et al. 2023) and kept as it has them but for one thing: a class that is
part of the right one's name is passed over whichever stands first. `first_line` reads only the first line of an answer,
as it does where the prompt's examples are one line each.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from holoscope.core import Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer, correct_texts, empty_score, shown
from holoscope.metrics.normalise import helm_normalise

ScoreFunction = Callable[..., Score]
Compare = Callable[[str, str, Sequence[str]], float]
"""`compare(gold, said, classes)`."""

RULER, MRCR = "ruler_string_match_part", "openai_mrcr_accuracy"
_NO_GOLD = "no reference of the instance is marked as right"
_NUMBER = re.compile(r"\d+")
_COMMENTED = ("`", "#", "//")


def ruler_string_match_part(trial: Trial) -> Score:
    """1 if any of the right answers occurs in the answer, in either case."""
    golds = correct_texts(trial)
    if not golds:
        return Score(RULER, None, Outcome.NOT_SUPPORTED, _NO_GOLD)
    given = answer(trial)
    if not given.text.strip():
        return empty_score(RULER, trial)
    said = given.text.casefold()
    found = next((gold for gold in golds if gold.casefold() in said), None)
    return Score(RULER, float(found is not None), rule="substring", answer=shown(found or given.text.strip()))


def openai_mrcr_accuracy(trial: Trial) -> Score:
    """How alike the answer and the text to be repeated are, both after the string that must come first."""
    golds, mark = correct_texts(trial), trial.instance.extra.get("random_string_to_prepend")
    if not golds or not isinstance(mark, str):
        return Score(MRCR, None, Outcome.NOT_SUPPORTED, "the instance names no string to begin with")
    given = answer(trial).text.strip()
    if not given:
        return empty_score(MRCR, trial)
    if not given.startswith(mark):
        return Score(MRCR, 0.0, reason=f"it does not begin with {mark}", rule="required_prefix", answer=shown(given))
    ratio = SequenceMatcher(None, given.removeprefix(mark), golds[0].strip().removeprefix(mark)).ratio()
    return Score(MRCR, ratio, rule="required_prefix", answer=shown(given))


def qa_f1(gold: str, said: str, classes: Sequence[str] = ()) -> float:
    """F1 of the words in common, each counted as often as it occurs.

    >>> qa_f1("the Eiffel Tower", "Eiffel tower, Paris")
    0.8
    """
    wanted, found = (Counter(helm_normalise(text).split()) for text in (gold, said))
    shared = (wanted & found).total()
    return 2 * shared / (wanted.total() + found.total()) if shared else 0.0


def rouge_l(gold: str, said: str, classes: Sequence[str] = ()) -> float:
    """F-measure of the distinct words in longest common subsequences of any two sentences.

    >>> round(rouge_l("The cat sat. It slept.", "The cat slept."), 3)
    0.75
    """
    wanted, found = _sentences(gold), _sentences(said)
    common = {word for one in wanted for other in found for word in _subsequence(one, other)}
    sizes = [len({word for sentence in sentences for word in sentence}) for sentences in (wanted, found)]
    return 2 * len(common) / sum(sizes) if common else 0.0


def classification(gold: str, said: str, classes: Sequence[str]) -> float:
    """One over the number of classes that are named, if the right one is; those within its own name don't count.

    >>> classification("Other location", "Other location", ["location", "Other location", "Number"])
    1.0
    """
    named = [name for name in classes if name in said and (name == gold or name not in gold)]
    return 1 / len(named) if gold in named else 0.0


def retrieval(gold: str, said: str, classes: Sequence[str] = ()) -> float:
    """The share of the numbers in the answer that are the right one's.

    >>> retrieval("Paragraph 7", "Paragraph 7, not 12")
    0.5
    """
    wanted, numbers = _NUMBER.search(gold), _NUMBER.findall(said)
    return numbers.count(wanted[0]) / len(numbers) if wanted and numbers else 0.0


def code_similarity(gold: str, said: str, classes: Sequence[str] = ()) -> float:
    """How alike the first line that is code is, to a hundredth.

    >>> code_similarity("return x", "# so\\nreturn x\\n")
    1.0
    """
    lines = said.lstrip("\n").split("\n")
    line = next((line for line in lines if not any(mark in line for mark in _COMMENTED)), "")
    return round(100 * SequenceMatcher(None, line, gold).ratio()) / 100


LONGBENCH: dict[str, tuple[str, Compare]] = {
    "longbench_qa_f1": ("F1 (LongBench)", qa_f1),
    "longbench_rouge_l": ("ROUGE-L (LongBench)", rouge_l),
    "longbench_classification": ("Class named (LongBench)", classification),
    "longbench_retrieval": ("Paragraph named (LongBench)", retrieval),
    "longbench_code_similarity": ("Likeness of code (LongBench)", code_similarity),
}


def longbench(name: str, compare: Compare) -> ScoreFunction:
    """A metric that keeps the best comparison of the answer with an accepted one."""

    def score(trial: Trial, first_line: bool = False) -> Score:
        golds = correct_texts(trial)
        if not golds:
            return Score(name, None, Outcome.NOT_SUPPORTED, _NO_GOLD)
        said = answer(trial).text
        if not said.strip():
            return empty_score(name, trial)
        if first_line:
            said = said.lstrip("\n").split("\n")[0]
        listed = trial.instance.extra.get("classes")
        classes = [str(each) for each in listed] if isinstance(listed, list) else []
        value = max(compare(gold, said, classes) for gold in golds)
        return Score(name, value, rule="first_line" if first_line else "whole_text", answer=shown(said.strip()))

    return score


def cards() -> Iterator[Metric]:
    """The metrics of this module."""
    of_answers = [
        (RULER, "Answer within the text (RULER)", ruler_string_match_part),
        (MRCR, "Likeness of the repeated text", openai_mrcr_accuracy),
        *((name, title, longbench(name, compare)) for name, (title, compare) in LONGBENCH.items()),
    ]
    for name, title, function in of_answers:
        yield Metric(
            name=name,
            version="1",
            axis="accuracy",
            title=title,
            binary=name == RULER,
            ends=(0.0, 1.0),
            score=function,
            needs=("references",),
        )


def _sentences(text: str) -> list[list[str]]:
    return [sentence.split() for sentence in text.split(".") if sentence.strip()]


def _subsequence(a: Sequence[str], b: Sequence[str]) -> Iterator[str]:
    """The words of a longest common subsequence; of several the one that `rouge` finds."""
    lengths = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, word in enumerate(a, 1):
        for j, other in enumerate(b, 1):
            same = word == other
            lengths[i][j] = lengths[i - 1][j - 1] + 1 if same else max(lengths[i - 1][j], lengths[i][j - 1])
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            yield a[i - 1]
            i, j = i - 1, j - 1
        elif lengths[i - 1][j] > lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
