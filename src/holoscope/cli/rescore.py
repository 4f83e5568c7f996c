"""`holoscope rescore`: stored completions under other definitions, without a model call."""

from pathlib import Path
from typing import Literal


def rescore(
    *,
    suite: str = "default",
    out: Path | None = None,
    compat: Literal["helm", "none"] | None = None,
    allow_unsafe_code: bool = False,
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
    allow_unsafe_code
        Where no sandbox works, run model-written code as plain processes of yours, which is dangerous.
    json
        Print the grid as JSON.
    """
    from holoscope.cli.session import DEFAULT_OUT, console, registry, settings
    from holoscope.cli.show import nothing, print_grid
    from holoscope.cli.unsafe import warn_if_unsafe
    from holoscope.pipeline import rescore as rescore_runs
    from holoscope.sandbox import Sandbox
    from holoscope.store import scan

    folder, things = out or DEFAULT_OUT, registry()
    found = scan(folder, suite)  # `print_grid` says its warnings
    if not found.runs:
        raise nothing(folder, suite, found)
    sandbox = Sandbox.of(settings(allow_unsafe_code=allow_unsafe_code))
    warn_if_unsafe(sandbox, (run.manifest.spec for run in found.runs), things)
    wanted = {"helm": "helm", "none": "", None: None}[compat]
    results = rescore_runs(found.runs, things, compat=wanted, sandbox=sandbox)
    code = print_grid(folder, suite, things, json=json)
    for result in results:
        if result.status == "failed":
            console(stderr=True).print(f"not scored again: {result.spec.name}: {result.reason}", soft_wrap=True)
            code = 1
    return code
