"""Requests over the completions API, and scoring of given text."""

from typing import Any

import pytest

from holoscope.core import Message, NotSupportedError, Outcome, Params, Request, Token
from models.conftest import Open
from models.stub import Asked, Say, Stub, chat, refusal

SCORE = Request(Params(temperature=0.0, max_tokens=0, echo_prompt=True), prompt="The sky is blue")


def completions(text: str, tokens: list[str] | None = None, logprobs: list[float | None] | None = None) -> Say:
    lists: Any = None if tokens is None else {"tokens": tokens, "token_logprobs": logprobs}
    return Say({"choices": [{"index": 0, "text": text, "logprobs": lists, "finish_reason": "stop"}]})


async def test_a_prompt_is_sent_as_it_is(stub: Stub, open_model: Open) -> None:
    stub.says = [completions(" Paris", [" Paris"], [-0.5])]
    request = Request(Params(temperature=0.0, max_tokens=5, top_k_per_token=5), prompt="Capital:")
    completion = await open_model("vllm/m?api=completions").generate(request)
    assert completion.text == " Paris"
    assert completion.choices[0].tokens == (Token(" Paris", -0.5),)
    assert stub.asked[0].path == "/v1/completions"
    assert stub.asked[0].body == {
        "model": "m",
        "prompt": "Capital:",
        "logprobs": 1,
        "max_tokens": 5,
        "temperature": 0.0,
    }


async def test_a_conversation_goes_to_the_chat_api_though_completions_are_preferred(
    stub: Stub, open_model: Open
) -> None:
    request = Request(Params(), messages=(Message("user", "Hi"),))
    await open_model("vllm/m?prefers=completions").generate(request)
    assert stub.asked[0].path == "/v1/chat/completions"


async def test_a_conversation_without_a_chat_api_is_not_supported(open_model: Open) -> None:
    with pytest.raises(NotSupportedError, match="no chat API"):
        await open_model("vllm/m?api=completions").generate(Request(Params(), messages=(Message("user", "Hi"),)))


async def test_echo_goes_to_completions_and_gives_the_prompt_with_its_log_probabilities(
    stub: Stub, open_model: Open
) -> None:
    stub.says = [completions("The sky is blue", ["The", " sky", " is", " blue"], [None, -1.0, -2.0, -0.5])]
    completion = await open_model("vllm/m").generate(SCORE)
    assert stub.asked[0].path == "/v1/completions"
    assert (stub.asked[0].body["echo"], stub.asked[0].body["max_tokens"]) == (True, 0)
    assert completion.outcome is Outcome.OK
    assert completion.choices[0].tokens[0] == Token("The", None)
    assert completion.choices[0].logprob == -3.5


async def test_only_the_tokens_of_the_continuation_are_kept(stub: Stub, open_model: Open) -> None:
    stub.says = [completions("The sky is blue", ["The", " sky", " is", " bl", "ue"], [None, -1.0, -2.0, -0.5, -0.25])]
    request = Request(SCORE.params, prompt="The sky is blue", continuation=" blue")
    choice = (await open_model("vllm/m").generate(request)).choices[0]
    assert [token.text for token in choice.tokens] == [" bl", "ue"]
    assert (choice.text, choice.logprob) == (" blue", -0.75)


async def test_all_tokens_are_kept_where_they_do_not_spell_the_continuation(stub: Stub, open_model: Open) -> None:
    stub.says = [completions("é ü", ["bytes:\\xc3", "bytes:\\xa9", " ", "bytes:\\xc3\\xbc"], [None, -1.0, -1.0, -1.0])]
    request = Request(SCORE.params, prompt="é ü", continuation=" ü")
    assert len((await open_model("vllm/m").generate(request)).choices[0].tokens) == 4


async def test_a_mark_before_the_prompt_is_no_reason_to_doubt_the_echo(stub: Stub, open_model: Open) -> None:
    stub.says = [
        completions("<s>The sky is blue", ["<s>", "The", " sky", " is", " blue"], [None, -1.0, -1.0, -1.0, -1.0])
    ]
    assert (await open_model("vllm/m").generate(SCORE)).choices[0].logprob == -4.0


async def test_an_ignored_echo_is_not_supported_and_never_a_score(stub: Stub, open_model: Open) -> None:
    stub.says = [completions(" today", [" today"], [-0.1])]
    model = open_model("vllm/m")
    with pytest.raises(NotSupportedError, match="ignores echo"):
        await model.generate(SCORE)
    with pytest.raises(NotSupportedError, match="ignores echo"):
        await model.generate(SCORE)
    assert len(stub.asked) == 1


async def test_an_echo_without_log_probabilities_is_not_supported(stub: Stub, open_model: Open) -> None:
    stub.says = [completions("The sky is blue")]
    with pytest.raises(NotSupportedError, match="no log-probabilities"):
        await open_model("vllm/m").generate(SCORE)


async def test_a_refused_echo_is_not_supported(stub: Stub, open_model: Open) -> None:
    stub.says = [refusal(400, "echo is not supported by this model")]
    with pytest.raises(NotSupportedError, match="echo is not supported"):
        await open_model("vllm/m").generate(SCORE)


async def test_echo_on_a_chat_only_host_is_not_sent(stub: Stub, open_model: Open) -> None:
    with pytest.raises(NotSupportedError, match="no echo"):
        await open_model("vllm/m?api=chat").generate(SCORE)
    assert not stub.asked


async def test_a_server_that_must_generate_one_token_generates_one_that_is_left_out(
    stub: Stub, open_model: Open
) -> None:
    def say(asked: Asked) -> Say:
        if asked.body["max_tokens"] == 0:
            return refusal(400, "max_tokens must be at least 1, got 0.")
        return completions("The sky is blue.", ["The", " sky", " is", " blue", "."], [None, -1.0, -1.0, -1.0, -9.0])

    stub.says = say
    choice = (await open_model("vllm/m").generate(SCORE)).choices[0]
    assert [token.text for token in choice.tokens] == ["The", " sky", " is", " blue"]
    assert (choice.text, choice.logprob) == ("The sky is blue", -3.0)


async def test_a_reply_of_fewer_completions_than_asked_for_is_not_supported(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(chat())]
    with pytest.raises(NotSupportedError, match="asked for 3 completions at once, the endpoint gave 1"):
        await open_model("vllm/m").generate(Request(Params(num_completions=3), prompt="x"))
