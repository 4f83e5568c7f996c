"""vLLM's offline engine, played by a module with the names and shapes that vLLM 0.33 documents."""

import asyncio
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from holoscope.core import (
    Completion,
    Message,
    MissingExtraError,
    NotSupportedError,
    Outcome,
    Params,
    Request,
    Settings,
    UsageError,
)
from holoscope.models import Model, resolve

NAME = "vllm-offline/org/tiny"


@dataclass
class Logprob:
    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclass
class CompletionOutput:
    index: int
    text: str
    token_ids: list[int]
    cumulative_logprob: float | None = None
    logprobs: list[dict[int, Logprob]] | None = None
    finish_reason: str | None = "stop"
    stop_reason: int | str | None = None


@dataclass
class RequestOutput:
    prompt_token_ids: list[int]
    outputs: list[CompletionOutput]
    prompt_logprobs: list[dict[int, Logprob] | None] | None = None
    num_cached_tokens: int | None = None


@dataclass(kw_only=True)
class SamplingParams:
    n: int = 1
    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int | None = 16
    stop: list[str] | None = None
    seed: int | None = None
    logprobs: int | None = None
    prompt_logprobs: int | None = None


class Tokenizer:
    """A token for each character, after a mark at the beginning."""

    chat_template: str | None = "yes"
    backend_tokenizer = SimpleNamespace(
        encode=lambda text, add_special_tokens: SimpleNamespace(
            ids=[ord(c) for c in text], offsets=[(i, i + 1) for i in range(len(text))]
        )
    )

    def __call__(self, text: str, return_offsets_mapping: bool = False) -> dict[str, Any]:
        given: dict[str, Any] = {"input_ids": [1, *map(ord, text)]}
        if return_offsets_mapping:
            given["offset_mapping"] = [(0, 0), *((i, i + 1) for i in range(len(text)))]
        return given

    def apply_chat_template(
        self, turns: list[dict[str, str]], add_generation_prompt: bool, return_dict: bool
    ) -> list[int]:
        assert add_generation_prompt
        assert not return_dict
        return [2, *(ord(c) for turn in turns for c in f"{turn['role']}:{turn['content']}")]


@dataclass
class Engine:
    """`vllm.LLM`. What it says is `says`, stop sequences applied as vLLM does."""

    model: str
    revision: str | None
    dtype: str
    max_model_len: int | None
    trust_remote_code: bool
    tensor_parallel_size: int
    enable_prefix_caching: bool
    says: ClassVar[str] = " Paris"
    calls: list[tuple[list[dict[str, list[int]]], list[SamplingParams]]] = field(default_factory=list)
    tokenizer: Tokenizer = field(default_factory=Tokenizer)

    def __post_init__(self) -> None:
        self.llm_engine = SimpleNamespace(model_config=SimpleNamespace(max_model_len=self.max_model_len or 64))
        opened.append(self)

    def get_tokenizer(self) -> Tokenizer:
        return self.tokenizer

    def generate(
        self, prompts: list[dict[str, list[int]]], sampling_params: list[SamplingParams], *, use_tqdm: bool
    ) -> list[RequestOutput]:
        assert not use_tqdm
        self.calls.append((prompts, sampling_params))
        return [self._one(p["prompt_token_ids"], s) for p, s in zip(prompts, sampling_params, strict=True)]

    def _one(self, ids: list[int], sampling: SamplingParams) -> RequestOutput:
        said, finish = self.says, "stop"
        for stop in sampling.stop or ():
            said = said.partition(stop)[0]
        if sampling.max_tokens is not None and len(said) > sampling.max_tokens:
            said, finish = said[: sampling.max_tokens], "length"
        made = [ord(c) for c in said]
        rows = [{at: Logprob(-0.5, 1, chr(at))} for at in made] if sampling.logprobs is not None else None
        outputs = [CompletionOutput(i, said, made, None, rows, finish) for i in range(sampling.n)][::-1]
        scored = None
        if sampling.prompt_logprobs is not None:
            scored = [None, *({at: Logprob(-at / 100, 1, "?")} for at in ids[1:])]
        return RequestOutput(ids, outputs, scored, 3)


opened: list[Engine] = []


@pytest.fixture(autouse=True)
def vllm(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    module = ModuleType("vllm")
    module.LLM, module.SamplingParams = Engine, SamplingParams  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "vllm", module)
    opened.clear()
    yield module
    opened.clear()


async def ask(settings: Settings, *requests: Request, options: str = "") -> list[Completion]:
    model = resolve(NAME + options, settings)
    try:
        return await asyncio.gather(*map(model.generate, requests))
    finally:
        await model.aclose()


def prompt(text: str = "x", **params: Any) -> Request:
    return Request(Params(**{"temperature": 0.0, "max_tokens": 10, **params}), prompt=text)


async def test_waiting_requests_go_together_and_come_back_to_whom_they_belong(settings: Settings) -> None:
    first, second = await ask(settings, prompt("ab"), prompt("cdef"))
    assert [len(prompts) for prompts, _ in opened[0].calls] == [2, 0]
    assert (first.text, first.usage and first.usage.prompt_tokens) == (" Paris", 3)
    assert second.usage is not None
    assert (second.usage.prompt_tokens, second.usage.completion_tokens, second.usage.cached_tokens) == (5, 6, 3)


async def test_parameters_go_under_their_names_here(settings: Settings) -> None:
    request = Request(
        Params(temperature=0.7, max_tokens=4, top_p=0.9, num_completions=2, stop_sequences=("Q:",)),
        prompt="x",
        wants_logprobs=True,
    )
    (completion,) = await ask(settings, request, options="?seed=1")
    (sampling,) = opened[0].calls[0][1]
    assert (sampling.n, sampling.temperature, sampling.top_p, sampling.max_tokens) == (2, 0.7, 0.9, 4)
    assert (sampling.stop, sampling.logprobs, sampling.seed is not None) == (["Q:"], 0, True)
    assert completion.outcome == Outcome.TRUNCATED
    assert len(completion.choices) == 2
    assert completion.choices[0].logprob == pytest.approx(-2.0)
    assert "".join(token.text for token in completion.choices[0].tokens) == " Par"


async def test_each_draw_has_a_seed_of_its_own_and_always_the_same(settings: Settings) -> None:
    draws = [prompt(temperature=1.0, random=name) for name in ("1", "2", "1")]
    await ask(settings, *draws)
    seeds = [sampling.seed for sampling in opened[0].calls[0][1]]
    assert seeds[0] == seeds[2] != seeds[1]


async def test_messages_go_through_the_template_and_prompts_do_not(settings: Settings) -> None:
    turns = Request(Params(temperature=0.0, max_tokens=3), messages=(Message("user", "hi"),))
    await ask(settings, turns, prompt("hi"))
    first, second = (given["prompt_token_ids"] for given in opened[0].calls[0][0])
    assert (first[0], second[0]) == (2, 1)
    await ask(settings, prompt("hi"), options="?chat=true")
    assert opened[1].calls[0][0][0]["prompt_token_ids"] == first


async def test_a_base_model_takes_no_messages(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tokenizer, "chat_template", None)
    with pytest.raises(NotSupportedError, match="give it prompts"):
        await ask(settings, Request(Params(), messages=(Message("user", "hi"),)))


async def test_a_prompt_that_fills_the_window_is_not_sent(settings: Settings) -> None:
    long, short = await ask(settings, prompt("y" * 63), prompt("y"))
    assert (long.outcome, short.outcome) == (Outcome.CONTEXT_OVERFLOW, Outcome.OK)
    assert len(opened[0].calls[0][0]) == 1


async def test_the_end_of_a_prompt_is_scored(settings: Settings) -> None:
    request = Request(Params(max_tokens=0, echo_prompt=True), prompt="ab", continuation="b")
    (scored,) = await ask(settings, request)
    assert opened[0].calls[0][1][0].prompt_logprobs == 0
    assert [(token.text, token.logprob) for token in scored.choices[0].tokens] == [("b", -0.98)]


async def test_all_of_a_prompt_is_scored_but_for_its_beginning(settings: Settings) -> None:
    (scored,) = await ask(settings, Request(Params(max_tokens=0, echo_prompt=True), prompt="ab"))
    assert [token.logprob for token in scored.choices[0].tokens] == [None, -0.97, -0.98]
    assert scored.choices[0].text == "ab"


async def test_a_stop_sequence_within_the_reasoning_does_not_cost_the_answer(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "says", "<think>a\n\nb</think>9\n\nQ")
    (completion,) = await ask(settings, prompt(max_tokens=40, stop_sequences=("\n\n",)))
    assert (completion.text, completion.choices[0].thinking) == ("9", "a\n\nb")


async def test_code_of_a_repository_must_be_pinned(settings: Settings) -> None:
    with pytest.raises(UsageError, match="revision=COMMIT"):
        resolve(f"{NAME}?trust_remote_code=true", settings)
    await ask(settings, prompt(), options="?trust_remote_code=true&revision=abc")
    assert (opened[0].trust_remote_code, opened[0].revision) == (True, "abc")


async def test_what_changes_the_answers_is_in_the_identity(settings: Settings) -> None:
    plain, other = (resolve(NAME + options, settings) for options in ("", "?dtype=float16"))
    assert plain.identity != other.identity
    assert plain.identity == resolve(f"{NAME}?tensor_parallel_size=2", settings).identity


async def test_the_window_is_the_engine_s(settings: Settings) -> None:
    model: Model = resolve(f"{NAME}?window=32", settings)
    assert model.window().max_request_length == 32
    assert model.window().count("abc") == 3
    await model.aclose()


async def test_nothing_is_told_to_vllm_s_makers(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VLLM_NO_USAGE_STATS", raising=False)
    await ask(settings, prompt())
    assert os.environ["VLLM_NO_USAGE_STATS"] == "1"


async def test_without_the_package_the_error_says_what_to_type(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(MissingExtraError, match=r"holoscope\[vllm\]"):
        await ask(settings, prompt())
