"""What a probe finds of servers of different abilities."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from holoscope.core import Settings, builtin
from holoscope.models import Model, Probe, probe, resolve
from holoscope.models.probing.swatch import swatch
from holoscope.pipeline import probe_model
from models.servers import able, failing_each_other_time, ignores_echo, reasons
from models.stub import Asked, Say, Stub, chat, refusal
from models.wires.dialect import KEY, Dialect
from models.wires.dialect import Said as WireSaid
from models.wires.test_wires import DIALECTS

SAID = {
    "chat": "yes",
    "completions": "yes",
    "messages": "yes",
    "logprobs": "yes",
    "echo": "yes",
    "n": "yes",
    "stop": "yes",
    "temperature": "yes",
    "top_p": "yes",
    "seed": "yes",
    "images": "yes",
    "streaming": "yes",
    "usage": "yes",
    "thinking": "no",
}
"""Of a server that does everything."""


@pytest.fixture
def asks(stub: Stub, settings: Settings) -> "Asks":
    return Asks(stub, settings)


class Asks:
    """Probes the stub."""

    def __init__(self, stub: Stub, settings: Settings) -> None:
        self.stub, self.settings = stub, settings

    async def __call__(self, name: str = "custom/m") -> Probe:
        return await probe_model(name, self.settings, builtin(), self.stub.url)


def answers(found: Probe) -> dict[str, str]:
    return {each.name: each.answer for each in found.findings}


def evidence(found: Probe, name: str) -> str:
    return next(each.evidence for each in found.findings if each.name == name)


async def test_a_server_that_does_everything(stub: Stub, asks: Asks) -> None:
    stub.says = able
    found = await asks()
    assert answers(found) == SAID
    assert (found.options, found.problem, found.served_model) == ("", "", "served-1")
    assert found.requests == len(stub.asked) == 12
    assert found.usage.prompt_tokens == 120
    assert all(asked.body.get("max_tokens", 0) <= 16 for asked in stub.asked)


async def test_one_that_passes_over_echo_and_n_and_has_no_eyes(stub: Stub, asks: Asks) -> None:
    stub.says = ignores_echo
    found = await asks()
    assert answers(found) == SAID | {"echo": "no", "n": "no", "images": "no"}
    assert found.options == "echo=false&n=false&images=false"
    assert evidence(found, "echo") == "the endpoint ignores echo: its reply does not repeat the prompt"
    assert "mmproj" in evidence(found, "images")


async def test_one_that_refuses_most_parameters_and_thinks(stub: Stub, asks: Asks) -> None:
    stub.says = reasons
    found = await asks()
    lacks = ("completions", "logprobs", "echo", "stop", "temperature", "top_p", "seed", "streaming")
    assert answers(found) == SAID | dict.fromkeys(lacks, "no") | {"thinking": "yes", "images": "yes"}
    assert evidence(found, "thinking") == "16 of 40 tokens"
    assert "does not support 0.0 with this model" in evidence(found, "temperature")
    assert found.max_tokens_name == "max_completion_tokens"
    assert found.options == (
        "completions=false&logprobs=false&echo=false&stop=false&temperature=false&max_tokens_name=max_completion_tokens"
    )


async def test_a_name_that_was_learned_is_used_from_then_on(stub: Stub, asks: Asks) -> None:
    stub.says = reasons
    await asks()
    assert sum("max_tokens" in asked.body and "messages" in asked.body for asked in stub.asked) <= 2


async def test_the_options_it_gives_leave_nothing_to_be_found(stub: Stub, asks: Asks) -> None:
    stub.says = ignores_echo
    options = (await asks()).options
    assert (await asks(f"custom/m?{options}")).options == ""


async def test_what_a_user_took_away_is_asked_all_the_same(stub: Stub, asks: Asks) -> None:
    stub.says = able
    found = await asks("custom/m?echo=false&api=chat&logprobs=no")
    assert found.options == "completions=true&logprobs=true&echo=true"


async def test_what_a_host_was_thought_to_lack_is_found_and_can_be_written_down(stub: Stub, asks: Asks) -> None:
    stub.says = able
    assert (await asks("ollama/m?completions=false")).options == "completions=true&echo=true"
    assert (await asks("ollama/m?completions=true&echo=true")).options == ""


async def test_failures_in_between_are_asked_again(stub: Stub, asks: Asks) -> None:
    stub.says = failing_each_other_time(able)
    assert answers(await asks()) == SAID


async def test_what_is_not_reached_is_unknown_and_not_no(stub: Stub, settings: Settings) -> None:
    stub.says = lambda asked: refusal(503, "busy") if "logprobs" in asked.body or "top_p" in asked.body else able(asked)
    found = await once(stub, settings)
    assert answers(found) == SAID | {"logprobs": "unknown", "echo": "unknown", "top_p": "unknown"}
    assert evidence(found, "logprobs") == "HTTP 503: busy"
    assert found.options == ""


async def test_who_asks_for_a_long_pause_is_not_waited_for(stub: Stub, asks: Asks) -> None:
    later = Say({"error": {"message": "Rate limit reached"}}, 429, {"retry-after": "3600"})
    stub.says = lambda asked: later if "top_p" in asked.body else able(asked)
    assert answers(await asks()) == SAID | {"top_p": "unknown"}


async def test_a_quota_that_is_used_up_says_nothing_of_what_was_asked(stub: Stub, settings: Settings) -> None:
    stub.says = lambda asked: refusal(402, "no credit left") if "top_p" in asked.body else able(asked)
    assert answers(await once(stub, settings))["top_p"] == "unknown"


async def test_where_nobody_answers_one_question_is_enough(stub: Stub, settings: Settings) -> None:
    stub.says = [Say({"error": {"message": "Incorrect API key provided."}}, 401)]
    found = await once(stub, settings)
    assert found.problem == "HTTP 401: Incorrect API key provided.; check the key"
    assert (found.findings, len(stub.asked)) == ((), 1)


async def test_log_probabilities_that_can_be_none_are_no_log_probabilities(stub: Stub, settings: Settings) -> None:
    def absurd(asked: Asked) -> Say:
        said = able(asked)
        for choice in said.body["choices"] if isinstance(said.body, dict) else ():
            for token in (choice.get("logprobs") or {}).get("content", ()):
                token["logprob"] = 0.25
        return said

    stub.says = absurd
    found = await once(stub, settings)
    assert (answers(found)["logprobs"], evidence(found, "logprobs")) == ("no", "0.25 is no log-probability")


async def test_an_echo_without_log_probabilities_is_none(stub: Stub, settings: Settings) -> None:
    def bare(asked: Asked) -> Say:
        said = able(asked)
        if asked.body.get("echo"):
            said.body["choices"][0]["logprobs"]["token_logprobs"][2:] = [None] * 10
        return said

    stub.says = bare
    assert answers(await once(stub, settings))["echo"] == "no"


async def test_stop_sequences_that_are_passed_over_are_found_out(stub: Stub, settings: Settings) -> None:
    def deaf(asked: Asked) -> Say:
        return able(Asked(asked.path, asked.headers, {k: v for k, v in asked.body.items() if k != "stop"}))

    stub.says = deaf
    found = await once(stub, settings)
    assert (answers(found)["stop"], evidence(found, "stop")) == ("no", "it wrote 14 tokens, and 14 without")


async def test_a_seed_that_changes_nothing_is_found_out(stub: Stub, settings: Settings) -> None:
    def restless(asked: Asked) -> Say:
        return Say(chat(f"word {len(stub.asked)}")) if "seed" in asked.body else able(asked)

    stub.says = restless
    assert answers(await once(stub, settings))["seed"] == "no"


async def test_an_image_that_nobody_looks_at_is_not_taken_for_seen(stub: Stub, settings: Settings) -> None:
    stub.says = [Say(chat("I cannot see images."))]
    found = await once(stub, settings)
    assert answers(found)["images"] == "unknown"
    assert evidence(found, "images") == "shown red, it says 'I cannot see images.'"


async def test_what_it_costs_is_said_where_the_price_is_known(stub: Stub, settings: Settings) -> None:
    stub.says = able
    (settings.local_path).mkdir()
    price = "prices: [{model: custom/m, input: 1.0, output: 2.0, source: mine, date: '2026-11-30'}]"
    (settings.local_path / "prices.yaml").write_text(price, encoding="utf-8")
    found = await once(stub, settings)
    used = found.usage
    assert used.prompt_tokens
    assert used.completion_tokens
    assert found.cost == pytest.approx((used.prompt_tokens + 2 * used.completion_tokens) / 1e6)


@pytest.mark.parametrize("name", ["test/echo", "test/echo?tokenizer=characters"])
async def test_a_model_in_this_process_is_asked_too(name: str, settings: Settings) -> None:
    found = await probe_model(name, settings, builtin())
    assert answers(found)["echo"] == "yes"
    assert answers(found)["seed"] == "unknown"
    assert found.options == ""


async def test_a_recording_is_not_asked(settings: Settings) -> None:
    path = settings.cache_dir.parent / "a.jsonl"
    path.write_text('{"prompt": "x", "completions": [{"text": "y"}]}\n', encoding="utf-8")
    found = await probe_model(f"replay/{path}", settings, builtin())
    assert (found.findings, found.requests, found.problem) == ((), 0, "")


async def test_a_fault_of_a_model_s_code_leaves_one_finding_unknown(settings: Settings) -> None:
    model = resolve("test/echo", settings)
    generate = model.generate

    async def broken(model: Model, request: object) -> object:
        if getattr(request, "params").num_completions > 1:  # noqa: B009
            raise KeyError("n")
        return await generate(request)  # type: ignore[arg-type]

    found = await probe(model, send=broken)  # type: ignore[arg-type]
    assert answers(found)["n"] == "unknown"


def test_the_swatch_is_a_png() -> None:
    import base64
    import zlib

    data = base64.b64decode(swatch(255, 0, 0).data)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at = data.index(b"IDAT")
    size = int.from_bytes(data[at - 4 : at], "big")
    assert zlib.decompress(data[at + 4 : at + 4 + size]) == (b"\0" + b"\xff\0\0" * 64) * 64


async def once(stub: Stub, settings: Settings) -> Probe:
    """Each question once, without trying again."""

    def opened(options: Mapping[str, str]) -> Model:
        query = "&".join(f"{name}={value}" for name, value in options.items())
        return resolve(f"custom/m?{query}" if query else "custom/m", settings, base_url=stub.url)

    model = opened({})
    try:
        return await probe(model, vary=opened)
    finally:
        await model.aclose()


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
async def test_every_wire_format_is_probed_alike(
    dialect: Dialect, stub: Stub, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holoscope.pipeline.probing.wait_s", lambda *_: 0.0)
    stub.says = lambda asked: dialect.says(WireSaid("Red and blue and green."))
    environ = dialect.environ(stub.url.removesuffix("/v1"))
    found = await probe_model(dialect.model, replace(settings, environ=environ), builtin())
    told = answers(found)
    assert (found.problem, told["usage"]) == ("", "yes")
    assert "yes" in (told["chat"], told["completions"])
    assert told["images"] == told["chat"]
    assert not [each for each in found.findings if "Error" in each.evidence]
    assert KEY not in str(found)
