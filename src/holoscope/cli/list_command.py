"""`holoscope list`: what can be named."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from holoscope.core import Registry, Settings

if TYPE_CHECKING:
    from holoscope.cli.inventory import ListedScenario, ListedTrack

Kind = Literal["scenarios", "tracks", "metrics", "axes", "perturbations", "runs"]


def list_command(
    kind: Kind = "scenarios", *, out: Path | None = None, data_dir: Path | None = None, json: bool = False
) -> int:
    """List what can be named in an entry, a flag or a file.

    Parameters
    ----------
    kind
        What to list.
    out
        For `runs`: folder of ledger and results.
    data_dir
        For `scenarios`: folder of benchmark files as upstream publishes them.
    json
        Print JSON.
    """
    import msgspec

    from holoscope.cli.session import DEFAULT_OUT, console, registry, settings
    from holoscope.report.printable import printable

    if kind in ("scenarios", "tracks"):
        return _print_benchmarks(kind, registry(), settings(data_dir), as_json=json)
    rows = _runs(out or DEFAULT_OUT) if kind == "runs" else _things(kind, registry())
    if json:
        print(msgspec.json.encode({kind: [{"name": n, "about": a} for n, a in rows]}).decode())  # noqa: T201
        return 0
    rows = [(printable(name), about) for name, about in rows]
    width = max((len(name) for name, _ in rows), default=0)
    for name, about in rows:
        console().print(f"{name:<{width}}  {about}".rstrip(), soft_wrap=True)
    return 0


def _print_benchmarks(kind: Kind, things: Registry, machine: Settings, *, as_json: bool) -> int:
    """List scenarios or tracks with what one has to know before a run."""
    import msgspec

    from holoscope.cli.columns import print_columns
    from holoscope.cli.inventory import list_scenarios, list_tracks
    from holoscope.cli.session import console
    from holoscope.entries import load_tracks

    listed: Sequence[object]
    if kind == "scenarios":
        listed = scenarios = list_scenarios(things, machine, load_tracks())
        heads, rows = _scenario_rows(scenarios)
    else:
        listed = tracks = list_tracks(things, load_tracks())
        heads, rows = _track_rows(tracks)
    if as_json:
        print(msgspec.json.encode({kind: listed}).decode())  # noqa: T201
    else:
        print_columns(rows, console(), heads)
    return 0


def _scenario_rows(listed: "Sequence[ListedScenario]") -> tuple[list[str], list[list[str]]]:
    heads = ["scenario", "rows", "redistribution", "licence", "tracks", "source", "availability"]
    return heads, [
        [
            each.name,
            "" if each.rows is None else f"{each.rows:,}",
            each.redistribution,
            _short(each.licence),
            ", ".join(each.tracks),
            ", ".join(each.sources),
            each.availability,
        ]
        for each in listed
    ]


def _short(licence: str) -> str:
    """A licence without what is said about it; `--json` has that."""
    return licence.split(" (")[0].split(";")[0].split(",")[0]


def _track_rows(listed: "Sequence[ListedTrack]") -> tuple[list[str], list[list[str]]]:
    heads = ["track", "scenarios", "runs", "missing", "about"]
    return heads, [
        [each.name, str(each.scenarios), str(each.runs), str(each.missing or ""), f"{each.title}: {each.about}"]
        for each in listed
    ]


def _things(kind: Kind, things: Registry) -> list[tuple[str, str]]:
    if kind == "metrics":
        return sorted(
            (name, f"{things.metrics.get(name).axis}: {things.metrics.get(name).title}") for name in things.metrics
        )
    if kind == "axes":
        return [(axis.name, _about_axis(axis.lower_is_better, axis.empty_reason)) for axis in things.axes.values()]
    return sorted((p.name, _about_perturbation(p.version, p.unavailable)) for p in things.perturbations.values())


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
