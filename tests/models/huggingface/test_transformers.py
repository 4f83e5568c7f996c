"""Models of transformers in this process, against one plain pass over each prompt."""

import asyncio
import json
import random
import shutil
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import (
    Completion,
    ConfigError,
    HoloscopeError,
    Image,
    Message,
    NotSupportedError,
    Outcome,
    Params,
    Request,
    Settings,
    Text,
    UsageError,
)
from holoscope.models import resolve
from holoscope.models.huggingface import TransformersModel

pytest.importorskip("torch", reason="needs torch and transformers (make test-heavy)")
pytest.importorskip("transformers", reason="needs torch and transformers (make test-heavy)")

from models.huggingface.tiny import TEMPLATE, WORDS, save_kind, save_llama, save_llava

pytestmark = pytest.mark.heavy

Open = Callable[[str], TransformersModel]


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llama(tmp_path_factory.mktemp("llama"))


@pytest.fixture(scope="session")
def chatty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llama(tmp_path_factory.mktemp("chatty"), template=TEMPLATE)


@pytest.fixture(scope="session")
def llava(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_llava(tmp_path_factory.mktemp("llava"))


@pytest.fixture
async def opened(settings: Settings) -> AsyncIterator[Open]:
    models: list[TransformersModel] = []

    def open_(name: str) -> TransformersModel:
        model = resolve(f"transformers/{name}", settings)
        assert isinstance(model, TransformersModel)
        models.append(model)
        return model

    yield open_
    for model in models:
        await model.aclose()


def shots(count: int, seed: int = 0) -> list[str]:
    """Questions after the same five examples."""
    draw = random.Random(seed)

    def said(length: int) -> str:
        return " ".join(draw.choices(WORDS.split(), k=length))

    examples = "".join(f"question {said(12)}\nanswer {said(2)}\n\n" for _ in range(5))
    return [f"{examples}question {said(draw.randint(3, 12))}\nanswer" for _ in range(count)]


def scoring(prompt: str, continuation: str = "") -> Request:
    return Request(Params(max_tokens=0, echo_prompt=True), prompt=prompt + continuation, continuation=continuation)


def answering(prompt: str, **params: Any) -> Request:
    return Request(Params(**{"temperature": 0.0, "max_tokens": 12, **params}), prompt=prompt, wants_logprobs=True)


async def ask(model: TransformersModel, requests: Sequence[Request]) -> list[Completion]:
    return await asyncio.gather(*map(model.generate, requests))


def naive_logprobs(model: TransformersModel, ids: list[int]) -> list[float]:
    """Of every token but the first, by one pass over the whole sequence without a cache."""
    torch, weights = import_module("torch"), model.engine.weights
    with torch.inference_mode():
        logits = weights.model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].float().log_softmax(-1)
    return [float(logits[at, ids[at + 1]]) for at in range(len(ids) - 1)]


def naive_answer(model: TransformersModel, ids: list[int], most: int) -> list[int]:
    """The most probable tokens, each by a pass of its own over all before it."""
    torch, weights = import_module("torch"), model.engine.weights
    written = list(ids)
    for _ in range(most):
        with torch.inference_mode():
            token = int(weights.model(input_ids=torch.tensor([written]), use_cache=False).logits[0, -1].argmax())
        if token in weights.ends:
            break
        written.append(token)
    return written[len(ids) :]


async def test_scores_are_those_of_a_plain_pass(llama: Path, opened: Open) -> None:
    model = opened(str(llama))
    requests = [scoring(prompt, end) for prompt in shots(6) for end in (" Paris", " the cat", " it goes so", " mat")]
    for request, completion in zip(requests, await ask(model, requests), strict=True):
        ids = model.engine.weights.tokens(request.prompt or "")
        tokens = completion.choices[0].tokens
        expected = naive_logprobs(model, ids)[-len(tokens) :]
        assert [token.logprob for token in tokens] == pytest.approx(expected, abs=1e-4)
        assert "".join(token.text for token in tokens) == request.continuation


async def test_a_kind_that_keeps_nothing_is_refused(opened: Open, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'rwkv' keep nothing"):
        await opened(str(save_kind("rwkv", tmp_path))).generate(answering("the"))


async def test_a_device_that_is_not_there_is_said_in_a_line(llama: Path, opened: Open) -> None:
    with pytest.raises(ConfigError, match="cannot load") as caught:
        await opened(f"{llama}?device=nowhere").generate(answering("the"))
    assert "\n" not in str(caught.value)


async def test_all_of_a_text_is_scored(llama: Path, opened: Open) -> None:
    model = opened(str(llama))
    (completion,) = await ask(model, [scoring("the cat sat")])
    tokens = completion.choices[0].tokens
    assert "".join(token.text for token in tokens) == "the cat sat"
    expected = naive_logprobs(model, model.engine.weights.tokens("the cat sat"))
    assert [token.logprob for token in tokens] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("kind", ["llama", "mamba", "gpt_neo"])
async def test_answers_are_those_of_a_plain_loop(llama: Path, opened: Open, tmp_path: Path, kind: str) -> None:
    model = opened(str(llama if kind == "llama" else save_kind(kind, tmp_path)))
    prompts = [*shots(5), "the", "so it goes and"]
    for prompt, completion in zip(prompts, await ask(model, [answering(p) for p in prompts]), strict=True):
        ids = model.engine.weights.tokens(prompt)
        written = naive_answer(model, ids, 12)
        assert len(completion.choices[0].tokens) == len(written)
        expected = naive_logprobs(model, ids + written)[len(ids) - 1 :]
        assert [token.logprob for token in completion.choices[0].tokens] == pytest.approx(expected, abs=1e-4)
        tokenizer = model.engine.weights.tokenizer
        assert completion.text == tokenizer.decode(ids + written)[len(tokenizer.decode(ids)) :]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
async def test_batch_and_order_change_nothing(llama: Path, opened: Open, temperature: float) -> None:
    requests = [answering(p, temperature=temperature, random=str(i)) for i, p in enumerate(shots(8))]
    requests += [scoring(prompt, " Paris") for prompt in shots(4, seed=1)]
    together = await ask(opened(str(llama)), requests)
    alone_model = opened(f"{llama}?batch=1")
    alone = [await alone_model.generate(request) for request in requests]
    turned = (await ask(opened(f"{llama}?batch=5"), requests[::-1]))[::-1]
    for one, two, three in zip(together, alone, turned, strict=True):
        assert one.text == two.text == three.text
        for other in (two, three):
            given = [token.logprob for token in other.choices[0].tokens]
            assert [token.logprob for token in one.choices[0].tokens] == pytest.approx(given, abs=1e-4)


async def test_what_prompts_begin_with_is_computed_once(llama: Path, opened: Open) -> None:
    requests = [scoring(prompt, " Paris") for prompt in shots(200)]
    model = opened(f"{llama}?batch=16")
    await ask(model, requests)
    one_by_one = sum(len(model.engine.weights.tokens(request.prompt or "")) for request in requests)
    assert model.engine.weights.computed <= one_by_one / 4


async def test_several_answers_to_one_prompt(llama: Path, opened: Open) -> None:
    model = opened(f"{llama}?seed=1")
    request = answering("the cat", temperature=1.0, num_completions=3)
    first, again = await ask(model, [request, request])
    assert len({choice.text for choice in first.choices}) == 3
    assert [choice.text for choice in first.choices] == [choice.text for choice in again.choices]


async def test_stop_sequences_end_an_answer_within_a_token(llama: Path, opened: Open) -> None:
    model = opened(str(llama))
    (free,) = await ask(model, [answering("the cat")])
    stop = free.text[4:6]
    (cut,) = await ask(model, [answering("the cat", stop_sequences=(stop,))])
    assert cut.text == free.text[: free.text.index(stop)]
    assert (cut.outcome, cut.choices[0].finish_reason) == (Outcome.OK, "stop")
    assert "".join(token.text for token in cut.choices[0].tokens) == cut.text


async def test_an_answer_ends_at_its_limit_or_the_window(llama: Path, opened: Open) -> None:
    model = opened(f"{llama}?window=40")
    (short, long) = await ask(model, [answering("the", max_tokens=3), answering("the cat " * 5, max_tokens=300)])
    assert short.outcome == Outcome.TRUNCATED
    assert (short.usage and short.usage.completion_tokens) == 3
    assert long.usage is not None
    assert (long.usage.prompt_tokens or 0) + (long.usage.completion_tokens or 0) <= 40


async def test_a_prompt_that_fills_the_window_is_not_read(llama: Path, opened: Open) -> None:
    model = opened(f"{llama}?window=20")
    (completion,) = await ask(model, [answering("the cat sat on a mat " * 9)])
    assert completion.outcome == Outcome.CONTEXT_OVERFLOW
    assert model.window().max_request_length == 20


async def test_the_template_is_used_where_there_is_one_unless_told_otherwise(chatty: Path, opened: Open) -> None:
    turns = Request(Params(temperature=0.0, max_tokens=8), messages=(Message("user", "the cat"),))
    (chat, prompt) = await ask(opened(f"{chatty}?chat=auto"), [turns, answering("the cat", max_tokens=8)])
    assert chat.text == prompt.text
    plain = opened(f"{chatty}?chat=false")
    (raw,) = await ask(plain, [answering("the cat", max_tokens=8)])
    assert raw.text != chat.text
    with pytest.raises(NotSupportedError, match="chat=false"):
        await plain.generate(turns)
    assert plain.identity != opened(str(chatty)).identity


async def test_a_base_model_takes_no_messages(llama: Path, opened: Open) -> None:
    model = opened(str(llama))
    assert not model.card.capabilities.chat
    with pytest.raises(NotSupportedError, match="base model"):
        await model.generate(Request(Params(), messages=(Message("user", "hi"),)))


def red_square() -> Image:
    picture = BytesIO()
    import_module("PIL.Image").new("RGB", (28, 28), "red").save(picture, "PNG")
    return Image(data=b64encode(picture.getvalue()).decode(), media_type="image/png", sha256="0" * 64)


async def test_images_are_seen(llava: Path, opened: Open) -> None:
    model = opened(str(llava))
    assert model.card.capabilities.images
    turn = Message("user", (red_square(), Text("the cat")))
    seen = Request(Params(temperature=0.0, max_tokens=6), messages=(turn,))
    blind = Request(Params(temperature=0.0, max_tokens=6), messages=(Message("user", "the cat"),))
    first, other, again = await ask(model, [seen, blind, seen])
    assert first.text == again.text
    assert first.usage is not None
    assert other.usage is not None
    assert (first.usage.prompt_tokens or 0) == (other.usage.prompt_tokens or 0) + 4
    torch, weights = import_module("torch"), model.engine.weights
    inputs = weights.seen((turn,))
    with torch.inference_mode():
        expected = weights.model.generate(**inputs, max_new_tokens=6, do_sample=False)[
            0, inputs["input_ids"].shape[1] :
        ]
    ids = [int(each) for each in inputs["input_ids"][0]]
    decode = weights.tokenizer.decode
    assert first.text == decode(ids + [int(each) for each in expected])[len(decode(ids)) :]


async def test_an_image_that_is_none_costs_its_request(llava: Path, opened: Open) -> None:
    broken = Message("user", (Image(data="aGk=", media_type="image/png", sha256="0" * 64),))
    with pytest.raises(NotSupportedError, match="cannot be read"):
        await opened(str(llava)).generate(Request(Params(), messages=(broken,)))


async def test_a_model_without_eyes_takes_no_images(chatty: Path, opened: Open) -> None:
    request = Request(Params(), messages=(Message("user", (red_square(),)),))
    with pytest.raises(NotSupportedError):
        await opened(str(chatty)).generate(request)


def with_code(folder: Path, llama: Path) -> Path:
    """A checkpoint of a kind that only its own code knows; the code leaves a file behind where it is run."""
    for file in llama.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config |= {"model_type": "of-its-own", "auto_map": {"AutoConfig": "own.Own", "AutoModelForCausalLM": "own.Model"}}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    trace = json.dumps(str(folder / "was-run"))
    (folder / "own.py").write_text(f"open({trace}, 'w').close()\nraise RuntimeError('run')\n", encoding="utf-8")
    return folder


async def test_t132_a_checkpoint_s_own_code_is_not_run(llama: Path, opened: Open, tmp_path: Path) -> None:
    folder = with_code(tmp_path, llama)
    with pytest.raises(UsageError, match="trust_remote_code=true&revision=COMMIT"):
        opened(str(folder))
    assert not (folder / "was-run").exists()


async def test_t132_code_of_a_hub_must_be_pinned(settings: Settings) -> None:
    for options in ("?trust_remote_code=true", "?trust_remote_code=true&revision=main"):
        with pytest.raises(UsageError, match="revision=COMMIT"):
            resolve(f"transformers/org/model{options}", settings)


async def test_the_identity_is_the_weights_wherever_they_lie(llama: Path, opened: Open, tmp_path: Path) -> None:
    shutil.copytree(llama, tmp_path, dirs_exist_ok=True)
    assert opened(str(llama)).identity == opened(str(tmp_path)).identity
    assert opened(str(llama)).identity != opened(f"{llama}?seed=1").identity


@pytest.mark.parametrize(
    ("name", "said"), [("./nowhere", "there is no folder"), ("org/absent", "not in the hub's cache")]
)
async def test_what_is_not_there_is_said_in_a_line(settings: Settings, name: str, said: str) -> None:
    with pytest.raises(HoloscopeError, match=said) as caught:
        resolve(f"transformers/{name}", replace(settings, offline=True))
    assert "\n" not in str(caught.value)


async def test_helm_s_deployments_are_computed_here(llama: Path, settings: Settings) -> None:
    settings.local_path.mkdir()
    row = {
        "name": "huggingface/tiny",
        "model_name": "lab/tiny",
        "max_sequence_length": 48,
        "client_spec": {
            "class_name": "helm.clients.huggingface_client.HuggingFaceClient",
            "args": {
                "pretrained_model_name_or_path": str(llama),
                "torch_dtype": "torch.bfloat16",
                "device_map": "auto",
            },
        },
    }
    file = settings.local_path / "model_deployments.yaml"
    file.write_text(json.dumps({"model_deployments": [row]}), encoding="utf-8")
    model = resolve("lab/tiny", settings)
    assert isinstance(model, TransformersModel)
    assert (model.card.name, model.identity["dtype"]) == ("lab/tiny", "bfloat16")
    assert model.window().max_request_length == 48
    assert (await model.generate(answering("the cat", max_tokens=3))).outcome == Outcome.TRUNCATED
    await model.aclose()
