"""Parameters that an endpoint refuses are left out or renamed, remembered, and said."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from holoscope.core import NotSupportedError, Outcome, Params, Request
from models.conftest import Open
from models.stub import Asked, Say, Stub, chat, refusal

PARAMS = Params(temperature=0.0, max_tokens=50, stop_sequences=("\n",))
ASK = Request(PARAMS, prompt="x", wants_logprobs=True)


def reasoning_model(asked: Asked) -> Say:
    """Refuses what OpenAI's reasoning models refuse, in their words, one thing at a time."""
    if "max_tokens" in asked.body:
        said = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        return refusal(400, said, param="max_tokens", code="unsupported_parameter")
    if "temperature" in asked.body:
        said = (
            "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) is supported."
        )
        return refusal(400, said, param="temperature", code="unsupported_value")
    if "logprobs" in asked.body:
        return refusal(403, "You are not allowed to request logprobs from this model")
    if "stop" in asked.body:
        return refusal(400, "Unsupported parameter: 'stop' is not supported with this model.", param="stop")
    return Say(chat("Paris\nRome"))


async def test_t082_a_reasoning_model_is_asked_as_it_wants_and_the_changes_are_said(
    stub: Stub, open_model: Open
) -> None:
    stub.says = reasoning_model
    completion = await open_model("vllm/m").generate(ASK)
    assert completion.text == "Paris"
    assert set(completion.dropped_params) == {
        "max_tokens: sent as max_completion_tokens",
        "temperature=0.0: not taken by the endpoint",
        "logprobs: not given by the endpoint",
        "stop: not sent, applied to the answer here",
    }
    assert stub.asked[-1].body["max_completion_tokens"] == 50


async def test_t082_what_was_learned_is_remembered(stub: Stub, open_model: Open) -> None:
    stub.says = reasoning_model
    model = open_model("vllm/m")
    await model.generate(ASK)
    taught = len(stub.asked)
    completion = await model.generate(ASK)
    assert len(stub.asked) == taught + 1
    assert len(completion.dropped_params) == 4


async def test_t082_a_model_can_be_described_beforehand(stub: Stub, open_model: Open) -> None:
    stub.says = reasoning_model
    options = "max_tokens_name=max_completion_tokens&temperature=false&logprobs=false&stop=false"
    completion = await open_model(f"vllm/m?{options}").generate(ASK)
    assert len(stub.asked) == 1
    assert "temperature=0.0: not taken by the endpoint" in completion.dropped_params


async def test_only_what_a_request_asks_for_is_said_to_be_dropped(stub: Stub, open_model: Open) -> None:
    stub.says = reasoning_model
    model = open_model("vllm/m")
    await model.generate(ASK)
    completion = await model.generate(Request(Params(temperature=0.0, max_tokens=50), prompt="x"))
    assert not any(said.startswith(("stop", "logprobs")) for said in completion.dropped_params)


async def test_a_validator_s_complaint_names_the_parameter_too(stub: Stub, open_model: Open) -> None:
    complaint = {"detail": [{"type": "extra_forbidden", "loc": ["body", "logprobs"], "msg": "Extra inputs"}]}
    stub.says = lambda asked: Say(complaint, 422) if "logprobs" in asked.body else Say(chat())
    completion = await open_model("vllm/m").generate(ASK)
    assert completion.dropped_params == ("logprobs: not given by the endpoint",)


async def test_log_probabilities_as_a_number_where_the_endpoint_wants_one(stub: Stub, open_model: Open) -> None:
    stub.says = lambda asked: (
        refusal(400, "logprobs must be an integer") if asked.body["logprobs"] is True else Say(chat())
    )
    completion = await open_model("vllm/m").generate(ASK)
    assert stub.asked[-1].body["logprobs"] == 1
    assert completion.dropped_params == ()


async def test_a_word_that_is_also_a_parameter_s_name_teaches_nothing(stub: Stub, open_model: Open) -> None:
    stub.says = [refusal(400, "please stop sending malformed images")]
    with pytest.raises(NotSupportedError):
        await open_model("vllm/m").generate(ASK)
    assert len(stub.asked) == 1


async def test_a_limit_that_is_too_high_is_not_taken_for_a_wrong_name(stub: Stub, open_model: Open) -> None:
    said = "max_tokens is too large: 50. This model supports at most 16 completion tokens."
    stub.says = [refusal(400, said, param="max_tokens")]
    with pytest.raises(NotSupportedError, match="too large"):
        await open_model("vllm/m").generate(ASK)
    assert len(stub.asked) == 1


async def test_an_endpoint_that_refuses_without_end_is_given_up(stub: Stub, open_model: Open) -> None:
    stub.says = [refusal(400, "Unsupported parameter: 'temperature'", param="temperature")]
    with pytest.raises(NotSupportedError):
        await open_model("vllm/m").generate(ASK)
    assert len(stub.asked) == 2


async def test_a_name_refused_both_ways_is_tried_once_each(stub: Stub, open_model: Open) -> None:
    stub.says = lambda asked: refusal(400, f"Unsupported parameter: {sorted(asked.body)}")
    with pytest.raises(NotSupportedError):
        await open_model("vllm/m").generate(Request(Params(max_tokens=5), prompt="x"))
    limits = [name for asked in stub.asked for name in asked.body if name.startswith("max_")]
    assert limits.count("max_tokens") == 1


def refuses(name: str, message: str) -> Callable[[Asked], Say]:
    """An endpoint that takes its time, and doesn't take one parameter."""

    def answer(asked: Asked) -> Say:
        return replace(refusal(400, message) if name in asked.body else Say(chat()), after=0.05)

    return answer


@pytest.mark.parametrize(
    ("name", "message", "said"),
    [
        (
            "max_tokens",
            "'max_tokens' is not supported, use max_completion_tokens",
            "max_tokens: sent as max_completion_tokens",
        ),
        ("logprobs", "logprobs are not supported by this model", "logprobs: not given by the endpoint"),
        ("temperature", "Unsupported parameter: 'temperature'", "temperature=0.0: not taken by the endpoint"),
        ("stop", "Unsupported parameter: 'stop'", "stop: not sent, applied to the answer here"),
        ("top_p", "top_p is not allowed", "top_p=0.5: not taken by the endpoint"),
    ],
)
async def test_t082_no_request_under_way_is_lost_to_a_refusal_that_another_learned_from(
    stub: Stub, open_model: Open, name: str, message: str, said: str
) -> None:
    stub.says = refuses(name, message)
    model, params = open_model("vllm/m"), Params(temperature=0.0, max_tokens=50, stop_sequences=("\n",), top_p=0.5)
    asks = [Request(params, prompt=str(i), wants_logprobs=True) for i in range(40)]
    completions = await asyncio.gather(*map(model.generate, asks))
    assert [(c.text, c.outcome, c.dropped_params) for c in completions] == [("Paris", Outcome.OK, (said,))] * 40
    assert len(stub.asked) <= 80


async def test_t082_many_at_once_learn_several_refusals_together(stub: Stub, open_model: Open) -> None:
    stub.says = lambda asked: replace(reasoning_model(asked), after=0.02)
    model = open_model("vllm/m")
    completions = await asyncio.gather(*(model.generate(ASK) for _ in range(40)))
    assert {(c.outcome, len(c.dropped_params)) for c in completions} == {(Outcome.OK, 4)}


async def test_t082_numbered_log_probabilities_and_least_tokens_are_learned_by_all(
    stub: Stub, open_model: Open
) -> None:
    def strict(asked: Asked) -> Say:
        if asked.body["max_tokens"] < 1:
            return refusal(400, "max_tokens must be at least 1")
        return refusal(400, "logprobs must be an integer") if asked.body["logprobs"] is True else Say(chat())

    stub.says = lambda asked: replace(strict(asked), after=0.02)
    model = open_model("vllm/m")
    ask = Request(Params(max_tokens=0), prompt="x", wants_logprobs=True)
    completions = await asyncio.gather(*(model.generate(ask) for _ in range(40)))
    assert {(c.outcome, c.dropped_params) for c in completions} == {(Outcome.OK, ())}


async def test_t082_a_refusal_of_what_was_not_sent_loses_every_request_after_one_try(
    stub: Stub, open_model: Open
) -> None:
    stub.says = lambda asked: replace(refusal(400, "'top_p' is not supported"), after=0.02)
    model = open_model("vllm/m")
    errors = await asyncio.gather(*(model.generate(ASK) for _ in range(40)), return_exceptions=True)
    assert {type(error) for error in errors} == {NotSupportedError}
    assert len(stub.asked) == 40
