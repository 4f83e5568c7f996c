"""What a reply means: each outcome, over the wire."""

import pytest

from holoscope.core import Completion, Outcome, Params, Request
from models.conftest import Open
from models.stub import Say, Stub, chat, refusal

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="x")


async def ask(stub: Stub, open_model: Open, say: Say) -> Completion:
    stub.says = [say]
    return await open_model("vllm/m").generate(ASK)


async def test_length_is_truncated_and_graded(stub: Stub, open_model: Open) -> None:
    completion = await ask(stub, open_model, Say(chat("half an ans", "length")))
    assert (completion.outcome, completion.text) == (Outcome.TRUNCATED, "half an ans")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_t086_a_limit_within_the_reasoning_is_an_empty_answer_with_a_reason(
    stub: Stub, open_model: Open, field: str
) -> None:
    completion = await ask(stub, open_model, Say(chat(None, "length", **{field: "let me see"})))
    assert completion.outcome is Outcome.TRUNCATED_IN_REASONING
    assert (completion.text, completion.choices[0].thinking) == ("", "let me see")
    assert completion.reason
    assert len(stub.asked) == 1


async def test_t086_hidden_reasoning_is_known_by_its_tokens(stub: Stub, open_model: Open) -> None:
    reply = {**chat("", "length"), "usage": {"completion_tokens_details": {"reasoning_tokens": 50}}}
    assert (await ask(stub, open_model, Say(reply))).outcome is Outcome.TRUNCATED_IN_REASONING


async def test_t086_the_endpoint_may_say_so_itself(stub: Stub, open_model: Open) -> None:
    said = "Could not finish the message because max_tokens or model output limit was reached."
    completion = await ask(stub, open_model, refusal(400, said))
    assert (completion.outcome, completion.text) == (Outcome.TRUNCATED_IN_REASONING, "")


async def test_an_empty_answer_is_an_answer(stub: Stub, open_model: Open) -> None:
    completion = await ask(stub, open_model, Say(chat("")))
    assert (completion.outcome, len(completion.choices)) == (Outcome.OK, 1)


@pytest.mark.parametrize("finish", ["content_filter", "SAFETY", "recitation"])
async def test_t089_a_withheld_answer_is_content_filter_and_not_an_empty_one(
    stub: Stub, open_model: Open, finish: str
) -> None:
    completion = await ask(stub, open_model, Say(chat("", finish)))
    assert completion.outcome is Outcome.CONTENT_FILTER
    assert completion.choices == ()
    assert finish in completion.reason


async def test_t089_a_blocked_prompt_in_a_reply_without_choices_is_content_filter(stub: Stub, open_model: Open) -> None:
    completion = await ask(stub, open_model, Say({"choices": [], "promptFeedback": {"blockReason": "PROHIBITED"}}))
    assert completion.outcome is Outcome.CONTENT_FILTER
    assert "PROHIBITED" in completion.reason


async def test_t089_a_400_that_names_the_policy_is_content_filter(stub: Stub, open_model: Open) -> None:
    said = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    completion = await ask(stub, open_model, refusal(400, said, code="content_filter"))
    assert completion.outcome is Outcome.CONTENT_FILTER
    assert len(stub.asked) == 1


async def test_a_refusal_is_graded_by_its_text(stub: Stub, open_model: Open) -> None:
    completion = await ask(stub, open_model, Say(chat(None, "stop", refusal="I can't help with that.")))
    assert (completion.outcome, completion.text) == (Outcome.REFUSED, "I can't help with that.")


async def test_t083_a_400_about_the_context_is_context_overflow(stub: Stub, open_model: Open) -> None:
    said = "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens."
    completion = await ask(stub, open_model, refusal(400, said))
    assert completion.outcome is Outcome.CONTEXT_OVERFLOW
    assert "272000" in completion.reason
    assert completion.choices == ()
    assert len(stub.asked) == 1


async def test_t096_reasoning_in_the_text_is_taken_out(stub: Stub, open_model: Open) -> None:
    completion = await ask(stub, open_model, Say(chat("<think>maybe A</think>\n\nB")))
    assert (completion.text, completion.choices[0].thinking) == ("B", "maybe A")


async def test_t095_stop_sequences_count_only_after_the_reasoning(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(chat("<think>step one\n\nstep two</think>The answer is 9\n\nNext question"))]
    request = Request(Params(stop_sequences=("\n\n",)), prompt="x")
    assert (await open_model("vllm/m").generate(request)).text == "The answer is 9"


async def test_t095_a_server_that_stops_within_the_reasoning_is_asked_again_without_stop(
    stub: Stub, open_model: Open
) -> None:
    stub.says = lambda asked: Say(
        chat("<think>step one") if "stop" in asked.body else chat("<think>step one\n\ntwo</think>9\n\nmore")
    )
    model = open_model("vllm/m")
    request = Request(Params(stop_sequences=("\n\n",)), prompt="x")
    first, second = await model.generate(request), await model.generate(request)
    assert [first.text, second.text] == ["9", "9"]
    assert first.dropped_params == ("stop: not sent, applied to the answer here",)
    assert ["stop" in asked.body for asked in stub.asked] == [True, False, False]
