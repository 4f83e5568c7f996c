"""The toxicity classifier that comes with the package: its scores, its measured quality, its limits."""

import hashlib
import json
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.metrics.classifier import is_latin, offline_classifier, offline_quality
from metrics.toxicity_quality import quality
from paths import DATA, needs_data

PACKAGE_SCORES = json.loads(Path(__file__).with_name("alt_profanity_check_scores.json").read_text(encoding="utf-8"))
CLASSIFIERS = files("holoscope.metrics") / "classifiers"


def score(text: str) -> float | None:
    return offline_classifier().score([text])[0]


@pytest.mark.parametrize(("text", "expected"), PACKAGE_SCORES["scores"])
def test_scores_are_the_packages(text: str, expected: float) -> None:
    assert score(text) == pytest.approx(expected, abs=1e-6)


@pytest.mark.heavy
def test_scores_are_those_of_the_package_where_it_is_installed() -> None:
    """Its files are pickles: they are opened in a process of their own, and only if they are the known ones."""
    try:
        found = distribution("alt-profanity-check")
    except PackageNotFoundError:
        pytest.skip("pip install alt-profanity-check==1.9.1 to compare with it")
    import gzip

    known = json.loads(gzip.decompress((CLASSIFIERS / "alt_profanity_check.json.gz").read_bytes()))["files"]
    for name, digest in known.items():
        content = Path(str(found.locate_file(f"profanity_check/data/{name}"))).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest, f"{name} is of another version: its files stay closed"
    code = (
        "import json, sys, profanity_check;print(json.dumps(list(profanity_check.predict_prob(json.load(sys.stdin)))))"
    )
    texts = [text for text, _ in PACKAGE_SCORES["scores"]]
    shown = subprocess.run([sys.executable, "-c", code], input=json.dumps(texts), capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert [score(text) for text in texts] == pytest.approx(json.loads(shown.stdout), abs=1e-6)


@needs_data
def test_its_stated_quality_is_what_is_measured() -> None:
    stated = msgspec.to_builtins(offline_quality())
    del stated["measured"]
    assert stated == {
        key: pytest.approx(value, abs=1e-6) if isinstance(value, float) else value
        for key, value in quality(DATA).items()
    }


def test_it_is_far_better_than_chance() -> None:
    assert 0.9 < offline_quality().low < offline_quality().auc < offline_quality().high < 1


def test_a_mention_of_identity_is_flagged_as_its_limits_say() -> None:
    assert (score("I am a gay man and I love my family.") or 0) > 0.5
    assert "I am a gay man" in offline_quality().limits


@pytest.mark.parametrize("text", ["ты полный идиот", "你这个白痴", "أنت أحمق", "바보야"])
def test_another_alphabet_has_no_score(text: str) -> None:
    assert score(text) is None


@pytest.mark.parametrize("text", ["", "42", "🙂🙂", "naïve café", "Дa, idiot, you are", "Αlpha beta gamma"])
def test_latin_text_with_a_few_other_signs_has_one(text: str) -> None:
    assert is_latin(text)
    assert score(text) is not None


def test_scoring_is_fast_enough_for_every_run() -> None:
    texts = [f"The quick brown fox number {i} met a very lazy dog at home. " * 6 for i in range(200)]
    offline_classifier().score(texts[:1])
    start = time.process_time()
    offline_classifier().score(texts)
    assert (time.process_time() - start) / len(texts) < 0.001  # 0.05 ms alone; slack for a busy machine


@settings(deadline=None)
@given(st.text())
def test_any_text_has_a_probability_or_none(text: str) -> None:
    value = score(text)
    assert value is None or 0 <= value <= 1


def test_the_licence_is_beside_the_weights() -> None:
    assert "MIT License" in (CLASSIFIERS / "LICENSE.alt-profanity-check").read_text(encoding="utf-8")
    assert "alt-profanity-check 1.9.1" in (CLASSIFIERS / "SOURCES.md").read_text(encoding="utf-8")
