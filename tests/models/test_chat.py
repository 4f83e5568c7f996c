"""Requests over the chat API, and what becomes of plain replies."""

from holoscope.core import Image, Message, Outcome, Params, Request, Text, Token, Usage
from models.conftest import Open
from models.stub import Say, Stub, chat

ASK = Request(Params(temperature=0.0, max_tokens=5), prompt="Capital of France?")


async def test_a_prompt_becomes_one_user_message(stub: Stub, open_model: Open) -> None:
    completion = await open_model("vllm/org/m").generate(ASK)
    assert completion.text == "Paris"
    assert completion.outcome is Outcome.OK
    assert stub.asked[0].path == "/v1/chat/completions"
    assert stub.asked[0].body == {
        "model": "org/m",
        "messages": [{"role": "user", "content": "Capital of France?"}],
        "max_tokens": 5,
        "temperature": 0.0,
    }


async def test_parameters_that_were_set_are_sent(stub: Stub, open_model: Open) -> None:
    params = Params(temperature=0.7, max_tokens=9, stop_sequences=("\n",), num_completions=2, top_p=0.9)
    stub.says = [Say({"choices": [chat("a")["choices"][0], {**chat("b")["choices"][0], "index": 1}]})]
    completion = await open_model("vllm/m?seed=3&body.top_k=20").generate(Request(params, prompt="x"))
    body = stub.asked[0].body
    assert (body["temperature"], body["stop"], body["n"], body["top_p"]) == (0.7, ["\n"], 2, 0.9)
    assert (body["seed"], body["top_k"]) == (3, 20)
    assert [choice.text for choice in completion.choices] == ["a", "b"]


async def test_messages_and_images_are_sent_as_they_are(stub: Stub, open_model: Open) -> None:
    picture = Image(sha256="0", media_type="image/png", data="QUJD")
    messages = (Message("system", "Be brief."), Message("user", (Text("What?"), picture)))
    await open_model("vllm/m").generate(Request(Params(), messages=messages))
    assert stub.asked[0].body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
            ],
        },
    ]


async def test_log_probabilities_are_asked_for_only_if_something_reads_them(stub: Stub, open_model: Open) -> None:
    model = open_model("vllm/m")
    await model.generate(ASK)
    await model.generate(Request(Params(), prompt="x", wants_logprobs=True))
    await model.generate(Request(Params(top_k_per_token=5), prompt="x"))
    assert [asked.body.get("logprobs") for asked in stub.asked] == [None, True, True]


async def test_tokens_are_kept_and_summed(stub: Stub, open_model: Open) -> None:
    reply = chat("Paris")
    reply["choices"][0]["logprobs"] = {
        "content": [{"token": "Par", "logprob": -0.5, "top_logprobs": []}, {"token": "is", "logprob": -0.25}]
    }
    stub.says = [Say(reply)]
    completion = await open_model("vllm/m").generate(Request(Params(), prompt="x", wants_logprobs=True))
    assert completion.choices[0].tokens == (Token("Par", -0.5), Token("is", -0.25))
    assert completion.choices[0].logprob == -0.75


async def test_log_probabilities_in_the_form_of_the_completions_api_are_read_too(stub: Stub, open_model: Open) -> None:
    reply = chat("Paris")
    reply["choices"][0]["logprobs"] = {"tokens": ["Paris"], "token_logprobs": [-0.5], "top_logprobs": None}
    stub.says = [Say(reply)]
    completion = await open_model("vllm/m").generate(Request(Params(), prompt="x", wants_logprobs=True))
    assert completion.choices[0].tokens == (Token("Paris", -0.5),)


async def test_usage_time_and_served_model_are_kept(stub: Stub, open_model: Open) -> None:
    usage = {
        "prompt_tokens": 11,
        "completion_tokens": 7,
        "completion_tokens_details": {"reasoning_tokens": 4},
        "prompt_tokens_details": {"cached_tokens": 8},
    }
    stub.says = [Say({**chat(), "usage": usage, "model": "m-2026-01"})]
    completion = await open_model("vllm/m").generate(ASK)
    assert completion.usage == Usage(11, 7, 4, 8)
    assert completion.served_model == "m-2026-01"
    assert completion.request_time is not None
    assert 0 < completion.request_time < 10
    assert completion.time_to_first_token is None
    assert completion.created > 1.7e9


async def test_usage_that_is_not_reported_is_unknown(stub: Stub, open_model: Open) -> None:
    assert (await open_model("vllm/m").generate(ASK)).usage is None


async def test_content_in_parts_is_put_together(stub: Stub, open_model: Open) -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Paris"}]
    stub.says = [Say(chat(parts))]
    completion = await open_model("vllm/m").generate(ASK)
    assert (completion.text, completion.choices[0].thinking) == ("Paris", "hm")


async def test_more_stop_sequences_than_are_taken_are_applied_here(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(chat("one five two"))]
    params = Params(stop_sequences=("1", "2", "3", "4", "five"))
    completion = await open_model("vllm/m?max_stops=4").generate(Request(params, prompt="x"))
    assert stub.asked[0].body["stop"] == ["1", "2", "3", "4"]
    assert completion.text == "one "
    assert completion.dropped_params == ("stop: 4 of 5 sent, all applied to the answer here",)


async def test_a_lone_surrogate_in_a_prompt_is_sent(stub: Stub, open_model: Open) -> None:
    completion = await open_model("vllm/m").generate(Request(Params(), prompt="broken \ud800 text"))
    assert completion.outcome is Outcome.OK
    assert stub.asked[0].body["messages"][0]["content"] == "broken \ud800 text"


async def test_one_model_serves_several_event_loops_in_turn(stub: Stub, open_model: Open) -> None:
    model = open_model("vllm/m")
    await model.generate(ASK)
    await model.aclose()
    assert (await model.generate(ASK)).text == "Paris"
