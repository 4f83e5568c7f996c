"""`holoscope release`: dated lists of runs that do not change."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from holoscope.core import Registry, UsageError

if TYPE_CHECKING:
    from holoscope.store import Release, StoredRun


def release(
    name: str = "",
    /,
    *,
    suite: tuple[str, ...] = (),
    run: tuple[str, ...] = (),
    after: str = "",
    note: str = "",
    out: Path | None = None,
    json: bool = False,
) -> int:
    """Publish runs of one suite or several under a name and a date; without suites or runs, show what is published.

    Parameters
    ----------
    name
        Name of the release, such as `v1.1`; without one all releases are listed.
    suite
        A suite whose runs it holds; of equal runs the later suite's counts. Repeatable.
    run
        A single run, `SUITE/NAME`. Repeatable.
    after
        A release whose runs it takes over, so that a model can be added without running the others again.
    note
        What is to be said of it.
    out
        Folder of ledger and results.
    json
        Print JSON.
    """
    from holoscope.cli.session import DEFAULT_OUT, registry
    from holoscope.store import read_release, release_before, releases

    folder = out or DEFAULT_OUT
    if not name and (suite or run or after or note):
        raise UsageError("a release needs a name: holoscope release v1 --suite SUITE")
    if not name:
        return _list(folder, json=json)
    if suite or run or after:
        made = publish(folder, name, [*_runs(folder, suite, run, after)], registry(), note=note)
    else:
        made = read_release(folder, name)
    base = read_release(folder, after) if after else release_before(made, releases(folder).found)
    return _show(folder, made, base, json=json)


def publish(out: Path, name: str, runs: Sequence["StoredRun"], things: Registry, note: str = "") -> "Release":
    """Keep these runs as the release `name`; of runs of the same name the last counts."""
    from holoscope import __version__
    from holoscope.report.released import released
    from holoscope.store import Release, write_release

    chosen = {(run.name, run.manifest.spec.compat): run for run in runs}
    if not chosen:
        raise UsageError(f"release {name!r} would hold no runs")
    made = Release(
        name=name,
        made=datetime.now(UTC).replace(microsecond=0),
        note=note,
        holoscope=__version__,
        runs=released(chosen.values(), things),
    )
    return write_release(out, made)


def _runs(out: Path, suites: Sequence[str], names: Sequence[str], after: str) -> Iterator["StoredRun"]:
    from holoscope.cli.show import nothing, say_warnings
    from holoscope.store import read_release, release_runs, scan

    if after:
        taken = release_runs(out, read_release(out, after))
        say_warnings(taken)
        yield from taken.runs
    for each in suites:
        found = scan(out, each)
        if not found.runs:
            raise nothing(out, each, found)
        say_warnings(found)
        yield from found.runs
    for each in names:
        yield _run(out, each)


def _run(out: Path, named: str) -> "StoredRun":
    from holoscope.core import UnknownNameError
    from holoscope.store import scan

    suite, _, name = named.partition("/")
    if not name:
        raise UsageError(f"--run {named}: name the suite too, SUITE/NAME")
    runs = scan(out, suite).runs
    for run in runs:
        if name in (run.name, run.path.name):
            return run
    raise UnknownNameError("run", name, [run.name for run in runs], f"in suite {suite!r} of {out}")


def _list(out: Path, *, json: bool) -> int:
    import msgspec

    from holoscope.cli.session import console
    from holoscope.store import releases

    kept = releases(out)
    if json:
        print(msgspec.json.encode({"releases": kept.found}).decode())  # noqa: T201
    for each in () if json else kept.found:
        console().print(_summary(each), soft_wrap=True)
    if not kept.found and not json:
        console().print(f"no releases in {out}; make one: holoscope release v1 --suite SUITE --out {out}")
    for warning in kept.warnings:
        console(stderr=True).print(f"note: {warning}", soft_wrap=True)
    return 1 if kept.warnings else 0


def _show(out: Path, made: "Release", base: "Release | None", *, json: bool) -> int:
    import msgspec

    from holoscope.cli.session import console
    from holoscope.report.released import difference_lines
    from holoscope.store import difference, release_runs

    found = difference(base, made) if base else None
    altered = release_runs(out, made).warnings
    if json:
        answer = {"release": made, "difference": found and found._asdict(), "altered": altered}
        print(msgspec.json.encode(answer).decode())  # noqa: T201
        return 1 if altered else 0
    console().print(_summary(made), soft_wrap=True)
    for run in made.runs:
        status = "" if run.status == "complete" else f"  {run.status}"
        console().print(f"  {run.suite}  {run.run}{status}", soft_wrap=True)
    if found is not None:
        console().print(f"Since {found.before}:{'' if found else ' nothing changed'}")
        for line in difference_lines(found):
            console().print(f"  {line}", soft_wrap=True)
    for warning in altered:
        console(stderr=True).print(f"note: {warning}", soft_wrap=True)
    return 1 if altered else 0


def _summary(each: "Release") -> str:
    parts = (
        f"{len(each.runs):,} {'run' if len(each.runs) == 1 else 'runs'}",
        f"{len(each.models)} {'model' if len(each.models) == 1 else 'models'}",
        f"{len(each.scenarios)} {'scenario' if len(each.scenarios) == 1 else 'scenarios'}",
        f"suites {', '.join(each.suites)}",
    )
    note = f"  {each.note}" if each.note else ""
    return f"{each.name}  {each.made:%Y-%m-%d}  {', '.join(parts)}{note}"
