"""HELM's measures of the completions themselves: copying, diversity, and instructions followed."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from holoscope.core import Json, Metric, MissingExtraError, Outcome, Score, Trial
from holoscope.metrics.axes import GENERAL
from holoscope.metrics.copying import MEASURES, card
from holoscope.metrics.diversity import ENTROPY, SELF_BLEU, entropy_value, mean_bleu
from holoscope.metrics.helm.score import EMPTY, VERSION
from holoscope.metrics.helm.strings import rouge, word_tokens
from holoscope.metrics.instruction_checks import CHECKS, capital_word_frequency
from holoscope.metrics.instructions import followed, instructions_of
from holoscope.metrics.separate import is_separate

ScoreFunction = Callable[..., Score]

IFEVAL = "ifeval_strict_accuracy"

COT = "chain_of_thought_correctness"

_STATED_LETTER = tuple(
    re.compile(pattern)
    for pattern in (
        r"answer is \(?([A-J])\)?",
        r"\.*\[aA\]nswer:\s*\(?([A-J])\)?",
        r"correct answer is [^A-Za-z]*([A-J])",
        r"correct answer is [^A-Z]*([A-J])",
    )
)
"""What HELM looks for, in its order; the second has its brackets escaped and so matches next to nothing."""
_SPACES = re.compile(" +")
_CHECKS = CHECKS | {"change_case:capital_word_frequency": capital_word_frequency(word_tokens)}


def helm_copying(name: str) -> ScoreFunction:
    """HELM's copying metric `name`: in words of the Penn Treebank, by choice divided by the prompt's words."""

    def score(
        trial: Trial, normalize_by_prefix_length: bool = False, normalize_newline_space_tab: bool = False
    ) -> Score:
        if is_separate(trial) or len(trial.instance.references) != 1:
            return Score(name, None, Outcome.NOT_SUPPORTED, "needs an instance with one reference")
        by_prefix, one_space = normalize_by_prefix_length, normalize_newline_space_tab
        return Score(name, _copied(name, trial, by_prefix=by_prefix, one_space=one_space), rule="whole_text")

    return score


def helm_self_bleu(trial: Trial) -> Score:
    """HELM's self-BLEU: from 0 to 100, and 0 for a single completion."""
    texts = [text for choice in trial.exchanges[0].completion.choices if (text := choice.text.strip())]
    return Score(SELF_BLEU, mean_bleu(texts, "en") if len(texts) > 1 else 0.0)


def helm_ifeval(trial: Trial) -> Score:
    """Share of instructions that the completion as it is follows, words in capitals being nltk's tokens."""
    asked = instructions_of(trial)
    if not asked:
        return Score(IFEVAL, None, Outcome.NOT_SUPPORTED, "the instance carries no instructions that can be checked")
    kept = followed(asked, (trial.exchanges[0].completion.text.strip(),), _CHECKS)
    return Score(IFEVAL, sum(kept) / len(kept), rule="strict")


def helm_chain_of_thought(trial: Trial) -> Score:
    """1 if the letter that the completion states first, by HELM's expressions, is that of a right reference."""
    right = next((i for i, r in enumerate(trial.instance.references) if r.is_correct), None)
    if right is None or is_separate(trial):
        return Score(COT, None, Outcome.NOT_SUPPORTED, "no option of the instance is marked as right")
    text = trial.exchanges[0].completion.text
    found = next((match for pattern in _STATED_LETTER if (match := pattern.search(text))), None)
    said = found[1] if found else None
    return Score(COT, float(said == chr(ord("A") + right)), rule="stated_letter", answer=said)


def chain_of_thought_values(trial: Trial, args: Mapping[str, Json]) -> list[tuple[str, float | None]]:
    """What HELM's metric of chains of thought records for a trial."""
    return [(COT, helm_chain_of_thought(trial).value)]


def ifeval_values(trial: Trial, args: Mapping[str, Json]) -> list[tuple[str, float | None]]:
    """What HELM's IFEval metric records for a trial."""
    return [(IFEVAL, helm_ifeval(trial).value)]


def cards() -> list[Metric]:
    """HELM's versions of metrics whose definition differs from ours."""
    return [
        *(card(name, VERSION, helm_copying, "@helm") for name in MEASURES),
        Metric(
            name=f"{SELF_BLEU}@helm",
            version=VERSION,
            axis=GENERAL,
            title="Self-BLEU (HELM)",
            lower_is_better=True,
            score=helm_self_bleu,
        ),
        Metric(
            name=f"{COT}@helm",
            version=VERSION,
            axis="accuracy",
            title="Stated option (HELM)",
            binary=True,
            score=helm_chain_of_thought,
            needs=("references",),
        ),
        Metric(
            name=f"{IFEVAL}@helm",
            version=VERSION,
            axis="accuracy",
            title="Instructions followed, strict (HELM)",
            score=helm_ifeval,
        ),
    ]


def copyright_values(trial: Trial, args: Mapping[str, Json]) -> list[tuple[str, float | None]]:
    """What HELM's copyright metric with these arguments records for a trial."""
    name = str(args["name"])
    by_prefix, one_space = (bool(args.get(f"normalize_{key}")) for key in ("by_prefix_length", "newline_space_tab"))
    return [(name, _copied(name, trial, by_prefix=by_prefix, one_space=one_space))]


def disinformation_values(trial: Trial, args: Mapping[str, Json]) -> list[tuple[str, float | None]]:
    """What HELM's disinformation metric with these arguments records; its human ratings are not there."""
    name = str(args["name"])
    found = {SELF_BLEU: lambda: helm_self_bleu(trial).value, ENTROPY: lambda: entropy_value(trial)}
    return [(name, found[name]())] if name in found else []


def summarization_values(trial: Trial, args: Mapping[str, Json]) -> list[tuple[str, float | None]]:
    """ROUGE as HELM's summarization metric records it, without braces; its other numbers need models or spaCy."""
    golds = [_without_braces(r.text) for r in trial.instance.references]
    said = _without_braces(trial.exchanges[0].completion.text.strip())
    kinds = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}
    return [(name, max(rouge(gold, said, kind) for gold in golds)) for name, kind in kinds.items() if golds]


def _without_braces(text: str) -> str:
    return text.removeprefix("{").removesuffix("}")


def _copied(name: str, trial: Trial, *, by_prefix: bool, one_space: bool) -> float:
    compare, best = MEASURES[name]
    tokenize = _treebank().tokenize
    spaced = _one_space if one_space else str
    prefix = trial.instance.input
    reference = spaced(trial.instance.references[0].text[len(prefix) :])
    texts = [spaced(choice.text.strip()) for choice in trial.exchanges[0].completion.choices or EMPTY]
    value = best(compare(tokenize(text), tokenize(reference[: len(text)])) for text in texts)
    return float(value / len(tokenize(prefix)) if by_prefix else value)


def _one_space(text: str) -> str:
    return _SPACES.sub(" ", text.replace("\n", " ").replace("\t", " "))


@cache
def _treebank() -> Any:
    try:
        from nltk.tokenize.treebank import TreebankWordTokenizer
    except ModuleNotFoundError:
        raise MissingExtraError("HELM's copyright metrics", "text") from None
    return TreebankWordTokenizer()
