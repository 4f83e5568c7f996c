"""Texts that are scored and prompts that hold images, as a user runs them; and what is listed and can't be run."""

import json
from pathlib import Path
from typing import Any

import pytest

from paths import DATA, needs_data
from scenarios.pictured import mmmu
from serving import holoscope


def cells(folder: Path, out: str = "out") -> dict[str, dict[str, Any]]:
    shown = holoscope("show", "--out", out, "--json", cwd=folder)
    return {cell["metric"]: cell for cell in json.loads(shown.stdout)["cells"]}


@needs_data
@pytest.mark.model
def test_a_real_model_scores_articles_in_windows(tmp_path: Path) -> None:
    cache = str(Path.home() / ".cache" / "holoscope")
    for name, options in (("whole", ""), ("cut", "?window=64")):
        words = ["run", "wikitext_103", "--model", f"local/smollm2-135m-instruct{options}", "-m", "2", "--out", name]
        done = holoscope(*words, "--data-dir", str(DATA), cwd=tmp_path, HOLOSCOPE_CACHE=cache)
        assert done.returncode == 0, done.stderr
    whole, cut = (cells(tmp_path, name) for name in ("whole", "cut"))
    assert whole["num_bytes"]["value"] == cut["num_bytes"]["value"]
    assert 0.5 < whole["bits_per_byte"]["value"] < cut["bits_per_byte"]["value"] < 2
    assert whole["bits_per_byte"]["method"].endswith("each text whole")
    assert cut["bits_per_byte"]["method"].endswith("windows of up to 64 tokens")


@needs_data
def test_texts_and_passages_fill_a_grid(tmp_path: Path) -> None:
    entries = ("twitter_aae:demographic=white", "msmarco:track=trec,valid_topk=20")
    words = ("run", *entries, "--model", "test/echo", "-m", "4", "--data-dir", str(DATA), "--out", "out")
    done = holoscope(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = cells(tmp_path)
    assert found["bits_per_byte"]["axis"] == found["NDCG@10"]["axis"] == "accuracy"
    assert (found["bits_per_byte"]["n"], found["NDCG@10"]["n"]) == (4, 4)
    assert found["NDCG@10"]["low"] is not None


@needs_data
def test_a_cell_says_why_a_model_scores_no_text(tmp_path: Path) -> None:
    words = ("run", "wikitext_103", "--model", "anthropic/claude", "-m", "2", "--data-dir", str(DATA), "--out", "out")
    done = holoscope(*words, cwd=tmp_path, ANTHROPIC_API_KEY="never-used")
    assert done.returncode == 1
    cell = cells(tmp_path)["bits_per_byte"]
    assert (cell["value"], cell["n_missing"]) == (None, 2)
    assert cell["reason"] == "anthropic/claude does not score given text (no echo)"
    assert cells(tmp_path)["logprob"]["outcomes"] == {"not_supported": 2}


def test_questions_about_images_are_asked(tmp_path: Path) -> None:
    mmmu(tmp_path / "data")
    entry = "mmmu:subject=Art,question_type=multiple-choice"
    where = ("--data-dir", "data", "--out", "out")
    done = holoscope("run", entry, "--model", "test/echo", *where, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert cells(tmp_path)["quasi_prefix_exact_match"]["n"] == 2


def test_a_dry_run_writes_images_by_their_hash(tmp_path: Path) -> None:
    mmmu(tmp_path / "data")
    entry = "mmmu:subject=Art,question_type=open"
    words = ("run", entry, "--model", "test/echo", "--data-dir", "data", "--dry-run", "--requests", "r.jsonl")
    assert holoscope(*words, cwd=tmp_path).returncode == 0
    first = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()[0])
    image = next(part for part in first["messages"][0]["content"] if part["type"] == "image")
    assert (len(image["sha256"]), image["data"]) == (64, "")


def test_images_to_be_made_are_listed_and_their_cell_says_why_they_are_not(tmp_path: Path) -> None:
    reason = "it asks for images, and no model that makes images is supported yet"
    listed = holoscope("list", "scenarios", cwd=tmp_path).stdout
    assert any(line.startswith("parti_prompts ") and reason in line for line in listed.splitlines())
    done = holoscope("run", "parti_prompts:category=all", "--model", "test/echo", "--out", "out", cwd=tmp_path)
    assert done.returncode == 1
    shown = holoscope("show", "--out", "out", "--json", cwd=tmp_path)
    cell = next(cell for cell in json.loads(shown.stdout)["cells"] if cell["axis"] == "accuracy")
    assert cell["reason"] == f"failed: not_supported: {reason}"
