"""`holoscope show`: the grid of a suite."""

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from holoscope.core import NO_LAYOUT, Display, HoloscopeError, Measure, Registry, StoreError, UsageError, nearest

if TYPE_CHECKING:
    from holoscope.report.grid import Measures
    from holoscope.store import Scan, StoredRun


def show(
    *,
    suite: str = "default",
    out: Path | None = None,
    by: Literal["model", "scenario", "axis"] = "model",
    schema_path: Path | None = None,
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
    schema_path
        HELM's schema file (YAML): its order and titles of scenarios, and its main metrics.
    json
        Every cell as JSON.
    csv
        Every cell as CSV.
    md
        The tables as Markdown.
    """
    from holoscope.cli.session import DEFAULT_OUT, registry

    layout = _layout(schema_path)
    return print_grid(out or DEFAULT_OUT, suite, registry(), by=by, json=json, csv=csv, md=md, display=layout)


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
    display: Display = NO_LAYOUT,
) -> int:
    """Print the stored runs of `suite`, or those named in `only`; the exit code."""
    from holoscope.cli.session import console
    from holoscope.report import cells_json, grid, render, to_csv, to_markdown
    from holoscope.report.printable import multiline
    from holoscope.store import scan

    found = scan(out, suite)
    runs = [run for run in found.runs if only is None or run.name in only]
    if not runs and only is None:
        raise nothing(out, suite, found)
    say_warnings(found)
    unread: list[StoreError] = []
    table = grid(runs, things, _noting(unread, things), display)
    if json:
        sys.stdout.write(cells_json(table).decode() + "\n")
    elif csv:
        sys.stdout.write(multiline(to_csv(table)))
    elif md:
        sys.stdout.write(multiline(to_markdown(table, by)))
    else:
        render(table, console(), by)
    return 0 if not unread and all(run.manifest.status == "complete" for run in runs) else 1


def _layout(schema_path: Path | None) -> Display:
    if schema_path is None:
        return NO_LAYOUT
    from holoscope.interop import load_display

    return load_display(schema_path)


def say_warnings(found: "Scan") -> None:
    """A line on standard error for each run folder that was passed over."""
    from holoscope.cli.session import console

    for warning in found.warnings:
        console(stderr=True).print(f"note: {warning}", soft_wrap=True)


def nothing(out: Path, suite: str, found: "Scan") -> HoloscopeError:
    """Why there is no run of a suite to show; the other folders that can't be read are said beside it."""
    if found.warnings:
        say_warnings(found._replace(warnings=found.warnings[1:]))
        return StoreError(f"no run of suite {suite!r} can be read: {found.warnings[0]}")
    folder = out / "runs"
    suites = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    if not suites:
        return UsageError(f"no runs in {out}; start with: holoscope run ENTRY --out {out}")
    if suite in suites:
        return UsageError(f"suite {suite!r} in {out} holds no runs; start with: holoscope run ENTRY --out {out}")
    near = nearest(suite, suites)
    hint = f"; did you mean {near!r}?" if near else ""
    return UsageError(f"no suite {suite!r} in {out}; there are {', '.join(suites)}{hint}")


def _noting(unread: list[StoreError], things: Registry) -> "Measures":
    """A run's measures; a run that can't be read is added to `unread`, its cells stay empty."""
    from holoscope.report.measures import measures_of

    def measures(run: "StoredRun") -> Sequence[Measure]:
        try:
            return measures_of(run, things)
        except StoreError as error:
            unread.append(error)
            raise

    return measures
