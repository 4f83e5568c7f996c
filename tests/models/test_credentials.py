"""Keys: where they are found, and that nothing shows them."""

import pickle
import traceback
from pathlib import Path

import pytest

from holoscope.core import ConfigError, Settings
from holoscope.models import describe, resolve
from holoscope.models.credentials import Secret, load_credentials

KEY = "sk-topsecret"


def settings(folder: Path, conf: str | None = None, **environ: str) -> Settings:
    if conf is not None:
        (folder / "credentials.conf").write_text(conf, encoding="utf-8")
    return Settings(cache_dir=folder, local_path=folder, environ=environ)


def source(known: Settings, host: str = "openai", deployment: str = "openai/gpt-4o") -> tuple[str, str] | None:
    found = load_credentials(known).key(host, deployment, (f"{host.upper()}_API_KEY",))
    return (found.secret.reveal(), found.source) if found else None


def test_the_environment_has_the_key(tmp_path: Path) -> None:
    assert source(settings(tmp_path, OPENAI_API_KEY=f" {KEY}\n")) == (KEY, "OPENAI_API_KEY")


def test_an_empty_variable_is_no_key(tmp_path: Path) -> None:
    assert source(settings(tmp_path, OPENAI_API_KEY="")) is None


def test_helm_s_file_has_the_key(tmp_path: Path) -> None:
    found = source(settings(tmp_path, f'# mine\nopenaiApiKey: "{KEY}"\ntogetherApiKey: "t"\n'))
    assert found == (KEY, f"openaiApiKey of {tmp_path / 'credentials.conf'}")


def test_helm_s_variable_goes_before_helm_s_file(tmp_path: Path) -> None:
    known = settings(tmp_path, 'openaiApiKey: "other"', HELM_CREDENTIALS=f"openaiApiKey={KEY}")
    assert source(known) == (KEY, "openaiApiKey of HELM_CREDENTIALS")


def test_a_deployment_s_own_key_goes_before_all(tmp_path: Path) -> None:
    conf = f'openaiApiKey: "other"\ndeployments: {{ "openai/gpt-4.1": "{KEY}" }}'
    known = settings(tmp_path, conf, OPENAI_API_KEY="another")
    found = source(known, deployment="openai/gpt-4.1")
    assert found is not None
    assert found[0] == KEY


def test_a_missing_key_is_an_error_that_names_both_places(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"OPENAI_API_KEY.*openaiApiKey in .*credentials\.conf") as caught:
        resolve("openai/gpt-4o", settings(tmp_path))
    assert "\n" not in str(caught.value)


def test_a_malformed_file_is_named_and_not_quoted(tmp_path: Path) -> None:
    known = settings(tmp_path, f'openaiApiKey: "{KEY}\n}} ] : = {{')
    with pytest.raises(ConfigError, match=r"credentials\.conf") as caught:
        load_credentials(known)
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in shown


@pytest.mark.parametrize(
    "thing",
    [
        lambda known: Secret(KEY),
        lambda known: [Secret(KEY)],
        load_credentials,
        lambda known: load_credentials(known).key("openai", "", ("OPENAI_API_KEY",)),
        lambda known: describe("openai/gpt-4o", known),
        lambda known: resolve("openai/gpt-4o", known),
        lambda known: vars(resolve("openai/gpt-4o", known)),
        lambda known: resolve("openai/gpt-4o", known).identity,
        lambda known: known,
    ],
)
def test_no_repr_shows_a_key(thing, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    known = settings(tmp_path, f'openaiApiKey: "{KEY}"\ntogetherApiKey: "{KEY}"', OPENAI_API_KEY=KEY)
    assert KEY not in repr(thing(known))
    assert KEY not in str(thing(known))


def test_a_password_in_a_base_url_is_sent_and_not_shown(tmp_path: Path) -> None:
    model = resolve("vllm/m", settings(tmp_path), base_url="http://me:hunter2@127.0.0.1:8000/v1")
    assert model.card.base_url == "http://127.0.0.1:8000/v1"
    assert "hunter2" not in repr(vars(model)) + repr(model.identity)


def test_what_a_server_says_of_a_key_is_hidden() -> None:
    assert Secret(KEY).hidden_in(f"bad key {KEY}!") == "bad key ***!"


def test_a_secret_is_not_shown_by_formatting() -> None:
    assert KEY not in f"{Secret(KEY)} {Secret(KEY)!r}"


def test_a_card_can_be_pickled_without_a_secret(tmp_path: Path) -> None:
    model = resolve("openai/gpt-4o", settings(tmp_path, OPENAI_API_KEY=KEY))
    assert KEY.encode() not in pickle.dumps(model.card)
