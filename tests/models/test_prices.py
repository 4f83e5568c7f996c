"""Prices: unknown until somebody states them, with a source."""

import pytest

from holoscope.core import ConfigError, Settings, Usage
from holoscope.models import Price, resolve

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
