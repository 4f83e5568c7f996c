"""What a probe finds of a real server, llama.cpp's, which passes over what it doesn't know."""

import pytest

from holoscope.core import Settings, builtin
from holoscope.pipeline import probe_model

pytestmark = pytest.mark.model


async def test_a_real_server_is_found_out(llama_server: str, settings: Settings) -> None:
    found = await probe_model("custom/smollm2", settings, builtin(), f"{llama_server}/v1")
    told = {each.name: each.answer for each in found.findings}
    able = ("chat", "completions", "messages", "logprobs", "stop", "temperature", "top_p", "seed", "streaming", "usage")
    assert {name: told[name] for name in able} == dict.fromkeys(able, "yes")
    assert (told["echo"], told["images"], told["thinking"]) == ("no", "no", "no")
    assert found.options.startswith("echo=false")
