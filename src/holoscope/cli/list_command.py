"""`holoscope list`: what can be named."""

from pathlib import Path
from typing import Literal

from holoscope.core import Registry

Kind = Literal["scenarios", "tracks", "metrics", "axes", "perturbations", "runs"]


def list_command(kind: Kind = "scenarios", *, out: Path | None = None, json: bool = False) -> int:
    """List what can be named in an entry, a flag or a file.

    Parameters
    ----------
    kind
        What to list.
    out
        For `runs`: folder of ledger and results.
    json
        Print JSON.
    """
    import msgspec

    from holoscope.cli.session import DEFAULT_OUT, console, registry
    from holoscope.report.printable import printable

    rows = _runs(out or DEFAULT_OUT) if kind == "runs" else _things(kind, registry())
    if json:
        print(msgspec.json.encode({kind: [{"name": n, "about": a} for n, a in rows]}).decode())  # noqa: T201
        return 0
    rows = [(printable(name), about) for name, about in rows]
    width = max((len(name) for name, _ in rows), default=0)
    for name, about in rows:
        console().print(f"{name:<{width}}  {about}".rstrip(), soft_wrap=True)
    return 0


def _things(kind: Kind, things: Registry) -> list[tuple[str, str]]:
    if kind == "scenarios":
        return [(name, _about_task(name, things)) for name in sorted(things.tasks)]
    if kind == "tracks":
        from holoscope.entries import load_tracks

        return [(name, track.title) for name, track in sorted(load_tracks().items())]
    if kind == "metrics":
        return sorted(
            (name, f"{things.metrics.get(name).axis}: {things.metrics.get(name).title}") for name in things.metrics
        )
    if kind == "axes":
        return [(axis.name, _about_axis(axis.lower_is_better, axis.empty_reason)) for axis in things.axes.values()]
    return sorted((p.name, _about_perturbation(p.version, p.unavailable)) for p in things.perturbations.values())


def _about_task(name: str, things: Registry) -> str:
    """Arguments, and the other names of an entry."""
    arguments = [
        key if parameter.default is parameter.empty else f"{key}={parameter.default}"
        for key, parameter in things.task_arguments(name).items()
    ]
    others = [alias for alias, meant in things.aliases.items() if meant.split(":")[0] == name]
    also = f"also: {', '.join(others)}" if others else ""
    return "  ".join(filter(None, (" ".join(arguments), also)))


def _about_axis(lower_is_better: bool, empty_reason: str) -> str:
    return f"{'lower' if lower_is_better else 'higher'} is better; {empty_reason}"


def _about_perturbation(version: str, unavailable: str) -> str:
    return f"not supported: {unavailable}" if unavailable else f"version {version}"


def _runs(out: Path) -> list[tuple[str, str]]:
    from holoscope.cli.show import say_warnings
    from holoscope.store import scan

    found = scan(out)
    say_warnings(found)
    return [(f"{run.manifest.suite}/{run.name}", run.manifest.status) for run in found.runs]
