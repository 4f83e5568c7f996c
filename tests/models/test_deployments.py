"""HELM's deployments folder, as it is."""

from pathlib import Path

import pytest

from holoscope.core import ConfigError, Settings, UsageError
from holoscope.models import describe, resolve
from holoscope.models.clients import CLIENTS, NOT_HERE, fields_of

VLLM = """
model_deployments:
  - name: vllm/pythia-70m
    model_name: eleutherai/pythia-70m
    tokenizer_name: EleutherAI/gpt-neox-20b
    max_sequence_length: 2048
    client_spec:
      class_name: "helm.clients.vllm_client.VLLMClient"
      args:
        base_url: http://mymodelserver:8000/v1/
"""


def folder(settings: Settings, **files: str) -> Settings:
    settings.local_path.mkdir(exist_ok=True)
    for name, text in files.items():
        end = ".conf" if name == "credentials" else ".yaml"
        (settings.local_path / f"{name}{end}").write_text(text, encoding="utf-8")
    return settings


def entry(client: str, args: str = "{}", name: str = "lab/m", more: str = "") -> str:
    return (
        f"model_deployments:\n  - name: {name}\n    model_name: org/m\n    {more}\n"
        f"    client_spec: {{class_name: helm.clients.{client}, args: {args}}}\n"
    )


def test_helm_s_own_example_works_as_it_is(settings: Settings) -> None:
    model = resolve("vllm/pythia-70m", folder(settings, model_deployments=VLLM))
    assert model.card.base_url == "http://mymodelserver:8000/v1"
    assert model.card.served_name == "eleutherai/pythia-70m"
    assert model.card.capabilities.prefers == "completions"
    assert model.card.limits.sequence == 2048
    assert model.card.tokenizer == "EleutherAI/gpt-neox-20b"
    assert model.identity == {"deployment": "vllm/pythia-70m", "model": "eleutherai/pythia-70m", "api": "completions"}


def test_the_model_s_name_finds_its_deployment(settings: Settings) -> None:
    model = resolve("eleutherai/pythia-70m", folder(settings, model_deployments=VLLM))
    assert model.card.deployment == "vllm/pythia-70m"


@pytest.mark.parametrize(
    ("client", "args", "served", "prefers"),
    [
        ("openai_client.OpenAIClient", "{base_url: 'http://h/v1'}", "m", "chat"),
        ("openai_client.OpenAIClient", "{base_url: 'http://h/v1', openai_model_name: M}", "M", "chat"),
        ("openai_client.OpenAILegacyCompletionsClient", "{base_url: 'http://h/v1'}", "m", "completions"),
        ("vllm_client.VLLMChatClient", "{base_url: 'http://h/v1'}", "org/m", "chat"),
        ("vllm_client.VLLMChatClient", "{base_url: 'http://h/v1', vllm_model_name: M}", "M", "chat"),
    ],
)
def test_client_classes_say_how_the_model_is_asked(
    settings: Settings, client: str, args: str, served: str, prefers: str
) -> None:
    card = resolve("lab/m", folder(settings, model_deployments=entry(client, args))).card
    assert (card.served_name, card.capabilities.prefers) == (served, prefers)


def test_a_public_deployment_takes_helm_s_key(settings: Settings) -> None:
    files = entry("openai_client.OpenAIClient", "{base_url: 'https://lab.example/v1'}")
    known = folder(settings, model_deployments=files, credentials='labApiKey: "k"')
    assert describe("lab/m", known).key.startswith("labApiKey of ")


def test_a_key_in_the_entry_is_taken(settings: Settings) -> None:
    args = "{base_url: 'https://lab.example/v1', api_key: hidden}"
    found = describe("lab/m", folder(settings, model_deployments=entry("openai_client.OpenAIClient", args)))
    assert found.key.startswith("api_key of ")
    assert "hidden" not in repr(found)


def test_of_several_deployments_of_a_model_the_first_with_a_key_is_taken(settings: Settings) -> None:
    one = entry("openai_client.OpenAIClient", "{base_url: 'https://a.example/v1'}", name="a/m")
    two = entry("openai_client.OpenAIClient", "{base_url: 'https://b.example/v1'}", name="b/m").split("\n", 1)[1]
    known = folder(settings, model_deployments=one + two, credentials='bApiKey: "k"')
    assert resolve("org/m", known).card.deployment == "b/m"


def test_a_deprecated_deployment_comes_last(settings: Settings) -> None:
    one = entry("vllm_client.VLLMClient", name="a/m", more="deprecated: true")
    two = entry("vllm_client.VLLMClient", name="b/m").split("\n", 1)[1]
    assert resolve("org/m", folder(settings, model_deployments=one + two)).card.deployment == "b/m"


def test_a_base_url_given_beats_that_of_the_entry(settings: Settings) -> None:
    model = resolve("vllm/pythia-70m", folder(settings, model_deployments=VLLM), base_url="http://127.0.0.1:9/v1")
    assert model.card.base_url == "http://127.0.0.1:9/v1"
    assert model.identity["base_url"] == "http://127.0.0.1:9/v1"


def test_an_argument_list_left_empty_is_none(settings: Settings) -> None:
    text = entry("vllm_client.VLLMChatClient", args="")
    assert resolve("lab/m", folder(settings, model_deployments=text)).card.base_url == "http://127.0.0.1:8000/v1"


def test_limits_and_reasoning_effort_are_taken_over(settings: Settings) -> None:
    more = "max_sequence_length: 100\n    max_request_length: 90\n    max_sequence_and_generated_tokens_length: 120"
    args = "{base_url: 'http://h/v1', reasoning_effort: low}"
    text = entry("openai_client.OpenAIClient", args, more=more)
    model = resolve("lab/m", folder(settings, model_deployments=text))
    window = model.window()
    assert (window.max_sequence_length, window.max_request_length) == (100, 90)
    assert window.max_sequence_and_generated == 120
    assert model.identity["body"] == '{"reasoning_effort":"low"}'


def test_capabilities_can_be_stated_in_the_entry(settings: Settings) -> None:
    text = entry("vllm_client.VLLMChatClient", more="capabilities: {logprobs: false, max_stops: 4}")
    can = resolve("lab/m", folder(settings, model_deployments=text)).card.capabilities
    assert (can.logprobs, can.max_stops) == (False, 4)


def test_a_tokenizer_config_says_how_to_count(settings: Settings) -> None:
    tokenizers = """
tokenizer_configs:
  - name: EleutherAI/gpt-neox-20b
    tokenizer_spec: {class_name: helm.tokenizers.simple_tokenizer.SimpleTokenizer}
    end_of_text_token: "</s>"
    prefix_token: "<s>"
"""
    window = resolve("vllm/pythia-70m", folder(settings, model_deployments=VLLM, tokenizer_configs=tokenizers)).window()
    assert (window.count("abc"), window.prefix_token, window.exact) == (3, "<s>", True)


def test_helm_s_simple_client_is_the_echo_model(settings: Settings) -> None:
    text = entry("simple_client.SimpleClient", name="simple/model1", more="max_sequence_length: 50")
    model = resolve("simple/model1", folder(settings, model_deployments=text))
    assert model.card.provider == "test"
    assert model.window().max_request_length == 50


def test_a_class_of_one_s_own_says_what_to_do(settings: Settings) -> None:
    known = folder(settings, model_deployments=entry("lab_client.LabClient"))
    with pytest.raises(UsageError, match=r"LabClient.*serve the model with vLLM"):
        resolve("lab/m", known)
    with pytest.raises(UsageError, match="LabClient"):
        resolve("lab/m", known, needs_key=False)


@pytest.mark.parametrize("client", sorted(NOT_HERE))
def test_a_class_of_helm_s_that_is_not_here_says_why(settings: Settings, client: str) -> None:
    known = folder(settings, model_deployments=entry(f"some_client.{client}"))
    problem = describe("lab/m", known).problem
    assert f"{client} {NOT_HERE[client]}" in problem
    assert "\n" not in problem


@pytest.mark.parametrize("client", sorted(CLIENTS))
def test_every_class_that_is_here_makes_a_model(settings: Settings, client: str) -> None:
    args = "{api_key: k, region: us-east-1, project_id: p, location: r, endpoint: 'https://lab.example'}"
    found = describe("lab/m", folder(settings, model_deployments=entry(f"some_client.{client}", args)))
    assert found.problem == ""
    name = "org/m" if CLIENTS[client].whole_name else f"{CLIENTS[client].prefix}m"
    assert found.card.served_name == name


@pytest.mark.parametrize("client", sorted(name for name, c in CLIENTS.items() if c.model_arguments))
def test_an_argument_that_names_the_model_is_what_the_server_hears(settings: Settings, client: str) -> None:
    argument = CLIENTS[client].model_arguments[0]
    args = f"{{api_key: k, base_url: 'https://lab.example/v1', {argument}: M}}"
    found = describe("lab/m", folder(settings, model_deployments=entry(f"some_client.{client}", args)))
    assert found.card.served_name == "M"


@pytest.mark.parametrize(
    ("client", "args", "body"),
    [
        ("OpenAIResponseClient", "{reasoning_effort: high}", '{"reasoning_effort":"high"}'),
        ("GoogleGenAIClient", "{thinking_config: {thinking_budget: 0}}", '{"thinking":"0"}'),
        ("GoogleGenAIClient", "{thinking_config: {include_thoughts: true}}", ""),
        ("VertexAIChatClient", "{project_id: p, location: r}", '{"safety":"BLOCK_NONE"}'),
        ("VertexAIChatClient", "{safety_settings_preset: default, project_id: p, location: r}", ""),
        ("VLLMGraniteThinkingClient", "{base_url: 'http://h/v1'}", '{"chat_template_kwargs":{"thinking":true}}'),
    ],
)
def test_arguments_reach_the_request(settings: Settings, client: str, args: str, body: str) -> None:
    text = entry(f"some_client.{client}", args[:-1] + ", api_key: k}")
    model = resolve("lab/m", folder(settings, model_deployments=text))
    assert model.identity.get("body", "") == body


def test_thinking_s_budget_of_anthropic_reaches_the_request() -> None:
    assert fields_of(CLIENTS["AnthropicMessagesClient"], {"thinking_budget_tokens": 10000}) == {"thinking": "10000"}


def test_a_class_told_not_to_ask_for_logprobs_asks_for_none(settings: Settings) -> None:
    text = entry("together_client.TogetherChatClient", "{disable_logprobs: true, api_key: k}")
    assert not resolve("lab/m", folder(settings, model_deployments=text)).card.capabilities.logprobs


def test_taking_reasoning_out_of_an_answer_needs_no_processor(settings: Settings) -> None:
    processor = "helm.benchmark.metrics.output_processors.remove_deepseek_r1_thinking"
    text = entry("openai_client.OpenAIClient", f"{{output_processor: {processor}, base_url: 'http://h/v1'}}")
    assert resolve("lab/m", folder(settings, model_deployments=text)).card.served_name == "m"


@pytest.mark.parametrize("args", ["{default_headers: {a: b}}", "{output_processor: a.b.shout}", "{assumed_role: arn}"])
def test_an_argument_that_would_be_left_out_is_refused(settings: Settings, args: str) -> None:
    text = entry("openai_client.OpenAIClient", args)
    with pytest.raises(ConfigError, match=r"OpenAIClient: its argument \w+ is not supported here"):
        resolve("lab/m", folder(settings, model_deployments=text))


def test_helm_s_address_of_a_host_of_one_s_own_is_found(settings: Settings) -> None:
    conf = 'labBaseUrl: "http://lab.internal/v1"\n'
    known = folder(settings, model_deployments=entry("openai_client.OpenAIClient"), credentials=conf)
    assert resolve("lab/m", known).card.base_url == "http://lab.internal/v1"


def test_model_metadata_of_helm_s_is_no_error(settings: Settings) -> None:
    metadata = "models: [{name: org/m, display_name: M, description: d, access: open, tags: [TEXT_MODEL_TAG]}]"
    known = folder(settings, model_deployments=VLLM, model_metadata=metadata)
    assert resolve("vllm/pythia-70m", known).card.served_name == "eleutherai/pythia-70m"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model_deployments: {a: 1}", "expected a list"),
        ("- a", "expected names and values"),
        ("name: lab/m\nclient_spec: {class_name: a.VLLMClient}", "expected a list under model_deployments, found name"),
        ("model_deployments:\n  - {name: lab/m}", r"lab/m: .*client_spec"),
        ("a: [", "cannot read"),
    ],
)
def test_a_malformed_file_is_an_error_that_names_it(settings: Settings, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=rf"model_deployments\.yaml.*{said}|{said}.*model_deployments\.yaml"):
        resolve("lab/m", folder(settings, model_deployments=text))


def test_t118_files_are_utf_8_whatever_the_locale(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    text = entry("vllm_client.VLLMChatClient", "{base_url: 'http://h/v1', vllm_model_name: '模型”'}")
    assert resolve("lab/m", folder(settings, model_deployments=text)).card.served_name == "模型”"


def test_t120_a_byte_order_mark_is_no_part_of_the_first_name(settings: Settings) -> None:
    known = folder(settings, model_deployments="\ufeff" + VLLM.lstrip())
    assert resolve("vllm/pythia-70m", known).card.deployment == "vllm/pythia-70m"


def test_without_the_folder_there_are_no_deployments(tmp_path: Path) -> None:
    known = Settings(cache_dir=tmp_path, local_path=tmp_path / "absent")
    assert resolve("vllm/m", known).card.served_name == "m"


def test_an_empty_file_is_no_error(settings: Settings) -> None:
    assert resolve("vllm/m", folder(settings, model_deployments="# nothing yet\n")).card.served_name == "m"


def test_a_configured_tokenizer_can_be_named_and_one_in_an_entry_need_not_be_at_hand(settings: Settings) -> None:
    tokenizers = "tokenizer_configs:\n  - {name: lab/t, tokenizer_spec: {class_name: a.SimpleTokenizer}}\n"
    known = folder(settings, model_deployments=VLLM, tokenizer_configs=tokenizers)
    assert resolve("vllm/m?tokenizer=lab/t", known).window().exact
    assert not resolve("vllm/pythia-70m", known).window().exact
