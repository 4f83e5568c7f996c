"""One suite for all tests that only read it."""

from pathlib import Path

import pytest
from fastapi import FastAPI

from holoscope.report.library import Library
from holoscope.web import create_app
from web.made import suite


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return suite(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="session")
def app(library: Library) -> FastAPI:
    return create_app(library)


@pytest.fixture
def own(tmp_path: Path) -> FastAPI:
    """An application whose folder a test may write to."""
    return create_app(suite(tmp_path, evil=False))
