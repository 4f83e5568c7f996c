"""`holoscope new`: the files of a new scenario, which run as they are and are then made one's own."""

import re
from pathlib import Path
from string import Template

from holoscope.core import UsageError

_MODULE = '''\
"""$title: say here what it asks, and what a reader should know of its rows."""

from pathlib import Path

from holoscope.core import Registry
from holoscope.scenarios import tabular

ROWS = Path(__file__).with_name("$rows")  # once they are published: their pinned address, and sha256={"test": ...}


def register(registry: Registry) -> None:
    tabular(
        registry,
        "$name",
        title="$title",
        description="Which of four words fits.",
        licence="CC0-1.0",
        redistribution="yes",
        citation="https://example.org/$name",
        test=str(ROWS),
        input="question",
        choices="choices",
        answers="answer",
        answer_as="letter",
    )
'''
_ROWS = """\
{"question": "Which of these can fly?", "choices": ["a stone", "a spoon", "a swallow", "a table"], "answer": "C"}
{"question": "Which of these is a colour?", "choices": ["green", "quick", "seven", "under"], "answer": "A"}
{"question": "Which of these is wet?", "choices": ["a desert", "a lake", "a flame", "a brick"], "answer": "B"}
"""
_TEST = '''\
"""$title: its gold answers are scored as right."""

from pathlib import Path

from holoscope.cli import invoke

MODULE = Path(__file__).with_name("$name.py")


def test_it_is_whole_and_its_gold_answers_are_right() -> None:
    assert invoke(["check", str(MODULE)]) == 0
'''
_PROJECT = """\
# Installed (pip install -e .), the scenario is an entry like any other: holoscope run $name --model ...
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "holoscope-$dashed"
version = "0.1.0"
dependencies = ["holoscope"]

[project.entry-points.holoscope]
$name = "$name:register"

[tool.hatch.build.targets.wheel]
include = ["$name.py", "$rows"]
"""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_KINDS = ("scenario",)


def new(kind: str, name: str, *, to: Path | None = None, json: bool = False) -> int:
    """Write a folder with a module, rows, a test and a project file for a new scenario.

    Parameters
    ----------
    kind
        `scenario`.
    name
        What it is called in run entries: small letters, digits and _.
    to
        Folder to write; by default one of that name here.
    json
        Print the files' names as JSON.
    """
    import msgspec

    from holoscope.cli.session import console, registry
    from holoscope.entries.arguments import choose

    choose("KIND", kind, _KINDS, "(new scenario NAME; other kinds are registered as docs/guide-new-scenario.md says)")
    if not _NAME.fullmatch(name):
        raise UsageError(f"a scenario's name is small letters, digits and _, e.g. my_riddles; not {name!r}")
    known = registry()
    if name in known.tasks or name in known.aliases:
        raise UsageError(f"there is a scenario {name!r} already; choose another name")
    written = _write(to or Path(name), name)
    if json:
        print(msgspec.json.encode({"files": [str(path) for path in written]}).decode())  # noqa: T201
        return 0
    for path in written:
        console().print(f"Written: {path}", soft_wrap=True)
    console().print(f"Next: holoscope check {written[0]}", soft_wrap=True)
    return 0


def _write(folder: Path, name: str) -> list[Path]:
    """Write every file into a folder that is not there yet; their paths, the module's first."""
    words = {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "rows": f"{name}_rows.jsonl",
        "dashed": name.replace("_", "-"),
    }
    files = {f"{name}.py": _MODULE, words["rows"]: _ROWS, f"test_{name}.py": _TEST, "pyproject.toml": _PROJECT}
    try:
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(Template(text).substitute(words), encoding="utf-8")
    except FileExistsError:
        raise UsageError(f"{folder} is there already; give another folder with --to") from None
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from error
    return [folder / file for file in files]
