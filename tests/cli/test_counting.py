"""Who counted a run's tokens: in the plan, in the manifest, and in what `doctor` says."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.invoked import Command
from models.stub import chat
from models.test_served_window import serving, vllm
from serving import questions


def answering(path: str, body: dict[str, Any]) -> Any:
    return chat("A") if path == "/v1/chat/completions" else vllm(path, body)


def model_of(out: Path) -> dict[str, Any]:
    (manifest,) = out.rglob("run.json")
    found: dict[str, Any] = json.loads(manifest.read_text(encoding="utf-8"))["model"]
    return found


def test_a_prompt_that_the_server_finds_too_long_is_not_sent(here: Command, tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 1)
    with serving(answering) as server:
        done = here("run", "./q.jsonl", "--model", "vllm/m", "--base-url", f"{server.url}/v1", "--out", "out")
    assert "a window of 20 tokens" in done.stderr
    assert "/v1/chat/completions" not in server.asked
    found = model_of(tmp_path / "out")
    assert found["tokenizer"] == "the endpoint's /tokenize (vLLM or SGLang); what surely fits is estimated"
    assert "has_estimates" not in found


def test_what_surely_fits_is_sent_without_asking_and_marked_as_estimated(here: Command, tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 2)
    with serving(answering) as server:
        address = ("--model", "vllm/m?window=4000", "--base-url", f"{server.url}/v1")
        done = here("run", "./q.jsonl", *address, "--out", "out")
        assert set(server.asked) == {"/v1/chat/completions"}
        planned = here("run", "./q.jsonl", *address, "--dry-run")
    assert done.returncode == 0, done.stderr
    found = model_of(tmp_path / "out")
    assert (found["tokenizer"], found["has_estimates"]) == ("estimated: 4 bytes a token; all of it surely fits", True)
    assert "about" in planned.stdout


def test_exact_counts_are_not_marked(here: Command, tmp_path: Path) -> None:
    questions(tmp_path / "q.jsonl", 1)
    assert here("run", "./q.jsonl", "--model", "test/echo", "--out", "out").returncode == 0
    found = model_of(tmp_path / "out")
    assert (found["tokenizer"], found.get("has_estimates")) == ("words", None)


@pytest.mark.parametrize("words", [("--json",), ()])
def test_doctor_says_who_counts_and_the_servers_window(words: tuple[str, ...], here: Command) -> None:
    with serving(answering) as server:
        said = here("doctor", "--model", "vllm/m", "--base-url", f"{server.url}/v1", *words).stdout
    assert "window, as the server states it" in said
    assert "the endpoint's /tokenize (vLLM or SGLang)" in said
