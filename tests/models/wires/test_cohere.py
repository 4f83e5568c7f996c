"""What is special to Cohere's chat API."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from holoscope.core import Image, Message, NotSupportedError, Outcome, Params, Request, Settings, Text, TransportError
from holoscope.models import Model, resolve
from models.stub import Say, Stub
from models.wires.cohere import DIALECT
from models.wires.dialect import EVENTS, KEY, Said, events

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="Capital of France?")
Open = Callable[..., Model]


@pytest.fixture
async def open_cohere(stub: Stub, settings: Settings) -> AsyncIterator[Open]:
    """`open_cohere("?thinking=none")`: a model of Cohere's, served by the stub."""
    mine = replace(settings, environ={"CO_API_KEY": KEY, "COHERE_BASE_URL": stub.url.removesuffix("/v1")})
    opened: list[Model] = []

    def open_(options: str = "") -> Model:
        opened.append(resolve(f"cohere/command-x{options}", mine))
        return opened[-1]

    stub.says = [DIALECT.says(Said())]
    yield open_
    for model in opened:
        await model.aclose()


async def test_a_prompt_goes_as_a_message(stub: Stub, open_cohere: Open) -> None:
    await open_cohere().generate(ASK)
    asked = stub.asked[0]
    assert asked.path == "/v2/chat"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "command-x",
        "messages": [{"role": "user", "content": "Capital of France?"}],
        "max_tokens": 50,
        "temperature": 0.0,
    }


async def test_parameters_have_coheres_names(stub: Stub, open_cohere: Open) -> None:
    params = Params(temperature=0.5, top_p=0.9, max_tokens=5, stop_sequences=("\n",))
    await open_cohere("?seed=7").generate(Request(params, prompt="x", wants_logprobs=True))
    sent = stub.asked[0].body
    assert (sent["p"], sent["stop_sequences"], sent["seed"], sent["logprobs"]) == (0.9, ["\n"], 7, True)
    assert not sent.keys() & {"top_p", "stop", "stream_options"}


async def test_a_sampled_answer_is_not_cut_to_coheres_own_share(stub: Stub, open_cohere: Open) -> None:
    await open_cohere().generate(Request(Params(temperature=1.0, max_tokens=5), prompt="x"))
    assert stub.asked[0].body["p"] == 0.99


async def test_stops_beyond_the_fifth_are_applied_here(stub: Stub, open_cohere: Open) -> None:
    stub.says = [DIALECT.says(Said("A f B"))]
    ask = Request(Params(temperature=0.0, max_tokens=5, stop_sequences=tuple("\nbcdef")), prompt="x")
    completion = await open_cohere().generate(ask)
    assert len(stub.asked[0].body["stop_sequences"]) == 5
    assert completion.text == "A "
    assert "5 of 6 sent" in completion.dropped_params[0]


@pytest.mark.parametrize(
    ("option", "sent"),
    [("256", {"type": "enabled", "token_budget": 256}), ("none", {"type": "disabled"})],
)
async def test_thinking_has_a_budget(stub: Stub, open_cohere: Open, option: str, sent: dict[str, object]) -> None:
    await open_cohere(f"?thinking={option}").generate(ASK)
    assert stub.asked[0].body["thinking"] == sent


async def test_the_safety_mode_is_the_users(stub: Stub, open_cohere: Open) -> None:
    await open_cohere("?safety=STRICT").generate(ASK)
    assert stub.asked[0].body["safety_mode"] == "STRICT"


async def test_a_conversation_with_an_image(stub: Stub, open_cohere: Open) -> None:
    picture = Message("user", (Text("What is it?"), Image("0" * 64, "image/png", "AAAA")))
    await open_cohere().generate(Request(Params(max_tokens=5), messages=(Message("system", "Be brief."), picture)))
    system, user = stub.asked[0].body["messages"]
    assert system == {"role": "system", "content": "Be brief."}
    assert user["content"][1] == {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


async def test_log_probabilities_of_pieces(stub: Stub, open_cohere: Open) -> None:
    say = DIALECT.says(Said("Paris."))
    chunks = [
        {"text": "Par", "token_ids": [1, 2], "logprobs": [-0.25, -0.5]},
        {"text": "is.", "token_ids": [3], "logprobs": [-1.0]},
    ]
    stub.says = [replace(say, body={**say.body, "logprobs": chunks})]
    (choice,) = (await open_cohere().generate(replace_logprobs(ASK))).choices
    assert [(token.text, token.logprob) for token in choice.tokens] == [("Par", -0.75), ("is.", -1.0)]
    assert choice.logprob == -1.75


async def test_log_probabilities_in_a_stream(stub: Stub, open_cohere: Open) -> None:
    pieces = [
        {
            "type": "content-delta",
            "index": 0,
            "delta": {"message": {"content": {"text": text}}},
            "logprobs": {"text": text, "token_ids": [1], "logprobs": [-0.5]},
        }
        for text in ("Par", "is")
    ]
    pieces.append({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}})
    stub.says = [Say(events(pieces, named=True), headers=EVENTS)]
    completion = await open_cohere("?stream=true").generate(replace_logprobs(ASK))
    assert [token.text for token in completion.choices[0].tokens] == ["Par", "is"]
    assert completion.choices[0].logprob == -1.0


async def test_what_is_billed_is_what_counts(stub: Stub, open_cohere: Open) -> None:
    completion = await open_cohere().generate(ASK)
    assert completion.usage is not None
    assert completion.usage.prompt_tokens == 11  # `tokens` says 70, with what Cohere puts before a prompt


async def test_an_error_at_the_end_of_a_stream_is_no_answer(stub: Stub, open_cohere: Open) -> None:
    end = {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "the model broke"}}
    stub.says = [Say(events([end], named=True), headers=EVENTS)]
    with pytest.raises(TransportError, match="the model broke"):
        await open_cohere("?stream=true").generate(ASK)


async def test_an_event_that_cannot_be_read_is_not_passed_over(stub: Stub, open_cohere: Open) -> None:
    stub.says = [Say(b"data: {broken\n\n" + bytes(DIALECT.streamed(Said()).body), headers=EVENTS)]
    with pytest.raises(TransportError, match="not readable"):
        await open_cohere("?stream=true").generate(ASK)


async def test_several_answers_at_once_are_not_had(stub: Stub, open_cohere: Open) -> None:
    with pytest.raises(NotSupportedError, match="one completion per request"):
        await open_cohere().generate(Request(Params(num_completions=2), prompt="x"))
    assert stub.asked == []


async def test_given_text_is_not_scored(open_cohere: Open) -> None:
    ask = Request(Params(max_tokens=0, echo_prompt=True), prompt="x")
    with pytest.raises(NotSupportedError, match="does not score"):
        await open_cohere("?echo=true&completions=true").generate(ask)


async def test_an_answer_of_thinking_alone(stub: Stub, open_cohere: Open) -> None:
    stub.says = [DIALECT.says(Said("", "length", thinking="hm"))]
    assert (await open_cohere().generate(ASK)).outcome == Outcome.TRUNCATED_IN_REASONING


def replace_logprobs(ask: Request) -> Request:
    """The same, with log-probabilities wanted."""
    return Request(ask.params, prompt=ask.prompt, wants_logprobs=True)
