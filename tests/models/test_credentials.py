"""Keys: where they are found, and that nothing shows them."""

import base64
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


AWS = 'awsAccessKeyId: "id"\nawsSecretAccessKey: "secret"\nhuggingfaceAuthToken: "hf"\n'


def test_what_an_sdk_looks_for_in_the_environment_may_be_in_the_file(tmp_path: Path) -> None:
    environment = load_credentials(settings(tmp_path, AWS, AWS_ACCESS_KEY_ID="mine", HOME="/h")).environment()
    assert environment["AWS_ACCESS_KEY_ID"] == "mine"
    assert environment["AWS_SECRET_ACCESS_KEY"] == "secret"
    assert environment["HF_TOKEN"] == "hf"
    assert environment["HOME"] == "/h"


def test_a_key_that_has_a_name_of_its_own_in_the_file_is_found_under_it(tmp_path: Path) -> None:
    found = load_credentials(settings(tmp_path, AWS)).key("any", "any/m", ("HF_TOKEN",))
    assert found is not None
    assert found.source == f"huggingfaceAuthToken of {tmp_path / 'credentials.conf'}"


@pytest.mark.parametrize(
    "said",
    [
        "Bearer sk-a/b+c=0123456789",
        "sk-a%2Fb%2Bc%3D0123456789",
        r"sk-a\/b+c=0123456789",
        base64.b64encode(b"sk-a/b+c=0123456789:").decode(),
        base64.b64encode(b"user:sk-a/b+c=0123456789").decode(),
        base64.b64encode(b"me:sk-a/b+c=0123456789").decode(),
        base64.urlsafe_b64encode(b"you:sk-a/b+c=0123456789").decode(),
    ],
)
def test_a_key_is_hidden_however_it_is_written(said: str) -> None:
    secret = Secret("sk-a/b+c=0123456789")
    hidden = secret.hidden_in(said)
    assert "***" in hidden
    assert "0123456789" not in hidden
    assert len(hidden.replace("***", "")) < 12
    assert secret.hidden_in(said.encode()) == hidden.encode()
    assert secret.is_told_by(f"The header was {said}!")


def test_a_password_in_an_address_is_hidden_alone_and_encoded() -> None:
    authorization = Secret("Basic " + base64.b64encode(b"me:hunter2-hunter2").decode())
    assert "hunter2" not in authorization.hidden_in("user me with password hunter2-hunter2")
    assert authorization.hidden_in("got bWU6aHVudGVyMi1odW50ZXIy") == "got ***"


def test_a_word_for_a_server_that_wants_no_key_may_stand_in_an_answer() -> None:
    assert not Secret("EMPTY").is_told_by("The set is EMPTY.")
    assert not Secret("Bearer EMPTY").is_told_by("The set is EMPTY.")
