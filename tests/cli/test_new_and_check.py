"""`new` writes a scenario that runs as it is; `check` says what is wrong with one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.invoked import Command
from paths import DATA, needs_data


def test_a_new_scenario_is_whole_at_once(here: Command) -> None:
    assert here("new", "scenario", "my_riddles").returncode == 0
    done = here("check", "my_riddles/my_riddles.py")
    assert done.returncode == 0
    assert "exact_match            3 gold answers of 3 are right" in done.stdout
    assert "Question: Which of these can fly?" in done.stdout


def test_its_own_test_passes(here: Command, tmp_path: Path) -> None:
    here("new", "scenario", "my_riddles", "--to", "mine")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "mine"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


def test_its_project_file_names_the_door(here: Command, tmp_path: Path) -> None:
    here("new", "scenario", "my_riddles")
    project = (tmp_path / "my_riddles" / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.holoscope]\nmy_riddles = "my_riddles:register"' in project


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("metric", "mine"), "unknown value of KIND 'metric' (new scenario NAME"),
        (("scenario", "My-Riddles"), "a scenario's name is small letters, digits and _"),
        (("scenario", "mmlu"), "there is a scenario 'mmlu' already"),
        (("scenario", "gsm8k"), "there is a scenario 'gsm8k' already"),
        (("scenario", "mine", "--to", "."), ". is there already"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(words: tuple[str, ...], problem: str, here: Command) -> None:
    done = here("new", *words)
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1


def changed(here: Command, tmp_path: Path, old: str, new: str) -> Path:
    """A new scenario's module with one change."""
    here("new", "scenario", "mine")
    module = tmp_path / "mine" / "mine.py"
    text = module.read_text(encoding="utf-8")
    assert old in text
    module.write_text(text.replace(old, new), encoding="utf-8")
    return module


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('licence="CC0-1.0"', 'licence=""', "wrong licence not stated: give licence="),
        ('citation="https://example.org/mine"', 'citation=""', "wrong citation not stated: give citation="),
        ('input="question"', 'input="riddle"', "riddle should be text or a number, and is missing"),
        ('answer_as="letter"', 'answer_as="number"', "names none of its 4 choices by number"),
        ("test=str(ROWS)", 'test="https://h.invalid/t.jsonl"', "may change: give its sha256, or a fixed revision"),
        ('choices="choices",', "", "quasi_exact_match"),
    ],
)
def test_what_is_wrong_has_a_line(
    old: str, new: str, problem: str, here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLOSCOPE_OFFLINE", "1")
    done = here("check", str(changed(here, tmp_path, old, new)))
    assert problem in " ".join(done.stdout.split())
    assert done.returncode == (0 if old.startswith("choices") else 1)


def test_a_gold_answer_that_is_not_scored_as_right_is_found(here: Command, tmp_path: Path) -> None:
    module = changed(here, tmp_path, 'choices="choices",', 'main_metric="rouge_2",')
    done = here("check", str(module))
    assert done.returncode == 1
    assert "3 of 3 gold answers are not right: id0 gives 0 for 'C'" in done.stdout


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import nowhere_at_all", "cannot be loaded (ModuleNotFoundError: "),
        ("x = 1", "it has no function register(registry)"),
        ("def register(registry): pass", "adds no run entry"),
    ],
)
def test_a_file_that_is_no_scenario_is_refused(text: str, problem: str, here: Command, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(text, encoding="utf-8")
    done = here("check", "m.py")
    assert done.returncode == 2
    assert problem in done.stderr


def test_a_scenario_that_is_not_installed_is_found_by_its_file(here: Command) -> None:
    here("new", "scenario", "my_riddles")
    done = here("check", "my_riddles")
    assert done.returncode == 2
    assert "to check its file: holoscope check my_riddles/my_riddles.py" in done.stderr


@needs_data
@pytest.mark.parametrize("entry", ["gsm", "bbh:task=navigate", "med_qa"])
def test_built_in_ones_are_checked_by_name(entry: str, here: Command) -> None:
    told = json.loads(here("check", entry, "--data-dir", str(DATA), "--json").stdout)
    found = [each for each in told["findings"] if "gold answers" in each["found"]]
    assert [each["kind"] for each in found] == ["ok"]
    assert told["prompts"][0]


def test_a_track_is_more_than_one_scenario(here: Command) -> None:
    assert "check looks at one scenario at a time" in here("check", "mmlu-all").stderr
