"""Metrics of long contexts, of spans in other languages and of stated answers, against values worked out by hand."""

import pytest

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    Json,
    Outcome,
    Params,
    PlannedRequest,
    Reference,
    Request,
    Score,
    Trial,
    builtin,
)

KNOWN = builtin()


def trial(said: str, *golds: str, extra: dict[str, Json] | None = None) -> Trial:
    references = tuple(Reference(gold, ("correct",)) for gold in golds)
    instance = Instance(id="a", input="?", references=references, extra=extra or {})
    planned = PlannedRequest(instance=instance, request=Request(Params(), prompt="?"))
    return Trial(instance, (Exchange(planned, Completion(Outcome.OK, (Choice(said),))),))


def scored(name: str, said: str, *golds: str, extra: dict[str, Json] | None = None, **args: Json) -> Score:
    found: Score = KNOWN.metrics.get(name).score(trial(said, *golds, extra=extra), **args)
    return found


@pytest.mark.parametrize(
    ("said", "value"),
    [("It was ANN, I think.", 1.0), ("Ann-Marie", 1.0), ("Bo", 0.0), ("", 0.0), ("<think>Ann?</think>Bo", 0.0)],
)
def test_an_answer_counts_wherever_it_stands_in_the_answer(said: str, value: float) -> None:
    assert scored("ruler_string_match_part", said, "Ann", "Anna").value == value


def test_helms_ruler_reads_the_thinking_too() -> None:
    assert scored("ruler_string_match_part@helm", "<think>Ann?</think>Bo", "Ann").value == 1.0


MARK: dict[str, Json] = {"random_string_to_prepend": "Qx7"}


@pytest.mark.parametrize(("said", "value"), [("Qx7abcd", 1.0), (" Qx7ab", 2 / 3), ("abcd", 0.0), ("", 0.0)])
def test_a_repeated_text_counts_after_its_string_only(said: str, value: float) -> None:
    assert scored("openai_mrcr_accuracy", said, "Qx7abcd", extra=MARK).value == pytest.approx(value)


def test_helm_wants_the_string_at_the_very_start() -> None:
    assert scored("openai_mrcr_accuracy@helm", " Qx7abcd", "Qx7abcd", extra=MARK).value == 0.0


CLASSES: dict[str, Json] = {"classes": ["City", "Other location", "location"]}


@pytest.mark.parametrize(
    ("name", "said", "gold", "value"),
    [
        ("longbench_qa_f1", "the corpus, large", "large corpus", 1.0),
        ("longbench_qa_f1", "a small corpus", "large corpus", 0.5),
        ("longbench_rouge_l", "It spends money", "It reports. It spends money.", 2 * 3 / (3 + 4)),
        ("longbench_classification", "City or Other location", "Other location", 0.5),
        ("longbench_classification", "City", "Other location", 0.0),
        ("longbench_retrieval", "Paragraph 12 or Paragraph 3", "Paragraph 12", 0.5),
        ("longbench_retrieval", "none", "Paragraph 12", 0.0),
        ("longbench_code_similarity", "```python\nreturn total\nmore", "return total", 1.0),
    ],
)
def test_longbenchs_metrics(name: str, said: str, gold: str, value: float) -> None:
    assert scored(name, said, gold, extra=CLASSES).value == pytest.approx(value)


def test_only_the_first_line_is_read_where_the_prompt_says_so() -> None:
    said = "\nOther location\nQuestion: City?"
    assert scored("longbench_classification", said, "Other location", extra=CLASSES, first_line=True).value == 1.0


@pytest.mark.parametrize(
    ("said", "gold", "value"),
    [
        ("... So the answer is (B).", "(B)", 1.0),
        ("First, the answer is (A). No: the answer is **(B) 12/24**.", "(B)", 1.0),
        ("So the answer is B.", "(B)", 1.0),
        ("So the answer is (A).", "(B)", 0.0),
        ("So the answer is not True.", "True", 0.0),
        ("So the answer is ] ) >.", "] ) >", 1.0),
        ("The answer is: 1,024.", "1024", 1.0),
        ("True", "True", 1.0),
        ("valid", "invalid", 0.0),
        ("", "True", 0.0),
    ],
)
def test_the_answer_that_is_stated_last_counts(said: str, gold: str, value: float) -> None:
    assert scored("stated_exact_match", said, gold).value == value


def test_a_long_reply_that_states_nothing_is_ungradable() -> None:
    found = scored("stated_exact_match", "Let us think.\nIt could be (A) or it could be (B).", "(B)")
    assert (found.value, found.outcome) == (None, Outcome.UNGRADABLE)


def test_the_span_is_that_of_the_stated_answer() -> None:
    said = "So the answer is (B)."
    found = scored("stated_exact_match", said, "(B)")
    assert found.span is not None
    assert said[slice(*found.span)] == "(B)."


def test_spans_know_the_languages_articles() -> None:
    assert scored("squad_exact_match_score", "a casa", "casa", language="pt").value == 1.0
    assert scored("squad_exact_match_score", "a casa", "casa", language="id").value == 0.0
    assert scored("squad_f1_score", "sungai Nil", "Sungai Nil!", "Nil", language="id").value == 1.0


def test_thai_spans_are_compared_by_characters_and_helms_are_not_supported() -> None:
    assert scored("squad_f1_score", "ฝนตกหนัก", "ฝนตก", language="th").value == pytest.approx(2 * 4 / (4 + 8), abs=0.1)
    with pytest.raises(Exception, match="pythainlp"):
        scored("squad_f1_score@helm", "ฝนตก", "ฝนตก", language="th")


def test_chrf_is_sacrebleus() -> None:
    assert scored("chr_f_plus_plus", "Hari hujan.", "Hari hujan.").value == pytest.approx(100.0)
    found = scored("chr_f_plus_plus", "Hari hujan.", "Hari panas.").value
    assert found == scored("chr_f_plus_plus@helm", "Hari hujan.", "Hari panas.").value
    assert found is not None
    assert 0 < found < 100
