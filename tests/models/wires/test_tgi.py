"""What is special to Hugging Face's text generation server."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from holoscope.core import Message, NotSupportedError, Outcome, Params, Request, Settings, Token
from holoscope.models import Model, resolve
from models.stub import Say, Stub
from models.wires.dialect import KEY, Said
from models.wires.tgi import DIALECT

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="The capital of France is")
SCORE = Request(Params(temperature=0.0, max_tokens=0, echo_prompt=True), prompt="A cat", continuation=" cat")
Open = Callable[..., Model]


@pytest.fixture
async def open_tgi(stub: Stub, settings: Settings) -> AsyncIterator[Open]:
    """`open_tgi("?seed=7")`: a text generation server that is the stub."""
    mine = replace(settings, environ={"HF_TOKEN": KEY, "TGI_BASE_URL": stub.url.removesuffix("/v1")})
    opened: list[Model] = []

    def open_(options: str = "") -> Model:
        opened.append(resolve(f"tgi/m{options}", mine))
        return opened[-1]

    stub.says = [DIALECT.says(Said("Paris"))]
    yield open_
    for model in opened:
        await model.aclose()


def generation(prefill: list[tuple[str, float | None]], text: str) -> Say:
    """A reply with the prompt's tokens."""
    tokens = [{"id": 1, "text": text, "logprob": -2.0, "special": False}]
    details: dict[str, Any] = {"finish_reason": "length", "generated_tokens": 1, "seed": None, "tokens": tokens}
    details["prefill"] = [{"id": 1, "text": token, "logprob": logprob} for token, logprob in prefill]
    return Say({"generated_text": text, "details": details})


async def test_a_prompt_goes_as_inputs_and_nothing_is_sampled(stub: Stub, open_tgi: Open) -> None:
    await open_tgi().generate(ASK)
    asked = stub.asked[0]
    assert asked.path == "/"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "inputs": "The capital of France is",
        "parameters": {"details": True, "return_full_text": False, "max_new_tokens": 50},
    }


async def test_sampling_is_asked_for_with_its_parameters(stub: Stub, open_tgi: Open) -> None:
    params = Params(temperature=0.7, top_p=0.9, max_tokens=5, stop_sequences=("\n",))
    await open_tgi("?seed=7&body.top_k=20").generate(Request(params, prompt="x"))
    sent = stub.asked[0].body["parameters"]
    assert (sent["do_sample"], sent["temperature"], sent["top_p"], sent["seed"]) == (True, 0.7, 0.9, 7)
    assert (sent["stop"], sent["top_k"]) == (["\n"], 20)


async def test_the_tokens_of_the_answer_without_the_mark_that_ends_it(stub: Stub, open_tgi: Open) -> None:
    (choice,) = (await open_tgi().generate(ASK)).choices
    assert choice.tokens == (Token("Pa", -0.25), Token("ris", -0.25))
    assert choice.finish_reason == "endoftext"


async def test_given_text_is_scored(stub: Stub, open_tgi: Open) -> None:
    stub.says = [generation([("A", None), (" cat", -3.5)], "s")]
    (choice,) = (await open_tgi().generate(SCORE)).choices
    sent = stub.asked[0].body["parameters"]
    assert (sent["decoder_input_details"], sent["max_new_tokens"]) == (True, 1)
    assert (choice.text, choice.tokens, choice.logprob) == (" cat", (Token(" cat", -3.5),), -3.5)


async def test_a_mark_before_the_prompt_is_no_part_of_it(stub: Stub, open_tgi: Open) -> None:
    stub.says = [generation([("<s>", None), ("A", -1.0), (" cat", -3.5)], "s")]
    ask = Request(SCORE.params, prompt="A cat")
    (choice,) = (await open_tgi().generate(ask)).choices
    assert choice.logprob == -4.5


async def test_scoring_is_not_streamed(stub: Stub, open_tgi: Open) -> None:
    stub.says = [generation([("A", None), (" cat", -3.5)], "s")]
    await open_tgi("?stream=true").generate(SCORE)
    assert "stream" not in stub.asked[0].body


async def test_a_server_that_gives_no_tokens_of_the_prompt(stub: Stub, open_tgi: Open) -> None:
    stub.says = [generation([], "s")]
    with pytest.raises(NotSupportedError, match="does not repeat the prompt"):
        await open_tgi().generate(SCORE)


async def test_the_answer_of_an_inference_endpoint_is_a_list(stub: Stub, open_tgi: Open) -> None:
    say = DIALECT.says(Said("Paris"))
    stub.says = [replace(say, body=[say.body])]
    assert (await open_tgi().generate(ASK)).text == "Paris"


async def test_a_stop_sequence_at_the_end_is_cut_off(stub: Stub, open_tgi: Open) -> None:
    details = {"finish_reason": "stop_sequence", "generated_tokens": 2, "tokens": []}
    stub.says = [Say({"generated_text": "Paris\n", "details": details})]
    ask = Request(Params(temperature=0.0, max_tokens=5, stop_sequences=("\n",)), prompt="x")
    completion = await open_tgi().generate(ask)
    assert (completion.outcome, completion.text) == (Outcome.OK, "Paris")


async def test_a_conversation_needs_the_other_format(stub: Stub, open_tgi: Open) -> None:
    with pytest.raises(NotSupportedError, match="no chat API"):
        await open_tgi().generate(Request(Params(), messages=(Message("user", "x"),)))
    assert stub.asked == []
