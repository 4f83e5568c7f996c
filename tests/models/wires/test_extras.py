"""A provider whose SDK is not installed says which line installs it; the others need none of it."""

import subprocess
import sys

import pytest

_TRY = """
import sys
from pathlib import Path
sys.modules.update(dict.fromkeys({hidden!r}))
from holoscope.core import MissingExtraError, Settings
from holoscope.models import resolve
nowhere = Path("/nowhere")
settings = Settings(cache_dir=nowhere, local_path=nowhere, environ={environ!r})
resolve("openai/gpt-x", settings)
try:
    resolve({name!r}, settings)
except MissingExtraError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("name", "hidden", "extra"),
    [
        ("openai/gpt-x?wire=responses", ("openai",), "openai"),
        ("openai/gpt-x?wire=responses", ("httpx2",), "openai"),
        ("anthropic/claude-x", ("anthropic",), "anthropic"),
        ("bedrock/nova-x", ("aiobotocore",), "bedrock"),
        ("cohere/command-x", ("cohere",), "cohere"),
        ("cohere/command-x", ("httpx",), "cohere"),
        ("google/gemini-x", ("google", "google.genai"), "google"),
        ("vertex/gemini-x?project=p", ("google.genai",), "google"),
    ],
)
def test_a_missing_sdk_is_named_with_its_extra(name: str, hidden: tuple[str, ...], extra: str) -> None:
    environ = {"OPENAI_API_KEY": "k", "GOOGLE_API_KEY": "k", "ANTHROPIC_API_KEY": "k", "COHERE_API_KEY": "k"}
    script = _TRY.format(hidden=hidden, name=name, environ=environ)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert f'pip install "holoscope[{extra}]"' in done.stdout
