"""What is special to Azure OpenAI: addresses, the key's header, and the content filter."""

from dataclasses import replace
from pathlib import Path

import pytest

from holoscope.core import ConfigError, Outcome, Params, Request, Settings
from holoscope.models import resolve
from models.stub import Say, Stub, chat
from models.wires.azure import PROMPT_RESULTS, filtered
from models.wires.dialect import EVENTS, KEY, Said, events
from models.wires.responses import response

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="x")


def with_azure(settings: Settings, stub: Stub, **environ: str) -> Settings:
    root = stub.url.removesuffix("/v1")
    return replace(settings, environ={"AZURE_OPENAI_API_KEY": KEY, "AZURE_OPENAI_ENDPOINT": root, **environ})


async def ask(name: str, settings: Settings) -> Outcome:
    model = resolve(name, settings)
    try:
        return (await model.generate(ASK)).outcome
    finally:
        await model.aclose()


async def test_the_v1_api_takes_the_deployment_as_the_model(stub: Stub, settings: Settings) -> None:
    await ask("azure/my-gpt", with_azure(settings, stub))
    asked = stub.asked[0]
    assert asked.path == "/openai/v1/chat/completions"
    assert asked.headers["api-key"] == KEY
    assert "authorization" not in asked.headers
    assert asked.body["model"] == "my-gpt"


@pytest.mark.parametrize("way", ["option", "environment"])
async def test_a_dated_version_has_a_path_for_each_deployment(stub: Stub, settings: Settings, way: str) -> None:
    named = {"AZURE_OPENAI_API_VERSION": "2024-10-21"} if way == "environment" else {}
    option = "?api_version=2024-10-21" if way == "option" else ""
    await ask(f"azure/my-gpt{option}", with_azure(settings, stub, **named))
    assert stub.asked[0].path == "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21"


async def test_helm_s_deployment_works_as_it_is(stub: Stub, settings: Settings) -> None:
    settings.local_path.mkdir()
    root = stub.url.removesuffix("/v1")
    (settings.local_path / "model_deployments.yaml").write_text(
        f"""
model_deployments:
  - name: azure/gpt-4o-2024-08-06
    model_name: openai/gpt-4o-2024-08-06
    client_spec:
      class_name: helm.clients.azure_openai_client.AzureOpenAIClient
      args: {{azure_openai_deployment_name: my-gpt, endpoint: "{root}", api_version: "2024-07-01-preview"}}
""",
        encoding="utf-8",
    )
    (settings.local_path / "credentials.conf").write_text(f'azureApiKey: "{KEY}"\n', encoding="utf-8")
    await ask("azure/gpt-4o-2024-08-06", settings)
    asked = stub.asked[0]
    assert asked.path == "/openai/deployments/my-gpt/chat/completions?api-version=2024-07-01-preview"
    assert asked.headers["api-key"] == KEY


async def test_the_endpoint_may_stand_in_helm_s_credentials(stub: Stub, settings: Settings) -> None:
    settings.local_path.mkdir()
    root = stub.url.removesuffix("/v1")
    text = f'azureApiKey: "{KEY}"\nazureEndpoint: "{root}"\n'
    (settings.local_path / "credentials.conf").write_text(text, encoding="utf-8")
    await ask("azure/my-gpt", settings)
    assert stub.asked[0].path == "/openai/v1/chat/completions"


def test_without_an_endpoint_it_says_what_to_set(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="AZURE_OPENAI_ENDPOINT"):
        resolve("azure/my-gpt", replace(settings, environ={"AZURE_OPENAI_API_KEY": KEY}))


async def test_an_answer_the_filter_cut_short_is_withheld(stub: Stub, settings: Settings) -> None:
    stub.says = [Say({**chat("", "content_filter"), "prompt_filter_results": PROMPT_RESULTS})]
    assert await ask("azure/my-gpt", with_azure(settings, stub)) is Outcome.CONTENT_FILTER


async def test_a_prompt_the_filter_stops_is_withheld_by_its_code_alone(stub: Stub, settings: Settings) -> None:
    stub.says = [Say({"error": filtered("No.")}, 400)]
    assert await ask("azure/my-gpt", with_azure(settings, stub)) is Outcome.CONTENT_FILTER


async def test_a_stream_may_begin_with_what_the_filter_found(stub: Stub, settings: Settings) -> None:
    pieces = [
        {"choices": [], "prompt_filter_results": PROMPT_RESULTS},
        {"choices": [{"index": 0, "delta": {"content": "Paris"}, "content_filter_results": {}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    stub.says = [Say(events(pieces, done=True), headers=EVENTS)]
    assert await ask("azure/my-gpt?stream=true", with_azure(settings, stub)) is Outcome.OK


async def test_the_responses_api_of_azure(stub: Stub, settings: Settings) -> None:
    stub.says = [Say(response(Said()))]
    assert await ask("azure/my-gpt?wire=responses", with_azure(settings, stub)) is Outcome.OK
    assert stub.asked[0].path == "/openai/v1/responses"
    assert stub.asked[0].headers["api-key"] == KEY
