"""`holoscope quickstart`: a small real model on bundled scenarios.

Nothing is fetched but the model's weights, and those from the package index: rows and word lists are the package's own,
so a first run has the same prompts everywhere. A second run finds every answer in the ledger and asks nothing.
"""

from collections.abc import Collection
from pathlib import Path

from holoscope.core import Registry

MODEL = "local/smollm2-135m-instruct"
SUITE = "quickstart"
REPORT = "report.html"


def quickstart(*, out: Path | None = None, model: str = MODEL, json: bool = False) -> int:
    """Evaluate a small real model on bundled scenarios: no key, no network but the package index.

    Parameters
    ----------
    out
        Folder of ledger and results.
    model
        Another model to try.
    json
        Print the grid as JSON.
    """
    from holoscope.cli.execute import Command, execute_specs, resolved
    from holoscope.cli.session import DEFAULT_OUT, console, registry

    folder, things = out or DEFAULT_OUT, registry()
    _pull(model)
    words = Command(entries=("quickstart",), models=(model,), suite=SUITE, out=folder, json=json, offline=True)
    found = resolved(words, things)
    code = execute_specs(words, found, things)
    report = _write_report(folder, {spec.name for spec in found.specs}, things)
    if not json:
        where = f" --out {folder}" if out else ""
        console().print(
            f"The same as a page, with every reason and source:  {report}\n"
            f"Every request and completion behind it:  {folder / 'runs' / SUITE}\n"
            f"The grid again, from what is stored:  holoscope show --suite {SUITE}{where}\n"
            "Next, a model and a benchmark of yours:  "
            "holoscope run mmlu:subject=philosophy --model openai/gpt-4o -m 100",
            soft_wrap=True,
        )
    return code


def _pull(model: str) -> None:
    """Get the weights of a known local model before the network is left alone."""
    from holoscope.cli.session import settings
    from holoscope.models import local

    if model in {f"local/{known.name}" for known in local.KNOWN}:
        local.pull(model, settings())


def _write_report(folder: Path, names: Collection[str], things: Registry) -> Path:
    """The page of these runs; another model's, and those of an older version, stay out of it."""
    from holoscope.report import grid, write_html
    from holoscope.store import scan

    runs = [run for run in scan(folder, SUITE).runs if run.name in names]
    write_html(folder / REPORT, grid(runs, things), runs)
    return folder / REPORT
