"""What a model's name means."""

from pathlib import Path

import pytest

from holoscope.core import Registry, Settings, UnknownNameError, UsageError
from holoscope.models import describe, resolve
from holoscope.models.echo import EchoOptions, open_echo

KEYS = {"OPENAI_API_KEY": "k"}


def with_keys(settings: Settings, **environ: str) -> Settings:
    return Settings(cache_dir=settings.cache_dir, local_path=settings.local_path, environ=environ)


def test_creator_and_model_find_the_creator_s_host(settings: Settings) -> None:
    model = resolve("openai/gpt-4o", with_keys(settings, **KEYS))
    assert model.card.base_url == "https://api.openai.com/v1"
    assert (model.card.provider, model.card.served_name) == ("openai", "gpt-4o")
    assert model.identity == {"deployment": "openai/gpt-4o", "model": "gpt-4o", "api": "chat"}


def test_a_host_may_serve_another_creator_s_model(settings: Settings) -> None:
    model = resolve("together/meta-llama/Llama-3.3-70B-Instruct-Turbo", with_keys(settings, TOGETHER_API_KEY="k"))
    assert model.card.served_name == "meta-llama/Llama-3.3-70B-Instruct-Turbo"
    assert model.card.base_url == "https://api.together.xyz/v1"


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("vllm/meta-llama/Llama-3", "http://127.0.0.1:8000/v1"),
        ("sglang/meta-llama/Llama-3", "http://127.0.0.1:30000/v1"),
        ("ollama/llama3.2:1b", "http://127.0.0.1:11434/v1"),
        ("lmstudio/qwen", "http://127.0.0.1:1234/v1"),
        ("llamacpp/any", "http://127.0.0.1:8080/v1"),
    ],
)
def test_servers_on_this_machine_need_no_key_and_no_address(settings: Settings, name: str, url: str) -> None:
    card = resolve(name, settings).card
    assert (card.base_url, card.served_name) == (url, name.partition("/")[2])


def test_a_base_url_beats_the_host_s_own(settings: Settings) -> None:
    model = resolve("openai/gpt-4o", settings, base_url="http://127.0.0.1:9/v1/")
    assert (model.card.base_url, model.card.served_name) == ("http://127.0.0.1:9/v1", "gpt-4o")


@pytest.mark.parametrize("name", ["some-lab/model-7b", "mock"])
def test_with_a_base_url_an_unknown_prefix_belongs_to_the_served_name(settings: Settings, name: str) -> None:
    assert resolve(name, settings, base_url="http://127.0.0.1:9/v1").card.served_name == name


def test_t103_two_addresses_under_one_name_do_not_share_answers(settings: Settings) -> None:
    identities = [resolve("vllm/m", settings, base_url=f"http://127.0.0.1:{port}/v1").identity for port in (1, 2)]
    assert identities[0] != identities[1]


def test_t103_two_models_at_one_address_do_not_share_answers(settings: Settings) -> None:
    identities = [resolve(f"vllm/{name}", settings).identity for name in ("a", "b")]
    assert identities[0] != identities[1]


def test_a_deployment_with_a_name_keeps_its_answers_at_another_address(settings: Settings) -> None:
    identities = [
        resolve("vllm/m?deployment=lab/m", settings, base_url=f"http://127.0.0.1:{port}/v1").identity for port in (1, 2)
    ]
    assert identities[0] == identities[1]
    assert identities[0]["deployment"] == "lab/m"


def test_what_changes_the_answers_is_in_the_identity_and_nothing_else_is(settings: Settings) -> None:
    plain = resolve("vllm/m", settings).identity
    assert resolve("vllm/m?stream=true&window=100&tokenizer=words", settings).identity == plain
    for option in ("api=completions", "body.reasoning_effort=low", "think=reasoning", "seed=3"):
        assert resolve(f"vllm/m?{option}", settings).identity != plain


def test_an_address_from_the_environment_is_used_and_told_apart(settings: Settings) -> None:
    model = resolve("openai/gpt-4o", with_keys(settings, OPENAI_BASE_URL="http://127.0.0.1:9/v1"))
    assert model.card.base_url == "http://127.0.0.1:9/v1"
    assert model.identity["base_url"] == "http://127.0.0.1:9/v1"


def test_a_public_address_needs_a_key(settings: Settings) -> None:
    with pytest.raises(UsageError, match=r"no key for 'my-lab/m'.*MY_LAB_API_KEY"):
        resolve("my-lab/m", settings, base_url="https://lab.example/v1")


def test_a_key_is_never_sent_to_another_host_s_address(settings: Settings) -> None:
    with pytest.raises(UsageError, match="no key"):
        resolve("my-lab/m", with_keys(settings, **KEYS), base_url="https://lab.example/v1")


def test_the_variable_with_the_key_can_be_named(settings: Settings) -> None:
    known = with_keys(settings, LAB_TOKEN="k")
    assert describe("my-lab/m?key_env=LAB_TOKEN", known, base_url="https://lab.example/v1").key == "LAB_TOKEN"


def test_without_its_own_host_s_key_a_model_is_found_at_a_gateway(settings: Settings) -> None:
    known = with_keys(settings, OPENROUTER_API_KEY="k")
    assert resolve("openai/gpt-4o", known).card.deployment == "openrouter/openai/gpt-4o"
    assert resolve("meta/llama-3.3-70b-instruct", known).card.served_name == "meta-llama/llama-3.3-70b-instruct"


def test_planning_needs_no_key(settings: Settings) -> None:
    assert resolve("openai/gpt-4o", settings, needs_key=False).card.served_name == "gpt-4o"


@pytest.mark.parametrize(("name", "meant"), [("opnai/gpt-4o", "openai/gpt-4o"), ("test/ecko", "test/echo")])
def test_an_unknown_name_suggests_the_nearest_and_what_to_type(settings: Settings, name: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean '{meant}'.*--base-url"):
        resolve(name, settings)


@pytest.mark.parametrize("name", ["", "gpt-4o", "openai/"])
def test_a_name_that_names_no_model_is_refused(settings: Settings, name: str) -> None:
    with pytest.raises(UsageError, match="base-url"):
        resolve(name, settings)


def test_a_misspelt_option_is_refused(settings: Settings) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'stream'"):
        resolve("vllm/m?steam=true", settings)


def test_a_capability_of_no_kind_is_refused(settings: Settings) -> None:
    with pytest.raises(UsageError, match="max_tokens_name"):
        resolve("vllm/m?max_tokens_name=tokens", settings)


@pytest.mark.parametrize("name", ["test/echo", "local/smollm2"])
def test_a_model_without_an_address_is_given_none(settings: Settings, name: str) -> None:
    with pytest.raises(UsageError, match="has no address"):
        resolve(name, settings, base_url="http://127.0.0.1:9/v1")


def test_options_correct_the_capabilities(settings: Settings) -> None:
    can = resolve("vllm/m?api=completions&max_stops=4&stream=true", settings).card.capabilities
    assert (can.chat, can.prefers, can.max_stops, can.streaming) == (False, "completions", 4, True)


def test_openai_s_completion_models_are_known_as_such(settings: Settings) -> None:
    can = resolve("openai/davinci-002", with_keys(settings, **KEYS)).card.capabilities
    assert (can.chat, can.completions) == (False, True)


def test_the_window_is_the_user_s(settings: Settings) -> None:
    window = resolve("vllm/m?window=2048&tokenizer=characters", settings).window()
    assert (window.max_request_length, window.count("abc"), window.exact) == (2048, 3, True)


def test_an_unknown_window_is_none_and_lengths_are_estimates(settings: Settings) -> None:
    window = resolve("vllm/m", settings).window()
    assert (window.max_request_length, window.exact) == (None, False)


def test_describe_says_why_and_what_is_missing(settings: Settings) -> None:
    found = describe("openai/gpt-4o", settings)
    assert found.why == ("'gpt-4o' at host 'openai'",)
    assert "OPENAI_API_KEY" in found.problem
    assert describe("openai/gpt-4o", with_keys(settings, **KEYS)).key == "OPENAI_API_KEY"


def test_a_plug_in_s_provider_opens_its_models(settings: Settings) -> None:
    asked: list[str] = []

    def open_model(name: str, settings: Settings) -> object:
        asked.append(name)
        return open_echo(EchoOptions())

    registry = Registry()
    registry.providers.add("acme", open_model)
    assert resolve("acme/large?x=1%202", settings, registry=registry).card.served_name == "echo"
    assert asked == ["large?x=1%202"]


def test_a_missing_recording_is_named(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.jsonl"):
        resolve(f"replay/{tmp_path / 'nothing.jsonl'}", settings)


@pytest.mark.parametrize("name", ["org/sub/name:v1", "some-lab/model-7b", "openai/", "gpt-4o"])
def test_who_names_no_host_is_suggested_none(settings: Settings, name: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        resolve(name, settings)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize("model", ["vllm/m", "test/echo", "replay/absent.jsonl", "local/absent"])
@pytest.mark.parametrize("window", ["-5", "0"])
def test_a_window_below_one_is_refused(settings: Settings, model: str, window: str) -> None:
    with pytest.raises(UsageError, match=rf"window.*{window}") as caught:
        resolve(f"{model}?window={window}", settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("tokenizer", ["nope", "absent/tokenizer.json", "absent"])
@pytest.mark.parametrize("model", ["vllm/m", "test/echo"])
def test_a_tokenizer_that_is_not_there_is_refused(settings: Settings, model: str, tokenizer: str) -> None:
    for ask in (resolve, describe):
        with pytest.raises(UsageError, match=f"no tokenizer '{tokenizer}': write characters, words, or") as caught:
            ask(f"{model}?tokenizer={tokenizer}", settings)
        assert "\n" not in str(caught.value)


def test_a_recording_s_tokenizer_must_be_there_too(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no tokenizer 'nope'"):
        resolve(f"replay/{tmp_path}/a.jsonl?tokenizer=nope", settings)


def test_an_option_of_the_wrong_kind_is_told_in_one_clean_line(settings: Settings) -> None:
    with pytest.raises(UsageError, match=r"option window: Expected int \| null, found 'x'$"):
        resolve("vllm/m?window=x", settings)


def test_no_key_needed_is_said_only_where_nothing_is_missing(settings: Settings) -> None:
    assert describe("vllm/m", settings).key == "none needed"
    found = describe("my-lab/m", settings, base_url="https://lab.example/v1")
    assert found.key == ""
    assert "no key" in found.problem
