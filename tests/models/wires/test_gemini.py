"""What is special to Gemini, of the Developer API and of Vertex AI."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from holoscope.core import (
    ConfigError,
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
    Usage,
)
from holoscope.models import Model, resolve
from models.stub import Asked, Say, Stub
from models.wires.dialect import EVENTS, KEY, Said, events
from models.wires.gemini import candidate, content, google_error

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="Capital of France?")
Open = Callable[..., Model]
_RPC = "type.googleapis.com/google.rpc."
_NO_QUOTA = "You exceeded your current quota, please check your plan and billing details. Please retry in 36.4s."


@pytest.fixture
async def open_google(stub: Stub, settings: Settings) -> AsyncIterator[Open]:
    """`open_google("google/gemini-x?thinking=low", GOOGLE_CLOUD_PROJECT="p")`: a model served by the stub."""
    root = stub.url.removesuffix("/v1")
    urls = {"GOOGLE_BASE_URL": root, "VERTEX_BASE_URL": root}
    opened: list[Model] = []

    def open_(name: str = "google/gemini-x", **environ: str) -> Model:
        mine = {**urls, **(environ or {"GEMINI_API_KEY": KEY})}
        opened.append(resolve(name, replace(settings, environ=mine)))
        return opened[-1]

    stub.says = [Say(content([candidate([{"text": "Paris"}])], Said()))]
    yield open_
    for model in opened:
        await model.aclose()


async def test_a_prompt_and_its_parameters(stub: Stub, open_google: Open) -> None:
    params = Params(temperature=0.7, max_tokens=9, stop_sequences=("\n",), num_completions=2, top_p=0.9)
    stub.says = [Say(content([candidate([{"text": "a"}]), candidate([{"text": "b"}], index=1)]))]
    completion = await open_google("google/gemini-x?seed=3").generate(Request(params, prompt="x", wants_logprobs=True))
    asked = stub.asked[0]
    assert asked.path == "/v1beta/models/gemini-x:generateContent"
    assert asked.headers["x-goog-api-key"] == KEY
    assert asked.body == {
        "contents": [{"role": "user", "parts": [{"text": "x"}]}],
        "generationConfig": {
            "maxOutputTokens": 9,
            "temperature": 0.7,
            "topP": 0.9,
            "stopSequences": ["\n"],
            "candidateCount": 2,
            "seed": 3,
            "responseLogprobs": True,
        },
    }
    assert [choice.text for choice in completion.choices] == ["a", "b"]


async def test_a_conversation_with_an_image(stub: Stub, open_google: Open) -> None:
    picture = Image(sha256="0", media_type="image/png", data="QUJD")
    messages = (
        Message("system", "Be brief."),
        Message("user", "Hi"),
        Message("assistant", "Hello"),
        Message("user", (Text("What?"), picture)),
    )
    await open_google().generate(Request(Params(), messages=messages))
    body = stub.asked[0].body
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
    assert [turn["role"] for turn in body["contents"]] == ["user", "model", "user"]
    assert body["contents"][2]["parts"][1] == {"inlineData": {"mimeType": "image/png", "data": "QUJD"}}


@pytest.mark.parametrize(
    ("option", "config"),
    [
        ("thinking=2048", {"thinkingBudget": 2048, "includeThoughts": True}),
        ("thinking=none", {"thinkingBudget": 0, "includeThoughts": False}),
        ("thinking=dynamic", {"thinkingBudget": -1, "includeThoughts": True}),
        ("thinking=low", {"thinkingLevel": "LOW", "includeThoughts": True}),
        ("effort=high", {"thinkingLevel": "HIGH", "includeThoughts": True}),
    ],
)
async def test_how_much_to_think(stub: Stub, open_google: Open, option: str, config: dict[str, Any]) -> None:
    await open_google(f"google/gemini-x?{option}").generate(ASK)
    assert stub.asked[0].body["generationConfig"]["thinkingConfig"] == config


async def test_the_user_s_own_fields_go_where_google_puts_such(stub: Stub, open_google: Open) -> None:
    await open_google('google/gemini-x?body.topK=40&body.labels={"a":"b"}&safety=block_none').generate(ASK)
    body = stub.asked[0].body
    assert body["generationConfig"]["topK"] == 40
    assert body["labels"] == {"a": "b"}
    assert {setting["threshold"] for setting in body["safetySettings"]} == {"BLOCK_NONE"}
    assert len(body["safetySettings"]) == 4


async def test_no_more_than_five_stops_are_sent(stub: Stub, open_google: Open) -> None:
    completion = await open_google().generate(Request(Params(stop_sequences=tuple("123456")), prompt="x"))
    assert stub.asked[0].body["generationConfig"]["stopSequences"] == list("12345")
    assert completion.dropped_params == ("stop: 5 of 6 sent, all applied to the answer here",)


async def test_log_probabilities(stub: Stub, open_google: Open) -> None:
    chosen = [{"token": "Par", "tokenId": 1, "logProbability": -0.5}, {"token": "is", "logProbability": -0.25}]
    scored = candidate([{"text": "Paris"}], logprobsResult={"topCandidates": [], "chosenCandidates": chosen})
    stub.says = [Say(content([scored]))]
    completion = await open_google().generate(ASK)
    assert completion.choices[0].tokens == (Token("Par", -0.5), Token("is", -0.25))


async def test_tokens_of_thoughts_are_added_to_those_of_the_answer(stub: Stub, open_google: Open) -> None:
    usage = {
        "promptTokenCount": 11,
        "candidatesTokenCount": 2,
        "thoughtsTokenCount": 5,
        "cachedContentTokenCount": 4,
        "totalTokenCount": 18,
    }
    stub.says = [Say(content([candidate([{"text": "Paris"}])], usageMetadata=usage))]
    assert (await open_google().generate(ASK)).usage == Usage(11, 7, 5, 4)


@pytest.mark.parametrize(
    "reason",
    ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR", "IMAGE_SAFETY"],
)
async def test_an_answer_that_is_withheld(stub: Stub, open_google: Open, reason: str) -> None:
    stub.says = [Say(content([candidate([], reason)]))]
    assert (await open_google().generate(ASK)).outcome is Outcome.CONTENT_FILTER


@pytest.mark.parametrize("why", ["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "JAILBREAK"])
async def test_a_prompt_that_is_blocked(stub: Stub, open_google: Open, why: str) -> None:
    stub.says = [Say({"promptFeedback": {"blockReason": why}, "usageMetadata": {"promptTokenCount": 9}})]
    completion = await open_google().generate(ASK)
    assert completion.outcome is Outcome.CONTENT_FILTER
    assert why in completion.reason


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "OTHER", "NEW_IN_2027"])
async def test_an_ending_without_text_is_no_answer(stub: Stub, open_google: Open, reason: str) -> None:
    stub.says = [Say(content([candidate([], reason)]))]
    with pytest.raises(TransportError):
        await open_google().generate(ASK)


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_an_ending_nobody_knows_costs_no_answer(stub: Stub, open_google: Open, way: str) -> None:
    piece = content([candidate([{"text": "Paris", "newPart": {"a": 1}}], "NEW_IN_2027", newField=[1])])
    stub.says = [Say(piece) if way == "whole" else Say(events([piece]), headers=EVENTS)]
    completion = await open_google(f"google/gemini-x?stream={way == 'streamed'}").generate(ASK)
    assert (completion.outcome, completion.text) == (Outcome.OK, "Paris")
    assert completion.choices[0].finish_reason == "new_in_2027"


async def test_a_reply_without_candidates_is_no_answer(stub: Stub, open_google: Open) -> None:
    stub.says = [Say({"usageMetadata": {"promptTokenCount": 9}, "modelVersion": "x"})]
    with pytest.raises(TransportError):
        await open_google().generate(ASK)


async def test_a_limit_within_thoughts_that_are_not_shown(stub: Stub, open_google: Open) -> None:
    stub.says = [Say(content([candidate([], "MAX_TOKENS")]))]
    completion = await open_google().generate(ASK)
    assert completion.outcome is Outcome.TRUNCATED_IN_REASONING


def rate(quota: str, message: str = _NO_QUOTA) -> Say:
    details: list[dict[str, Any]] = [
        {"@type": f"{_RPC}QuotaFailure", "violations": [{"quotaId": quota}]},
        {"@type": f"{_RPC}RetryInfo", "retryDelay": "37s"},
    ]
    return Say(google_error(429, "RESOURCE_EXHAUSTED", message, details), 429)


async def test_how_long_to_wait_stands_in_the_body(stub: Stub, open_google: Open) -> None:
    stub.says = [rate("GenerateRequestsPerMinutePerProjectPerModel-FreeTier")]
    with pytest.raises(TransportError) as caught:
        await open_google().generate(ASK)
    assert (caught.value.retry_after, caught.value.overloaded) == (37, True)


async def test_how_long_to_wait_may_stand_in_the_message_alone(stub: Stub, open_google: Open) -> None:
    stub.says = [Say(google_error(429, "RESOURCE_EXHAUSTED", _NO_QUOTA), 429)]
    with pytest.raises(TransportError) as caught:
        await open_google().generate(ASK)
    assert caught.value.retry_after == 36.4


async def test_a_quota_of_the_day_stops_the_model(stub: Stub, open_google: Open) -> None:
    stub.says = [rate("GenerateRequestsPerDayPerProjectPerModel-FreeTier", _NO_QUOTA.partition(" Please")[0])]
    with pytest.raises(FatalModelError):
        await open_google().generate(ASK)


@pytest.mark.parametrize("code", ["API_KEY_INVALID", ""])
async def test_a_bad_key_is_a_bad_request_there(stub: Stub, open_google: Open, code: str) -> None:
    details = [{"@type": f"{_RPC}ErrorInfo", "reason": code}] if code else []
    said = "API key expired. Please renew the API key." if code else "API key not valid. Please pass a valid API key."
    stub.says = [Say(google_error(400, "INVALID_ARGUMENT", said, details), 400)]
    with pytest.raises(FatalModelError, match="check the key"):
        await open_google().generate(ASK)


async def test_a_country_that_is_not_served_stops_the_model(stub: Stub, open_google: Open) -> None:
    said = "User location is not supported for the API use."
    stub.says = [Say(google_error(400, "FAILED_PRECONDITION", said), 400)]
    with pytest.raises(FatalModelError):
        await open_google().generate(ASK)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "Logprobs is not enabled for models/gemini-x"),
        (400, "Unable to submit request because Logprobs is not supported for this model."),
        (500, "Missing Logprobs results."),
    ],
)
async def test_log_probabilities_that_are_not_given(stub: Stub, open_google: Open, status: int, said: str) -> None:
    def strict(asked: Asked) -> Say:
        if "responseLogprobs" in asked.body["generationConfig"]:
            return Say(google_error(status, "INVALID_ARGUMENT", said), status)
        return Say(content([candidate([{"text": "B"}])]))

    stub.says = strict
    completion = await open_google().generate(Request(Params(), prompt="x", wants_logprobs=True))
    assert completion.dropped_params == ("logprobs: not given by the endpoint",)


async def test_several_answers_that_are_not_given_are_asked_for_once(stub: Stub, open_google: Open) -> None:
    stub.says = [Say(google_error(400, "INVALID_ARGUMENT", "Multiple candidates is not enabled for this model"), 400)]
    model = open_google()
    for _ in range(2):
        with pytest.raises(NotSupportedError):
            await model.generate(Request(Params(num_completions=2), prompt="x"))
    assert len(stub.asked) == 1


async def test_an_error_in_a_stream(stub: Stub, open_google: Open) -> None:
    pieces = [content([candidate([{"text": "Par"}], None)]), google_error(503, "UNAVAILABLE", "Overloaded.")]
    stub.says = [Say(events(pieces), headers=EVENTS)]
    with pytest.raises(TransportError, match="Overloaded") as caught:
        await open_google("google/gemini-x?stream=true").generate(ASK)
    assert caught.value.overloaded


async def test_a_stream_that_ends_too_soon(stub: Stub, open_google: Open) -> None:
    stub.says = [Say(events([content([candidate([{"text": "Par"}], None)])]), headers=EVENTS)]
    with pytest.raises(TransportError, match="broke off"):
        await open_google("google/gemini-x?stream=true").generate(ASK)


async def test_vertex_by_a_key_alone(stub: Stub, open_google: Open) -> None:
    await open_google("vertex/gemini-x", VERTEX_API_KEY=KEY).generate(ASK)
    asked = stub.asked[0]
    assert asked.path == "/v1beta1/publishers/google/models/gemini-x:generateContent"
    assert asked.headers["x-goog-api-key"] == KEY


async def test_vertex_within_a_project(stub: Stub, open_google: Open) -> None:
    model = open_google("vertex/gemini-x?region=europe-west4", GOOGLE_CLOUD_PROJECT="lab")
    await model.generate(ASK)
    path = "/v1beta1/projects/lab/locations/europe-west4/publishers/google/models/gemini-x:generateContent"
    assert stub.asked[0].path == path


async def test_vertex_streams(stub: Stub, open_google: Open) -> None:
    stub.says = [Say(events([content([candidate([{"text": "Paris"}])])]), headers=EVENTS)]
    completion = await open_google("vertex/gemini-x?stream=true", GOOGLE_CLOUD_PROJECT="lab").generate(ASK)
    assert completion.text == "Paris"
    assert stub.asked[0].path.endswith(":streamGenerateContent?alt=sse")


def test_vertex_without_a_project_says_what_to_set(open_google: Open) -> None:
    with pytest.raises(ConfigError, match="GOOGLE_CLOUD_PROJECT"):
        open_google("vertex/gemini-x", HOME="/")


@pytest.mark.parametrize(
    ("client", "credentials", "path"),
    [
        (
            "vertexai_client.VertexAIChatClient",
            "googleProjectId: lab\ngoogleLocation: us-east1",
            "lab/locations/us-east1",
        ),
        ("google_genai_client.GoogleGenAIClient", "googleProjectId: lab\ngoogleLocation: eu", "lab/locations/eu"),
        ("google_genai_client.GoogleGenAIClient", f"googleApiKey: {KEY}", "/v1beta/models/gemini-1.5-pro-001"),
    ],
)
async def test_helm_s_deployments_work_as_they_are(
    stub: Stub, settings: Settings, client: str, credentials: str, path: str
) -> None:
    settings.local_path.mkdir()
    entry = {
        "name": "google/gemini-1.5-pro-001",
        "model_name": "google/gemini-1.5-pro-001",
        "client_spec": {"class_name": f"helm.clients.{client}"},
    }
    (settings.local_path / "model_deployments.yaml").write_text(
        json.dumps({"model_deployments": [entry]}), encoding="utf-8"
    )
    (settings.local_path / "credentials.conf").write_text(credentials, encoding="utf-8")
    root = stub.url.removesuffix("/v1")
    stub.says = [Say(content([candidate([{"text": "Paris"}])]))]
    model = resolve(
        "google/gemini-1.5-pro-001", replace(settings, environ={"GOOGLE_BASE_URL": root, "VERTEX_BASE_URL": root})
    )
    await model.generate(ASK)
    await model.aclose()
    assert path in stub.asked[0].path
    is_open = "safetySettings" in stub.asked[0].body
    assert is_open == client.startswith("vertexai")


async def test_vertex_is_asked_as_the_account_of_the_environment(settings: Settings) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    from holoscope.models.providers.gemini import Gemini

    pem = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    account = {
        "type": "service_account",
        "client_email": "me@lab.iam",
        "private_key": pem.decode(),
        "token_uri": "https://oauth2.googleapis.com/token",
    }
    file = settings.cache_dir.with_name("account.json")
    file.write_text(json.dumps(account), encoding="utf-8")
    environ = {"GOOGLE_CLOUD_PROJECT": "lab", "GOOGLE_APPLICATION_CREDENTIALS": str(file)}
    model = resolve("vertex/gemini-x?region=us-east1", replace(settings, environ=environ))
    assert isinstance(model, Gemini)
    door = model._door()
    assert getattr(door._credentials, "service_account_email", "") == "me@lab.iam"
    assert door._http_options.base_url == "https://us-east1-aiplatform.googleapis.com/"
    await model.aclose()


@pytest.mark.parametrize(
    ("name", "environ", "host"),
    [
        ("google/gemini-x", {"GEMINI_API_KEY": KEY, "GOOGLE_CLOUD_PROJECT": "lab"}, "generativelanguage"),
        ("google/gemini-x", {"GOOGLE_CLOUD_PROJECT": "lab"}, "aiplatform"),
        ("google/gemini-1.5-pro-002", {"GOOGLE_CLOUD_PROJECT": "lab", "GEMINI_API_KEY": KEY}, "aiplatform"),
        ("google/gemini-1.5-pro-002", {"GEMINI_API_KEY": KEY}, "generativelanguage"),
        ("vertex/gemini-x", {"GOOGLE_CLOUD_PROJECT": "lab", "GEMINI_API_KEY": KEY}, "aiplatform"),
    ],
)
def test_the_service_is_the_one_that_can_be_asked(
    settings: Settings, name: str, environ: dict[str, str], host: str
) -> None:
    model = resolve(name, replace(settings, environ=environ))
    assert model.card.base_url == f"https://{host}.googleapis.com"
