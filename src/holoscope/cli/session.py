"""What the commands share: the machine's settings, the registry, a console, and an event loop."""

import asyncio
import os
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from holoscope.core import Registry, Settings, builtin

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")

DEFAULT_OUT = Path("holoscope_output")


def settings(
    data_dir: Path | None = None,
    local_path: Path | None = None,
    *,
    offline: bool = False,
    allow_unsafe_code: bool = False,
) -> Settings:
    """Settings of this machine; a flag beats the environment."""
    found = Settings.from_environment(os.environ, Path.home())
    return replace(
        found,
        data_dir=data_dir or found.data_dir,
        local_path=local_path or found.local_path,
        offline=offline or found.offline,
        allow_unsafe_code=allow_unsafe_code,
    )


def registry() -> Registry:
    """Everything that can be named."""
    return builtin()


def console(stderr: bool = False) -> "Console":
    """A terminal that shows text as it is: no markup, no emoji codes, no links and no commands of model output."""
    from rich.console import Console

    from holoscope.report.printable import multiline

    class Plain(Console):
        def print(self, *objects: Any, **how: Any) -> None:
            super().print(*(multiline(each) if isinstance(each, str) else each for each in objects), **how)

    return Plain(stderr=stderr, markup=False, emoji=False, highlight=False)


def run_async(work: Coroutine[object, object, T]) -> T:
    """Run on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)
