"""Replies that are no answer, and lines that break: which error each becomes, in one clean line."""

import asyncio
import time
from email.utils import formatdate

import pytest

from holoscope.core import FatalModelError, ModelError, NotSupportedError, Params, Request, Settings, TransportError
from holoscope.models import resolve
from models.conftest import Open
from models.stub import Say, Stub, chat, refusal

ASK = Request(Params(temperature=0.0, max_tokens=50), prompt="x")


async def failure(stub: Stub, open_model: Open, say: Say) -> ModelError:
    stub.says = [say]
    with pytest.raises(ModelError) as caught:
        await open_model("vllm/m").generate(ASK)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("name", ["Retry-After", "retry-after", "RETRY-AFTER"])
async def test_t092_retry_after_in_seconds(stub: Stub, open_model: Open, name: str) -> None:
    error = await failure(stub, open_model, Say({"error": {"message": "slow down"}}, 429, {name: "2"}))
    assert isinstance(error, TransportError)
    assert (error.retry_after, error.overloaded) == (2.0, True)


async def test_t092_retry_after_as_a_date(stub: Stub, open_model: Open) -> None:
    date = formatdate(time.time() + 60, usegmt=True)
    error = await failure(stub, open_model, Say({"error": {"message": "busy"}}, 503, {"retry-after": date}))
    assert isinstance(error, TransportError)
    assert error.retry_after is not None
    assert 50 < error.retry_after <= 61


async def test_429_without_a_header_names_no_time(stub: Stub, open_model: Open) -> None:
    error = await failure(stub, open_model, refusal(429, "Rate limit reached: too many tokens per minute"))
    assert isinstance(error, TransportError)
    assert error.retry_after is None


async def test_an_empty_purse_is_fatal_though_it_comes_as_429(stub: Stub, open_model: Open) -> None:
    said = refusal(429, "You exceeded your current quota", code="insufficient_quota")
    assert isinstance(await failure(stub, open_model, said), FatalModelError)


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 529])
async def test_server_errors_may_pass(stub: Stub, open_model: Open, status: int) -> None:
    assert isinstance(await failure(stub, open_model, refusal(status, "oops")), TransportError)


@pytest.mark.parametrize("status", [401, 402, 403, 404])
async def test_a_bad_key_or_model_is_fatal(stub: Stub, open_model: Open, status: int) -> None:
    assert isinstance(await failure(stub, open_model, refusal(status, "no")), FatalModelError)


async def test_an_unknown_model_is_fatal_though_it_comes_as_400(stub: Stub, open_model: Open) -> None:
    assert isinstance(await failure(stub, open_model, refusal(400, "Model Not Exist")), FatalModelError)


async def test_a_base_model_asked_to_chat_says_what_to_type(stub: Stub, open_model: Open) -> None:
    error = await failure(stub, open_model, refusal(400, "The tokenizer has no chat template"))
    assert isinstance(error, FatalModelError)
    assert "?api=completions" in str(error)


async def test_any_other_400_concerns_this_request_alone(stub: Stub, open_model: Open) -> None:
    assert isinstance(await failure(stub, open_model, refusal(400, "the image cannot be read")), NotSupportedError)


async def test_a_reset_connection_may_pass(stub: Stub, open_model: Open) -> None:
    assert isinstance(await failure(stub, open_model, Say(then="reset")), TransportError)


async def test_half_a_body_may_pass(stub: Stub, open_model: Open) -> None:
    assert isinstance(await failure(stub, open_model, Say(chat(), then="half")), TransportError)


async def test_malformed_json_may_pass(stub: Stub, open_model: Open) -> None:
    error = await failure(stub, open_model, Say(b'{"id": "x", "choices": ['))
    assert isinstance(error, TransportError)
    assert "not readable" in str(error)


async def test_a_reply_without_choices_may_pass(stub: Stub, open_model: Open) -> None:
    assert isinstance(await failure(stub, open_model, Say({"id": "x"})), TransportError)


@pytest.mark.parametrize("finish", ["error", "abort"])
async def test_an_answer_the_endpoint_broke_off_may_come_whole(stub: Stub, open_model: Open, finish: str) -> None:
    assert isinstance(await failure(stub, open_model, Say(chat("Par", finish))), TransportError)


async def test_an_html_page_as_an_error_is_one_line_without_markup(stub: Stub, open_model: Open) -> None:
    page = b"<html><head><title>502 Bad\n Gateway</title></head><body><h1>nginx</h1></body></html>"
    error = await failure(stub, open_model, Say(page, 502, {"Content-Type": "text/html"}))
    assert isinstance(error, TransportError)
    assert str(error) == "HTTP 502: 502 Bad Gateway"


async def test_an_html_page_as_an_answer_may_pass(stub: Stub, open_model: Open) -> None:
    error = await failure(stub, open_model, Say(b"<!doctype html><p>Sign in", 200, {"Content-Type": "text/html"}))
    assert isinstance(error, TransportError)
    assert "<" not in str(error)


async def test_t091_an_error_in_a_200_is_no_answer(stub: Stub, open_model: Open) -> None:
    stub.says = [Say({"error": {"message": "upstream is busy"}}), Say(chat())]
    model = open_model("vllm/m")
    with pytest.raises(TransportError, match="upstream is busy"):
        await model.generate(ASK)
    assert (await model.generate(ASK)).text == "Paris"


async def test_t091_an_error_in_a_200_may_carry_its_own_status(stub: Stub, open_model: Open) -> None:
    error = await failure(stub, open_model, Say({"error": {"message": "no auth credentials found", "code": 401}}))
    assert isinstance(error, FatalModelError)


async def test_a_server_that_is_not_there_may_come_up(settings: Settings) -> None:
    model = resolve("vllm/m", settings, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(TransportError, match=r"cannot connect to 127\.0\.0\.1:9: Connection refused"):
        await model.generate(ASK)
    await model.aclose()


async def test_a_redirect_is_not_followed(stub: Stub, open_model: Open) -> None:
    error = await failure(stub, open_model, Say({}, 307, {"Location": "https://elsewhere.example/v1"}))
    assert isinstance(error, FatalModelError)
    assert "https://elsewhere.example/v1" in str(error)


async def test_a_call_can_be_given_up_at_any_time(stub: Stub, open_model: Open) -> None:
    stub.says = [Say(then="hang"), Say(chat())]
    model = open_model("vllm/m")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await model.generate(ASK)
    assert (await model.generate(ASK)).text == "Paris"


@pytest.mark.parametrize("length", [0, 280, 295])
async def test_a_key_that_the_server_repeats_is_not_shown(stub: Stub, settings: Settings, length: int) -> None:
    key = "sk-" + "verysecret" * 4
    stub.says = [refusal(401, f"{'x' * length} {key} is no key")]
    keyed = Settings(cache_dir=settings.cache_dir, local_path=settings.local_path, environ={"VLLM_API_KEY": key})
    model = resolve("vllm/m", keyed, base_url=stub.url)
    with pytest.raises(FatalModelError) as caught:
        await model.generate(ASK)
    await model.aclose()
    assert stub.asked[0].headers["authorization"] == f"Bearer {key}"
    assert "sk-" not in str(caught.value)
    assert "verysecret" not in repr(vars(model))
