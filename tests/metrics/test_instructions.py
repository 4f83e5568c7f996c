"""IFEval's 25 instructions, each followed and not; strict, loose, and HELM's number on its golden run."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from holoscope.core import Instance, MetricSpec, Outcome, Trial
from holoscope.metrics.helm import statistics
from holoscope.metrics.instruction_checks import CHECKS, sentences
from metrics.golden_runs import golden_runs
from metrics.made import generated, instance, one
from paths import DATA, GOLDEN, needs_data, needs_golden

ENGLISH = "Please write a letter about the weather in the north of the country this week"
CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("keywords:existence", {"keywords": ["Mom", "tea"]}, "my mom drinks TEA", "my mom drinks coffee"),
    ("keywords:frequency", {"keyword": "no", "frequency": 2, "relation": "at least"}, "no, No", "no"),
    ("keywords:frequency", {"keyword": "no", "frequency": 2, "relation": "less than"}, "no", "no no"),
    ("keywords:forbidden_words", {"forbidden_words": ["can"]}, "a candle", "Can it"),
    ("keywords:letter_frequency", {"letter": "o", "let_frequency": 2, "let_relation": "at least"}, "Oo", "o"),
    ("language:response_language", {"language": "de"}, "Das Wetter ist heute sehr schön und warm", ENGLISH),
    ("length_constraints:number_sentences", {"relation": "less than", "num_sentences": 3}, "A. B?", "One. Two! Three?"),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "one\n***\ntwo", "one\n***\n***\ntwo"),
    ("length_constraints:number_words", {"relation": "at least", "num_words": 3}, "one two three", "one two"),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Hello"},
        "one\n\n'hello, you",
        "hello\n\none",
    ),
    ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[a] and [b]", "[a] alone"),
    ("detectable_content:postscript", {"postscript_marker": "P.S."}, "Bye.\nP.S. more", "Bye. PS more"),
    ("detectable_content:postscript", {"postscript_marker": "P.P.S"}, "Bye.\nP.P.S. more", "Bye.\nP.S. more"),
    ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "* a\n- b", "* a"),
    ("detectable_format:constrained_response", {}, "Well. My answer is no.", "No."),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "a *marked* word", "a ** ** word"),
    (
        "detectable_format:multiple_sections",
        {"section_spliter": "SECTION", "num_sections": 2},
        "SECTION 1\na\nSECTION 2\nb",
        "SECTION 1\na",
    ),
    ("detectable_format:json_format", {}, '```json\n{"a": [1]}\n```', "{a: 1}"),
    ("detectable_format:title", {}, "<<a title>>\ntext", "<<>>\ntext"),
    ("combination:two_responses", {}, "one\n******\ntwo", "one\n******\none"),
    ("combination:repeat_prompt", {"prompt_to_repeat": "Say it. "}, "say it. It.", "It. Say it."),
    ("startend:end_checker", {"end_phrase": "Any questions?"}, 'Yes. "any questions?"', "Any questions? No."),
    ("startend:quotation", {}, '"all of it"', '"half" of it'),
    (
        "change_case:capital_word_frequency",
        {"capital_relation": "at least", "capital_frequency": 2},
        "BIG and LOUD",
        "BIG and quiet",
    ),
    ("change_case:english_capital", {}, ENGLISH.upper(), ENGLISH),
    ("change_case:english_lowercase", {}, ENGLISH.lower(), ENGLISH),
    ("punctuation:no_comma", {}, "one and two", "one, two"),
]


def asked(said: str, *instructions: tuple[str, dict[str, Any]]) -> Trial:
    extra: dict[str, Any] = {
        "instruction_ids": [name for name, _ in instructions],
        "instruction_kwargs": [a for _, a in instructions],
    }
    return generated(Instance(id="id0", input="?", extra=extra), said)


@pytest.mark.parametrize(("name", "args", "good", "bad"), CASES)
def test_each_instruction(name: str, args: dict[str, Any], good: str, bad: str) -> None:
    assert CHECKS[name](good, args)
    assert not CHECKS[name](bad, args)


def test_every_instruction_is_tried() -> None:
    assert {name for name, *_ in CASES} == set(CHECKS)
    assert len(CHECKS) == 25


def test_the_share_of_instructions_and_whether_all() -> None:
    trial = asked("one, two", ("punctuation:no_comma", {}), ("keywords:existence", {"keywords": ["two"]}))
    assert one("ifeval_strict_accuracy", trial).value == 0.5
    assert one("ifeval_strict_prompt_accuracy", trial).value == 0
    assert one("ifeval_strict_accuracy", trial).reason == "not followed: punctuation:no_comma"


def test_loose_forgives_an_introduction() -> None:
    trial = asked('Sure, here it is:\n"quoted"', ("startend:quotation", {}))
    assert one("ifeval_strict_accuracy", trial).value == 0
    assert one("ifeval_loose_accuracy", trial).value == 1


def test_loose_forgives_emphasis() -> None:
    trial = asked('**"quoted"**', ("startend:quotation", {}))
    assert one("ifeval_loose_prompt_accuracy", trial).value == 1


def test_an_empty_response_follows_nothing() -> None:
    assert one("ifeval_loose_accuracy", asked("", ("punctuation:no_comma", {}))).value == 0


def test_arguments_that_are_null_are_absent() -> None:
    trial = asked("x", ("keywords:existence", {"keywords": ["x"], "relation": None}))
    assert one("ifeval_strict_accuracy", trial).value == 1


def test_the_benchmarks_own_keys_are_read() -> None:
    extra: dict[str, Any] = {"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
    trial = generated(Instance(id="id0", input="?", extra=extra), "fine")
    assert one("ifeval_strict_accuracy", trial).value == 1


def test_no_instructions_are_not_supported() -> None:
    assert one("ifeval_strict_accuracy", generated(instance(), "x")).outcome is Outcome.NOT_SUPPORTED


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("One. Two! Three?", 3), ("Dr. Smith met J. Doe at 3.5 km.", 1), ("No end", 1), ("好。再见！", 2)],
)
def test_sentences_are_counted(text: str, count: int) -> None:
    assert sentences(text) == count


def test_a_language_is_the_same_on_every_call() -> None:
    check = CHECKS["language:response_language"]
    assert {check("Hola", {"language": "es"}) for _ in range(20)} in ({True}, {False})


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_no_text_breaks_a_check(text: str) -> None:
    for name, args, _, _ in CASES:
        assert CHECKS[name](text, args) in (True, False)


@needs_data
@needs_golden
def test_helms_number_on_its_golden_run() -> None:
    with (DATA / "ifeval" / "ifeval_input_data.jsonl").open(encoding="utf-8") as lines:
        rows = {row["prompt"]: row for row in map(json.loads, lines)}
    run = golden_runs(GOLDEN / "ifeval.json.gz")[0]
    trials = [_with_instructions(trial, rows[trial.instance.input]) for trial in run.trials]
    expected = {
        row["instance_id"]: stat["mean"]
        for row in run.per_instance_stats
        for stat in row["stats"]
        if stat["name"]["name"] == "ifeval_strict_accuracy"
    }
    for trial in trials:
        for compat in (True, False):
            assert one("ifeval_strict_accuracy", trial, compat=compat).value == pytest.approx(
                expected[trial.instance.id]
            )
    written: tuple[list[dict[str, Any]], ...] = statistics(replace(run.spec, metrics=(MetricSpec("ifeval"),)), trials)
    assert {json.dumps(s["name"]) for s in written[0]} == {json.dumps(s["name"]) for s in run.stats}
    assert len(written[1]) == len(run.per_instance_stats)


def _with_instructions(trial: Trial, row: dict[str, Any]) -> Trial:
    extra = {"instruction_ids": row["instruction_id_list"], "instruction_kwargs": row["kwargs"]}
    return replace(trial, instance=replace(trial.instance, extra=extra))


@pytest.mark.parametrize("text", ["[" * 50_000, "<<" * 25_000, "." * 50_000 + "x", "\n" * 50_000, "*" * 50_000])
def test_hostile_responses_take_no_time(text: str) -> None:
    start = time.process_time()
    for name, args, _, _ in CASES:
        if "language" not in name and "english" not in name:
            CHECKS[name](text, args)
    assert time.process_time() - start < 1
