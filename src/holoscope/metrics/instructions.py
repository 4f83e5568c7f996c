"""IFEval: which of a prompt's verifiable instructions a response follows (Zhou et al. 2023).

An instance names its instructions and their arguments in `extra`, under HELM's keys (`instruction_ids`,
`instruction_kwargs`) or the benchmark's own. *Strict* takes the response as it is; *loose* also tries it without its
first line, without its last, and without asterisks, since a model may introduce its answer. Each comes as the share of
instructions followed, and as whether all of a prompt's were. An empty response follows none.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from holoscope.core import Json, Metric, Outcome, Score, Trial
from holoscope.metrics.answers import answer
from holoscope.metrics.instruction_checks import CHECKS, Check
from holoscope.metrics.separate import is_separate

Texts = Callable[[str], Sequence[str]]
ScoreFunction = Callable[..., Score]

_KEYS = (("instruction_ids", "instruction_kwargs"), ("instruction_id_list", "kwargs"))


def strict(response: str) -> Sequence[str]:
    """The response itself."""
    return (response,)


def loose(response: str) -> Sequence[str]:
    """The response, and without its first or last line or both, each with and without asterisks."""
    lines = response.split("\n")
    cut = [response, *("\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1]))]
    return [*cut, *(text.replace("*", "") for text in cut)]


def followed(
    instructions: Sequence[tuple[str, Mapping[str, Json]]], texts: Sequence[str], checks: Mapping[str, Check] = CHECKS
) -> list[bool]:
    """For each instruction, whether one of the texts follows it."""
    return [any(text.strip() and checks[name](text, args) for text in texts) for name, args in instructions]


def instructions_of(trial: Trial) -> list[tuple[str, Mapping[str, Json]]]:
    """The instance's instructions with their arguments."""
    extra = trial.instance.extra
    for names, arguments in _KEYS:
        if names in extra:
            ids = cast("list[str]", extra[names])
            given = cast("list[dict[str, Json] | None]", extra.get(arguments) or [{}] * len(ids))
            return [
                (name, {key: value for key, value in (args or {}).items() if value is not None})
                for name, args in zip(ids, given, strict=True)
            ]
    return []


def accuracy(name: str, texts: Texts, *, prompt: bool, checks: Mapping[str, Check] = CHECKS) -> ScoreFunction:
    """Share of a trial's instructions that are followed; with `prompt`, 1 only if all are."""

    def score(trial: Trial) -> Score:
        asked = instructions_of(trial)
        if not asked or is_separate(trial):
            return Score(name, None, Outcome.NOT_SUPPORTED, "the instance carries no instructions that can be checked")
        kept = followed(asked, texts(answer(trial).text.strip()), checks)
        value = float(all(kept)) if prompt else sum(kept) / len(kept)
        return Score(name, value, reason=_broken(asked, kept), rule=texts.__name__)

    return score


def cards() -> Sequence[Metric]:
    return list(_cards())


def _cards() -> Iterator[Metric]:
    for texts in (strict, loose):
        for prompt in (False, True):
            name = f"ifeval_{texts.__name__}_{'prompt_' * prompt}accuracy"
            title = f"Instructions followed, {texts.__name__}" + (", all of a prompt's" if prompt else "")
            yield Metric(
                name=name,
                version="1",
                axis="accuracy",
                title=title,
                binary=prompt,
                ends=(0.0, 1.0),
                score=accuracy(name, texts, prompt=prompt),
            )


NAMES = tuple(card.name for card in _cards())


def _broken(asked: Sequence[tuple[str, Mapping[str, Json]]], kept: Sequence[bool]) -> str:
    broken = [name for (name, _), ok in zip(asked, kept, strict=True) if not ok]
    return f"not followed: {', '.join(broken)}" if broken else ""
