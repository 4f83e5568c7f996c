"""The common shape: a benchmark whose every row is a question and its answer, in named columns.

`tabular` registers such a benchmark, and the run entry of the same name, in one call. Choices make it multiple choice,
else the answer is generated; a file of training rows gives five in-context examples.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import urlsplit

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
    DataError,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
    UsageError,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, generation, metrics, multiple_choice
from holoscope.scenarios.columns import Layout, answer_texts, as_text, choice_texts
from holoscope.scenarios.readings import AnswerAs, right_choices
from holoscope.scenarios.rows import Row, read_rows

_SHOTS = 5


def tabular(
    registry: Registry,
    name: str,
    *,
    title: str,
    description: str,
    licence: str,
    redistribution: Literal["yes", "ids-only", "no"],
    citation: str,
    input: str,
    answers: str | Sequence[str],
    choices: str | Sequence[str] = (),
    answer_as: AnswerAs = "text",
    cluster: str = "",
    test: str = "",
    valid: str = "",
    train: str = "",
    sha256: Mapping[str, str] | None = None,
    instructions: str = "",
    max_tokens: int | None = None,
    main_metric: str = "",
) -> Scenario:
    """Register a benchmark and its run entry.

    `test`, `valid` and `train` are pinned addresses, or files on this machine; `sha256` is each one's, by split.
    `input`, `answers`, `choices` and `cluster` are columns; `choices` is one that holds a list, or one for each choice.
    """
    addresses = {split: where for split, where in ((TRAIN, train), (VALID, valid), (TEST, test)) if where}
    asked = TEST if test else VALID
    if asked not in addresses:
        raise UsageError(f"{name}: it has no rows to ask; give test= or valid=")
    sources = _sources(addresses, sha256 or {})
    layout = Layout(
        input=input, answers=_several(answers), choices=_several(choices), answer_as=answer_as, cluster=cluster
    )
    card = Scenario(
        name=name,
        title=title,
        description=description,
        licence=licence,
        redistribution=redistribution,
        citation=citation,
        main_metric=main_metric or ("exact_match" if layout.choices else "quasi_exact_match"),
        main_split=asked,
        load=_loader(sources, layout),
        sources=lambda: tuple(sources.values()),
    )
    registry.scenario(card)
    registry.task(name)(_task(card, _adapter(layout, instructions, max_tokens, has_train=bool(train))))
    return card


def instance_of(row: Row, layout: Layout, split: str) -> Instance:
    """A row under its layout."""
    answers = answer_texts(row, layout.answers)
    identifier = as_text(row, layout.id) if layout.id else ""
    if layout.id and not identifier:
        raise DataError(f"{row.where}: {layout.id} is empty, and should be the row's id")
    if not layout.choices:
        references = tuple(Reference(answer, (CORRECT,)) for answer in answers)
    else:
        choices = choice_texts(row, layout.choices)
        right = right_choices(answers, choices, layout.answer_as)
        if right is None:
            raise DataError(f"{row.where}: {answers} names none of its {len(choices)} choices by {layout.answer_as}")
        references = tuple(Reference(text, (CORRECT,) if i in right else ()) for i, text in enumerate(choices))
    named = {column: as_text(row, column) for column in layout.groups}
    return Instance(
        id=identifier,
        input=as_text(row, layout.input),
        references=references,
        split=split,
        groups={column: value for column, value in named.items() if value},
        cluster=(as_text(row, layout.cluster) or None) if layout.cluster else None,
    )


def _sources(addresses: Mapping[str, str], sha256: Mapping[str, str]) -> dict[str, Source]:
    """The files by split, each under the name it has at its address, with its folder where need be."""
    parts = {split: PurePosixPath(urlsplit(where).path).parts for split, where in addresses.items()}
    depth = 1 if len({each[-1] for each in parts.values()}) == len(parts) else 2
    return {
        split: Source(path="/".join(parts[split][-depth:]), url=where, sha256=sha256.get(split, ""))
        if "://" in where
        else Source(path=str(Path(where).absolute()), sha256=sha256.get(split, ""))
        for split, where in addresses.items()
    }


def _loader(sources: Mapping[str, Source], layout: Layout) -> Callable[[Files], Iterator[Instance]]:
    def load(files: Files) -> Iterator[Instance]:
        for split, source in sources.items():
            for row in read_rows(files.path(source.path)):
                yield instance_of(row, layout, split)

    return load


def _task(card: Scenario, adapter: AdapterSpec) -> Callable[[], Task]:
    by_text = metrics(*dict.fromkeys((card.main_metric, "quasi_exact_match", "exact_match", "f1_score")))

    def task() -> Task:
        return Task(
            name=card.name,
            scenario=ScenarioSpec(card.name),
            adapter=adapter,
            metrics=EXACT_MATCH if adapter.method == JOINT else by_text,
            groups=(card.name,),
        )

    return task


def _adapter(layout: Layout, instructions: str, max_tokens: int | None, *, has_train: bool) -> AdapterSpec:
    shots = _SHOTS if has_train else 0
    if layout.choices:
        told = instructions or "The following are multiple choice questions (with answers)."
        return multiple_choice(JOINT, told, max_train_instances=shots, max_tokens=max_tokens or 5)
    return generation(
        instructions=instructions,
        input_noun="Question",
        output_noun="Answer",
        max_train_instances=shots,
        max_tokens=max_tokens or 100,
        stop_sequences=("\n",) if shots else (),  # without examples a model may well begin with a line break
    )


def _several(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
