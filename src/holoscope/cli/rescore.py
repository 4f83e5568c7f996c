"""`holoscope rescore`: stored completions under other definitions, without a model call."""

from pathlib import Path
from typing import Literal

from holoscope.core import UsageError


def rescore(
    *,
    suite: str = "default",
    out: Path | None = None,
    compat: Literal["helm", "none"] | None = None,
    json: bool = False,
) -> int:
    """Score the stored completions of a suite again, and print the grid.

    Parameters
    ----------
    suite
        The suite.
    out
        Folder of ledger and results.
    compat
        `helm` for HELM 0.5.16's definitions, `none` for ours; each run's own by default.
    json
        Print the grid as JSON.
    """
    from holoscope.cli.session import DEFAULT_OUT, registry
    from holoscope.cli.show import print_grid
    from holoscope.pipeline import rescore as rescore_runs
    from holoscope.store import scan

    folder, things = out or DEFAULT_OUT, registry()
    runs = scan(folder, suite).runs
    if not runs:
        raise UsageError(f"no runs of suite {suite!r} in {folder}; holoscope list runs --out {folder}")
    rescore_runs(runs, things, compat={"helm": "helm", "none": "", None: None}[compat])
    return print_grid(folder, suite, things, json=json)
