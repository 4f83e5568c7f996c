"""The guide to a model of one's own, run as it stands."""

import re
from pathlib import Path

import pytest

from holoscope.cli import invoke
from holoscope.core import Params, Registry, Request, Settings
from holoscope.models import resolve
from paths import ROOT
from serving import questions

GUIDE = ROOT / "docs" / "guide-own-model.md"


def shown() -> list[str]:
    """The guide's two pieces of code."""
    return re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_guides_models_have_at_most_ten_lines() -> None:
    assert [len([line for line in code.splitlines() if line.strip()]) <= 10 for code in shown()] == [True, True]


def test_the_guides_file_is_asked_and_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shouting.py").write_text(shown()[0], encoding="utf-8")
    questions(tmp_path / "q.jsonl", 8)
    assert invoke(["run", "./q.jsonl", "--model", "python/shouting.py:answer"]) == 0
    assert "0.25" in capsys.readouterr().out  # it always says D, which is right twice in eight


async def test_the_guides_provider_is_asked(tmp_path: Path) -> None:
    registry, told = Registry(), {}  # type: ignore[var-annotated]
    path = tmp_path / "package.py"  # a function's source is read from its file
    path.write_text(shown()[1], encoding="utf-8")
    exec(compile(shown()[1], str(path), "exec"), told)
    told["register"](registry)
    model = resolve("shouting/loud", Settings(cache_dir=tmp_path), registry=registry)
    assert (await model.generate(Request(Params(), prompt="say cheese"))).text == "CHEESE"
    assert model.card.name == "shouting/loud"
    await model.aclose()
