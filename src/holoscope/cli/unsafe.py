"""What is said before model-written code runs on the user's machine as it is."""

from collections.abc import Iterable

from holoscope.cli.session import console
from holoscope.core import Registry, RunSpec
from holoscope.metrics import expanded
from holoscope.pipeline import ran_in
from holoscope.sandbox import Sandbox


def warn_if_unsafe(sandbox: Sandbox, specs: Iterable[RunSpec], things: Registry) -> None:
    """Say loudly that programs will run without a sandbox, if any will."""
    if any(ran_in(sandbox, expanded(spec.metrics), things) for spec in specs) and not sandbox.is_safe:
        console(stderr=True).print(
            "WARNING: model-written code runs WITHOUT a sandbox, as you: it can read and delete your files and use "
            f"your network. You allowed it (--allow-unsafe-code); there is no sandbox because {sandbox.why_not}.",
            soft_wrap=True,
        )
