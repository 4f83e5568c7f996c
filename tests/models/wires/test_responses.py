"""What is special to OpenAI's Responses API."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from holoscope.core import (
    FatalModelError,
    Image,
    Message,
    NotSupportedError,
    Outcome,
    Params,
    Request,
    Settings,
    Text,
    Token,
    TransportError,
)
from holoscope.models import Model, resolve
from models.stub import Asked, Say, Stub, refusal
from models.wires.dialect import EVENTS, KEY, Said, events
from models.wires.responses import response

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="Capital of France?")
Open = Callable[..., Model]


@pytest.fixture
async def open_responses(stub: Stub, settings: Settings) -> AsyncIterator[Open]:
    """`open_responses("&effort=low")`: OpenAI's model behind the Responses API."""
    mine = replace(settings, environ={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": stub.url})
    opened: list[Model] = []

    def open_(options: str = "") -> Model:
        opened.append(resolve(f"openai/gpt-x?wire=responses{options}", mine))
        return opened[-1]

    stub.says = [Say(response(Said()))]
    yield open_
    for model in opened:
        await model.aclose()


async def test_a_prompt_goes_as_input_and_is_not_stored(stub: Stub, open_responses: Open) -> None:
    await open_responses().generate(ASK)
    asked = stub.asked[0]
    assert asked.path == "/v1/responses"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "gpt-x",
        "input": [{"role": "user", "content": "Capital of France?"}],
        "max_output_tokens": 50,
        "temperature": 0.0,
        "store": False,
    }


async def test_a_conversation_with_an_image(stub: Stub, open_responses: Open) -> None:
    picture = Image(sha256="0", media_type="image/png", data="QUJD")
    messages = (
        Message("system", "Be brief."),
        Message("user", "Hi"),
        Message("assistant", "Hello"),
        Message("user", (Text("What?"), picture)),
    )
    await open_responses().generate(Request(Params(), messages=messages))
    body = stub.asked[0].body
    assert body["instructions"] == "Be brief."
    assert body["input"][:2] == [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    assert body["input"][2]["content"] == [
        {"type": "input_text", "text": "What?"},
        {"type": "input_image", "image_url": "data:image/png;base64,QUJD"},
    ]


async def test_effort_and_a_wish_for_summaries_go_together(stub: Stub, open_responses: Open) -> None:
    await open_responses('&effort=low&body.reasoning={"summary":"auto"}').generate(ASK)
    assert stub.asked[0].body["reasoning"] == {"effort": "low", "summary": "auto"}
    assert "reasoning_effort" not in stub.asked[0].body


async def test_stops_and_seed_are_left_out_and_said(stub: Stub, open_responses: Open) -> None:
    stub.says = [Say(response(Said("Paris\n\nQ: next")))]
    ask = Request(Params(temperature=0.0, max_tokens=50, stop_sequences=("\n\n",)), prompt="x")
    completion = await open_responses("&seed=3").generate(ask)
    assert completion.text == "Paris"
    assert completion.dropped_params == (
        "stop: not sent, applied to the answer here",
        "seed=3: not taken by the endpoint",
    )
    assert not {"stop", "seed"} & stub.asked[0].body.keys()


async def test_several_completions_at_once_are_not_to_be_had(open_responses: Open) -> None:
    with pytest.raises(NotSupportedError, match="--trials"):
        await open_responses().generate(Request(Params(num_completions=3), prompt="x"))


async def test_log_probabilities(stub: Stub, open_responses: Open) -> None:
    reply = response(Said("Paris"))
    logprobs = [{"token": "Par", "logprob": -0.5, "bytes": [80], "top_logprobs": []}, {"token": "is", "logprob": -0.25}]
    reply["output"][0]["content"][0]["logprobs"] = logprobs
    stub.says = [Say(reply)]
    completion = await open_responses().generate(Request(Params(), prompt="x", wants_logprobs=True))
    assert stub.asked[0].body["include"] == ["message.output_text.logprobs"]
    assert completion.choices[0].tokens == (Token("Par", -0.5), Token("is", -0.25))


async def test_a_limit_below_the_least_is_raised_and_said(stub: Stub, open_responses: Open) -> None:
    def least(asked: Asked) -> Say:
        if asked.body["max_output_tokens"] >= 16:
            return Say(response(Said("B")))
        said = "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead."
        return refusal(400, said, param="max_output_tokens", code="integer_below_min_value")

    stub.says = least
    model = open_responses()
    for _ in range(2):
        completion = await model.generate(Request(Params(temperature=0.0, max_tokens=1), prompt="x"))
        assert completion.dropped_params == ("max_tokens=1: 16 sent, the least that the endpoint takes",)
    assert [asked.body["max_output_tokens"] for asked in stub.asked] == [1, 16, 16]


async def test_a_parameter_that_the_model_refuses_is_left_out(stub: Stub, open_responses: Open) -> None:
    said = "Unsupported parameter: 'temperature' is not supported with this model."
    stub.says = lambda asked: (
        refusal(400, said, param="temperature", code=None) if "temperature" in asked.body else Say(response(Said()))
    )
    completion = await open_responses().generate(ASK)
    assert completion.dropped_params == ("temperature=0.0: not taken by the endpoint",)


async def test_log_probabilities_that_the_model_refuses(stub: Stub, open_responses: Open) -> None:
    said = "logprobs are not supported with reasoning models."
    stub.says = lambda asked: refusal(400, said, param="include") if "include" in asked.body else Say(response(Said()))
    completion = await open_responses().generate(Request(Params(), prompt="x", wants_logprobs=True))
    assert completion.dropped_params == ("logprobs: not given by the endpoint",)


async def test_reasoning_that_used_up_the_limit_without_a_word(stub: Stub, open_responses: Open) -> None:
    reply = response(Said("", "length"))
    reply["output"] = [{"id": "rs_1", "type": "reasoning", "summary": []}]
    stub.says = [Say(reply)]
    completion = await open_responses().generate(ASK)
    assert completion.outcome is Outcome.TRUNCATED_IN_REASONING


async def test_reasoning_in_the_open_is_kept(stub: Stub, open_responses: Open) -> None:
    reply = response(Said("9"))
    thought = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "4 and 5"}]}
    stub.says = [Say({**reply, "output": [thought, *reply["output"]]})]
    completion = await open_responses().generate(ASK)
    assert (completion.text, completion.choices[0].thinking) == ("9", "4 and 5")


async def test_words_on_the_way_are_not_the_answer(stub: Stub, open_responses: Open) -> None:
    part = {"type": "output_text", "text": "Let me look.", "annotations": []}
    on_the_way = {"type": "message", "role": "assistant", "phase": "commentary", "content": [part]}
    reply = response(Said("Paris"))
    stub.says = [Say({**reply, "output": [on_the_way, *reply["output"]]})]
    completion = await open_responses().generate(ASK)
    assert (completion.text, completion.choices[0].thinking) == ("Paris", "Let me look.")


@pytest.mark.parametrize(
    ("code", "expected"), [("server_error", TransportError), ("rate_limit_exceeded", TransportError)]
)
async def test_a_failed_response_is_no_answer(
    stub: Stub, open_responses: Open, code: str, expected: type[Exception]
) -> None:
    failed = response(Said(""), status="failed", output=[], error={"code": code, "message": "It failed."})
    for say in (Say(failed), Say(events([{"type": "response.failed", "response": failed}]), headers=EVENTS)):
        stub.says = [say]
        with pytest.raises(expected, match="It failed"):
            await open_responses("&stream=true").generate(ASK)


async def test_an_error_event_is_no_answer(stub: Stub, open_responses: Open) -> None:
    event = {"type": "error", "code": "server_error", "message": "Broken.", "param": None, "sequence_number": 1}
    stub.says = [Say(events([event]), headers=EVENTS)]
    with pytest.raises(TransportError, match="Broken"):
        await open_responses("&stream=true").generate(ASK)


async def test_a_prompt_against_a_policy_is_withheld(stub: Stub, open_responses: Open) -> None:
    failed = response(Said(""), status="failed", output=[], error={"code": "bio_policy", "message": "Not this."})
    stub.says = [Say(failed)]
    assert (await open_responses().generate(ASK)).outcome is Outcome.CONTENT_FILTER


async def test_a_quota_that_is_used_up_stops_the_model(stub: Stub, open_responses: Open) -> None:
    said = "You exceeded your current quota, please check your plan and billing details."
    stub.says = [refusal(429, said, code="insufficient_quota")]
    with pytest.raises(FatalModelError):
        await open_responses().generate(ASK)


async def test_a_response_that_was_cancelled_is_no_answer(stub: Stub, open_responses: Open) -> None:
    stub.says = [Say(response(Said("Par"), status="cancelled"))]
    with pytest.raises(TransportError):
        await open_responses().generate(ASK)


async def test_a_server_that_calls_a_cut_answer_complete_is_not_believed(stub: Stub, open_responses: Open) -> None:
    reply = response(Said("Par", completion_tokens=50))
    stub.says = [Say({name: value for name, value in reply.items() if name != "incomplete_details"}), Say(reply)]
    model = open_responses()
    assert [(await model.generate(ASK)).outcome for _ in range(2)] == [Outcome.TRUNCATED, Outcome.OK]


async def test_another_format_is_told_apart(stub: Stub, open_responses: Open) -> None:
    stub.says = [Say({"choices": [{"message": {"content": "Paris"}}]})]
    with pytest.raises(TransportError, match="Responses API"):
        await open_responses().generate(ASK)


async def test_a_lone_surrogate_in_a_prompt_is_sent(stub: Stub, open_responses: Open) -> None:
    await open_responses().generate(Request(Params(), prompt="broken \ud800 text"))
    assert stub.asked[0].body["input"][0]["content"] == "broken \ud800 text"


async def test_answers_are_kept_apart_from_those_of_the_chat_api(settings: Settings) -> None:
    mine = replace(settings, environ={"OPENAI_API_KEY": KEY})
    over_chat, over_responses = (resolve(f"openai/gpt-x{wire}", mine) for wire in ("", "?wire=responses"))
    assert over_chat.identity != over_responses.identity
    assert not over_responses.card.capabilities.stop


@pytest.mark.model
@pytest.mark.parametrize("stream", ["true", "false"])
async def test_a_real_server_of_the_format(llama_server: str, settings: Settings, stream: str) -> None:
    model = resolve(f"m?wire=responses&stream={stream}", settings, base_url=f"{llama_server}/v1")
    messages = (Message("system", "Answer in one word."), Message("user", "What is the capital of France?"))
    whole = await model.generate(Request(Params(temperature=0.0, max_tokens=40), messages=messages))
    cut = await model.generate(Request(Params(temperature=0.0, max_tokens=4), prompt="Count from one to a hundred."))
    await model.aclose()
    assert whole.outcome is Outcome.OK
    assert "Paris" in whole.text
    assert whole.usage is not None
    assert whole.usage.prompt_tokens
    assert (whole.time_to_first_token is not None) == (stream == "true")
    assert cut.outcome is Outcome.TRUNCATED
