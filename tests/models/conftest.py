"""A stub endpoint, settings without a machine, and a model that talks to the stub."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from holoscope.core import Settings
from holoscope.models import Model, resolve
from models.stub import Stub


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", local_path=tmp_path / "prod_env")


@pytest.fixture
async def stub() -> AsyncIterator[Stub]:
    async with Stub() as server:
        yield server


Open = Callable[[str], Model]


@pytest.fixture
async def open_model(stub: Stub, settings: Settings) -> AsyncIterator[Open]:
    """`open_model("vllm/m?api=chat")`: a model served by the stub."""
    opened: list[Model] = []

    def open_(name: str = "vllm/m") -> Model:
        opened.append(resolve(name, settings, base_url=stub.url))
        return opened[-1]

    yield open_
    for model in opened:
        await model.aclose()
