"""Prices: unknown until somebody states them, with a source."""

import re
from pathlib import Path

import pytest

from holoscope.core import ConfigError, Settings, Usage
from holoscope.models import Price, describe, resolve
from holoscope.models.prices import load_prices

OWN = """
prices:
  - {model: vllm/m, input: 0.5, output: 2, cached_input: 0.1, source: "https://lab.example/prices", date: 2026-11-30}
training:
  - {model: vllm/m, energy_kwh: 1200, source: "https://lab.example/card", date: "2026-11-30"}
"""


def with_prices(settings: Settings, text: str) -> Settings:
    settings.local_path.mkdir()
    (settings.local_path / "prices.yaml").write_text(text, encoding="utf-8")
    return settings


def test_a_price_nobody_stated_is_unknown(settings: Settings) -> None:
    assert resolve("vllm/m", settings).card.price is None


def test_the_user_s_prices_are_on_the_card(settings: Settings) -> None:
    card = resolve("vllm/m", with_prices(settings, OWN)).card
    assert card.price == Price(
        input=0.5, output=2, cached_input=0.1, source="https://lab.example/prices", date="2026-11-30"
    )
    assert card.training is not None
    assert (card.training.energy_kwh, card.training.co2_kg) == (1200, None)


@pytest.mark.parametrize("name", ["openai/gpt-4o-2024-08-06", "anthropic/claude-opus-4-6", "deepseek/deepseek-v4-pro"])
def test_the_list_has_prices_with_their_source_and_day(settings: Settings, name: str) -> None:
    price = describe(name, settings).card.price
    assert price is not None
    assert price.source.startswith("https://")
    assert price.date == "2026-11-20"


def test_every_price_of_the_list_is_whole() -> None:
    prices = load_prices(Settings(cache_dir=Path("absent"), local_path=Path("absent"))).packaged
    assert len(prices) > 200
    for model, price in prices.items():
        assert price.input, model
        assert price.output, model
        assert price.cached_input is None or 0 < price.cached_input < price.input, model
        assert price.batch_input is None or 0 < price.batch_input < price.input, model
        assert (price.batch_input is None) == (price.batch_output is None), model
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", price.date), model
        assert "://" in price.source, model


@pytest.mark.parametrize("name", ["openai/gpt-4o-2031-01-01", "openai/gpt-4o-2024", "openrouter/openai/gpt-4o"])
def test_a_price_is_of_the_whole_name_at_that_host_alone(settings: Settings, name: str) -> None:
    price = describe(name, settings).card.price
    assert price is None


def test_a_host_s_price_is_not_that_of_another_server(settings: Settings) -> None:
    assert resolve("openai/gpt-4o", settings, base_url="http://127.0.0.1:9/v1").card.price is None
    elsewhere = Settings(
        cache_dir=settings.cache_dir,
        local_path=settings.local_path,
        environ={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
    )
    assert resolve("openai/gpt-4o", elsewhere).card.price is None


def test_bedrock_s_prices_are_of_the_region_they_are_listed_for(settings: Settings) -> None:
    here, elsewhere = (
        describe(f"amazon/nova-pro-v1:0?region={region}", settings).card.price for region in ("us-east-1", "eu-west-1")
    )
    assert here is not None
    assert here.input == 0.8
    assert elsewhere is None


def test_a_variant_of_helm_s_has_the_price_of_what_it_asks(settings: Settings) -> None:
    plain = describe("openai/o3-2025-04-16", settings).card.price
    assert plain is not None
    assert describe("openai/o3-2025-04-16-low-reasoning-effort", settings).card.price == plain


def test_the_user_s_price_replaces_the_list_s(settings: Settings) -> None:
    own = 'prices: [{model: openai/gpt-4o, input: 1, output: 2, source: "a contract", date: 2026-11-30}]'
    price = describe("openai/gpt-4o", with_prices(settings, own)).card.price
    assert price is not None
    assert (price.input, price.cached_input) == (1, None)


def test_one_source_may_state_the_prices_of_many_models(settings: Settings) -> None:
    own = "prices: [{source: s, date: 2026-11-30, models: {vllm/a: {input: 1, output: 2}, vllm/b: {input: 3}}}]"
    known = with_prices(settings, own)
    prices = [resolve(name, known).card.price for name in ("vllm/a", "vllm/b")]
    assert [price.input if price else None for price in prices] == [1, 3]


def test_a_prompt_longer_than_a_price_holds_for_has_an_unknown_cost() -> None:
    price = Price(input=1.0, output=1.0, up_to=1000, source="s", date="d")
    assert price.cost(Usage(1000, 1)) is not None
    assert price.cost(Usage(1001, 1)) is None


def test_a_reply_s_cost_counts_cached_tokens_at_their_own_price(settings: Settings) -> None:
    price = resolve("vllm/m", with_prices(settings, OWN)).card.price
    assert price is not None
    assert price.cost(Usage(1_000_000, 500_000, cached_tokens=400_000)) == pytest.approx(0.6 * 0.5 + 0.4 * 0.1 + 1.0)


def test_without_a_price_for_cached_tokens_they_cost_as_others_do() -> None:
    price = Price(input=1.0, output=1.0, source="s", date="d")
    assert price.cost(Usage(1_000_000, 0, cached_tokens=1_000_000)) == pytest.approx(1.0)


@pytest.mark.parametrize("usage", [None, Usage(5, None), Usage(None, 5)])
def test_an_unknown_usage_has_an_unknown_cost(usage: Usage | None) -> None:
    assert Price(input=1.0, output=1.0, source="s", date="d").cost(usage) is None


def test_half_a_price_is_no_price() -> None:
    assert Price(input=1.0, source="s", date="d").cost(Usage(5, 5)) is None


@pytest.mark.parametrize(
    "text",
    ["prices: [{model: m, input: 1}]", "prices: [{input: 1}]", "prices: {m: 1}", "prices: [{model: m, inptu: 1}]"],
)
def test_a_price_without_a_source_is_refused(settings: Settings, text: str) -> None:
    with pytest.raises(ConfigError, match=r"prices\.yaml"):
        resolve("vllm/m", with_prices(settings, text))
