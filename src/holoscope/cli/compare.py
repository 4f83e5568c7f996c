"""`holoscope compare`: two models or runs on what both answered."""

import sys
from pathlib import Path


def compare(
    a: str,
    b: str,
    *,
    suite: str = "default",
    metric: str = "",
    out: Path | None = None,
    json: bool = False,
    csv: bool = False,
    md: bool = False,
) -> int:
    """Compare two models or two runs on the instances that both answered.

    Parameters
    ----------
    a
        A model (all its scenarios), a run's name or its folder's; of another suite: SUITE/NAME.
    b
        What A is compared with.
    suite
        The suite in which names are looked up.
    metric
        Compare this metric only; by default the one that stands for each axis.
    out
        Folder of ledger and results.
    json
        Everything as JSON, with every instance that differs.
    csv
        A line per difference as CSV.
    md
        Tables as Markdown.
    """
    from msgspec.structs import replace

    from holoscope.cli.references import Suites
    from holoscope.cli.session import DEFAULT_OUT, console, registry
    from holoscope.core import UsageError
    from holoscope.report import comparison
    from holoscope.report.comparison_tables import comparison_csv, comparison_json, comparison_markdown
    from holoscope.report.comparison_terminal import render_comparison
    from holoscope.report.printable import multiline

    suites = Suites(out or DEFAULT_OUT)
    first, second = suites.find(a, suite), suites.find(b, suite)
    if {run.path for run in first.runs} & {run.path for run in second.runs}:
        raise UsageError(f"{a} and {b} share runs: name two models, or two runs, to compare")
    names = first.name, second.name
    made = comparison.compare(first.runs, second.runs, registry(), names=names, metric=metric)
    if not (first.is_whole and second.is_whole):  # of a single run nobody expects the model's others
        made = replace(made, only_a=(), only_b=())
    if json:
        sys.stdout.write(comparison_json(made).decode() + "\n")
    elif csv:
        sys.stdout.write(multiline(comparison_csv(made)))
    elif md:
        sys.stdout.write(multiline(comparison_markdown(made)))
    else:
        render_comparison(made, console())
    sides = [side.status for pair in made.pairs for side in (pair.a, pair.b)]
    is_known = any(d.value is not None for pair in made.pairs for d in pair.differences)
    return 0 if is_known and all(status == "complete" for status in sides) else 1
