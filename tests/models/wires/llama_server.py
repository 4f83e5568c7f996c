"""llama.cpp's server with the small model: a real server of several wire formats.

Tests that ask it are marked `model` and skip, saying so, where its weights are absent. It runs in a process of its own,
since its threads must be told before they start not to spin: on busy cores that costs nine tenths of its speed.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holoscope.core import Settings
from holoscope.models.local import find, known_model

NAME = "smollm2-135m-instruct"
WINDOW = 1024
"""Tokens that each of its two slots holds."""
_SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.n_parallel, params.n_ctx = sys.argv[1], 0, 2, 2 * int(sys.argv[2])
params.n_gpu_layers, params.endpoint_props = 0, True
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="session")
def llama_server() -> Iterator[str]:
    """The server's address: scheme, host and port."""
    pytest.importorskip("xllamacpp", reason='needs an extra: pip install "holoscope[local]"')
    path = find(known_model(NAME), Settings.from_environment(os.environ, Path.home()))
    if path is None:
        pytest.skip(f"the weights of {NAME} are not on this machine; type: holoscope models pull {NAME}")
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(path), str(WINDOW)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"},
    ) as process:
        assert process.stdout is not None
        address = next((line.strip() for line in process.stdout if line.startswith("http")), "")
        try:
            assert address, "the server did not start"
            yield address
        finally:
            process.kill()
