"""`holoscope export`: a suite in another tool's format."""

from pathlib import Path
from typing import Literal

from holoscope.core import UsageError


def export(
    *,
    to: Path,
    suite: str = "default",
    format: Literal["helm", "csv"] = "helm",
    out: Path | None = None,
    own_use: bool = False,
    json: bool = False,
) -> int:
    """Write a suite in another tool's format.

    Parameters
    ----------
    to
        Folder (helm) or file (csv) to write.
    suite
        The suite.
    format
        `helm`: HELM's run folders; `csv`: every cell of the grid.
    out
        Folder of ledger and results.
    own_use
        Keep texts whose licence does not allow passing them on.
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
