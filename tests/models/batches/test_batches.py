"""Batches, in the words of each host: what is asked is answered, whatever goes wrong on the way."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from holoscope.core import (
    Completion,
    FatalModelError,
    NotSupportedError,
    Outcome,
    Params,
    Request,
    Settings,
    TransportError,
    UsageError,
)
from holoscope.models import resolve
from holoscope.models.batches import BatchModel, in_batches
from models.batches.host import (
    Anthropic,
    Body,
    Gemini,
    Host,
    Job,
    Mistral,
    Responses,
    Together,
    chat,
    echoed,
    refused,
    serving,
)

KEY = "sk-a-key-that-nobody-may-see-0123456789"
HOSTS: dict[str, tuple[type[Host], str, str]] = {
    "openai": (Host, "openai/m", "OPENAI"),
    "responses": (Responses, "openai/m?wire=responses", "OPENAI"),
    "together": (Together, "together/m", "TOGETHER"),
    "mistral": (Mistral, "mistralai/m", "MISTRALAI"),
    "gemini": (Gemini, "google/m", "GOOGLE"),
    "anthropic": (Anthropic, "anthropic/m", "ANTHROPIC"),
}
Open = Callable[..., BatchModel]


@pytest.fixture(params=HOSTS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def host(name: str) -> Iterator[Host]:
    with serving(HOSTS[name][0]()) as found:
        yield found


@pytest.fixture
def open_model(name: str, host: Host, settings: Settings, tmp_path: Path) -> Open:
    """`open_model("?stream=true")`: the host's model, asked in batches."""
    _, model, variable = HOSTS[name]
    environ = {f"{variable}_API_KEY": KEY, f"{variable}_BASE_URL": host.url}

    def open_(options: str = "") -> BatchModel:
        return in_batches(
            resolve(
                model + (options.replace("?", "&") if "?" in model else options), replace(settings, environ=environ)
            ),
            tmp_path,
            0.01,
        )

    return open_


def ask(prompt: str, **more: Any) -> Request:
    return Request(Params(temperature=0.0, max_tokens=50), prompt=prompt, key=prompt.encode().hex(), **more)


async def answers(model: BatchModel, prompts: Sequence[str]) -> list[Completion | BaseException]:
    try:
        async with asyncio.timeout(10):
            asking = (model.generate(ask(prompt)) for prompt in prompts)
            return list(await asyncio.gather(*asking, return_exceptions=True))
    finally:
        await model.aclose()


def texts(found: Sequence[Completion | BaseException]) -> list[str]:
    return [each.text if isinstance(each, Completion) else f"{type(each).__name__}: {each}" for each in found]


def ending(*phases: str, **more: Any) -> Callable[[Job], None]:
    """Batches that end so, one after another; the last for ever."""
    left = list(phases)

    def end(job: Job) -> None:
        job.phase = left.pop(0) if len(left) > 1 else left[0]
        job.errors = more.get("errors", []) if job.phase == "failed" else []

    return end


async def test_what_is_asked_together_is_one_batch(host: Host, open_model: Open) -> None:
    prompts = [f"q{i}" for i in range(40)]
    found = await answers(open_model(), prompts)
    assert texts(found) == [f"to {prompt}" for prompt in prompts]
    assert len(host.jobs) == 1
    first = found[0]
    assert isinstance(first, Completion)
    assert (first.outcome, first.is_batched, first.request_time) == (Outcome.OK, True, None)
    assert first.usage is not None
    assert (first.usage.prompt_tokens, first.usage.completion_tokens) == (10, 2)
    assert all(KEY in " ".join(headers.values()) for headers in host.headers)


async def test_a_batch_holds_no_more_than_it_may(host: Host, open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    model = open_model()
    monkeypatch.setattr(model._batcher._new, "most", 3)
    assert texts(await answers(model, [f"q{i}" for i in range(8)])) == [f"to q{i}" for i in range(8)]
    assert sorted(len(job.rows) for job in host.jobs) == [2, 3, 3]


async def test_a_refused_row_costs_no_other(host: Host, open_model: Open) -> None:
    def answer(body: Body) -> tuple[int, Body]:
        if body["messages"][-1]["content"] == "bad":
            return 400, refused("Your request was rejected as a result of our safety system.")
        return echoed(body)

    host.answer = answer
    good, bad = await answers(open_model(), ["good", "bad"])
    assert isinstance(good, Completion)
    assert isinstance(bad, Completion)
    assert good.text == "to good"
    assert (bad.outcome, bad.is_batched) == (Outcome.CONTENT_FILTER, True)
    assert len(host.jobs) == 1


async def test_an_invalid_row_is_not_supported(host: Host, open_model: Open) -> None:
    host.answer = lambda body: (400, refused("Invalid value: 'wrong'."))
    (found,) = await answers(open_model(), ["q"])
    assert isinstance(found, NotSupportedError)


async def test_a_row_that_failed_for_a_while_may_be_asked_again(host: Host, open_model: Open) -> None:
    host.answer = lambda body: (500, refused("The server had an error.")) if len(host.jobs) == 1 else echoed(body)
    model = open_model()
    with pytest.raises(TransportError):
        await model.generate(ask("q"))
    assert texts(await answers(model, ["q"])) == ["to q"]
    assert host.asked == ["q", "q"]


async def test_a_parameter_that_is_not_taken_is_dropped_and_said(host: Host, open_model: Open) -> None:
    def answer(body: Body) -> tuple[int, Body]:
        if "temperature" in body:
            return 400, refused("Unsupported parameter: 'temperature'", param="temperature")
        return echoed(body)

    host.answer = answer
    found = await answers(open_model(), ["a", "b"])
    assert texts(found) == ["to a", "to b"]
    assert all(isinstance(f, Completion) and any("temperature" in d for d in f.dropped_params) for f in found)
    assert sorted(host.asked) == ["a", "a", "b", "b"]
    assert len(host.jobs) == 2


async def test_a_batch_is_never_streamed_and_says_so(host: Host, open_model: Open) -> None:
    (found,) = await answers(open_model("?stream=true"), ["q"])
    assert isinstance(found, Completion)
    assert found.dropped_params == ("stream: a batch is not streamed",)
    assert not {"stream", "stream_options"} & set(host.jobs[0].rows[0]["body"])


async def test_what_expired_may_be_asked_again_and_what_was_answered_counts(host: Host, open_model: Open) -> None:
    host.end, host.unanswered = ending("expired", "ended"), {"slow"}
    model = open_model()
    first = await asyncio.gather(*(model.generate(ask(q)) for q in ("quick", "slow")), return_exceptions=True)
    assert isinstance(first[1], TransportError)
    assert "expired" in str(first[1])
    assert texts(first[:1]) == ["to quick"]
    host.unanswered = set()
    assert texts(await answers(model, ["slow"])) == ["to slow"]
    assert host.asked == ["quick", "slow", "slow"]


async def test_a_batch_cancelled_by_somebody_is_not_sent_again(host: Host, open_model: Open) -> None:
    host.end, host.unanswered = ending("cancelled"), {"left"}
    found = await answers(open_model(), ["done", "left"])
    assert texts(found[:1]) == ["to done"]
    assert isinstance(found[1], FatalModelError)
    assert "cancelled" in str(found[1])


async def test_a_batch_that_failed_says_why(host: Host, open_model: Open) -> None:
    if not host.can_fail:
        pytest.skip("its batches never fail as a whole")
    host.end = ending("failed", errors=[{"code": "model_not_found", "message": "The model `m` does not exist."}])
    (found,) = await answers(open_model(), ["q"])
    assert isinstance(found, FatalModelError)
    assert "does not exist" in str(found)


async def test_a_row_that_the_host_loses_may_be_asked_again(host: Host, open_model: Open) -> None:
    host.unanswered = {"lost"}
    found = await answers(open_model(), ["kept", "lost"])
    assert texts(found[:1]) == ["to kept"]
    assert isinstance(found[1], TransportError)


async def test_a_line_that_is_not_json_costs_its_own_row_alone(host: Host, open_model: Open) -> None:
    host.answer = lambda body: (200, {"choices": 7} if body["messages"][-1]["content"] == "bad" else chat("good"))
    found = await answers(open_model(), ["good", "bad"])
    assert texts(found[:1]) == ["good"]
    assert isinstance(found[1], TransportError)


@pytest.mark.parametrize("fault", ["half", "short"])
async def test_half_a_file_of_results_is_read_again(host: Host, open_model: Open, fault: str) -> None:
    if "content" not in host.verbs:
        pytest.skip("its results come with the state")
    host.faults["content"] = [fault]
    prompts = [f"q{i}" for i in range(9)]
    assert texts(await answers(open_model(), prompts)) == [f"to {prompt}" for prompt in prompts]
    assert len(host.jobs) == 1


@pytest.mark.parametrize("verb", ["upload", "submit", "state", "content"])
@pytest.mark.parametrize(
    "fault",
    [
        lambda: web.Response(status=429, headers={"Retry-After": "0.01"}),
        lambda: web.Response(status=429, headers={"Retry-After": formatdate(time.time() - 5, usegmt=True)}),
        lambda: web.Response(status=500, text="<html><title>500</title></html>"),
        lambda: web.Response(text="<html>no JSON</html>"),
        lambda: "lost",
    ],
    ids=["seconds", "date", "500", "html", "reset"],
)
async def test_what_fails_for_a_while_is_tried_again(
    host: Host, open_model: Open, verb: str, fault: Callable[[], web.Response | str]
) -> None:
    if verb not in host.verbs:
        pytest.skip("its format has no such verb")
    host.faults[verb] = [fault()]
    assert texts(await answers(open_model(), ["a", "b"])) == ["to a", "to b"]
    assert len(host.jobs) == 1, "a submission whose answer is lost is not made again"


@pytest.mark.parametrize("verb", ["upload", "submit", "state"])
async def test_a_bad_key_ends_it_and_stays_hidden(host: Host, open_model: Open, verb: str) -> None:
    if verb not in host.verbs:
        pytest.skip("its format has no such verb")
    host.faults[verb] = [web.json_response(refused(f"Incorrect API key provided: {KEY}"), status=401)]
    (found,) = await answers(open_model(), ["q"])
    assert isinstance(found, FatalModelError)
    assert "401" in str(found)
    assert KEY not in f"{found!r} {found.__cause__!r} {found.__context__!r}"


async def test_a_host_without_batches_is_named_by_its_404(host: Host, open_model: Open) -> None:
    host.faults["upload" if "upload" in host.verbs else "submit"] = [web.Response(status=404, text="Not Found")]
    (found,) = await answers(open_model(), ["q"])
    assert isinstance(found, FatalModelError)
    assert "batch API" in str(found)


async def test_another_process_picks_up_what_is_under_way(host: Host, open_model: Open, tmp_path: Path) -> None:
    host.polls = 10**9
    first = open_model()
    waiting = [asyncio.create_task(first.generate(ask(q))) for q in ("a", "b")]
    await asyncio.to_thread(host.wait_for_a_look)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await first.aclose()
    host.polls = 0
    assert texts(await answers(open_model(), ["b", "a", "c"])) == ["to b", "to a", "to c"]
    assert sorted(host.asked) == ["a", "b", "c"]


async def test_cancelling_tells_the_host(host: Host, open_model: Open) -> None:
    model = open_model()
    await answers(model, ["q"])
    api, entry = model._batcher._api, model._batcher._journal.entries()[0]
    await api.cancel(entry)
    assert host.jobs[0].phase == "cancelled"
    assert (await api.state(entry)).phase == "cancelled"
    await model.aclose()


def test_a_host_without_a_batch_api_is_refused_at_once(settings: Settings, tmp_path: Path) -> None:
    model = resolve("vllm/m", settings, base_url="http://127.0.0.1:1/v1")
    with pytest.raises(UsageError, match=r"^--batch: no batch API at host 'vllm'; drop --batch$"):
        in_batches(model, tmp_path)


def test_a_model_without_an_endpoint_has_none_either(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no batch API at host 'test'"):
        in_batches(resolve("test/echo", settings), tmp_path)


def test_a_wire_format_without_batches_is_named(settings: Settings, tmp_path: Path) -> None:
    model = resolve("openai/m?wire=tgi", settings, base_url="http://127.0.0.1:1/v1")
    with pytest.raises(UsageError, match="no batch API at host 'openai' for wire 'tgi'"):
        in_batches(model, tmp_path)


def test_vertex_takes_files_in_buckets_and_is_not_served(settings: Settings, tmp_path: Path) -> None:
    model = resolve("vertex/m", replace(settings, environ={"VERTEX_API_KEY": KEY}))
    with pytest.raises(UsageError, match="no batch API at host 'vertex'"):
        in_batches(model, tmp_path)


def test_an_unknown_address_is_taken_to_have_the_formats_own(settings: Settings, tmp_path: Path) -> None:
    assert in_batches(resolve("m", settings, base_url="http://127.0.0.1:1/v1"), tmp_path).card.is_batch
