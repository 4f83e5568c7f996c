"""The table of all providers in docs/models.md, made of what the code knows: `python tests/models/providers_table.py`
writes it anew.
"""

import re
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from holoscope.models.batches import model as batches
from holoscope.models.hosts import HOSTS, Host
from models.hosts_said import ROWS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "models.md"
_TABLE = re.compile(r"(<!-- providers -->\n)(.*?)(\n<!-- end -->)", re.DOTALL)
_EXTRAS = {"gemini": "google", "anthropic": "anthropic", "bedrock": "bedrock", "cohere": "cohere"}
_REAL = {
    "llamacpp": "real server",
    "anthropic": "its format by a real server",
    "openai": "`responses` by a real server",
}
"""What tests ask a real server with a real model for."""
_OWN_WAYS = {"bedrock": "or what AWS's tools identify by", "gemini": "or what Google's tools identify by"}
"""By wire, of hosts that need no key."""
_IN_PROCESS = (
    ("test/echo", "echo", "", "yes", "yes", "no"),
    ("replay/FILE", "replay", "", "as recorded", "as recorded", "yes"),
    ("local/NAME, local/FILE.gguf", "local", "local", "yes", "yes", "no"),
    ("python/FILE:NAME", "callable", "", "as it gives", "as it says", "as it says"),
    ("transformers/PATH_OR_ID", "huggingface", "transformers", "yes", "yes", "yes"),
    ("vllm-offline/NAME", "vllm_offline", "vllm", "yes", "yes", "no"),
)
"""Name, module of holoscope.models, extra, logprobs, echo, images."""
_HEAD = ("name", "wire", "extra", "key", "stream", "logprobs", "echo", "images", "batch", "tested")


class Line(NamedTuple):
    """A row of the table."""

    name: str
    wire: str
    extra: str
    key: str
    stream: str
    logprobs: str
    echo: str
    images: str
    batch: str
    tested: str


def lines() -> list[Line]:
    """Every host, then what runs in this process."""
    return [*map(_of_host, HOSTS.values()), *_in_process()]


def table() -> str:
    rows = [_HEAD, ("---",) * len(_HEAD), *lines()]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def written() -> str:
    """The table as it stands in the docs."""
    found = _TABLE.search(DOCS.read_text(encoding="utf-8"))
    return found.group(2) if found else ""


def _of_host(host: Host) -> Line:
    can, said = host.capabilities, Counter(row.host for row in ROWS)[host.name]
    tested = ["loopback", *([f"{said} replies of its own"] if said else []), *filter(None, [_REAL.get(host.name)])]
    key = ", ".join(f"`{name}`" for name in host.key_variables) if not host.local else ""
    if not host.needs_key and host.wire in _OWN_WAYS:
        key += f", {_OWN_WAYS[host.wire]}"
    if host.wire == "tgi":
        key = ", ".join(f"`{name}`" for name in host.key_variables)
    return Line(
        f"`{host.name}/...`",
        host.wire,
        f"`{_EXTRAS[host.wire]}`" if host.wire in _EXTRAS else "",
        key or "none",
        "yes",
        _yes(can.logprobs),
        _yes(can.echo and can.completions),
        _yes(can.images),
        _yes((host.wire, host.name) in batches._APIS),
        ", ".join(tested),
    )


def _in_process() -> list[Line]:
    return [
        Line(f"`{name}`", "", f"`{extra}`" if extra else "", "none", "no", logprobs, echo, images, "no", "in process")
        for name, module, extra, logprobs, echo, images in _IN_PROCESS
        if find_spec(f"holoscope.models.{module}") is not None
    ]


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


if __name__ == "__main__":
    text = DOCS.read_text(encoding="utf-8")
    DOCS.write_text(_TABLE.sub(lambda found: found[1] + table() + found[3], text), encoding="utf-8")
