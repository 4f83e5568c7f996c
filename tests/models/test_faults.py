"""The table of refusals: what known endpoints say, and what it means."""

from typing import Any

import msgspec
import pytest

from holoscope.core import FatalModelError, NotSupportedError, Outcome, TransportError
from holoscope.models.providers.faults import Fault, Withheld, clean, read_fault, retry_after, verdict

OVERFLOWS = [
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens.",
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "the request exceeds the available context size, try increasing it",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`",
    "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
    "Requested token count exceeds the model's maximum context length of 8192 tokens.",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "The prompt (total length 9000) is too long to fit into the model. Make sure that max_model_len is no smaller",
    "Please reduce the length of the messages or completion.",
    "input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
]
POLICIES = [
    "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
    "The response was filtered due to the prompt triggering Microsoft's content management policy.",
    "Your input image may contain content that is not allowed by our safety system.",
    "Input data may contain inappropriate content.",
    "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO; this violates our policies",
]
OTHERS = [
    "max_tokens must be greater than 0",
    "max_tokens is too large: 5000. This model supports at most 4096 completion tokens.",
    "Input should be greater than or equal to 1",
    "Invalid value: 'temperature' must be between 0 and 2.",
    "Invalid image data",
    "The maximum tokens you requested exceeds the model limit of 4096. Try again with a lower value.",
]
NEVER = [
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.",
    "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
    "The provided model identifier is invalid.",
    "Invocation of model ID anthropic.claude-x with on-demand throughput isn\u2019t supported. Retry your request "
    "with the ID or ARN of an inference profile that contains this model.",
]


def refused(message: str, status: int = 400, **error: Any) -> Fault:
    return read_fault(status, {}, msgspec.json.encode({"error": {"message": message, **error}}))


@pytest.mark.parametrize("message", OVERFLOWS)
def test_t083_context_overflow_is_told_by_its_words(message: str) -> None:
    meaning = verdict(refused(message))
    assert isinstance(meaning, Withheld)
    assert meaning.outcome is Outcome.CONTEXT_OVERFLOW
    assert message in meaning.reason


@pytest.mark.parametrize("message", POLICIES)
def test_t089_a_policy_is_told_by_its_words(message: str) -> None:
    meaning = verdict(refused(message))
    assert isinstance(meaning, Withheld)
    assert meaning.outcome is Outcome.CONTENT_FILTER


@pytest.mark.parametrize("message", OTHERS)
def test_other_refusals_are_not_taken_for_an_outcome(message: str) -> None:
    assert isinstance(verdict(refused(message)), NotSupportedError)


@pytest.mark.parametrize("message", NEVER)
def test_what_no_request_gets_past_stops_the_model(message: str) -> None:
    assert isinstance(verdict(refused(message)), FatalModelError)


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("context_length_exceeded", Outcome.CONTEXT_OVERFLOW),
        ("exceed_context_size_error", Outcome.CONTEXT_OVERFLOW),
        ("content_filter", Outcome.CONTENT_FILTER),
        ("content_policy_violation", Outcome.CONTENT_FILTER),
    ],
)
def test_a_code_says_it_without_words(code: str, outcome: Outcome) -> None:
    meaning = verdict(refused("no", code=code))
    assert isinstance(meaning, Withheld)
    assert meaning.outcome is outcome


def test_a_server_error_about_the_context_is_still_about_the_context() -> None:
    assert isinstance(verdict(refused(OVERFLOWS[3], 500)), Withheld)


def test_a_limit_per_minute_is_no_context_overflow() -> None:
    said = "Request too large for model in organization on tokens per minute (TPM): Limit 6000, Requested 7000"
    assert not isinstance(verdict(refused(said, 413)), Withheld)


def test_a_body_too_large_is_context_overflow() -> None:
    assert isinstance(
        verdict(read_fault(413, {}, b"<html><title>413 Request Entity Too Large</title></html>")), Withheld
    )


@pytest.mark.parametrize(("status", "message"), [(500, "image input is not supported"), (501, "Not implemented")])
def test_a_server_error_about_what_it_cannot_do_concerns_this_request(status: int, message: str) -> None:
    assert isinstance(verdict(refused(message, status)), NotSupportedError)


def test_moderation_behind_a_403_is_content_filter() -> None:
    meaning = verdict(refused("Your input was flagged", 403, metadata={"reasons": ["violence"]}))
    assert isinstance(meaning, Withheld)
    assert meaning.outcome is Outcome.CONTENT_FILTER


@pytest.mark.parametrize(("status", "hint"), [(401, "check the key"), (404, "/v1")])
def test_a_fatal_error_says_what_to_look_at(status: int, hint: str) -> None:
    meaning = verdict(refused("no", status))
    assert isinstance(meaning, FatalModelError)
    assert hint in str(meaning)


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": "model is loading"}',
        b'{"message": "model is loading"}',
        b'{"detail": "model is loading"}',
        b"model is loading",
    ],
)
def test_an_error_s_words_are_found_wherever_they_stand(body: bytes) -> None:
    assert read_fault(503, {}, body).message == "model is loading"


def test_an_error_without_a_body_is_an_error() -> None:
    meaning = verdict(read_fault(500, {}, b""))
    assert isinstance(meaning, TransportError)
    assert str(meaning) == "HTTP 500"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:10 GMT"}, 10.0),
        ({"Retry-After": "Wed, 21 Oct 2026 07:27:00 GMT"}, 0.0),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({}, None),
    ],
)
def test_t092_retry_after_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, now=1792567680.0) == seconds


def test_a_page_becomes_one_line() -> None:
    assert clean("<html><style>b{}</style><body><h1>Bad&amp;worse</h1>\n<p>now</p></body></html>") == "Bad&worse now"


def test_a_message_holds_no_control_characters_and_has_an_end() -> None:
    assert clean("a\x1b[31m\nb") == "a [31m b"
    assert len(clean("x" * 10_000)) < 400
