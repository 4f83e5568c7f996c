"""Any data file as a scenario, with no code: `./questions.jsonl` is a run entry.

Columns are guessed from their names (`columns.py`) or named in a short YAML file beside the data: `questions.yaml` or
`questions.jsonl.yaml`. Choices make it multiple choice, else the answer is generated. Rows of the file come before
those of a separate file of in-context examples, so that adding examples leaves every instance's id as it was.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from holoscope.core import (
    EVAL_SPLITS,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
    ConfigError,
    DataError,
    Files,
    Instance,
    Json,
    MetricSpec,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
    UsageError,
)
from holoscope.scenarios.adapters import EXACT_MATCH, generation, metrics, multiple_choice
from holoscope.scenarios.columns import (
    SPLIT_NAMES,
    Layout,
    Named,
    arrange,
    split_of,
)
from holoscope.scenarios.readings import AnswerAs
from holoscope.scenarios.rows import Row, read_rows
from holoscope.scenarios.tabular import instance_of

FileMethod = Literal[
    "generation", "multiple_choice_joint", "multiple_choice_separate_original", "multiple_choice_separate_calibrated"
]

_QUESTIONS = ("question", "question.stem", "query", "problem", "goal")


class Description(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The YAML beside a data file; every line is optional."""

    input: str = ""
    reference: str | list[str] = ""
    references: str | list[str] = ""
    answer: str | list[str] = ""
    """`reference`, `references` and `answer` are one setting under three names."""
    choices: str | list[str] = ""
    answer_as: AnswerAs | None = None
    id: str = ""
    split: str = ""
    groups: str | list[str] = ""
    """Columns by whose values scores are compared, such as `gender`."""
    cluster: str = ""
    """The column of what rows share, such as a passage: their scores are not independent."""
    train: str = ""
    """A file of in-context examples with the same columns, relative to the data file."""
    instructions: str = ""
    method: FileMethod | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None
    stop: str | list[str] | None = None
    metric: str | list[str] = ""
    """Metrics to score by, the main one first."""


def sources(path: str, train: str = "", layout: dict[str, Json] | None = None) -> tuple[Source, ...]:
    return tuple(Source(path=str(Path(name).absolute())) for name in (path, train) if name)


def load(files: Files, path: str, layout: dict[str, Json], train: str = "") -> Iterator[Instance]:
    columns = msgspec.convert(layout, Layout)
    for row in read_rows(files.path(str(Path(path).absolute()))):
        yield instance_of(row, columns, _split(row, columns))
    for row in read_rows(files.path(str(Path(train).absolute()))) if train else ():
        example = instance_of(row, columns, TRAIN)
        yield msgspec.structs.replace(example, id=f"train-{example.id}" if example.id else "")


def _split(row: Row, layout: Layout) -> str:
    if not layout.split:
        return TEST
    split = split_of(row, layout.split)
    if not split:
        raise DataError(f"{row.where}: {layout.split} should be one of {', '.join(SPLIT_NAMES)}")
    return split


CARD = Scenario(
    name="file",
    title="Your own data file",
    description="Rows of a JSONL, JSON, CSV, TSV or Parquet file.",
    licence="the user's own",
    redistribution="no",
    citation="",
    main_metric="",
    main_split=TEST,
    load=load,
    sources=sources,
)


def file(
    path: str,
    input: str = "",
    answer: str = "",
    choices: str = "",
    answer_as: AnswerAs | None = None,
    method: FileMethod | None = None,
    train: str = "",
) -> Task:
    """The task of a data file. What is typed wins over the YAML, and the YAML over a guess.

    `train` is a file of in-context examples; as typed it is relative to the working folder, in the YAML to the data.
    """
    place = Path(path)
    described = _description(place)
    named = Named(
        input=input or described.input,
        answers=_several(answer) or _answers(place, described),
        choices=_several(choices) or _several(described.choices),
        answer_as=answer_as or described.answer_as,
        id=described.id,
        split=described.split,
        groups=_several(described.groups),
        cluster=described.cluster,
    )
    rows = _rows(place)
    layout = arrange(place, rows, named)
    train = train or (str(place.parent / described.train) if described.train else "")
    splits = {_split(row, layout) for row in rows}
    adapter = _adapter(layout, method or described.method, described, has_train=bool(train) or TRAIN in splits)
    return Task(
        name=f"file:path={_quoted(path)}",
        scenario=ScenarioSpec("file", _args(path, train, layout)),
        adapter=msgspec.structs.replace(adapter, eval_splits=_asked(place, splits)),
        metrics=_metrics(adapter, described),
        groups=(place.stem,),
    )


def _args(path: str, train: str, layout: Layout) -> dict[str, Json]:
    args: dict[str, Json] = {"path": path, "layout": json.loads(msgspec.json.encode(layout))}
    return {**args, "train": train} if train else args


def _rows(path: Path) -> list[Row]:
    if not path.is_file():
        raise UsageError(f"no data file {path}")
    rows = read_rows(path)
    if not rows:
        raise DataError(f"{path}: no rows")
    return rows


def _description(path: Path) -> Description:
    for beside in (path.with_name(f"{path.name}.yaml"), path.with_suffix(".yaml")):
        if beside.is_file():
            return _read_description(beside)
    return Description()


def _read_description(path: Path) -> Description:
    import yaml

    try:
        return msgspec.convert(yaml.safe_load(path.read_text(encoding="utf-8-sig")) or {}, Description)
    except (yaml.YAMLError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}; it takes {', '.join(Description.__struct_fields__)}") from error


def _answers(path: Path, described: Description) -> tuple[str, ...]:
    given = [names for names in (described.reference, described.references, described.answer) if names]
    if len(given) > 1:
        raise ConfigError(f"{path}: its YAML names the answer twice; keep one of reference, references, answer")
    return _several(given[0]) if given else ()


def _asked(path: Path, splits: set[str]) -> tuple[str, ...] | None:
    """The split that is asked where it is not the main one: a file without test rows has its validation rows asked."""
    if not splits & set(EVAL_SPLITS):
        raise DataError(f"{path}: every row is a train row, so there is nothing to ask")
    return None if TEST in splits else (VALID,)


def _adapter(layout: Layout, method: FileMethod | None, described: Description, *, has_train: bool) -> AdapterSpec:
    method = method or ("multiple_choice_joint" if layout.choices else "generation")
    shots = 5 if has_train else 0
    if method == "generation":
        return _overridden(_free_answer(layout, described, shots), described)
    if not layout.choices:
        raise UsageError(f"method={method} needs a column of choices; name it: choices=COLUMN")
    instructions = described.instructions or "The following are multiple choice questions (with answers)."
    return _overridden(multiple_choice(method, instructions, max_train_instances=shots, max_tokens=5), described)


def _free_answer(layout: Layout, described: Description, shots: int) -> AdapterSpec:
    asks = layout.input.lower() in _QUESTIONS
    return generation(
        instructions=described.instructions,
        input_noun="Question" if asks else "Input",
        output_noun="Answer" if asks else "Output",
        max_train_instances=shots,
        max_tokens=100,
        stop_sequences=("\n",) if shots else (),  # without examples a model may well begin with a line break
    )


def _overridden(adapter: AdapterSpec, described: Description) -> AdapterSpec:
    if described.max_tokens is not None:
        adapter = msgspec.structs.replace(adapter, max_tokens=described.max_tokens)
    if described.stop is not None:
        adapter = msgspec.structs.replace(adapter, stop_sequences=_several(described.stop))
    return adapter


def _metrics(adapter: AdapterSpec, described: Description) -> tuple[MetricSpec, ...]:
    if described.metric:
        return metrics(*_several(described.metric))
    return metrics("quasi_exact_match", "exact_match", "f1_score") if adapter.method == "generation" else EXACT_MATCH


def _several(names: str | Sequence[str]) -> tuple[str, ...]:
    return ((names,) if names else ()) if isinstance(names, str) else tuple(names)


def _quoted(path: str) -> str:
    """The path as a run entry writes it."""
    return json.dumps(path, ensure_ascii=False) if any(mark in path for mark in ',="\\:') else path


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("file")(file)
