"""`holoscope export`: a suite in another tool's format."""

from pathlib import Path
from typing import Literal

from holoscope.core import UsageError


def export(
    *,
    to: Path,
    suite: str = "default",
    format: Literal["helm", "csv", "site", "audit"] = "helm",
    out: Path | None = None,
    own_use: bool = False,
    instances: str = "20",
    track: str = "",
    json: bool = False,
) -> int:
    """Write a suite in another tool's format.

    Parameters
    ----------
    to
        Folder (helm, site) or file (csv, audit) to write.
    suite
        The suite.
    format
        `helm`: HELM's run folders; `csv`: every cell of the grid; `site`: the pages of `holoscope view` as files;
        `audit`: one page for a reader who answers for a model, to print or to pass on.
    out
        Folder of ledger and results.
    own_use
        Keep texts whose licence does not allow passing them on (helm).
    instances
        How many instances of each run get a page (site): a number, or `all`.
    track
        The track that the suite should have run (audit): what it lacks is listed. By default the suite's namesake, or
        a track that it has run half of.
    json
        Say what was written as JSON.
    """
    import msgspec

    from holoscope.cli.session import DEFAULT_OUT, console, registry
    from holoscope.cli.show import nothing, say_warnings
    from holoscope.interop import export_run
    from holoscope.report import grid, to_csv
    from holoscope.store import replacing, scan

    folder, things = out or DEFAULT_OUT, registry()
    if format == "site":
        return _site(folder, suite, to, instances, json=json)
    if format == "audit":
        from holoscope.cli import audit

        return audit.write(folder, suite, to, track, json=json)
    found = scan(folder, suite)
    runs = [run for run in found.runs if run.manifest.status != "failed"]
    if not found.runs:
        raise nothing(folder, suite, found)
    if not runs:
        raise UsageError(f"every run of suite {suite!r} failed; holoscope show --suite {suite} --out {folder} says why")
    say_warnings(found)
    if format == "csv":
        if not to.name:
            raise UsageError(f"--to {to} is no file to write; type e.g. --to cells.csv")
        with replacing(to) as temporary:
            temporary.write_text(to_csv(grid(runs, things)), encoding="utf-8")
        written, notes = [str(to)], [""]
    else:
        exported = [export_run(run, to, things, own_use=own_use) for run in runs]
        written, notes = [str(each.path) for each in exported], [each.note for each in exported]
    if json:
        print(msgspec.json.encode({"written": written, "notes": sorted({*notes} - {""})}).decode())  # noqa: T201
        return 0
    for path in written:
        console().print(path, soft_wrap=True)
    for note in sorted({*notes} - {""}):
        console(stderr=True).print(f"note: {note}", soft_wrap=True)
    return 0


def _site(out: Path, suite: str, to: Path, instances: str, *, json: bool) -> int:
    import msgspec

    from holoscope.cli.session import console
    from holoscope.cli.view import library_of
    from holoscope.report.site import write_site

    written = write_site(library_of(out), [suite], to, instances=_number(instances))
    notes = [f"no text of {', '.join(written.withheld)}: the licence does not allow passing it on"]
    notes = notes if written.withheld else []
    if json:
        answer = {"written": [str(written.home)], "pages": written.pages, "notes": notes}
        print(msgspec.json.encode(answer).decode())  # noqa: T201
        return 0
    console().print(f"{written.home}  {written.pages:,} pages; open it in a browser", soft_wrap=True)
    for note in notes:
        console(stderr=True).print(f"note: {note}", soft_wrap=True)
    return 0


def _number(instances: str) -> int | None:
    """How many instances; None is all."""
    if instances == "all":
        return None
    if not instances.isdecimal():
        raise UsageError(f"--instances {instances}: expected a number or 'all'")
    return int(instances)
