import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from holoscope.core import Image, Message, Params, Request, Text
from holoscope.engine import request_key

MODEL = {"deployment": "openai/gpt-x", "revision": "1"}
GREEDY = Request(Params(temperature=0.0), prompt="2 + 2 =")


def key(request: Request, *, trial: int = 0, instance: str = "id1", identity: dict[str, str] | None = None) -> bytes:
    return request_key(identity or MODEL, request, trial, instance)


def test_keys_are_the_same_on_any_machine_and_in_any_version() -> None:
    assert key(GREEDY).hex() == "5d479e4c69b80a22836b2d1b745bdee3baf42cccb2720078a2b752252f341129"
    sampled = Request(Params(temperature=0.7, max_tokens=5), messages=(Message("user", "Hi"),), wants_logprobs=True)
    assert key(sampled, trial=2).hex() == "350094da90ba7781452463f3a57101f50f5c349a6515078e6fc75c0ac681d7c7"


def test_a_changed_default_would_give_old_keys_a_new_meaning() -> None:
    assert structs.asdict(Params()) == {
        "temperature": 1.0,
        "max_tokens": 100,
        "stop_sequences": (),
        "num_completions": 1,
        "top_k_per_token": 1,
        "echo_prompt": False,
        "top_p": 1.0,
        "random": None,
    }


def test_at_temperature_0_equal_prompts_share_an_answer() -> None:
    assert key(GREEDY, instance="id1") == key(GREEDY, instance="id2")


def test_above_temperature_0_each_instance_has_its_own_draw() -> None:
    sampled = Request(Params(temperature=0.1), prompt="2 + 2 =")
    assert key(sampled, instance="id1") != key(sampled, instance="id2")
    assert key(sampled, instance="id1") == key(sampled, instance="id1")


@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_each_trial_is_a_draw_of_its_own(temperature: float) -> None:
    request = Request(Params(temperature=temperature), prompt="p")
    assert key(request, trial=0) != key(request, trial=1)


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.5},
        {"max_tokens": 101},
        {"stop_sequences": ("\n",)},
        {"num_completions": 2},
        {"top_k_per_token": 5},
        {"echo_prompt": True},
        {"top_p": 0.9},
        {"random": "1"},
    ],
)
def test_every_parameter_is_in_the_key(change: dict[str, Any]) -> None:
    changed = structs.replace(GREEDY, params=structs.replace(GREEDY.params, **change))
    assert key(changed) != key(GREEDY)


def test_every_parameter_is_tried_above() -> None:
    (mark,) = [m for m in test_every_parameter_is_in_the_key.pytestmark if m.name == "parametrize"]
    assert {name for change in mark.args[1] for name in change} == set(Params.__struct_fields__)


@pytest.mark.parametrize(
    "change", [{"prompt": "2 + 3 ="}, {"continuation": "="}, {"wants_logprobs": True}], ids=lambda c: next(iter(c))
)
def test_all_else_that_reaches_the_model_is_in_the_key(change: dict[str, Any]) -> None:
    assert key(structs.replace(GREEDY, **change)) != key(GREEDY)


def test_another_model_is_another_key() -> None:
    assert key(GREEDY, identity={"deployment": "other", "revision": "1"}) != key(GREEDY)


def test_the_order_of_an_identity_does_not_matter() -> None:
    assert key(GREEDY, identity=dict(reversed(MODEL.items()))) == key(GREEDY)


def test_whole_numbers_and_floats_are_one_parameter() -> None:
    assert key(Request(Params(temperature=2, top_p=1), prompt="p")) == key(Request(Params(2.0), prompt="p"))


def test_an_image_is_known_by_its_hash() -> None:
    def asked(sha256: str, data: str) -> Request:
        content = (Text("What is this?"), Image(sha256, "image/png", data))
        return Request(Params(temperature=0.0), messages=(Message("user", content),))

    assert key(asked("a" * 64, "AAAA")) == key(asked("a" * 64, ""))
    assert key(asked("a" * 64, "AAAA")) != key(asked("b" * 64, "AAAA"))


@given(st.text(), st.text())
def test_a_prompt_is_never_mistaken_for_a_conversation(one: str, two: str) -> None:
    plain = Request(Params(temperature=0.0), prompt=one)
    chat = Request(Params(temperature=0.0), messages=(Message("user", two),))
    assert key(plain) != key(chat)


def test_a_key_of_a_3_kb_prompt_takes_at_most_20_microseconds() -> None:
    request = Request(Params(temperature=0.0, stop_sequences=("\n",)), prompt="é" + "x" * 3000)
    taken = []
    for _ in range(20):
        start = time.process_time()
        for _ in range(100):
            key(request)
        taken.append((time.process_time() - start) / 100)
    assert min(taken) < 20e-6
