"""What is special to Anthropic's Messages API."""

from dataclasses import replace
from typing import Any

import pytest

from holoscope.core import (
    Completion,
    FatalModelError,
    Image,
    Message,
    NotSupportedError,
    Outcome,
    Params,
    Request,
    Settings,
    Text,
    TransportError,
)
from holoscope.models import resolve
from models.stub import Say, Stub
from models.wires.anthropic import DIALECT, message
from models.wires.dialect import EVENTS, KEY, Said, events

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="x")


async def ask(stub: Stub, settings: Settings, say: Say, options: str = "", request: Request = ASK) -> Completion:
    stub.says = [say] if not isinstance(stub.says, list) or len(stub.says) < 2 else stub.says
    mine = replace(settings, environ=DIALECT.environ(stub.url.removesuffix("/v1")))
    model = resolve(f"anthropic/claude-x{options}", mine)
    try:
        return await model.generate(request)
    finally:
        await model.aclose()


def reply(**changes: Any) -> Say:
    return Say({**message(Said()), **changes})


async def test_the_key_and_the_version_are_in_the_headers(stub: Stub, settings: Settings) -> None:
    await ask(stub, settings, reply())
    headers = stub.asked[0].headers
    assert (headers["authorization"], headers["anthropic-version"]) == (f"Bearer {KEY}", "2023-06-01")
    assert stub.asked[0].path == "/v1/messages"


async def test_a_token_identifies_like_a_key(stub: Stub, settings: Settings) -> None:
    stub.says = [reply()]
    environ = {"ANTHROPIC_AUTH_TOKEN": "a-token-1", "ANTHROPIC_BASE_URL": stub.url.removesuffix("/v1")}
    model = resolve("anthropic/claude-x", replace(settings, environ=environ))
    await model.generate(ASK)
    await model.aclose()
    assert stub.asked[0].headers["authorization"] == "Bearer a-token-1"


async def test_headers_meant_for_other_tools_are_not_sent(
    stub: Stub, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Mine: secret\nAuthorization: Bearer another")
    await ask(stub, settings, reply())
    assert "x-mine" not in stub.asked[0].headers
    assert stub.asked[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_version_that_takes_no_temperature_is_asked_without(stub: Stub, settings: Settings) -> None:
    stub.says = [DIALECT.refuses("bad request", message="temperature: Extra inputs are not permitted"), reply()]
    completion = await ask(stub, settings, reply(), "?api_version=2026-10-21")
    assert [asked.headers["anthropic-version"] for asked in stub.asked] == ["2026-10-21"] * 2
    assert ["temperature" in asked.body for asked in stub.asked] == [True, False]
    assert completion.dropped_params == ("temperature=0.0: not taken by the endpoint",)


async def test_an_address_may_end_in_v1(stub: Stub, settings: Settings) -> None:
    stub.says = [reply()]
    model = resolve("claude-x?wire=anthropic", settings, base_url=stub.url)
    assert (await model.generate(ASK)).text == "Paris"
    assert stub.asked[0].path == "/v1/messages"
    await model.aclose()


async def test_system_messages_stand_apart(stub: Stub, settings: Settings) -> None:
    turns = (Message("system", "Be brief."), Message("user", "x"), Message("assistant", "The answer is"))
    await ask(stub, settings, reply(), request=Request(Params(max_tokens=5), messages=turns))
    body = stub.asked[0].body
    assert body["system"] == "Be brief."
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant"]


@pytest.mark.parametrize(("begun", "sent"), [("The answer is \n", ["x", "The answer is"]), (" ", ["x"])])
async def test_an_answer_s_beginning_ends_in_no_white_space(
    stub: Stub, settings: Settings, begun: str, sent: list[str]
) -> None:
    turns = (Message("user", "x"), Message("assistant", begun))
    completion = await ask(stub, settings, reply(), request=Request(Params(max_tokens=5), messages=turns))
    assert [turn["content"] for turn in stub.asked[0].body["messages"]] == sent
    assert completion.dropped_params == ("the answer's beginning: without its last white space",)


async def test_images_are_sent_as_such(stub: Stub, settings: Settings) -> None:
    image = Image(data="aGk=", media_type="image/png", sha256="0" * 64)
    turn = Message("user", (Text("What is it?"), image))
    await ask(stub, settings, reply(), request=Request(Params(max_tokens=5), messages=(turn,)))
    assert stub.asked[0].body["messages"][0]["content"] == [
        {"type": "text", "text": "What is it?"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
    ]


async def test_a_budget_for_thinking_comes_on_top_of_the_limit(stub: Stub, settings: Settings) -> None:
    completion = await ask(stub, settings, reply(), "?thinking=2048")
    body = stub.asked[0].body
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 2048}
    assert body["max_tokens"] == 2098
    assert "temperature" not in body
    assert completion.dropped_params == ("temperature=0.0: fixed while the model thinks",)


@pytest.mark.parametrize(
    ("options", "thinking", "output"),
    [
        ("?thinking=adaptive", {"type": "adaptive", "display": "summarized"}, None),
        ("?thinking=none", {"type": "disabled"}, None),
        ('?body.thinking={"type":"disabled"}', {"type": "disabled"}, None),
        ("?effort=low", None, {"effort": "low"}),
    ],
)
async def test_other_ways_to_ask_for_thinking(
    stub: Stub, settings: Settings, options: str, thinking: dict[str, str] | None, output: dict[str, str] | None
) -> None:
    await ask(stub, settings, reply(), options)
    body = stub.asked[0].body
    assert (body.get("thinking"), body.get("output_config")) == (thinking, output)
    assert ("temperature" in body) == ("adaptive" not in options)
    assert body["max_tokens"] == 50


async def test_thinking_that_is_not_shown_is_still_thinking(stub: Stub, settings: Settings) -> None:
    for block in ({"type": "redacted_thinking", "data": "x"}, {"type": "thinking", "thinking": "", "signature": "s"}):
        stub.says = []
        completion = await ask(stub, settings, reply(content=[block], stop_reason="max_tokens"))
        assert completion.outcome == Outcome.TRUNCATED_IN_REASONING


async def test_stop_sequences_of_white_space_are_applied_here(stub: Stub, settings: Settings) -> None:
    request = Request(Params(temperature=0.0, max_tokens=50, stop_sequences=("\n\n", "Q:")), prompt="x")
    said = reply(content=[{"type": "text", "text": "Paris\n\nmore"}])
    completion = await ask(stub, settings, said, request=request)
    assert stub.asked[0].body["stop_sequences"] == ["Q:"]
    assert completion.text == "Paris"
    assert completion.dropped_params == ("stop: white space alone is not taken, applied to the answer here",)


async def test_a_temperature_that_is_refused_is_left_out_and_said(stub: Stub, settings: Settings) -> None:
    stub.says = [
        DIALECT.refuses("bad request", message="`temperature` is deprecated for this model."),
        reply(),
    ]
    completion = await ask(stub, settings, reply())
    assert "temperature" not in stub.asked[1].body
    assert completion.dropped_params == ("temperature=0.0: not taken by the endpoint",)


async def test_the_prompt_s_tokens_are_all_of_them(stub: Stub, settings: Settings) -> None:
    usage = {
        "input_tokens": 5,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 20,
        "output_tokens": 3,
    }
    completion = await ask(stub, settings, reply(usage=usage))
    assert completion.usage is not None
    assert (completion.usage.prompt_tokens, completion.usage.cached_tokens) == (125, 100)


async def test_an_answer_that_filled_the_window_is_cut_off(stub: Stub, settings: Settings) -> None:
    completion = await ask(stub, settings, reply(stop_reason="model_context_window_exceeded"))
    assert completion.outcome == Outcome.TRUNCATED


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("overloaded_error", TransportError),
        ("api_error", TransportError),
        ("rate_limit_error", TransportError),
        ("authentication_error", FatalModelError),
        ("invalid_request_error", NotSupportedError),
        ("a_new_kind_of_error", TransportError),
    ],
)
@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_an_error_in_a_reply_of_status_200(
    stub: Stub, settings: Settings, kind: str, expected: type[Exception], way: str
) -> None:
    said = {"type": "error", "error": {"type": kind, "message": f"no good {KEY}"}}
    start = {"type": "message_start", "message": {"type": "message", "content": [], "model": "m"}}
    say = Say(said) if way == "whole" else Say(events([start, said], named=True), headers=EVENTS)
    with pytest.raises(expected) as caught:
        await ask(stub, settings, say, "?stream=true" if way == "streamed" else "")
    assert "***" in str(caught.value)


async def test_several_answers_at_once_are_not_asked_for(stub: Stub, settings: Settings) -> None:
    with pytest.raises(NotSupportedError, match="--trials"):
        await ask(stub, settings, reply(), request=Request(Params(num_completions=2), prompt="x"))
    assert stub.asked == []


async def test_log_probabilities_are_not_asked_for_and_it_is_said(stub: Stub, settings: Settings) -> None:
    completion = await ask(stub, settings, reply(), request=Request(Params(), prompt="x", wants_logprobs=True))
    assert "logprobs" not in stub.asked[0].body
    assert completion.dropped_params == ("logprobs: not given by the endpoint",)


@pytest.mark.model
@pytest.mark.parametrize("stream", ["false", "true"])
async def test_a_real_server_of_the_format(llama_server: str, settings: Settings, stream: str) -> None:
    async def told(max_tokens: int, *turns: Message) -> Completion:
        model = resolve(f"smollm2?wire=anthropic&stream={stream}", settings, base_url=llama_server)
        try:
            return await model.generate(Request(Params(temperature=0.0, max_tokens=max_tokens), messages=turns))
        finally:
            await model.aclose()

    turns = (Message("system", "You answer in one word."), Message("user", "What is the capital of France?"))
    whole = await told(24, *turns)
    assert "Paris" in whole.text
    assert whole.usage is not None
    assert whole.usage.prompt_tokens is not None
    assert whole.usage.prompt_tokens > 20
    assert (await told(2, *turns)).outcome == Outcome.TRUNCATED
    assert (await told(2, Message("user", "word " * 3000))).outcome == Outcome.CONTEXT_OVERFLOW
