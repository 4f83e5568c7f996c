"""`holoscope rescore`: stored completions under other definitions, without a model call."""

from pathlib import Path
from typing import Literal


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
    from holoscope.cli.session import DEFAULT_OUT, console, registry
    from holoscope.cli.show import nothing, print_grid
    from holoscope.pipeline import rescore as rescore_runs
    from holoscope.store import scan

    folder, things = out or DEFAULT_OUT, registry()
    found = scan(folder, suite)  # `print_grid` says its warnings
    if not found.runs:
        raise nothing(folder, suite, found)
    results = rescore_runs(found.runs, things, compat={"helm": "helm", "none": "", None: None}[compat])
    code = print_grid(folder, suite, things, json=json)
    for result in results:
        if result.status == "failed":
            console(stderr=True).print(f"not scored again: {result.spec.name}: {result.reason}", soft_wrap=True)
            code = 1
    return code
