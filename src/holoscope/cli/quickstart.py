"""`holoscope quickstart`: a small real model on bundled scenarios."""

from pathlib import Path

MODEL = "local/smollm2-135m-instruct"
SUITE = "quickstart"


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
    from holoscope.cli.execute import Command, execute
    from holoscope.cli.session import DEFAULT_OUT, console

    folder = out or DEFAULT_OUT
    code = execute(Command(entries=("quickstart",), models=(model,), suite=SUITE, out=folder, json=json))
    if not json and code == 0:
        where = f" --out {folder}" if out else ""
        console().print(
            f"Every request and completion behind these numbers: {folder}/runs/{SUITE}\n"
            f"Again, from what is stored:  holoscope show --suite {SUITE}{where}\n"
            "Next, a model and a benchmark of yours:  "
            "holoscope run mmlu:subject=philosophy --model openai/gpt-4o -m 100",
            soft_wrap=True,
        )
    return code
