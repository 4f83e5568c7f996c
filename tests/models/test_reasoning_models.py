"""OpenAI's chat API with models that reason: what is sent, and every refusal in the words that were seen."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from holoscope.core import FatalModelError, Message, NotSupportedError, Outcome, Params, Request, Settings, UsageError
from holoscope.models import Model, resolve
from models.conftest import Open
from models.stub import Asked, Say, Stub, chat, refusal

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="x")
TALK = Request(Params(), messages=(Message("system", "Be brief."), Message("user", "Hi")))


def openai_model(settings: Settings, stub: Stub, name: str) -> Model:
    return resolve(name, replace(settings, environ={"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": stub.url}))


@pytest.mark.parametrize("name", ["openai/o3?effort=low", "openai/o3?body.reasoning_effort=low"])
async def test_effort_is_sent_and_told_apart(stub: Stub, settings: Settings, name: str) -> None:
    model, plain = (openai_model(settings, stub, typed) for typed in (name, "openai/o3"))
    await model.generate(ASK)
    await model.aclose()
    assert stub.asked[0].body["reasoning_effort"] == "low"
    assert model.identity != plain.identity


REFUSALS = [
    ("temperature", "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) value "
     "is supported.", "unsupported_value", 400, "temperature=0.0: not taken by the endpoint"),
    ("temperature", "Unsupported parameter: 'temperature' is not supported with this model.", None, 400,
     "temperature=0.0: not taken by the endpoint"),
    ("top_p", "Unsupported parameter: 'top_p' is not supported with this model.", "unsupported_parameter", 400,
     "top_p=0.5: not taken by the endpoint"),
    ("stop", "Unsupported parameter: 'stop' is not supported with this model.", "unsupported_parameter", 400,
     "stop: not sent, applied to the answer here"),
    ("logprobs", "You are not allowed to request logprobs from this model.", None, 403,
     "logprobs: not given by the endpoint"),
    ("logprobs", "Unsupported parameter: 'logprobs' is not supported with this model.", "unsupported_parameter", 400,
     "logprobs: not given by the endpoint"),
    ("max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
     "instead.", "unsupported_parameter", 400, "max_tokens: sent as max_completion_tokens"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "message", "code", "status", "said"), REFUSALS)
async def test_t082_a_refusal_in_its_own_words(
    stub: Stub, open_model: Open, name: str, message: str, code: str | None, status: int, said: str
) -> None:
    parameter = None if status == 403 else name
    stub.says = lambda asked: (
        refusal(status, message, param=parameter, code=code) if name in asked.body else Say(chat("Paris"))
    )
    params = Params(temperature=0.0, max_tokens=50, stop_sequences=("\n",), top_p=0.5)
    completion = await open_model("vllm/m").generate(Request(params, prompt="x", wants_logprobs=True))
    assert (completion.outcome, completion.dropped_params) == (Outcome.OK, (said,))


async def test_t082_several_answers_at_once_are_refused_once(stub: Stub, open_model: Open) -> None:
    said = "Unsupported value: 'n' does not support 3 with this model. Only the default (1) value is supported."
    stub.says = [refusal(400, said, param="n", code="unsupported_value")]
    model = open_model("vllm/m")
    for _ in range(2):
        with pytest.raises(NotSupportedError, match="'n' does not support 3"):
            await model.generate(Request(Params(num_completions=3), prompt="x"))
    assert len(stub.asked) == 1


async def test_an_effort_the_model_has_not_stops_it(stub: Stub, open_model: Open) -> None:
    said = "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: "
    stub.says = [refusal(400, f"{said}'low', 'medium', and 'high'.", param="reasoning_effort")]
    with pytest.raises(FatalModelError, match="reasoning_effort stands in every request"):
        await open_model("vllm/m?effort=minimal").generate(ASK)


def takes(*roles: str) -> Callable[[Asked], Say]:
    """An endpoint that takes messages of these roles, and refuses others as OpenAI does."""

    def answer(asked: Asked) -> Say:
        found = [message["role"] for message in asked.body["messages"]]
        refused = next((role for role in found if role not in roles), None)
        if refused is None:
            return Say(chat("Hello"))
        said = f"Unsupported value: 'messages[0].role' does not support '{refused}' with this model."
        return refusal(400, said, param="messages[0].role", code="unsupported_value")

    return answer


async def test_system_words_go_as_a_developer_s(stub: Stub, open_model: Open) -> None:
    stub.says = takes("developer", "user")
    completion = await open_model("vllm/m").generate(TALK)
    assert stub.asked[-1].body["messages"][0] == {"role": "developer", "content": "Be brief."}
    assert completion.dropped_params == ("system: sent as a developer's message",)


async def test_system_words_go_before_the_user_s_where_no_other_role_is_taken(stub: Stub, open_model: Open) -> None:
    stub.says = takes("user")
    model = open_model("vllm/m")
    for _ in range(2):
        completion = await model.generate(TALK)
        assert completion.dropped_params == ("system: put before the user's words",)
    assert stub.asked[-1].body["messages"] == [{"role": "user", "content": "Be brief.\n\nHi"}]
    assert len(stub.asked) == 4


@pytest.mark.parametrize("said", ["System role not supported", "Developer instruction is not enabled for models/g"])
async def test_templates_without_a_system_role(stub: Stub, open_model: Open, said: str) -> None:
    stub.says = lambda asked: Say(chat("Hello")) if len(asked.body["messages"]) == 1 else refusal(400, said)
    completion = await open_model("vllm/m").generate(TALK)
    assert completion.dropped_params == ("system: put before the user's words",)


async def test_a_talk_without_system_words_is_sent_as_it_is(stub: Stub, open_model: Open) -> None:
    stub.says = takes("user")
    model = open_model("vllm/m")
    await model.generate(TALK)
    assert (await model.generate(ASK)).dropped_params == ()


@pytest.mark.parametrize("option", ["thinking=2048", "safety=OFF"])
def test_an_option_of_another_format_is_an_error(settings: Settings, stub: Stub, option: str) -> None:
    with pytest.raises(UsageError, match="openai format"):
        openai_model(settings, stub, f"openai/o3?{option}")
