"""What each host says means the same in every host's words."""

from collections import Counter
from dataclasses import replace

import pytest

from holoscope.core import (
    FatalModelError,
    ModelError,
    NotSupportedError,
    Params,
    Request,
    Settings,
    TransportError,
)
from holoscope.models import resolve
from holoscope.models.hosts import HOSTS
from models.hosts_said import ROWS, Row
from models.stub import Say, Stub

KEY = "a-key-0123456789"
ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="What is the capital of France?")
_LEAST_ROWS = 5


def _said(error: ModelError) -> str:
    if isinstance(error, TransportError):
        return "slower" if error.overloaded else "again"
    return "never" if isinstance(error, FatalModelError) else "not this" if isinstance(error, NotSupportedError) else ""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.host}-{row.status}-{row.meaning}")
async def test_a_host_is_understood(row: Row, stub: Stub, settings: Settings) -> None:
    host = HOSTS[row.host]
    url = stub.url if host.wire == "openai" else stub.url.removesuffix("/v1")
    environ = {host.key_variables[0]: KEY, host.url_variable: url}
    model = resolve(f"{row.host}/m", replace(settings, environ=environ))
    wait: float | None = None
    stub.says = [Say(row.said, row.status, row.headers)]
    try:
        found: str = (await model.generate(ASK)).outcome
    except ModelError as error:
        found = _said(error)
        wait = error.retry_after if isinstance(error, TransportError) else None
    finally:
        await model.aclose()
    assert found == row.meaning
    assert wait == next((float(seconds) for seconds in row.headers.values()), None)
    assert len(stub.asked) <= 2  # a refusal may teach another name of a parameter, once


def test_each_host_has_rows_enough() -> None:
    counted = Counter(row.host for row in ROWS)
    assert {host: count for host, count in counted.items() if count < _LEAST_ROWS} == {}
    assert counted.keys() >= {host.name for host in HOSTS.values() if host.local}
    assert counted.keys() >= {
        "together",
        "deepseek",
        "xai",
        "mistralai",
        "meta",
        "hf-inference",
        "openrouter",
        "cohere",
    }


def test_every_row_says_where_its_words_are_from() -> None:
    assert all(row.source.startswith("https://") or row.source == "measured" for row in ROWS)
