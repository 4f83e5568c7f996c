"""HELM's names of models: the whole table, and each client class of it."""

import pytest

from holoscope.core import ConfigError, Settings, UsageError
from holoscope.models import describe, resolve
from holoscope.models.aliases import alias_table
from holoscope.models.clients import CLIENTS, ECHO_CLIENT, IN_PROCESS, NOT_HERE
from holoscope.models.deployments import load_deployments
from holoscope.models.hosts import HOSTS
from holoscope.models.resolve import choose

PLACES = {"GOOGLE_CLOUD_PROJECT": "p", "GOOGLE_CLOUD_LOCATION": "us-central1", "AWS_REGION": "us-east-1"}


def with_keys(settings: Settings, *hosts: str, **environ: str) -> Settings:
    keys = {HOSTS[host].key_variables[0]: "k" for host in hosts}
    return Settings(cache_dir=settings.cache_dir, local_path=settings.local_path, environ={**keys, **environ})


def in_helm_s_format() -> str:
    """The table as a `model_deployments.yaml` that somebody might have."""
    import yaml

    rows = [
        {
            "name": d.name,
            "model_name": d.model_name,
            "tokenizer_name": d.tokenizer_name,
            "max_sequence_length": d.max_sequence_length,
            "max_request_length": d.max_request_length,
            "max_sequence_and_generated_tokens_length": d.max_sequence_and_generated_tokens_length,
            "client_spec": {"class_name": d.client_spec.class_name, "args": d.arguments},
            "window_service_spec": {"class_name": "helm.benchmark.window_services.some.WindowService"},
            "deprecated": d.deprecated,
        }
        for d in alias_table().deployments.values()
    ]
    return yaml.safe_dump({"model_deployments": rows}, sort_keys=False)


def test_the_table_is_helm_s_whole_one() -> None:
    table = alias_table()
    assert len(table.deployments) == 591
    assert len(table.of_model) == 561
    assert len(table.unserved) == 61


def test_every_client_class_of_the_table_means_something_or_is_refused() -> None:
    known = {*CLIENTS, *NOT_HERE, *IN_PROCESS, ECHO_CLIENT}
    assert {d.client for d in alias_table().deployments.values()} <= known


def test_no_class_is_both_here_and_not() -> None:
    assert not CLIENTS.keys() & NOT_HERE.keys()
    assert not IN_PROCESS & (CLIENTS.keys() | NOT_HERE.keys())


def test_every_class_here_has_a_host_that_is_known() -> None:
    assert {client.host for client in CLIENTS.values()} <= HOSTS.keys()


@pytest.mark.parametrize("client", sorted(NOT_HERE))
def test_why_a_class_is_not_here_is_said_in_one_line(client: str) -> None:
    assert 20 < len(NOT_HERE[client]) < 110
    assert "\n" not in NOT_HERE[client]


def test_each_name_of_the_table_is_a_model_or_a_reason(settings: Settings) -> None:
    known = with_keys(settings, *HOSTS, **PLACES)
    for deployment in alias_table().deployments.values():
        route = choose(deployment.name, known)
        assert route.card.name == deployment.name
        if deployment.client in NOT_HERE:
            assert deployment.client in route.problem
            assert "\n" not in route.problem
        elif deployment.client in CLIENTS:
            assert not route.problem, deployment.name
            assert route.card.limits == deployment.limits or deployment.max_sequence_length is None
            assert route.card.tokenizer == (deployment.tokenizer_name or "")


def test_a_user_s_file_of_all_of_helm_s_entries_reads_as_the_table(settings: Settings) -> None:
    settings.local_path.mkdir()
    (settings.local_path / "model_deployments.yaml").write_text(in_helm_s_format(), encoding="utf-8")
    assert load_deployments(settings).entries == alias_table().deployments


@pytest.mark.parametrize(
    ("name", "host", "served"),
    [
        ("openai/gpt-4o-2024-08-06", "openai", "gpt-4o-2024-08-06"),
        ("openai/o3-mini-2025-01-31-low-reasoning-effort", "openai", "o3-mini-2025-01-31"),
        ("meta/llama-3.1-8b-instruct-turbo", "together", "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo"),
        ("together/llama-3.1-8b-instruct-turbo", "together", "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo"),
        ("qwen/qwen2.5-7b-instruct-turbo", "together", "qwen/qwen2.5-7b-instruct-turbo"),
        ("mistralai/mistral-large-2411", "mistralai", "mistral-large-2411"),
        ("mistralai/mistral-medium-3.1", "openrouter", "mistralai/mistral-medium-3.1"),
        ("google/gemini-2.5-flash-thinking-disabled", "google", "gemini-2.5-flash"),
        ("google/gemini-1.5-pro-001-safety-block-none", "vertex", "gemini-1.5-pro-001"),
        ("xai/grok-4-0709", "xai", "grok-4-0709"),
        ("nvidia/nemotron-4-340b-instruct", "nvidia", "nvidia/nemotron-4-340b-instruct"),
        ("upstage/solar-pro-241126", "upstage", "solar-pro-241126"),
        ("writer/palmyra-x5", "writer", "palmyra-x5"),
        ("maritaca-ai/sabia-3", "maritaca-ai", "sabia-3"),
        ("ai21/jamba-1.5-large", "ai21", "jamba-1.5-large"),
    ],
)
def test_a_creator_s_model_is_asked_where_helm_asks_it(settings: Settings, name: str, host: str, served: str) -> None:
    environ = PLACES if host == "vertex" else {}
    card = describe(name, with_keys(settings, host, **environ)).card
    assert (card.provider, card.served_name) == (host, served)


@pytest.mark.parametrize(
    ("name", "model_id"),
    [
        ("amazon/nova-pro-v1:0", "amazon.nova-pro-v1:0"),
        ("amazon/nova-premier-v1:0", "us.amazon.nova-premier-v1:0"),
        ("amazon/titan-text-lite-v1", "amazon.titan-text-lite-v1"),
        ("mistralai/amazon-mistral-large-2407-v1:0", "mistral.mistral-large-2407-v1:0"),
        ("meta/amazon-llama3-1-8b-instruct-v1:0", "meta.llama3-1-8b-instruct-v1:0"),
        ("writer/palmyra-x5-v1-bedrock", "us.writer.palmyra-x5-v1:0"),
    ],
)
def test_bedrock_s_names_are_made_as_helm_makes_them(settings: Settings, name: str, model_id: str) -> None:
    route = choose(name, with_keys(settings, **PLACES))
    assert (route.card.served_name, route.problem) == (model_id, "")


def test_a_variant_of_a_model_carries_its_settings(settings: Settings) -> None:
    known = with_keys(settings, "openai")
    model = resolve("openai/o3-mini-2025-01-31-low-reasoning-effort", known)
    assert model.identity["body"] == '{"reasoning_effort":"low"}'


def test_the_first_deployment_that_has_a_key_is_taken(settings: Settings) -> None:
    assert (
        describe("google/gemma-2-27b-it", with_keys(settings, "together")).card.deployment == "together/gemma-2-27b-it"
    )


def test_host_creator_and_model_name_one_deployment(settings: Settings) -> None:
    card = describe("together/google/gemma-2-27b-it", with_keys(settings, "together")).card
    assert card.deployment == "together/gemma-2-27b-it"
    assert card.limits.sequence == alias_table().deployments["together/gemma-2-27b-it"].max_sequence_length


def test_a_model_whose_host_has_no_key_goes_through_a_gateway(settings: Settings) -> None:
    card = describe("openai/gpt-4o-2024-08-06", with_keys(settings, "openrouter")).card
    assert (card.provider, card.served_name) == ("openrouter", "openai/gpt-4o-2024-08-06")


def test_without_any_key_what_is_missing_is_helm_s_host_s(settings: Settings) -> None:
    assert "TOGETHER_API_KEY" in describe("meta/llama-3.1-8b-instruct-turbo", settings).problem


def test_a_gateway_s_model_has_helm_s_limits_and_tokenizer(settings: Settings) -> None:
    card = describe("openrouter/openai/gpt-4o-2024-08-06", with_keys(settings, "openrouter")).card
    assert (card.limits.sequence, card.tokenizer) == (128000, "openai/o200k_base")


def test_a_host_s_own_name_of_a_model_finds_helm_s_limits(settings: Settings) -> None:
    name = "together/meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo"
    card = describe(name, with_keys(settings, "together")).card
    assert (card.deployment, card.limits.sequence, card.tokenizer) == (name, 128000, "meta/llama-3.1-8b")


def test_a_server_of_one_s_own_has_its_own_limits(settings: Settings) -> None:
    known = with_keys(settings, "openai", OPENAI_BASE_URL="http://127.0.0.1:9/v1")
    assert describe("vllm/openai/gpt-4o-2024-08-06", known).card.limits.sequence is None


def test_the_user_s_file_comes_before_helm_s_table(settings: Settings) -> None:
    settings.local_path.mkdir()
    text = (
        "model_deployments:\n  - name: openai/gpt-4o-2024-08-06\n    max_sequence_length: 50\n"
        "    client_spec: {class_name: helm.clients.vllm_client.VLLMChatClient, args: {base_url: 'http://h/v1'}}\n"
    )
    (settings.local_path / "model_deployments.yaml").write_text(text, encoding="utf-8")
    card = resolve("openai/gpt-4o-2024-08-06", settings).card
    assert (card.base_url, card.limits.sequence) == ("http://h/v1", 50)


@pytest.mark.parametrize("name", ["salesforce/codegen", "tsinghua/glm", "deepmind/gopher"])
def test_a_model_that_nobody_serves_says_so(settings: Settings, name: str) -> None:
    with pytest.raises(UsageError, match=f"{name}.*HELM knows it, but lists no deployment"):
        resolve(name, settings)


def test_what_makes_images_says_so(settings: Settings) -> None:
    with pytest.raises(ConfigError, match="DALLE3Client makes images"):
        resolve("openai/dall-e-3", with_keys(settings))


@pytest.mark.parametrize("name", ["openai/dall-e-3", "openai/whisper-1_gpt-4o-2024-11-20", "together/llama-3-8b"])
def test_what_a_gateway_cannot_have_is_not_asked_of_it(settings: Settings, name: str) -> None:
    route = choose(name, with_keys(settings, "openrouter"))
    assert route.card.deployment == name
    assert route.problem


def test_a_model_whose_deployments_are_not_here_goes_through_a_gateway(settings: Settings) -> None:
    card = describe("meta/llama-3.3-70b-instruct", with_keys(settings, "openrouter")).card
    assert card.served_name == "meta-llama/llama-3.3-70b-instruct"


def test_helm_s_echo_model_is_the_echo_model(settings: Settings) -> None:
    assert resolve("simple/model1", settings).card.provider == "test"


def test_prefix_tokens_of_helm_s_tokenizers_are_known(settings: Settings) -> None:
    window = resolve("together/llama-3-8b", with_keys(settings, "together")).window()
    assert window.prefix_token == "<|begin_of_text|>"
