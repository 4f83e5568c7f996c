"""What is known of a model before it is asked, and how a user puts it right."""

import re

import pytest

from holoscope.core import ConfigError, Json, Settings
from holoscope.models import Capabilities, describe, resolve
from holoscope.models.cards import NO_CARD, Card, load_cards
from holoscope.models.providers.lessons import Lessons

OWN = """
cards:
  - source: "https://lab.example/models"
    date: 2026-11-30
    models:
      openai/gpt-4o: {window: 5000}
      lab/m: {window: 1000, max_output: 300, capabilities: {logprobs: false, max_stops: 2}}
"""


def known(settings: Settings, own: str = "", **environ: str) -> Settings:
    if own:
        settings.local_path.mkdir()
        (settings.local_path / "cards.yaml").write_text(own, encoding="utf-8")
    environ = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k", "GOOGLE_API_KEY": "k", **environ}
    return Settings(cache_dir=settings.cache_dir, local_path=settings.local_path, environ=environ)


def test_every_card_has_a_source_a_date_and_known_capabilities(settings: Settings) -> None:
    cards = load_cards(settings).packaged
    assert len(cards) > 200
    for name, card in cards.items():
        assert card.source.startswith("https://"), name
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", card.date), name


@pytest.mark.parametrize(
    "name", ["openai/o3", "openai/gpt-5-mini", "openai/gpt-5.9-of-the-future", "openai/o1-2024-12-17"]
)
def test_reasoning_models_of_openai_take_no_temperature_no_stop_and_give_no_logprobs(
    settings: Settings, name: str
) -> None:
    can = describe(name, known(settings)).card.capabilities
    assert (can.temperature, can.stop, can.logprobs) == (False, False, False)
    assert can.max_tokens_name == "max_completion_tokens"


@pytest.mark.parametrize(
    "name", ["openai/gpt-4o", "openai/gpt-4.1-mini", "openai/gpt-5.1", "anthropic/claude-opus-4-6"]
)
def test_models_that_take_a_temperature_are_sent_one(settings: Settings, name: str) -> None:
    assert describe(name, known(settings)).card.capabilities.temperature


def test_the_model_s_own_entry_is_over_its_family_s(settings: Settings) -> None:
    can = describe("openai/gpt-5.1", known(settings)).card.capabilities
    assert (can.temperature, can.stop) == (True, False)


def test_models_of_anthropic_without_sampling_are_known(settings: Settings) -> None:
    assert not describe("anthropic/claude-opus-4-7", known(settings)).card.capabilities.temperature


def test_a_model_that_is_only_at_the_responses_api_is_asked_there(settings: Settings) -> None:
    assert resolve("openai/o3-pro", known(settings)).identity["wire"] == "responses"


def test_windows_of_models_newer_than_helm_s_table_are_known(settings: Settings) -> None:
    card = describe("openai/gpt-5.4-mini", known(settings)).card
    assert (card.limits.sequence, card.capabilities.max_output) == (272000, 128000)


def test_helm_s_limits_come_before_the_card_s(settings: Settings) -> None:
    assert describe("openai/gpt-5-2025-08-07", known(settings)).card.limits.sequence == 400000


def test_another_address_than_the_host_s_is_not_known(settings: Settings) -> None:
    elsewhere = known(settings, OPENAI_BASE_URL="http://127.0.0.1:9/v1")
    assert describe("openai/o3", elsewhere).card.capabilities.temperature


def test_the_user_s_card_is_over_ours_field_by_field(settings: Settings) -> None:
    card = describe("openai/gpt-4o", known(settings, OWN)).card
    assert (card.limits.sequence, card.capabilities.max_output) == (5000, 16384)


def test_the_user_s_card_counts_at_an_address_of_their_own(settings: Settings) -> None:
    card = resolve("lab/m", known(settings, OWN), base_url="http://127.0.0.1:9/v1").card
    assert card.limits.sequence == 1000
    can = card.capabilities
    assert (can.max_output, can.logprobs, can.max_stops) == (300, False, 2)


def test_an_option_in_the_name_is_over_the_card(settings: Settings) -> None:
    card = describe("openai/o3?temperature=true&window=77&max_output=9", known(settings)).card
    assert (card.capabilities.temperature, card.limits.sequence, card.capabilities.max_output) == (True, 77, 9)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{window: big}", "window"),
        ("{windwo: 5}", "windwo"),
        ("{capabilities: {logprob: false}}", "logprob"),
        ("{capabilities: {logprobs: maybe}}", "logprobs"),
    ],
)
def test_a_malformed_card_is_an_error_that_names_it(settings: Settings, entry: str, said: str) -> None:
    text = f"cards:\n  - {{source: s, date: 2026-11-30, models: {{lab/m: {entry}}}}}\n"
    with pytest.raises(ConfigError, match=rf"cards\.yaml, lab/m: .*{said}"):
        resolve("openai/gpt-4o", known(settings, text))


def test_cards_lie_over_each_other() -> None:
    below = Card(window=1, max_output=2, capabilities={"logprobs": False, "stop": False})
    both = Card(window=3, capabilities={"stop": True}).over(below)
    assert (both.window, both.max_output) == (3, 2)
    assert both.capabilities == {"logprobs": False, "stop": True}
    assert NO_CARD.over(below) == below


def test_an_answer_longer_than_the_model_writes_is_not_asked_for_and_that_is_said() -> None:
    lessons = Lessons(Capabilities(max_output=100))
    body: dict[str, Json] = {"max_tokens": 500}
    assert lessons.apply(body) == ("max_tokens=500: 100 sent, the most that the model writes",)
    assert body == {"max_tokens": 100}
    assert lessons.apply({"max_tokens": 100}) == ()
