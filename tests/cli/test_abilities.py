"""What a model can't do is said before anything is spent, and what was left out of its requests is in the run."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.invoked import Command
from cli.test_wires import served
from holoscope.core import builtin
from holoscope.report.library import Library
from holoscope.report.pages.links import ServerLinks
from holoscope.report.pages.run import run as run_page
from models.servers import able, ignores_echo, is_question, reasons
from models.stub import Asked, Say, Stub, chat
from scenarios.upstream import write_text
from serving import questions


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOLOSCOPE_OFFLINE", "1")
    monkeypatch.setenv("HOLOSCOPE_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def llama() -> Iterator[Stub]:
    with served(ignores_echo) as stub:
        yield stub


@pytest.fixture
def letter() -> Iterator[Stub]:
    """A server that answers each question with a letter."""
    with served(lambda asked: Say(chat("A"))) as stub:
        yield stub


def tweets(folder: Path, count: int) -> None:
    for name in ("aa", "white"):
        write_text(folder / f"data/twitter_aae/{name}_tweets.csv", "".join(f"so {name} {i}\n" for i in range(count)))


def questions_to(stub: Stub) -> int:
    return sum(map(is_question, stub.asked))


def manifests(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.rglob("run.json"))]


def test_a_run_that_can_t_be_asked_is_told_first_and_not_sent(here: Command, llama: Stub, tmp_path: Path) -> None:
    tweets(tmp_path, 5)
    done = here(
        "run", "twitter_aae:demographic=aa", "twitter_aae:demographic=white",
        "--model", "custom/m?echo=false", "--base-url", llama.url,
    )  # fmt: skip
    told = "note: 2 of 2 runs can't be asked and are not sent: custom/m does not score given text (no echo)"
    assert done.stderr.splitlines()[0] == told
    assert (done.returncode, questions_to(llama)) == (1, 0)
    assert {json.dumps(each["outcomes"]) for each in manifests(tmp_path)} == {'{"not_supported": 5}'}


def test_a_dry_run_tells_it_too(here: Command, llama: Stub, tmp_path: Path) -> None:
    tweets(tmp_path, 5)
    done = here(
        "run", "twitter_aae:demographic=aa", "--model", "custom/m?echo=false", "--base-url", llama.url, "--dry-run"
    )
    assert "note: 1 of 1 run can't be asked and is not sent: custom/m does not score given text" in done.stderr


def test_once_an_endpoint_was_seen_to_ignore_echo_no_more_is_sent_in_the_whole_suite(
    here: Command, llama: Stub, tmp_path: Path
) -> None:
    tweets(tmp_path, 200)
    entries = ("twitter_aae:demographic=aa", "twitter_aae:demographic=white")
    done = here("run", *entries, "--model", "custom/m", "--base-url", llama.url, "--max-connections", "8")
    assert done.returncode == 1
    assert 1 <= questions_to(llama) <= 8
    assert [each["outcomes"] for each in manifests(tmp_path)] == [{"not_supported": 200}] * 2
    assert "the endpoint ignores echo" in done.stderr


def test_so_it_is_where_the_echo_has_no_log_probabilities(here: Command, tmp_path: Path) -> None:
    def bare(asked: Asked) -> Say:
        said = able(asked)
        if is_question(asked):
            said.body["choices"][0]["logprobs"] = None
        return said

    tweets(tmp_path, 200)
    with served(bare) as stub:
        here(
            "run", "twitter_aae:demographic=aa", "--model", "custom/m", "--base-url", stub.url, "--max-connections", "8"
        )
    assert 1 <= questions_to(stub) <= 8


def test_without_log_probabilities_a_run_is_asked_and_its_calibration_says_why(here: Command, letter: Stub) -> None:
    questions(Path("q.jsonl"), 4)
    done = here("run", "./q.jsonl", "--model", "custom/m?logprobs=false", "--base-url", letter.url)
    assert done.returncode == 0
    told = "note: 1 of 1 run is asked, but has no calibration: custom/m gives no log-probabilities"
    assert done.stderr.splitlines()[0] == told
    cells = json.loads(here("show", "--json").stdout)["cells"]
    calibration = [cell for cell in cells if cell["axis"] == "calibration" and cell["metric"].startswith("ece")]
    assert calibration
    assert {cell["value"] for cell in calibration} == {None}
    assert all("gives no log-probabilities" in cell["reason"] for cell in calibration)


def test_nothing_is_said_of_a_model_that_can_do_it_all(here: Command, letter: Stub) -> None:
    questions(Path("q.jsonl"), 4)
    assert here("run", "./q.jsonl", "--model", "custom/m", "--base-url", letter.url).stderr == ""


def test_what_was_left_out_or_renamed_is_counted_told_and_shown(here: Command, tmp_path: Path) -> None:
    questions(Path("q.jsonl"), 6)
    with served(reasons) as stub:
        done = here("run", "./q.jsonl", "--model", "custom/m", "--base-url", stub.url, "--out", "out")
    renamed = "max_tokens: sent as max_completion_tokens"
    (manifest,) = manifests(tmp_path / "out")
    assert manifest["dropped_params"][renamed] == 6
    assert manifest["dropped_params"]["temperature=0.0: not taken by the endpoint"] == 6
    assert f"note: custom/m: {renamed} (6 of 6 requests)" in done.stderr
    (folder,) = (tmp_path / "out/runs/default").iterdir()
    page = run_page(Library(tmp_path / "out", builtin()), ServerLinks(), "default", folder.name)
    assert f"{renamed} (6 of 6 requests)" in page
    stored = Library(tmp_path / "out", builtin()).run("default", folder.name)
    assert all(renamed in each.completion.dropped_params for each in stored.exchanges())
