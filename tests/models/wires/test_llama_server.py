"""OpenAI's chat and completions formats against a real server, llama.cpp's, with a real model."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from holoscope.core import Image, Message, NotSupportedError, Outcome, Params, Request, Settings, Text
from holoscope.models import Model, resolve
from models.wires.llama_server import WINDOW
from serving import holoscope

pytestmark = pytest.mark.model

Open = Callable[[str], Model]
APIS = pytest.mark.parametrize("api", ["chat", "completions"])


@pytest.fixture
async def open_real(llama_server: str, settings: Settings) -> AsyncIterator[Open]:
    """`open_real("?api=chat")`: SmolLM2 at llama.cpp's server."""
    opened: list[Model] = []

    def open_(options: str) -> Model:
        opened.append(resolve(f"llamacpp/smollm2{options}", settings, base_url=f"{llama_server}/v1"))
        return opened[-1]

    yield open_
    for model in opened:
        await model.aclose()


def ask(
    prompt: str = "The capital of France is", max_tokens: int = 8, logprobs: bool = False, **more: object
) -> Request:
    params = Params(temperature=0.0, max_tokens=max_tokens, **more)  # type: ignore[arg-type]
    return Request(params, prompt=prompt, wants_logprobs=logprobs)


@APIS
async def test_an_answer_with_its_tokens(open_real: Open, api: str) -> None:
    completion = await open_real(f"?api={api}").generate(ask(logprobs=True))
    (choice,) = completion.choices
    assert completion.outcome == Outcome.TRUNCATED
    assert len(choice.tokens) == 8
    assert "".join(token.text for token in choice.tokens) == choice.text
    assert all(token.logprob is not None and token.logprob < 0 for token in choice.tokens)
    assert completion.usage is not None
    assert completion.usage.completion_tokens == 8
    assert completion.dropped_params == ()


@APIS
async def test_a_stream_says_the_same(open_real: Open, api: str) -> None:
    whole = await open_real(f"?api={api}").generate(ask(logprobs=True))
    streamed = await open_real(f"?api={api}&stream=true").generate(ask(logprobs=True))
    assert streamed.text == whole.text
    assert [token.text for token in streamed.choices[0].tokens] == [token.text for token in whole.choices[0].tokens]
    assert streamed.usage is not None
    assert streamed.usage.completion_tokens == 8
    assert streamed.time_to_first_token is not None
    assert streamed.request_time is not None
    assert 0 < streamed.time_to_first_token <= streamed.request_time


@APIS
@pytest.mark.parametrize("stream", ["false", "true"])
async def test_it_stops_before_a_stop_sequence(open_real: Open, api: str, stream: str) -> None:
    model = open_real(f"?api={api}&stream={stream}")
    text = (await model.generate(ask(max_tokens=12))).text
    stop = text.split()[2]
    completion = await model.generate(ask(max_tokens=12, stop_sequences=(stop,)))
    assert (completion.outcome, completion.text) == (Outcome.OK, text[: text.index(stop)])


@APIS
async def test_several_completions_at_once(open_real: Open, api: str) -> None:
    completion = await open_real(f"?api={api}").generate(ask(num_completions=2))
    assert len(completion.choices) == 2
    assert all(choice.text for choice in completion.choices)


@APIS
@pytest.mark.parametrize("stream", ["false", "true"])
async def test_a_prompt_longer_than_the_window(open_real: Open, api: str, stream: str) -> None:
    completion = await open_real(f"?api={api}&stream={stream}").generate(ask("word " * (WINDOW + 100)))
    assert (completion.outcome, completion.choices) == (Outcome.CONTEXT_OVERFLOW, ())
    assert f"({WINDOW} tokens)" in completion.reason


def test_the_server_counts_and_says_how_much_it_holds(open_real: Open) -> None:
    window = open_real("").window()
    assert window.max_sequence_length == WINDOW
    assert window.pieces("Say hi to Zoë") == ["Say", " hi", " to", " Zo", "ë"]
    assert window.count("Say hi to Zoë") == 5


async def test_given_text_is_not_scored(open_real: Open) -> None:
    model = open_real("?echo=true")
    with pytest.raises(NotSupportedError, match="ignores echo"):
        await model.generate(ask(max_tokens=0, logprobs=True, echo_prompt=True))


async def test_images_are_refused(open_real: Open) -> None:
    message = Message("user", (Text("What is this?"), Image("0" * 64, "image/png", "iVBORw0KGgo=")))
    with pytest.raises(NotSupportedError, match="image input is not supported"):
        await open_real("").generate(Request(Params(max_tokens=4), messages=(message,)))


def test_a_run_against_it_is_paid_once(llama_server: str, tmp_path: Path) -> None:
    rows = [{"question": f"What is {i} + 1?", "answer": str(i + 1)} for i in range(3)]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    command = ("run", "./q.jsonl", "--model", "llamacpp/smollm2?stream=true", "--base-url", f"{llama_server}/v1")
    done = holoscope(*command, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    cells = json.loads(done.stdout)["cells"]
    assert {cell["n"] for cell in cells if cell["axis"] == "accuracy"} == {3}
    assert any(cell["metric"] == "time_to_first_token" and cell["value"] > 0 for cell in cells)
    again = holoscope(*command, "--json", cwd=tmp_path)
    assert json.loads(again.stdout)["cells"] == cells  # the measured times too, so nothing was asked again
