"""`holoscope show`: the grid of a suite."""

import sys
from collections.abc import Collection
from pathlib import Path
from typing import Literal

from holoscope.core import Registry, UsageError, nearest


def show(
    *,
    suite: str = "default",
    out: Path | None = None,
    by: Literal["model", "scenario", "axis"] = "model",
    json: bool = False,
    csv: bool = False,
    md: bool = False,
) -> int:
    """Print the grid of a suite: scenarios x axes, each cell with its interval or the reason why it is empty.

    Parameters
    ----------
    suite
        The suite.
    out
        Folder of ledger and results.
    by
        One table per model, per scenario or per axis.
    json
        Every cell as JSON.
    csv
        Every cell as CSV.
    md
        The tables as Markdown.
    """
    from holoscope.cli.session import DEFAULT_OUT, registry

    return print_grid(out or DEFAULT_OUT, suite, registry(), by=by, json=json, csv=csv, md=md)


def print_grid(
    out: Path,
    suite: str,
    things: Registry,
    *,
    by: Literal["model", "scenario", "axis"] = "model",
    json: bool = False,
    csv: bool = False,
    md: bool = False,
    only: Collection[str] | None = None,
) -> int:
    """Print the stored runs of `suite`, or those named in `only`; the exit code."""
    from holoscope.cli.session import console
    from holoscope.report import cells_json, grid, render, to_csv, to_markdown
    from holoscope.store import scan

    found = scan(out, suite)
    for warning in found.warnings:
        console(stderr=True).print(f"note: {warning}", soft_wrap=True)
    runs = [run for run in found.runs if only is None or run.name in only]
    if not runs and only is None:
        raise UsageError(_nothing(out, suite))
    table = grid(runs, things)
    if json:
        sys.stdout.write(cells_json(table).decode() + "\n")
    elif csv:
        sys.stdout.write(to_csv(table))
    elif md:
        sys.stdout.write(to_markdown(table, by))
    else:
        render(table, console(), by)
    return 0 if all(run.manifest.status == "complete" for run in runs) else 1


def _nothing(out: Path, suite: str) -> str:
    folder = out / "runs"
    suites = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    if not suites:
        return f"no runs in {out}; start with: holoscope run ENTRY --out {out}"
    near = nearest(suite, suites)
    return f"no suite {suite!r} in {out}; there are {', '.join(suites)}" + (f"; did you mean {near!r}?" if near else "")
