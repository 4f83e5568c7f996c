"""Streamed replies: whole ones, ones with an error in them, and ones that break off."""

import json
from typing import Any

import pytest

from holoscope.core import FatalModelError, Outcome, Params, Request, Token, TransportError, Usage
from holoscope.models.providers.sse import Stream
from models.conftest import Open
from models.stub import Say, Stub, chat

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="x", wants_logprobs=True)
STREAMED = {"Content-Type": "text/event-stream; charset=utf-8"}


def piece(content: str = "", finish: str | None = None, logprob: float | None = None, **delta: Any) -> dict[str, Any]:
    choice: dict[str, Any] = {"index": 0, "delta": {"content": content, **delta}, "finish_reason": finish}
    if logprob is not None:
        choice["logprobs"] = {"content": [{"token": content, "logprob": logprob}]}
    return {"choices": [choice]}


def events(*pieces: dict[str, Any], done: bool = True) -> bytes:
    text = ": a comment\n\n" + "".join(f"data: {json.dumps(p)}\r\n\r\n" for p in pieces)
    return (text + ("data: [DONE]\n\n" if done else "")).encode()


WHOLE = events(
    piece(role="assistant"),
    piece("Par", logprob=-0.5),
    piece("is", "stop", logprob=-0.25),
    {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}, "model": "m-1"},
)


async def test_the_pieces_are_put_together(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(WHOLE, headers=STREAMED)]
    completion = await open_model("vllm/m?stream=true").generate(ASK)
    assert (stub.asked[0].body["stream"], stub.asked[0].body["stream_options"]) == (True, {"include_usage": True})
    assert (completion.text, completion.outcome, completion.served_model) == ("Paris", Outcome.OK, "m-1")
    assert completion.choices[0].tokens == (Token("Par", -0.5), Token("is", -0.25))
    assert completion.usage == Usage(3, 2)


async def test_the_time_to_the_first_token_is_known(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(WHOLE, headers=STREAMED)]
    completion = await open_model("vllm/m?stream=true").generate(ASK)
    assert completion.time_to_first_token is not None
    assert completion.request_time is not None
    assert 0 < completion.time_to_first_token <= completion.request_time


async def test_a_connection_without_tls_serves_one_stream(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(WHOLE, headers=STREAMED)]
    await open_model("vllm/m?stream=true").generate(ASK)
    await open_model("vllm/m").generate(ASK)
    assert [asked.headers.get("connection") for asked in stub.asked] == ["close", None]


async def test_reasoning_is_streamed_apart(stub: Stub, open_model: Open) -> None:
    body = events(piece(reasoning_content="hm"), piece(reasoning_content=", hm"), piece("9", "stop"))
    stub.says = [Say(body, headers=STREAMED)]
    completion = await open_model("vllm/m?stream=true").generate(ASK)
    assert (completion.text, completion.choices[0].thinking) == ("9", "hm, hm")


async def test_completions_are_streamed_too(stub: Stub, open_model: Open) -> None:
    pieces = [
        {"choices": [{"index": 0, "text": text, "finish_reason": end}]} for text, end in ((" a", None), (" b", "stop"))
    ]
    stub.says = [Say(events(*pieces), headers=STREAMED)]
    assert (await open_model("vllm/m?stream=true&api=completions").generate(ASK)).text == " a b"


async def test_half_a_stream_is_no_answer(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(WHOLE, headers=STREAMED, then="half")]
    with pytest.raises(TransportError):
        await open_model("vllm/m?stream=true").generate(ASK)


async def test_a_stream_that_ends_in_good_order_but_too_early_is_no_answer(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(events(piece("Par"), done=False), headers=STREAMED)]
    with pytest.raises(TransportError, match="broke off"):
        await open_model("vllm/m?stream=true").generate(ASK)


async def test_a_stream_without_done_is_whole_if_it_says_why_it_ended(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(events(piece("Paris", "stop"), done=False), headers=STREAMED)]
    assert (await open_model("vllm/m?stream=true").generate(ASK)).text == "Paris"


async def test_an_error_midway_is_no_answer(stub: Stub, open_model: Open) -> None:
    body = events(piece("Par"), {"error": {"message": "overloaded", "code": 503}})
    stub.says = [Say(body, headers=STREAMED)]
    with pytest.raises(TransportError, match="overloaded"):
        await open_model("vllm/m?stream=true").generate(ASK)


async def test_an_error_midway_may_be_fatal(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(events({"error": {"message": "bad key", "code": 401}}), headers=STREAMED)]
    with pytest.raises(FatalModelError, match="bad key"):
        await open_model("vllm/m?stream=true").generate(ASK)


async def test_a_server_that_does_not_stream_is_understood(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(chat())]
    completion = await open_model("vllm/m?stream=true").generate(ASK)
    assert (completion.text, completion.time_to_first_token) == ("Paris", None)


def test_events_may_be_cut_anywhere() -> None:
    whole, cut = Stream(), Stream()
    whole.feed(WHOLE)
    for i in range(len(WHOLE)):
        cut.feed(WHOLE[i : i + 1])
    assert cut.finish() == whole.finish()


def test_garbage_in_a_stream_is_no_answer() -> None:
    with pytest.raises(TransportError, match="not readable"):
        Stream().feed(b"data: {not json}\n\n")
