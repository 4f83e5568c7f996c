"""APPS: problems of programming contests, with the inputs and outputs by which a solution is tested.

The texts are the contests' own and were taken down, so they come from the user's folder alone: the archive as it was
unpacked, `APPS/{train,test}/<number>/` with `question.txt`, `input_output.json`, `solutions.json` and, where a function
is asked for, `starter_code.py`. HELM read the problems in the order in which one machine listed them, which is a file
of its own; without it they are in the order of their names.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from holoscope.core import CORRECT, TEST, TRAIN, DataError, Files, Instance, Json, Reference, Scenario, Source

_FOLDER = "APPS"
_ORDER = "code_scenario_apps_pinned_file_order.json"
_GATED = "the archive was taken down, and its problems belong to the contests they are from"
_LONGEST = 150_000
"""Characters of a text, as upstream's own code cuts them."""
_NEEDED = {TRAIN: ("question.txt", "solutions.json"), TEST: ("question.txt", "input_output.json")}
_CALLED, _READING = "\nUse Call-Based format\n", "\nUse Standard Input format\n"


def sources(dataset: str) -> tuple[Source, ...]:
    return Source(path=_FOLDER, gated=_GATED, is_folder=True), Source(path=_ORDER, optional=True)


def load(files: Files, dataset: str) -> Iterator[Instance]:
    root = files.path(_FOLDER)
    order = _json(files.path(_ORDER)) if files.has(_ORDER) else {}
    for split, needed in _NEEDED.items():
        for name in _problems(root / split, order, split):
            folder = root / split / name
            if all((folder / file).is_file() for file in needed):
                yield _instance(folder, split)


def _problems(folder: Path, order: Json, split: str) -> Sequence[str]:
    if not folder.is_dir():
        raise DataError(f"{folder}: no such folder; the archive unpacks to {_FOLDER}/train and {_FOLDER}/test")
    named = order.get(split) if isinstance(order, dict) else None
    return [str(name) for name in named] if isinstance(named, list) else sorted(each.name for each in folder.iterdir())


def _instance(folder: Path, split: str) -> Instance:
    starter, has_starter = _text(folder / "starter_code.py"), (folder / "starter_code.py").is_file()
    question = _text(folder / "question.txt")
    return Instance(
        input=f"\nQUESTION:\n{question}\n{starter}\n{_CALLED if has_starter else _READING}\nANSWER in Python code:\n",
        references=tuple(Reference(solution[:_LONGEST], (CORRECT,)) for solution in _solutions(folder)),
        split=split,
        extra={"task_id": f"{split}/{folder.name}", "input_output": _text(folder / "input_output.json", longest=None)},
    )


def _solutions(folder: Path) -> list[str]:
    """As HELM has them: indented by tabs, and an empty one where there is none."""
    path = folder / "solutions.json"
    found = _json(path) if path.is_file() else []
    if not isinstance(found, list):
        raise DataError(f"{path}: expected a list of solutions")
    return [_with_tabs(str(solution)) for solution in found] or [""]


def _with_tabs(code: str) -> str:
    """A tab for each step of the indentation, whose width is that of the first indented line."""
    lines = code.split("\n")
    if lines[-1] == "":
        lines.pop()
    widths = (len(line) - len(line.lstrip(" \t")) for line in lines if line.strip() and line[0] in " \t")
    width = next(widths, 0)
    step = next((line[0] for line in lines if line.strip() and line[0] in " \t"), " ") * width
    return "".join(f"{_indented(line.rstrip(chr(13)), step)}\n" for line in lines)


def _indented(line: str, step: str) -> str:
    level = 0
    while step and line.startswith(step * (level + 1)):
        level += 1
    return "\t" * level + line[len(step) * level :]


def _text(path: Path, longest: int | None = _LONGEST) -> str:
    try:
        return path.read_text(encoding="utf-8")[:longest] if path.is_file() else ""
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 ({error.reason})") from error


def _json(path: Path) -> Json:
    try:
        found: Json = json.loads(_text(path, longest=None))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON ({error})") from error
    return found


CARD = Scenario(
    name="code_apps",
    title="APPS",
    description="Problems of programming contests, tested by running the solutions.",
    licence="MIT (archive); the problems belong to the contests they are from",
    redistribution="no",
    citation="https://arxiv.org/abs/2105.09938",
    main_metric="strict_acc",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.code_scenario.CodeScenario",
)
