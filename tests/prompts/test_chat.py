"""A conversation is sent as it is, or not at all."""

import pytest
from msgspec.structs import replace

from holoscope.core import AdapterSpec, DataError, Image, Instance, Message, Outcome, Params, Text
from prompts.made import asked, characters, planned

CHAT = AdapterSpec(method="chat", instructions="Be brief.", num_outputs=1, max_tokens=20, temperature=0.5)
TURNS = (Message("system", "You help."), Message("user", "Hi"), Message("assistant", "Yes?"), Message("user", "Why?"))
TALK = Instance(id="id0", input="Why?", messages=TURNS)


def test_the_conversation_is_the_request() -> None:
    [request] = planned(CHAT, TALK, train=(asked("2+2", "4", split="train"),))
    assert (request.request.messages, request.request.prompt) == (TURNS, None)
    assert request.num_train_instances == 0
    assert request.request.params == Params(temperature=0.5, max_tokens=20)


def test_a_conversation_that_is_too_long_is_not_sent() -> None:
    [request] = planned(CHAT, TALK, window=characters(25))
    assert request.unsent is Outcome.CONTEXT_OVERFLOW
    assert "leaves 5 for it beside max_tokens 20" in request.unsent_reason


def test_under_compat_it_is_sent_however_long_it_is() -> None:
    for limit in (25, 10):
        [request] = planned(CHAT, TALK, window=characters(limit), compat=True)
        assert (request.unsent, request.prompt_truncated) == (None, False)


def test_an_instance_without_a_conversation_is_an_error() -> None:
    with pytest.raises(DataError, match="id0: the adapter method chat needs instances that hold messages"):
        planned(CHAT, asked("2+2", "4"))


def test_images_do_not_count_as_text() -> None:
    seen = (Message("user", (Text("What?"), Image("ab", "image/png", "x" * 100))),)
    [request] = planned(CHAT, replace(TALK, messages=seen), window=characters(40))
    assert (request.num_prompt_tokens, request.unsent) == (5, None)
