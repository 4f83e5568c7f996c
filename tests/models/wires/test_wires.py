"""One list of tests for every wire format: success, streaming, each outcome, and each fault, over a loopback server.

A format is a module beside this one with a `DIALECT`; what is special to it is tested in its own file.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from email.utils import formatdate
from importlib import import_module
from pathlib import Path

import pytest

from holoscope.core import (
    Completion,
    FatalModelError,
    ModelError,
    NotSupportedError,
    Outcome,
    Params,
    Request,
    Settings,
    TransportError,
)
from holoscope.models import Model, resolve
from models.stub import Say, Stub
from models.wires.dialect import KEY, Dialect, Refusal, Said

_MODULES = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if "DIALECT" in path.read_text(encoding="utf-8")
)
DIALECTS: list[Dialect] = [
    import_module(f"models.wires.{name}").DIALECT for name in _MODULES if not name.startswith("test_")
]
ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="What is the capital of France?")

Open = Callable[[str], Model]


@pytest.fixture(params=DIALECTS, ids=lambda dialect: dialect.name)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    found: Dialect = request.param
    return found


@pytest.fixture
async def open_wire(dialect: Dialect, stub: Stub, settings: Settings) -> AsyncIterator[Open]:
    """`open_wire("?stream=true")`: the dialect's model, served by the stub."""
    root = stub.url.removesuffix("/v1")
    mine = replace(settings, environ=dialect.environ(root))
    opened: list[Model] = []

    def open_(options: str = "") -> Model:
        joined = options.replace("?", "&") if "?" in dialect.model else options
        opened.append(resolve(dialect.model + joined, mine))
        return opened[-1]

    yield open_
    for model in opened:
        await model.aclose()


async def answer(stub: Stub, model: Model, say: Say, ask: Request = ASK) -> Completion:
    stub.says = [say]
    return await asyncio.wait_for(model.generate(ask), 30)


async def failure(stub: Stub, model: Model, say: Say) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await answer(stub, model, say)
    assert "\n" not in str(caught.value)
    return caught.value


async def test_a_question_is_answered(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    completion = await answer(stub, open_wire(""), dialect.says(Said("Paris")))
    assert (completion.outcome, completion.text) == (Outcome.OK, "Paris")
    assert completion.usage is not None
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (11, 7)
    assert completion.request_time is not None
    assert completion.time_to_first_token is None
    assert dialect.prompt(stub.asked[0]) == ASK.prompt
    assert dialect.max_tokens(stub.asked[0]) == 50


async def test_a_streamed_answer_is_the_same(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    if not dialect.streams:
        pytest.skip(f"{dialect.name} does not stream")
    said = Said("Paris, of course", reasoning_tokens=3 if dialect.counts_reasoning else None)
    whole = await answer(stub, open_wire(""), dialect.says(said))
    streamed = await answer(stub, open_wire("?stream=true"), dialect.streamed(said))
    assert (streamed.outcome, streamed.choices, streamed.usage) == (whole.outcome, whole.choices, whole.usage)
    assert streamed.time_to_first_token is not None


async def test_an_empty_answer_is_an_answer(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    completion = await answer(stub, open_wire(""), dialect.says(Said("")))
    assert (completion.outcome, completion.text, len(completion.choices)) == (Outcome.OK, "", 1)


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_an_answer_cut_off_at_the_limit(dialect: Dialect, stub: Stub, open_wire: Open, way: str) -> None:
    completion = await _said(dialect, stub, open_wire, Said("Par", "length"), way)
    assert (completion.outcome, completion.text) == (Outcome.TRUNCATED, "Par")


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_an_answer_that_was_withheld(dialect: Dialect, stub: Stub, open_wire: Open, way: str) -> None:
    if "filter" not in dialect.finishes:
        pytest.skip(f"{dialect.name} has no word for it in a reply")
    completion = await _said(dialect, stub, open_wire, Said("", "filter"), way)
    assert (completion.outcome, completion.choices) == (Outcome.CONTENT_FILTER, ())
    assert completion.reason


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_a_refusal(dialect: Dialect, stub: Stub, open_wire: Open, way: str) -> None:
    if "refusal" not in dialect.finishes:
        pytest.skip(f"{dialect.name} has no word for it")
    completion = await _said(dialect, stub, open_wire, Said("I can't help with that.", "refusal"), way)
    assert completion.outcome == Outcome.REFUSED


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_reasoning_is_apart_from_the_answer(dialect: Dialect, stub: Stub, open_wire: Open, way: str) -> None:
    if not dialect.thinks:
        pytest.skip(f"{dialect.name} has no reasoning")
    completion = await _said(dialect, stub, open_wire, Said("Paris", thinking="France has one.\n\nSo"), way)
    assert (completion.outcome, completion.text) == (Outcome.OK, "Paris")
    assert completion.choices[0].thinking == "France has one.\n\nSo"


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_reasoning_that_used_up_the_limit(dialect: Dialect, stub: Stub, open_wire: Open, way: str) -> None:
    if not dialect.thinks:
        pytest.skip(f"{dialect.name} has no reasoning")
    completion = await _said(dialect, stub, open_wire, Said("", "length", thinking="Let me see"), way)
    assert (completion.outcome, completion.text) == (Outcome.TRUNCATED_IN_REASONING, "")


async def test_stop_sequences_count_after_the_reasoning(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    if not dialect.thinks:
        pytest.skip(f"{dialect.name} has no reasoning")
    ask = Request(Params(temperature=0.0, max_tokens=50, stop_sequences=("\n\n",)), prompt="x")
    said = dialect.says(Said("Paris\n\nQ: next", thinking="First,\n\nsecond"))
    completion = await answer(stub, open_wire(""), said, ask)
    assert (completion.text, completion.choices[0].thinking) == ("Paris", "First,\n\nsecond")


async def test_tokens_of_reasoning_and_of_the_cache_are_apart(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    said = Said(
        reasoning_tokens=5 if dialect.counts_reasoning else None, cached_tokens=4 if dialect.counts_cached else None
    )
    completion = await answer(stub, open_wire(""), dialect.says(said))
    assert completion.usage is not None
    assert completion.usage.prompt_tokens == 11
    assert completion.usage.completion_tokens == 7
    if dialect.counts_reasoning:
        assert completion.usage.reasoning_tokens == 5
    if dialect.counts_cached:
        assert completion.usage.cached_tokens == 4


@pytest.mark.parametrize("why", ["overflow", "policy"])
async def test_a_prompt_that_is_not_taken(dialect: Dialect, stub: Stub, open_wire: Open, why: Refusal) -> None:
    if why not in dialect.refusals:
        pytest.skip(f"{dialect.name} has no word for it")
    completion = await answer(stub, open_wire(""), dialect.refuses(why))
    expected = Outcome.CONTEXT_OVERFLOW if why == "overflow" else Outcome.CONTENT_FILTER
    assert (completion.outcome, completion.choices) == (expected, ())
    assert len(stub.asked) == 1


@pytest.mark.parametrize("why", ["rate", "overloaded", "broken"])
async def test_what_may_pass_is_tried_again(dialect: Dialect, stub: Stub, open_wire: Open, why: Refusal) -> None:
    error = await failure(stub, open_wire(""), dialect.refuses(why))
    assert isinstance(error, TransportError)
    assert error.overloaded == (why != "broken")
    assert len(stub.asked) == 1  # the retries are the engine's


async def test_retry_after_in_seconds(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    error = await failure(stub, open_wire(""), dialect.refuses("rate", {"Retry-After": "7"}))
    assert isinstance(error, TransportError)
    assert error.retry_after == 7


async def test_retry_after_as_a_date(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    date = formatdate(time.time() + 60, usegmt=True)
    error = await failure(stub, open_wire(""), dialect.refuses("rate", {"Retry-After": date}))
    assert isinstance(error, TransportError)
    assert error.retry_after is not None
    assert 50 < error.retry_after <= 61


@pytest.mark.parametrize("why", ["bad key", "no model"])
async def test_what_never_passes_stops_the_model(dialect: Dialect, stub: Stub, open_wire: Open, why: Refusal) -> None:
    assert isinstance(await failure(stub, open_wire(""), dialect.refuses(why)), FatalModelError)


async def test_a_request_that_is_wrong_costs_that_request(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    assert isinstance(await failure(stub, open_wire(""), dialect.refuses("bad request")), NotSupportedError)


async def test_a_line_that_breaks(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    error = await failure(stub, open_wire(""), Say(then="reset"))
    assert isinstance(error, TransportError)
    assert not isinstance(error, FatalModelError)


async def test_half_a_reply(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    assert isinstance(await failure(stub, open_wire(""), replace(dialect.says(Said()), then="half")), TransportError)


async def test_half_a_stream(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    if not dialect.streams:
        pytest.skip(f"{dialect.name} does not stream")
    say = replace(dialect.streamed(Said("Paris is the capital of France")), then="half")
    assert isinstance(await failure(stub, open_wire("?stream=true"), say), TransportError)


async def test_a_server_that_hangs_can_be_left(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    stub.says = [Say(then="hang")]
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(open_wire("").generate(ASK), 0.5)
    stub.says = [dialect.says(Said("Paris"))]
    assert (await open_wire("").generate(ASK)).text == "Paris"


@pytest.mark.parametrize("status", [200, 502])
async def test_a_page_of_html_is_no_answer(dialect: Dialect, stub: Stub, open_wire: Open, status: int) -> None:
    page = b"<!doctype html><html><head><title>Bad gateway</title></head><body><p>nginx</p></body></html>"
    error = await failure(stub, open_wire(""), Say(page, status, {"Content-Type": "text/html"}))
    assert isinstance(error, TransportError)
    assert "<" not in str(error)


@pytest.mark.parametrize("body", [b'{"choices": [{"mess', b"", b"[]", b"null", b"\xff\xfe\x00"])
async def test_json_that_is_none(dialect: Dialect, stub: Stub, open_wire: Open, body: bytes) -> None:
    assert isinstance(await failure(stub, open_wire(""), Say(body)), TransportError)


async def test_the_key_is_in_no_message(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    model = open_wire("")
    for why in sorted(dialect.refusals - {"overflow", "policy"}):
        error = await failure(stub, model, dialect.refuses(why, message=f"no such key: {KEY}"))
        assert KEY not in f"{error!r} {error.__cause__!r} {error.__context__!r}"
    assert KEY not in f"{model!r} {model.card!r} {model.identity!r} {vars(model)!r}"


async def test_an_sdk_sends_nothing_of_its_own_environment(
    dialect: Dialect, stub: Stub, open_wire: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "Authorization: Bearer another-s\nX-Other: another-s")
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN", "CO_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, "another-s")
    await answer(stub, open_wire(""), dialect.says(Said()))
    assert "another-s" not in str(stub.asked[0].headers) + stub.asked[0].path


async def test_a_field_nobody_knows_is_passed_over(dialect: Dialect, stub: Stub, open_wire: Open) -> None:
    say = dialect.says(Said("Paris"))
    if not isinstance(say.body, dict):
        pytest.skip("the reply is a list of events")
    completion = await answer(stub, open_wire(""), replace(say, body={**say.body, "new_in_2027": {"a": [1, None]}}))
    assert completion.text == "Paris"


async def _said(dialect: Dialect, stub: Stub, open_wire: Open, said: Said, way: str) -> Completion:
    if way == "whole":
        return await answer(stub, open_wire(""), dialect.says(said))
    if not dialect.streams:
        pytest.skip(f"{dialect.name} does not stream")
    return await answer(stub, open_wire("?stream=true"), dialect.streamed(said))
