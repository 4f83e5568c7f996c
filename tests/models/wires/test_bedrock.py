"""What is special to Amazon Bedrock."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from holoscope.core import (
    Completion,
    FatalModelError,
    Image,
    Message,
    Outcome,
    Params,
    Request,
    Settings,
    Text,
    TransportError,
)
from holoscope.models import describe, resolve
from models.stub import Say, Stub
from models.wires.bedrock import DIALECT, STREAM, frame, reply
from models.wires.dialect import KEY, Said

ASK = Request(Params(temperature=0.0, max_tokens=50, stop_sequences=("Q:",)), prompt="x")


async def ask(
    stub: Stub,
    settings: Settings,
    say: Say,
    name: str = "bedrock/us.amazon.nova-x-v1:0",
    request: Request = ASK,
    **environ: str,
) -> Completion:
    stub.says = [say]
    mine = replace(settings, environ={**DIALECT.environ(stub.url.removesuffix("/v1")), **environ})
    model = resolve(name, mine)
    try:
        return await model.generate(request)
    finally:
        await model.aclose()


def said(**changes: Any) -> Say:
    return Say({**reply(Said()), **changes})


async def test_a_request_is_signed_for_its_region(stub: Stub, settings: Settings) -> None:
    await ask(stub, settings, said())
    authorization = stub.asked[0].headers["authorization"]
    assert authorization.startswith("AWS4-HMAC-SHA256 Credential=AKIA-EXAMPLE/")
    assert "/eu-west-1/bedrock/" in authorization
    assert KEY not in authorization


async def test_the_region_may_stand_in_the_name(stub: Stub, settings: Settings) -> None:
    await ask(stub, settings, said(), "bedrock/us.amazon.nova-x-v1:0?region=us-west-2")
    assert "/us-west-2/bedrock/" in stub.asked[0].headers["authorization"]


async def test_the_region_may_stand_in_the_user_s_profile(
    stub: Stub, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").write_text("[default]\nregion = eu-central-1\n", encoding="utf-8")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    await ask(stub, settings, said(), AWS_REGION="")
    assert "/eu-central-1/bedrock/" in stub.asked[0].headers["authorization"]


async def test_a_resource_is_asked_where_it_is(stub: Stub, settings: Settings) -> None:
    await ask(stub, settings, said(), "bedrock/arn:aws:bedrock:ap-south-1:111122223333:inference-profile/abc")
    assert "/ap-south-1/bedrock/" in stub.asked[0].headers["authorization"]


async def test_a_bearer_token_identifies_instead(stub: Stub, settings: Settings) -> None:
    await ask(stub, settings, said(), AWS_BEARER_TOKEN_BEDROCK="bedrock-api-key-1")
    assert stub.asked[0].headers["authorization"] == "Bearer bedrock-api-key-1"


async def test_a_name_may_be_that_of_a_resource(stub: Stub, settings: Settings) -> None:
    arn = "arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc"
    await ask(stub, settings, said(), f"bedrock/{arn}")
    assert unquote(stub.asked[0].path) == f"/model/{arn}/converse"


async def test_no_key_of_its_own_is_needed(settings: Settings) -> None:
    assert describe("bedrock/amazon.nova-x-v1:0", settings).problem == ""


async def test_parameters_go_under_their_names_here(stub: Stub, settings: Settings) -> None:
    await ask(stub, settings, said(), "bedrock/m?body.top_k=5&seed=3")
    body = stub.asked[0].body
    assert body["inferenceConfig"] == {"maxTokens": 50, "temperature": 0.0, "stopSequences": ["Q:"]}
    assert body["additionalModelRequestFields"] == {"top_k": 5}


async def test_a_seed_is_not_taken_and_it_is_said(stub: Stub, settings: Settings) -> None:
    completion = await ask(stub, settings, said(), "bedrock/m?seed=3")
    assert len(completion.dropped_params) == 1
    assert completion.dropped_params[0].startswith("seed=")


async def test_system_messages_and_images(stub: Stub, settings: Settings) -> None:
    image = Image(data="aGk=", media_type="image/jpg", sha256="0" * 64)
    turns = (Message("system", "Be brief."), Message("user", (Text("What is it?"), image)))
    await ask(stub, settings, said(), request=Request(Params(max_tokens=5), messages=turns))
    body = stub.asked[0].body
    assert body["system"] == [{"text": "Be brief."}]
    picture = {"image": {"format": "jpeg", "source": {"bytes": "aGk="}}}
    assert body["messages"][0]["content"] == [{"text": "What is it?"}, picture]


async def test_messages_of_one_role_in_a_row_are_one(stub: Stub, settings: Settings) -> None:
    turns = (Message("user", "x"), Message("user", "y"), Message("assistant", "z"))
    await ask(stub, settings, said(), request=Request(Params(max_tokens=5), messages=turns))
    assert stub.asked[0].body["messages"] == [
        {"role": "user", "content": [{"text": "x"}, {"text": "y"}]},
        {"role": "assistant", "content": [{"text": "z"}]},
    ]


async def test_a_budget_for_thinking_comes_on_top_of_the_limit(stub: Stub, settings: Settings) -> None:
    completion = await ask(stub, settings, said(), "bedrock/anthropic.claude-x?thinking=1024")
    body = stub.asked[0].body
    assert body["additionalModelRequestFields"] == {"thinking": {"type": "enabled", "budget_tokens": 1024}}
    assert body["inferenceConfig"] == {"maxTokens": 1074, "stopSequences": ["Q:"]}
    assert completion.dropped_params == ("temperature=0.0: fixed while the model thinks",)


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("us.anthropic.claude-x", {"output_config": {"effort": "low"}}),
        ("us.amazon.nova-2-x", {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "low"}}),
        ("openai.gpt-oss-x", {"reasoning_effort": "low"}),
    ],
)
async def test_effort_in_the_words_of_the_model_s_maker(
    stub: Stub, settings: Settings, model: str, fields: dict[str, Any]
) -> None:
    await ask(stub, settings, said(), f"bedrock/{model}?effort=low")
    assert stub.asked[0].body["additionalModelRequestFields"] == fields


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("end_turn", Outcome.OK),
        ("stop_sequence", Outcome.OK),
        ("content_filtered", Outcome.CONTENT_FILTER),
        ("guardrail_intervened", Outcome.CONTENT_FILTER),
        ("model_context_window_exceeded", Outcome.TRUNCATED),
        ("a_new_reason", Outcome.OK),
    ],
)
async def test_how_an_answer_ended(stub: Stub, settings: Settings, reason: str, outcome: Outcome) -> None:
    assert (await ask(stub, settings, said(stopReason=reason))).outcome == outcome


async def test_output_that_is_malformed_is_asked_for_again(stub: Stub, settings: Settings) -> None:
    with pytest.raises(TransportError):
        await ask(stub, settings, said(stopReason="malformed_model_output"))


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (408, "ModelTimeoutException", TransportError),
        (424, "ModelErrorException", TransportError),
        (429, "ModelNotReadyException", TransportError),
        (403, "AccessDeniedException", FatalModelError),
        (403, "ExpiredTokenException", FatalModelError),
        (400, "ServiceQuotaExceededException", FatalModelError),
    ],
)
async def test_errors_by_their_codes(
    stub: Stub, settings: Settings, status: int, code: str, error: type[Exception]
) -> None:
    with pytest.raises(error, match="not now"):
        await ask(stub, settings, Say({"message": "not now"}, status, {"x-amzn-ErrorType": code}))


@pytest.mark.parametrize(
    ("code", "error"), [("throttlingException", TransportError), ("modelStreamErrorException", TransportError)]
)
async def test_an_error_in_the_middle_of_a_stream(
    stub: Stub, settings: Settings, code: str, error: type[Exception]
) -> None:
    frames = [frame("messageStart", {"role": "assistant"}), frame(code, {"message": "not now"}, "exception")]
    with pytest.raises(error, match="not now"):
        await ask(stub, settings, Say(b"".join(frames), headers=STREAM), "bedrock/m?stream=true")
