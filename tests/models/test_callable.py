"""Functions and classes as models: what they are given, what may come back, and what becomes of their faults."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from holoscope.core import (
    Choice,
    Completion,
    Image,
    Message,
    NotSupportedError,
    Outcome,
    Params,
    Request,
    Settings,
    Text,
    Token,
    TransportError,
    UsageError,
)
from holoscope.models import LocalModel, describe, resolve

ASKED = Request(Params(temperature=0.0), prompt="2 + 2 =")
TALK = Request(Params(), messages=(Message("system", "Be brief."), Message("user", "Hello")))


def upper(prompt: str) -> str:
    return prompt.upper()


async def asked(thing: object, request: Request = ASKED, **how: object) -> Completion:
    model = LocalModel(thing, **how)  # type: ignore[arg-type]
    try:
        return await model.generate(request)
    finally:
        await model.aclose()


async def test_a_function_is_given_the_prompt_and_gives_a_text() -> None:
    completion = await asked(lambda prompt: f"{prompt} 4", version="1")
    assert (completion.outcome, completion.text) == (Outcome.OK, "2 + 2 = 4")
    assert completion.request_time is not None


async def test_of_a_conversation_it_is_given_the_last_message() -> None:
    assert (await asked(upper, TALK)).text == "HELLO"


async def test_a_function_of_messages_is_given_all_of_them() -> None:
    def roles(messages: list[Message]) -> str:
        return ",".join(message.role for message in messages)

    assert (await asked(roles, TALK)).text == "system,user"
    assert (await asked(roles, ASKED)).text == "user"


async def test_a_function_of_the_request_sees_its_parameters() -> None:
    def limit(request: Request) -> str:
        return str(request.params.max_tokens)

    assert (await asked(limit)).text == "100"


async def test_an_async_function_is_awaited_and_takes_any_number_at_once() -> None:
    async def slow(prompt: str) -> str:
        await asyncio.sleep(0)
        return prompt

    assert (await asked(slow)).text == "2 + 2 ="
    assert LocalModel(slow).card.max_concurrency is None


async def test_what_is_not_async_runs_in_a_thread_one_at_a_time() -> None:
    def where(prompt: str) -> str:
        return threading.current_thread().name

    assert (await asked(where)).text.startswith("holoscope-local-model")
    assert LocalModel(where).card.max_concurrency == 1


class Sums:
    version = "7"

    def generate(self, request: Request) -> str:
        return f"{request.prompt} 4\n\nAnd so on"

    def score(self, prompt: str, continuation: str) -> list[tuple[str, float]]:
        return [(continuation[:1], -1.0), (continuation[1:], -0.5)]


@pytest.mark.parametrize("thing", [Sums, Sums()])
async def test_a_class_or_an_object_with_generate_is_a_model(thing: object) -> None:
    completion = await asked(thing, Request(Params(stop_sequences=("\n\n",)), prompt="2 + 2 ="))
    assert completion.text == "2 + 2 = 4"


async def test_score_gives_the_continuations_log_probability() -> None:
    request = Request(Params(echo_prompt=True, max_tokens=0), prompt="2 + 2 = 4", continuation=" 4")
    choice = (await asked(Sums, request)).choices[0]
    assert (choice.text, choice.logprob, choice.tokens) == (" 4", -1.5, (Token(" ", -1.0), Token("4", -0.5)))


@pytest.mark.parametrize(("given", "total"), [(-2.0, -2.0), ([-2.0, -1.0], -3.0)])
async def test_score_may_give_numbers_alone(given: object, total: float) -> None:
    class Scores:
        version = "1"

        def generate(self, request: Request) -> str:
            return ""

        def score(self, prompt: str, continuation: str) -> object:
            assert (prompt, continuation) == ("a", "b")
            return given

    choice = (await asked(Scores, Request(Params(echo_prompt=True), prompt="ab", continuation="b"))).choices[0]
    assert choice.logprob == total
    assert "".join(token.text for token in choice.tokens) == "b"


async def test_without_score_given_text_is_not_scored() -> None:
    assert not LocalModel(upper).card.capabilities.echo
    with pytest.raises(NotSupportedError, match="does not score"):
        await asked(upper, Request(Params(echo_prompt=True), prompt="a"))


async def test_requests_that_wait_together_are_one_call() -> None:
    sizes: list[int] = []

    class Batched:
        version = "1"

        def generate_many(self, requests: list[Request]) -> list[str]:
            sizes.append(len(requests))
            return [f"{request.prompt}!" for request in requests]

    model = LocalModel(Batched, max_concurrency=4)
    requests = [Request(Params(), prompt=str(number)) for number in range(6)]
    completions = await asyncio.gather(*map(model.generate, requests))
    await model.aclose()
    assert [completion.text for completion in completions] == [f"{number}!" for number in range(6)]
    assert sizes == [4, 2]


async def test_a_batch_of_another_length_is_a_fault_of_each_request() -> None:
    class Short:
        version = "1"

        def generate_many(self, requests: list[Request]) -> list[str]:
            return []

    model = LocalModel(Short)
    answers = await asyncio.gather(*[model.generate(ASKED) for _ in range(2)], return_exceptions=True)
    await model.aclose()
    assert [str(answer) for answer in answers] == ["generate_many: expected a list of 2 answers, found 0"] * 2


def broken(error: BaseException) -> Callable[[str], str]:
    def answer(prompt: str) -> str:
        raise error

    return answer


@pytest.mark.parametrize(
    "error", [ValueError("no\nidea"), KeyError("x"), SystemExit(3), StopIteration(), AssertionError()]
)
async def test_what_it_raises_is_not_supported_in_one_line_that_says_where(error: BaseException) -> None:
    with pytest.raises(NotSupportedError, match=rf"{type(error).__name__}.*\(test_callable\.py, line \d+\)") as caught:
        await asked(broken(error), version="1")
    assert "\n" not in str(caught.value)


async def test_an_error_of_ours_says_what_it_means() -> None:
    with pytest.raises(TransportError, match="later"):
        await asked(broken(TransportError("later")), version="1")


@pytest.mark.parametrize("given", [None, 4, b"4"])
async def test_an_answer_that_is_no_text_is_said(given: object) -> None:
    with pytest.raises(NotSupportedError, match="expected a text or a Completion, found"):
        await asked(lambda prompt: given, version="1")


async def test_a_whole_completion_is_taken_as_it_is() -> None:
    whole = Completion(Outcome.REFUSED, (Choice("I won't"),), reason="its own", request_time=2.5)
    assert await asked(lambda prompt: whole, version="1") == whole


async def test_thinking_is_taken_out() -> None:
    choice = (await asked(lambda prompt: "<think>Hm.</think>B", version="1")).choices[0]
    assert (choice.text, choice.thinking) == ("B", "Hm.")


async def test_several_completions_are_several_calls() -> None:
    calls = iter("abc")
    completion = await asked(lambda prompt: next(calls), Request(Params(num_completions=3), prompt=""), version="1")
    assert [choice.text for choice in completion.choices] == ["a", "b", "c"]


async def test_a_function_of_text_is_given_no_images() -> None:
    pictured = Message("user", (Text("What is this?"), Image("0" * 64, "image/png", "AA==")))
    assert not LocalModel(upper).card.capabilities.images
    with pytest.raises(NotSupportedError, match="no images"):
        await asked(upper, Request(Params(), messages=(pictured,)))


def test_another_source_is_another_identity(tmp_path: Path, settings: Settings) -> None:
    file, versions = tmp_path / "m.py", []
    for said in ("a", "b", "a"):
        file.write_text(f"def answer(prompt):\n    return {said!r}\n", encoding="utf-8")
        versions.append(resolve(f"python/{file}:answer", settings).identity["version"])
    assert versions[0] == versions[2] != versions[1]


def test_two_functions_have_two_versions_and_each_its_own() -> None:
    def other(prompt: str) -> str:
        return prompt

    assert LocalModel(upper).identity != LocalModel(other, name="python/upper").identity
    assert LocalModel(upper).identity == LocalModel(upper).identity


@pytest.mark.parametrize("thing", [lambda prompt: "x", broken(ValueError()), "x".join, Sums().generate])
def test_what_has_more_to_it_than_its_source_must_name_a_version(thing: object) -> None:
    with pytest.raises(UsageError, match="name its version"):
        LocalModel(thing)
    assert LocalModel(thing, version="2").identity["version"] == "2"


def test_what_is_no_callable_is_refused() -> None:
    with pytest.raises(UsageError, match="expected a function"):
        LocalModel(4, version="1")


async def test_a_file_of_ones_own_is_run_with_the_modules_beside_it(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "beside_it.py").write_text("WORD = 'yes'\n", encoding="utf-8")
    code = "import beside_it\n\ndef answer(prompt):\n    return beside_it.WORD\n"
    (tmp_path / "m.py").write_text(code, encoding="utf-8")
    model = resolve(f"python/{tmp_path / 'm.py'}:answer?window=8&tokenizer=words", settings)
    assert (await model.generate(ASKED)).text == "yes"
    assert model.window().max_request_length == 8
    await model.aclose()


def test_a_file_is_not_run_before_it_is_opened(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "m.py").write_text("raise RuntimeError('ran')\n", encoding="utf-8")
    found = describe(f"python/{tmp_path / 'm.py'}:answer", settings)
    assert (found.problem, found.card.provider) == ("", "python")
    with pytest.raises(UsageError, match=r"can't be run: RuntimeError: ran \(m\.py, line 1\)"):
        resolve(f"python/{tmp_path / 'm.py'}:answer", settings)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("python/absent.py:answer", "there is no file absent.py"),
        ("python/m.py", "write python/FILE.py:NAME"),
        ("python/{here}/m.py:anser", "did you mean 'answer'"),
        ("python/{here}/m.py:answer?windw=3", "option of model"),
    ],
)
def test_a_name_that_leads_nowhere_says_what_to_type(name: str, said: str, tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "m.py").write_text("def answer(prompt):\n    return prompt\n", encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        resolve(name.format(here=tmp_path), settings)


async def test_a_file_changed_within_a_second_is_run_as_it_is(tmp_path: Path, settings: Settings) -> None:
    said = []
    for word in ("yes", "no!"):
        (tmp_path / "m.py").write_text(f"def answer(prompt):\n    return {word!r}\n", encoding="utf-8")
        model = resolve(f"python/{tmp_path / 'm.py'}:answer", settings)
        said.append((await model.generate(ASKED)).text)
        await model.aclose()
    assert said == ["yes", "no!"]


def test_the_same_file_elsewhere_is_the_same_model(tmp_path: Path, settings: Settings) -> None:
    identities = []
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.py").write_text("def answer(prompt):\n    return prompt\n", encoding="utf-8")
        identities.append(resolve(f"python/{tmp_path / folder / 'm.py'}:answer", settings).identity)
    assert identities[0] == identities[1]
    assert identities[0]["deployment"] == "python/m.py:answer"


_HANGS = """
import asyncio, threading
from holoscope.core import Params, Request
from holoscope.models import LocalModel

def hang(prompt: str) -> str:
    threading.Event().wait()
    return ""

async def ask() -> None:
    try:
        await asyncio.wait_for(LocalModel(hang, version="1").generate(Request(Params(), prompt="x")), 0.1)
    except TimeoutError:
        print("given up on")

asyncio.run(ask())
"""


def test_a_function_that_hangs_does_not_keep_the_command_from_ending() -> None:
    done = subprocess.run([sys.executable, "-c", _HANGS], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "given up on\n"
