"""The examples of docs/models.md work, and its table is whole."""

import re
from pathlib import Path

import pytest

from holoscope.core import Settings
from holoscope.models import Capabilities
from holoscope.models.cards import load_cards
from holoscope.models.prices import load_prices

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


@pytest.fixture
def known(settings: Settings) -> Settings:
    settings.local_path.mkdir()
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL):
        name = block.partition(":")[0]
        (settings.local_path / f"{name}.yaml").write_text(block, encoding="utf-8")
    return settings


def test_the_example_of_prices_is_read(known: Settings) -> None:
    own = load_prices(known).own
    assert set(own) == {"vllm/my-model", "openai/gpt-4o", "google/gemini-2.5-pro"}
    assert own["openai/gpt-4o"].batch_output == 4


def test_the_example_of_cards_is_read(known: Settings) -> None:
    card = load_cards(known).of("vllm/my-model")
    assert (card.window, card.capabilities) == (32768, {"logprobs": False, "max_stops": 4})
    assert load_cards(known).of("openai/o3-anything", is_known_host=False).capabilities == {"temperature": False}


def test_every_capability_is_in_the_table() -> None:
    table = PAGE[PAGE.index("| capability |") :]
    named = {
        name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1] if "|" in row else "")
    }
    assert named == set(Capabilities.__struct_fields__)
