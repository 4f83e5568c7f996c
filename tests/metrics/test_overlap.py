"""Token overlap in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.metrics.overlap import bleu, f1, rouge_l, rouge_n, words

SENTENCES = {
    "Hindi": ("मेरा नाम राम है और मैं दिल्ली में रहता हूँ", "आज मौसम बहुत अच्छा था"),
    "Thai": ("ฉันชอบกินข้าวผัด", "วันนี้อากาศดีมาก"),
    "Chinese": ("我喜欢在公园里散步", "今天天气很好"),
    "Korean": ("나는 공원에서 산책하는 것을 좋아한다", "오늘 날씨가 매우 좋다"),
    "Arabic": ("أحب المشي في الحديقة", "الطقس جميل اليوم"),
}


@pytest.mark.parametrize(("same", "other"), SENTENCES.values(), ids=SENTENCES)
def test_rouge_reads_every_script(same: str, other: str) -> None:
    for score in (lambda a, b: rouge_n(a, b, 1), lambda a, b: rouge_n(a, b, 2), rouge_l):
        assert score(same, same) == 1.0
        assert score(same, other) < 1.0


def test_repetition_costs_precision() -> None:
    assert f1("rome", "rome rome rome rome rome") == pytest.approx(1 / 3)


@pytest.mark.parametrize(("gold", "said"), [("A", "A"), ("An", "An"), ("the", "The")])
def test_an_article_can_be_an_answer(gold: str, said: str) -> None:
    assert f1(gold, said) == 1.0


def test_longest_common_subsequence_keeps_order() -> None:
    assert rouge_l("police killed the gunman", "police kill the gunman") == pytest.approx(3 / 4)
    assert rouge_l("police killed the gunman", "the gunman kill police") == pytest.approx(2 / 4)


def test_bleu_of_equal_texts_is_one() -> None:
    assert bleu("the cat sat on the mat", "the cat sat on the mat") == pytest.approx(1)
    assert bleu("yes", "yes") == pytest.approx(1)


def test_bleu_penalises_brevity() -> None:
    assert bleu("the cat sat on the mat", "the cat", 1) == pytest.approx(2.718281828 ** (1 - 6 / 2))


def test_bleu_without_a_shared_word_is_zero() -> None:
    assert bleu("the cat", "a dog") == 0
    assert bleu("the cat", "") == 0


def test_words_keep_their_vowel_signs() -> None:
    assert words("नमस्ते, 你好 don't") == ("नमस्ते", "你", "好", "don", "t")


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12))
def test_bit_parallel_subsequence_equals_the_table(a: list[str], b: list[str]) -> None:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    longest = table[-1][-1]
    expected = 2 * longest / (len(a) + len(b)) if longest else 0.0
    assert rouge_l(" ".join(a), " ".join(b)) == pytest.approx(expected)
