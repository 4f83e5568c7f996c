"""Text metrics in any script: the same text is the same, other text of the script is not, and values stay in range."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.core import Instance, Outcome
from metrics.made import generated, instance, one, registry

SENTENCES = {
    "Hindi": ("मैं रोज़ सुबह बाग़ में टहलता हूँ", "उसने कल नई किताब खरीदी थी"),
    "Thai": ("ฉันเดินเล่นในสวนทุกเช้า", "เมื่อวานเธอซื้อหนังสือใหม่"),
    "Chinese": ("我每天早上在公园散步", "她昨天买了一本新书"),
    "Korean": ("나는 매일 아침 공원에서 산책한다", "그녀는 어제 새 책을 샀다"),
    "Arabic": ("أتمشى في الحديقة كل صباح", "اشترت كتابا جديدا أمس"),
}
OVERLAPS = ("rouge_1", "rouge_2", "rouge_l", "f1_score", "bleu", "bleu_4", "chrf", "chrf++")
LANGUAGES = {"Hindi": "hi", "Thai": "th", "Chinese": "zh", "Korean": "ko", "Arabic": "ar"}
UNIT = (*OVERLAPS, "bleu_1", "exact_match", "quasi_exact_match", "mer", "wip", "edit_similarity")
FROM_ZERO = ("wer", "cer", "edit_distance", "longest_common_prefix_length")
REGISTRY = registry()


@pytest.mark.parametrize("script", SENTENCES)
@pytest.mark.parametrize("metric", OVERLAPS)
def test_the_same_sentence_is_the_same(metric: str, script: str) -> None:
    same, other = SENTENCES[script]
    language = LANGUAGES[script]
    assert one(metric, generated(instance(same), same), language=language).value == pytest.approx(1)
    value = one(metric, generated(instance(same), other), language=language).value
    assert value is not None
    assert value < 0.5


@pytest.mark.parametrize("script", SENTENCES)
@pytest.mark.parametrize("metric", ["wer", "cer", "mer"])
def test_the_same_transcript_has_no_errors(metric: str, script: str) -> None:
    same, other = SENTENCES[script]
    assert one(metric, generated(instance(same), same)).value == 0
    value = one(metric, generated(instance(same), other)).value
    assert value is not None
    assert value > 0.5


@settings(max_examples=150, deadline=None)
@given(st.text(min_size=1, max_size=40), st.text(max_size=40))
def test_values_are_in_range_on_any_unicode(gold: str, said: str) -> None:
    trial = generated(Instance(id="id0", input="", references=instance(gold).references), said)
    for metric in (*UNIT, *FROM_ZERO):
        found = one(metric, trial)
        if found.value is None:
            assert found.outcome in (Outcome.NOT_SUPPORTED, Outcome.UNGRADABLE)
            assert not found.reason.endswith("Error"), found
        else:
            assert 0 <= found.value <= (1 + 1e-9 if metric in UNIT else math.inf), metric


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=40).filter(lambda text: bool(text.strip())))
def test_a_text_equals_itself(text: str) -> None:
    trial = generated(instance(text), text)
    for metric in ("exact_match", "quasi_exact_match", "f1_score"):
        assert one(metric, trial).value == 1
    for metric in ("wer", "cer"):
        assert one(metric, trial).value in (0, None)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.text(min_size=1, max_size=60))
def test_summaries_are_described_on_any_unicode(article: str, summary: str) -> None:
    trial = generated(Instance(id="id0", input=article), summary)
    coverage, density, compression = (
        one(f"summarization_{name}", trial).value for name in ("coverage", "density", "compression")
    )
    if coverage is not None and density is not None and compression is not None:
        assert 0 <= coverage <= 1
        assert density >= coverage
        assert compression > 0
