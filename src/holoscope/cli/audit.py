"""`holoscope export --format audit`: the report for a reader who answers for a model."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from holoscope.core import UnknownNameError, UsageError

if TYPE_CHECKING:
    from holoscope.entries import Track
    from holoscope.report.audit_limits import NotTested
    from holoscope.store import StoredRun


def write(out: Path, suite: str, to: Path, track: str, *, json: bool) -> int:
    """Write the audit report of a suite to `to`."""
    import msgspec

    from holoscope.cli.session import console, registry
    from holoscope.cli.show import nothing, say_warnings
    from holoscope.entries import load_tracks
    from holoscope.report import grid
    from holoscope.report.audit import write_audit
    from holoscope.store import scan

    found, things = scan(out, suite), registry()
    if not found.runs:
        raise nothing(out, suite, found)
    if not to.name or to.is_dir():
        raise UsageError(f"--to {to} is no file to write; type e.g. --to audit.html")
    say_warnings(found)
    meant = track_of(found.runs, suite, track, load_tracks())
    write_audit(to, grid(found.runs, things), found.runs, things, [*absent(found.runs, meant)] if meant else [])
    cards = (run.manifest.scenario for run in found.runs)
    withheld = sorted({card.title or card.name for card in cards if card.redistribution != "yes"})
    notes = [f"no text of {', '.join(withheld)}: the licence does not allow passing it on"] if withheld else []
    if json:
        print(msgspec.json.encode({"written": [str(to)], "notes": notes}).decode())  # noqa: T201
        return 0
    console().print(f"{to}  open it in a browser, or print it", soft_wrap=True)
    for note in notes:
        console(stderr=True).print(f"note: {note}", soft_wrap=True)
    return 0


def track_of(runs: "Sequence[StoredRun]", suite: str, named: str, tracks: "dict[str, Track]") -> "Track | None":
    """The track that the suite set out to run: the one named, its namesake, or one that it has run half of."""
    if named:
        if named not in tracks:
            raise UnknownNameError("track", named, tracks)
        return tracks[named]
    if suite in tracks:
        return tracks[suite]
    shares = {name: len(track.groups) - len([*_not_run(runs, track)]) for name, track in tracks.items() if track.groups}
    best = max(shares, key=lambda name: shares[name], default="")
    return tracks[best] if best and 2 * shares[best] >= len(tracks[best].groups) else None


def absent(runs: "Sequence[StoredRun]", track: "Track") -> "Iterator[NotTested]":
    """What belongs to a track and is in no run."""
    from holoscope.report.audit_limits import NotTested

    for name, title in _not_run(runs, track):
        yield NotTested(f"{title} ({name})", f"belongs to the track {track.title}; this suite has no run of it")
    for missing in track.missing:
        yield NotTested(f"{missing.title} ({missing.name})", missing.reason)


def _not_run(runs: "Sequence[StoredRun]", track: "Track") -> Iterator[tuple[str, str]]:
    there = {name for run in runs for name in (*run.manifest.spec.groups, run.manifest.scenario.name)}
    yield from ((group.name, group.title) for group in track.groups if group.name not in there)
