"""What an answer of a batch costs: by the batch price, or nobody knows."""

from pathlib import Path

import pytest
from msgspec import structs

from holoscope.core import ConfigError, Settings, Usage
from holoscope.models import Price

USAGE = Usage(1_000_000, 1_000_000, cached_tokens=500_000)
LIVE = Price(input=2, output=8, cached_input=0.5, source="test", date="2026-12-01")


def test_a_batch_has_a_price_of_its_own_also_for_cached_tokens() -> None:
    price = structs.replace(LIVE, batch_input=1, batch_output=4)
    assert price.cost(USAGE, is_batched=True) == 5
    assert price.cost(USAGE) == 0.5 * 2 + 0.5 * 0.5 + 8


def test_a_batch_price_that_nobody_stated_is_unknown() -> None:
    assert LIVE.cost(USAGE, is_batched=True) is None


def test_the_poll_interval_comes_from_the_environment() -> None:
    home = Path("/nowhere")
    assert Settings.from_environment({"HOLOSCOPE_BATCH_POLL": "0.5"}, home).batch_poll_s == 0.5
    assert Settings.from_environment({}, home).batch_poll_s is None
    for wrong in ("x", "0", "-1", "inf", "nan"):
        with pytest.raises(ConfigError, match="HOLOSCOPE_BATCH_POLL"):
            Settings.from_environment({"HOLOSCOPE_BATCH_POLL": wrong}, home)
