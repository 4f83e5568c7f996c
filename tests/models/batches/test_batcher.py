"""What collects requests, sends them as batches, and finds them again: the parts that no host's words change."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web
from msgspec import structs

from holoscope.core import Completion, FatalModelError, ModelError, Params, Request, Settings, TransportError
from holoscope.models import Model, Price, resolve
from holoscope.models.batches import BatchModel, Journal, Timing, in_batches
from holoscope.models.batches.openai import OpenAIBatches
from holoscope.models.providers.client import Client
from models.batches.host import Body, Host, Job, echoed, refused, serving

FAST = Timing(quiet=0.02, first_poll=0.01, longest_poll=0.01, patience=0.3)
Open = Callable[[], BatchModel]


@pytest.fixture
def host() -> Iterator[Host]:
    with serving(Host()) as found:
        yield found


@pytest.fixture
def client(host: Host, settings: Settings) -> Callable[[], Client]:
    environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": host.url}

    def open_() -> Client:
        model: Model = resolve("openai/m", replace(settings, environ=environ))
        assert isinstance(model, Client)
        return model

    return open_


@pytest.fixture
def open_model(client: Callable[[], Client], tmp_path: Path) -> Open:
    def open_() -> BatchModel:
        live = client()
        return BatchModel(live, OpenAIBatches(live), Journal(tmp_path, live.endpoint.url, "m"), FAST)

    return open_


def ask(prompt: str, key: str = "") -> Request:
    return Request(Params(temperature=0.0), prompt=prompt, key=key or prompt.encode().hex())


async def said(model: BatchModel, *prompts: str) -> list[str]:
    """What becomes of each question: its answer, or the error."""
    async with asyncio.timeout(10):
        found = await asyncio.gather(*(model.generate(ask(p)) for p in prompts), return_exceptions=True)
    return [f.text if isinstance(f, Completion) else f"{type(f).__name__}: {f}" for f in found]


async def left_under_way(host: Host, model: BatchModel, *prompts: str) -> None:
    """Ask, and go once the batch has been looked at."""
    host.polls = 10**9
    host.looked.clear()
    asking = asyncio.create_task(said(model, *prompts))
    await asyncio.to_thread(host.wait_for_a_look)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await model.aclose()
    host.polls = 1


async def nothing_kept(keys: object) -> dict[bytes, object]:
    """A ledger without answers."""
    return {}


def entries(folder: Path) -> list[Path]:
    return list(folder.glob("*.json"))


def failing_once(host: Host, *errors: Body) -> Callable[[Job], None]:
    def end(job: Job) -> None:
        if len(host.jobs) == 1:
            job.phase, job.errors = "failed", list(errors)

    return end


async def test_a_row_for_which_a_batch_is_refused_is_left_out_of_the_next(host: Host, open_model: Open) -> None:
    host.end = failing_once(host, {"code": "invalid_value", "message": "Invalid value: 'wrong'.", "line": 2})
    model = open_model()
    first = await said(model, "a", "bad", "c")
    assert first[1].startswith("NotSupportedError")
    assert all(each.startswith("TransportError") for each in (first[0], first[2]))
    assert await said(model, "a", "c") == ["to a", "to c"]
    await model.aclose()
    assert [len(job.rows) for job in host.jobs] == [3, 2]


async def test_what_is_too_much_at_once_goes_in_halves_one_after_another(host: Host, open_model: Open) -> None:
    host.end = failing_once(host, {"code": "token_limit_exceeded", "message": "Enqueued token limit reached for m."})
    model = open_model()
    prompts = [f"q{i}" for i in range(8)]
    assert all(each.startswith("TransportError") for each in await said(model, *prompts))
    under_way: list[int] = []
    host.end = lambda job: under_way.append(sum(each.phase == "running" for each in host.jobs))
    assert await said(model, *prompts) == [f"to {prompt}" for prompt in prompts]
    await model.aclose()
    assert [len(job.rows) for job in host.jobs] == [8, 4, 4]
    assert under_way == [0, 0]


async def test_a_host_that_stays_away_is_given_up_and_its_batch_is_not(host: Host, open_model: Open) -> None:
    host.faults["state"] = [web.Response(status=500) for _ in range(1000)]
    model = open_model()
    (found,) = await said(model, "q")
    assert found.startswith("FatalModelError")
    assert "run the same command later" in found
    await model.aclose()
    host.faults.clear()
    again = open_model()
    assert await said(again, "q") == ["to q"]
    await again.aclose()
    assert host.asked == ["q"]


async def test_who_asks_again_waits_for_the_batch_that_was_given_up(host: Host, open_model: Open) -> None:
    host.faults["state"] = [web.Response(status=500) for _ in range(1000)]
    model = open_model()
    assert (await said(model, "q"))[0].startswith("FatalModelError")
    host.faults.clear()
    assert await said(model, "q") == ["to q"]
    await model.aclose()
    assert host.asked == ["q"]


async def test_a_host_that_asks_for_more_patience_than_there_is_is_given_up_at_once(
    host: Host, open_model: Open
) -> None:
    host.faults["submit"] = [web.Response(status=429, headers={"Retry-After": "7200"})]
    model = open_model()
    (found,) = await said(model, "q")
    await model.aclose()
    assert found.startswith("FatalModelError: HTTP 429")


async def test_a_batch_that_is_gone_is_asked_anew(host: Host, open_model: Open) -> None:
    await left_under_way(host, open_model(), "a", "b")
    host.jobs.clear()
    model = open_model()
    assert await said(model, "a", "b", "c") == ["to a", "to b", "to c"]
    await model.aclose()
    assert sorted(host.asked) == ["a", "b", "c"]


async def test_what_was_left_out_is_still_said_of_a_batch_picked_up(host: Host, open_model: Open) -> None:
    def answer(body: Body) -> tuple[int, Body]:
        return (400, refused("Unsupported parameter: 'temperature'")) if "temperature" in body else echoed(body)

    host.answer = answer
    first = open_model()
    await said(first, "x")
    await left_under_way(host, first, "a")
    model = open_model()
    found = await model.generate(ask("a"))
    await model.aclose()
    assert any("temperature" in words for words in found.dropped_params)
    assert host.asked == ["x", "x", "a"]


async def test_rows_nobody_asks_for_yet_are_kept_until_somebody_does(host: Host, open_model: Open) -> None:
    await left_under_way(host, open_model(), "a", "b")
    model = open_model()
    assert await said(model, "a") == ["to a"]
    assert await said(model, "b") == ["to b"]
    await model.aclose()
    assert len(host.jobs) == 1


async def test_a_batch_another_process_has_sent_meanwhile_is_joined(host: Host, open_model: Open) -> None:
    model = open_model()
    assert await said(model, "first") == ["to first"]
    await left_under_way(host, open_model(), "a")
    assert await said(model, "a") == ["to a"]
    await model.aclose()
    assert host.asked == ["first", "a"]


async def test_equal_requests_at_once_have_rows_of_their_own(host: Host, open_model: Open) -> None:
    model = open_model()
    async with asyncio.timeout(10):
        found = await asyncio.gather(*(model.generate(ask("q", "same")) for _ in range(3)))
    await model.aclose()
    assert [each.text for each in found] == ["to q"] * 3
    assert len({row["custom_id"] for row in host.jobs[0].rows}) == 3


async def test_rows_that_expired_as_openai_says_it(host: Host, open_model: Open) -> None:
    def end(job: Job) -> None:
        job.phase = "expired"
        error = {"code": "batch_expired", "message": "This request could not be executed before the window expired."}
        lines = [{"custom_id": row["custom_id"], "response": None, "error": error} for row in job.rows]
        host.files[f"out-{job.id}"] = b""
        host.files[f"err-{job.id}"] = "".join(json.dumps(line) + "\n" for line in lines).encode()

    host.end = end
    model = open_model()
    (found,) = await said(model, "q")
    await model.aclose()
    assert found == "TransportError: batch batch_1 expired before this was answered"


async def test_a_damaged_entry_is_named_and_nothing_is_sent(host: Host, open_model: Open, tmp_path: Path) -> None:
    (tmp_path / "holoscope-1.json").write_bytes(b'{"label": "holo')
    model = open_model()
    (found,) = await said(model, "q")
    await model.tidy(nothing_kept)
    await model.aclose()
    assert found.startswith("FatalModelError")
    assert "holoscope-1.json" in found
    assert not host.jobs


async def test_how_a_batch_goes_is_told(host: Host, open_model: Open) -> None:
    heard: list[str] = []
    host.polls = 3
    model = open_model()
    model.listen(heard.append)
    await said(model, "a", "b", "c")
    await model.aclose()
    assert "3 collected for the next batch" in heard
    assert "batch batch_1: 2 of 3 answered" in heard
    assert heard[-1] == ""


async def test_trouble_is_told(host: Host, open_model: Open) -> None:
    heard: list[str] = []
    host.faults["submit"] = [web.Response(status=500, text="down")]
    model = open_model()
    model.listen(heard.append)
    await said(model, "a")
    await model.aclose()
    assert any("trying again: HTTP 500: down" in each for each in heard)


async def test_only_what_can_be_paid_is_sent(host: Host, client: Callable[[], Client], tmp_path: Path) -> None:
    live = client()
    price = Price(batch_input=0.0, batch_output=1e4, source="test", date="2026-12-01")
    live.card = structs.replace(live.card, price=price)
    model = BatchModel(live, OpenAIBatches(live), Journal(tmp_path, live.endpoint.url, "m"), FAST)
    paid = [0.0]
    model.limit(lambda: 2.5 - paid[0])  # an answer may cost 1, and costs 0.02

    async def generate(prompt: str) -> None:
        await model.generate(ask(prompt))
        paid[0] += 0.02

    async with asyncio.timeout(10):
        await asyncio.gather(*(generate(f"q{i}") for i in range(6)))
    await model.aclose()
    assert [len(job.rows) for job in host.jobs] == [2, 2, 2]


async def test_without_money_nothing_is_sent(host: Host, open_model: Open) -> None:
    model = open_model()
    model.limit(lambda: 0.0)
    with pytest.raises(TransportError, match="cost limit"):
        await model.generate(ask("q"))
    await model.aclose()
    assert not host.jobs


async def test_an_entry_goes_once_the_ledger_has_its_answers(host: Host, open_model: Open, tmp_path: Path) -> None:
    model = open_model()
    key = "ab" * 32
    await model.generate(ask("q", key))

    async def everything(keys: object) -> dict[bytes, object]:
        return {bytes.fromhex(key): True}

    await model.tidy(nothing_kept)
    assert entries(tmp_path)
    await model.tidy(everything)
    assert not entries(tmp_path)
    await model.aclose()


async def test_an_entry_whose_rows_all_failed_goes_too(host: Host, open_model: Open, tmp_path: Path) -> None:
    host.answer = lambda body: (400, refused("Invalid value: 'wrong'."))
    model = open_model()

    with pytest.raises(ModelError):
        await model.generate(ask("q"))
    await model.tidy(nothing_kept)
    await model.aclose()
    assert not entries(tmp_path)


async def test_a_request_nobody_waits_for_is_not_sent(host: Host, open_model: Open) -> None:
    model = open_model()
    left = asyncio.create_task(model.generate(ask("left")))
    await asyncio.sleep(0)
    left.cancel()
    assert await said(model, "q") == ["to q"]
    await model.aclose()
    assert host.asked == ["q"]


def test_the_poll_interval_is_the_users(client: Callable[[], Client], tmp_path: Path) -> None:
    assert in_batches(client(), tmp_path, 7.0)._batcher._timing[1:3] == (7.0, 7.0)
    assert in_batches(client(), tmp_path)._batcher._timing == Timing()


async def test_a_bug_reaches_whoever_waits(host: Host, open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    model = open_model()
    monkeypatch.setattr(model._batcher._api, "state", broken)
    (found,) = await said(model, "q")
    await model.aclose()
    assert found.startswith("ZeroDivisionError")


async def test_a_journal_that_cannot_be_written_ends_it(host: Host, open_model: Open, tmp_path: Path) -> None:
    model = open_model()
    monkey = tmp_path / "file"
    monkey.write_text("", encoding="utf-8")
    model._batcher._journal._folder = monkey / "below"
    with pytest.raises(FatalModelError, match="no batch is sent"):
        await model.generate(ask("q"))
    await model.aclose()
    assert not host.jobs
