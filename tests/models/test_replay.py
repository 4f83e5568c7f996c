"""`replay/FILE`: answers from a recording."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import (
    ConfigError,
    Image,
    Message,
    NotSupportedError,
    Outcome,
    Params,
    Place,
    Request,
    Settings,
    Text,
    Token,
    Usage,
)
from holoscope.models import Model, resolve
from paths import GOLDEN, needs_golden

GREEDY = Params(temperature=0.0)


def recording(folder: Path, *rows: dict[str, Any], name: str = "a.jsonl", start: str = "") -> Path:
    path = folder / name
    text = start + "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def replay(path: Path, options: str = "") -> Model:
    return resolve(f"replay/{path}{options}", Settings(cache_dir=path.parent, local_path=path.parent / "absent"))


def said(*texts: str) -> list[dict[str, Any]]:
    return [{"text": text} for text in texts]


async def test_a_prompt_has_its_recorded_answer(tmp_path: Path) -> None:
    row = {
        "prompt": "2+2=",
        "completions": [{"text": " 4", "tokens": [[" 4", -0.5]], "finish_reason": "stop", "thinking": "easy"}],
        "usage": {"prompt_tokens": 4},
        "request_time": 0.25,
    }
    completion = await replay(recording(tmp_path, row)).generate(Request(GREEDY, prompt="2+2="))
    choice = completion.choices[0]
    assert (choice.text, choice.tokens, choice.logprob, choice.thinking) == (" 4", (Token(" 4", -0.5),), -0.5, "easy")
    assert (completion.outcome, completion.usage, completion.request_time) == (Outcome.OK, Usage(4), 0.25)


async def test_a_log_probability_without_tokens_is_kept(tmp_path: Path) -> None:
    model = replay(recording(tmp_path, {"prompt": "p", "completions": [{"text": "a", "logprob": -3.0}]}))
    assert (await model.generate(Request(GREEDY, prompt="p"))).choices[0].logprob == -3.0


async def test_a_conversation_has_its_recorded_answer(tmp_path: Path) -> None:
    row = {"messages": [{"content": "Hi", "role": "user"}], "completions": said("Hello")}
    request = Request(GREEDY, messages=(Message("user", "Hi"),))
    assert (await replay(recording(tmp_path, row)).generate(request)).text == "Hello"


async def test_an_instance_has_its_recorded_answer(tmp_path: Path) -> None:
    model = replay(recording(tmp_path, {"instance_id": "id7", "completions": said("a")}))
    assert model.card.is_recording
    assert (await model.generate(Request(GREEDY, prompt="any", place=Place("id7")))).text == "a"
    with pytest.raises(NotSupportedError):
        await model.generate(Request(GREEDY, prompt="any", place=Place("id8")))


async def test_a_question_of_several_instances_is_told_apart_by_instance(tmp_path: Path) -> None:
    rows = [{"prompt": "p", "instance_id": f"id{i}", "completions": said(text)} for i, text in enumerate("ab")]
    model = replay(recording(tmp_path, *rows))
    assert [(await model.generate(Request(GREEDY, prompt="p", place=Place(f"id{i}")))).text for i in (0, 1)] == [
        "a",
        "b",
    ]
    with pytest.raises(NotSupportedError, match="lines 1 and 2"):
        await model.generate(Request(GREEDY, prompt="p"))


@pytest.mark.parametrize("general", [0, 1])
async def test_an_answer_without_an_instance_is_for_all_others(tmp_path: Path, general: int) -> None:
    rows: list[dict[str, Any]] = [{"prompt": "p", "instance_id": "id0", "completions": said("own")}]
    rows.insert(general, {"prompt": "p", "completions": said("general")})
    model = replay(recording(tmp_path, *rows))
    assert (await model.generate(Request(GREEDY, prompt="p", place=Place("id0")))).text == "own"
    assert (await model.generate(Request(GREEDY, prompt="p", place=Place("id1")))).text == "general"


async def test_a_prompt_that_is_not_recorded_is_not_supported(tmp_path: Path) -> None:
    with pytest.raises(NotSupportedError, match=r"a\.jsonl has no answer for the prompt ending in 'other'"):
        await replay(recording(tmp_path, {"prompt": "p", "completions": said("a")})).generate(
            Request(GREEDY, prompt="other")
        )


async def test_repetitions_take_their_own_completions(tmp_path: Path) -> None:
    model = replay(recording(tmp_path, {"prompt": "p", "completions": said("a", "b", "c")}))
    by_place = [(await model.generate(Request(GREEDY, prompt="p", place=Place("id0", k)))).text for k in range(3)]
    drawn = [Params(temperature=0.0, random=random) for random in (None, "1", "2")]
    by_draw = [(await model.generate(Request(params, prompt="p"))).text for params in drawn]
    assert by_place == by_draw == ["a", "b", "c"]


async def test_several_completions_are_the_next_so_many(tmp_path: Path) -> None:
    model = replay(recording(tmp_path, {"prompt": "p", "completions": said("a", "b", "c", "d")}))
    request = Request(Params(num_completions=2), prompt="p", place=Place("id0", 1))
    assert [choice.text for choice in (await model.generate(request)).choices] == ["c", "d"]


async def test_a_repetition_that_is_not_recorded_is_not_supported(tmp_path: Path) -> None:
    model = replay(recording(tmp_path, {"prompt": "p", "completions": said("a")}))
    with pytest.raises(NotSupportedError, match="line 1: 1 completions recorded, 2 needed"):
        await model.generate(Request(GREEDY, prompt="p", place=Place("id0", 1)))


@pytest.mark.parametrize(
    ("completion", "outcome"),
    [
        ({"text": "half", "finish_reason": "length"}, Outcome.TRUNCATED),
        ({"text": "", "finish_reason": "length", "thinking": "hm"}, Outcome.TRUNCATED_IN_REASONING),
        ({"text": "", "finish_reason": "content_filter"}, Outcome.CONTENT_FILTER),
        ({"text": "<think>hm</think>9", "finish_reason": "stop"}, Outcome.OK),
    ],
)
async def test_outcomes_are_those_of_a_live_model(tmp_path: Path, completion: dict[str, Any], outcome: Outcome) -> None:
    model = replay(recording(tmp_path, {"prompt": "p", "completions": [completion]}))
    assert (await model.generate(Request(GREEDY, prompt="p"))).outcome is outcome


async def test_stop_sequences_are_not_applied_again(tmp_path: Path) -> None:
    model = replay(recording(tmp_path, {"prompt": "p", "completions": said("a\nb")}))
    assert (await model.generate(Request(Params(stop_sequences=("\n",)), prompt="p"))).text == "a\nb"


async def test_a_scored_prompt_may_speak_of_reasoning(tmp_path: Path) -> None:
    model = replay(recording(tmp_path, {"prompt": "a </think> b", "completions": said("a </think> b")}))
    request = Request(Params(temperature=0.0, max_tokens=0, echo_prompt=True), prompt="a </think> b")
    assert (await model.generate(request)).text == "a </think> b"


@pytest.mark.parametrize(("name", "start"), [("a.jsonl.gz", ""), ("a.jsonl", "\ufeff"), ("a.jsonl.gz", "\ufeff\n")])
async def test_t120_gzip_marks_and_blank_lines_are_read_over(tmp_path: Path, name: str, start: str) -> None:
    path = recording(tmp_path, {"prompt": "p", "completions": said("a")}, name=name, start=start)
    assert (await replay(path).generate(Request(GREEDY, prompt="p"))).text == "a"


def test_the_identity_is_the_content(tmp_path: Path) -> None:
    one = replay(recording(tmp_path, {"prompt": "p", "completions": said("a")})).identity
    same = replay(recording(tmp_path, {"prompt": "p", "completions": said("a")}, name="b.jsonl"), "?window=9").identity
    other = replay(recording(tmp_path, {"prompt": "p", "completions": said("b")})).identity
    assert one == same
    assert one != other


def test_window_and_tokenizer_are_options(tmp_path: Path) -> None:
    path = recording(tmp_path, {"prompt": "p", "completions": said("a")})
    window = replay(path, "?window=2048&tokenizer=characters").window()
    assert (window.max_request_length, window.count("abc")) == (2048, 3)


def test_two_answers_to_one_question_are_an_error_that_names_the_lines(tmp_path: Path) -> None:
    rows = [{"prompt": "p", "completions": said(text)} for text in "aab"]
    with pytest.raises(ConfigError, match=r"line 3: the same question as in line 1"):
        replay(recording(tmp_path, *rows))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"completions": [{"text": "a"}]}, "line 1: expected prompt, messages or instance_id"),
        ({"prompt": "p", "completions": []}, "line 1: expected at least one completion"),
        ({"prompt": "p"}, "line 1: .*completions"),
        ({"prompt": "p", "completions": [{"text": 4}]}, "line 1: .*text"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        replay(recording(tmp_path, row))


def test_a_line_that_is_not_json_is_named(tmp_path: Path) -> None:
    path = recording(tmp_path, {"prompt": "p", "completions": said("a")})
    path.write_bytes(path.read_bytes() + b"{not json\n")
    with pytest.raises(ConfigError, match="line 2"):
        replay(path)


@needs_golden
@pytest.mark.parametrize("name", ["boolq_data_augmentation_canonical", "blimp_phenomenon_binding"])
async def test_a_golden_file_is_given_back_as_it_is(tmp_path: Path, name: str) -> None:
    golden = json.loads(gzip.decompress((GOLDEN / f"{name}.json.gz").read_bytes()))
    requests = [request for run in golden["runs"] for request in run["requests"]]
    model = replay(recording(tmp_path, *requests), "?window=2048&tokenizer=characters")
    for request in requests:
        known = {k: v for k, v in request["params"].items() if v is not None}
        params = Params(**{**known, "stop_sequences": tuple(known["stop_sequences"])})
        completion = await model.generate(
            Request(params, prompt=request["prompt"], place=Place(request["instance_id"]))
        )
        assert completion.outcome is Outcome.OK
        assert [[t.text, t.logprob] for t in completion.choices[0].tokens] == request["completions"][0]["tokens"]
        assert completion.text == request["completions"][0]["text"]


async def test_an_image_is_found_by_its_hash_alone(tmp_path: Path) -> None:
    seen = [{"type": "text", "text": "What?"}, {"type": "image", "sha256": "ab", "media_type": "image/png", "data": ""}]
    path = recording(tmp_path, {"messages": [{"role": "user", "content": seen}], "completions": said("a cat")})
    asked = (Message("user", (Text("What?"), Image("ab", "image/png", "QUJD"))),)
    assert (await replay(path).generate(Request(GREEDY, messages=asked))).text == "a cat"
    other = (Message("user", (Text("What?"), Image("cd", "image/png", "QUJD"))),)
    with pytest.raises(NotSupportedError, match="no answer for"):
        await replay(path).generate(Request(GREEDY, messages=other))
