"""Keys in the system's keyring: looked for last, and never a hindrance."""

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from holoscope.core import ConfigError, Settings
from holoscope.models import describe, keychain, resolve

KEY = "sk-kept-where-nobody-looks"


@pytest.fixture
def known(settings: Settings) -> Settings:
    return replace(settings, keyring=True)


Install = Callable[[Callable[[str, str], str | None]], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Has a keyring answer as a function does."""

    def install_(look: Callable[[str, str], str | None]) -> None:
        package = SimpleNamespace(get_password=look, __spec__=SimpleNamespace(name="keyring"))
        monkeypatch.setitem(sys.modules, "keyring", package)

    return install_


@pytest.mark.parametrize("user", ["OPENAI_API_KEY", "openai"])
def test_a_key_is_found_by_its_variables_or_its_hosts_name(known: Settings, install: Install, user: str) -> None:
    install(lambda service, name: f" {KEY}\n" if (service, name) == ("holoscope", user) else None)
    found = describe("openai/gpt-4o", known)
    assert (found.key, found.problem) == (f"{user} of the keyring", "")


def test_the_environment_goes_before_it(known: Settings, install: Install) -> None:
    install(lambda service, name: KEY)
    assert describe("openai/gpt-4o", replace(known, environ={"OPENAI_API_KEY": "other"})).key == "OPENAI_API_KEY"


def test_where_no_key_is_needed_it_is_not_asked(known: Settings, install: Install) -> None:
    asked: list[str] = []

    def look(service: str, name: str) -> None:
        asked.append(name)

    install(look)
    assert describe("vllm/m", known).problem == ""
    assert asked == []


def test_a_missing_key_may_be_put_there(known: Settings, install: Install) -> None:
    install(lambda service, name: None)
    with pytest.raises(ConfigError, match="or type: python -m keyring set holoscope OPENAI_API_KEY"):
        resolve("openai/gpt-4o", known)


def test_one_that_fails_is_no_key_says_why_and_is_not_asked_again(known: Settings, install: Install) -> None:
    asked: list[str] = []

    def locked(service: str, name: str) -> None:
        asked.append(name)
        raise RuntimeError("the collection\nis locked")

    install(locked)
    for _ in range(2):
        found = describe("openai/gpt-4o", known)
        assert found.problem.endswith("; the keyring failed: RuntimeError: the collection is locked")
    assert len(asked) == 1


def test_one_that_hangs_is_not_waited_for(known: Settings, install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(keychain, "_PATIENCE_S", 0.01)

    def wait(service: str, name: str) -> None:
        over.wait()

    install(wait)
    assert "the keyring failed: it did not answer" in describe("openai/gpt-4o", known).problem
    over.set()


def test_none_is_no_news(known: Settings, install: Install) -> None:
    class NoKeyringError(RuntimeError):
        pass

    def none(service: str, name: str) -> None:
        raise NoKeyringError("No recommended backend was available.")

    install(none)
    assert "keyring" not in describe("openai/gpt-4o", known).problem


def test_without_the_package_or_where_switched_off_nothing_is_said(
    known: Settings, settings: Settings, monkeypatch: pytest.MonkeyPatch, install: Install
) -> None:
    install(lambda service, name: KEY)
    assert "keyring" not in describe("openai/gpt-4o", settings).problem
    monkeypatch.delitem(sys.modules, "keyring")
    monkeypatch.setattr(keychain, "find_spec", lambda name: None)
    assert "keyring" not in describe("openai/gpt-4o", known).problem
