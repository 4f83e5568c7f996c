"""The small model that tests marked `model` ask, opened once; they skip, saying so, where its weights are absent."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from holoscope.core import Settings
from holoscope.models.local import LlamaModel, find, known_model, open_model

NAME = "smollm2-135m-instruct"


@pytest.fixture(scope="session")
def weights_settings() -> Settings:
    """Settings under which the weights are found; nothing is fetched."""
    found = Settings.from_environment(os.environ, Path.home())
    settings = Settings(cache_dir=found.cache_dir, offline=True)
    if find(known_model(NAME), settings) is None:
        pytest.skip(f"the weights of {NAME} are not on this machine; type: holoscope models pull {NAME}")
    pytest.importorskip("xllamacpp", reason='needs an extra: pip install "holoscope[local]"')
    return settings


@pytest.fixture(scope="session")
def weights_path(weights_settings: Settings) -> Path:
    path = find(known_model(NAME), weights_settings)
    assert path is not None
    return path


@pytest.fixture(scope="session")
def smollm2(weights_settings: Settings) -> Iterator[LlamaModel]:
    model = open_model(NAME, weights_settings)
    yield model
    asyncio.run(model.aclose())
