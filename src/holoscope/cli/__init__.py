"""The command line: one file per command, each importing what it needs only when it runs.

Exit codes: 0 complete, 1 a run failed or is incomplete, 2 usage, 3 a threshold was missed. An error is one line on
standard error that says what was expected, what was found, and what to type; `--help` imports no command.
"""

import io
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Parameter

from holoscope import __version__

COMMANDS = {
    "quickstart": "Evaluate a small real model on bundled scenarios: no key, no network.",
    "run": "Evaluate models on scenarios.",
    "show": "Print the grid of a suite.",
    "compare": "Compare two models or runs on what both answered.",
    "view": "Show an output folder as web pages.",
    "rescore": "Score stored completions again, without asking a model.",
    "export": "Write a suite in another tool's format.",
    "import": "Read HELM's result folders.",
    "release": "Publish runs under a name and a date, and say what changed.",
    "list": "List scenarios, tracks, metrics, axes, perturbations or runs.",
    "models": "Say what a model name means; pull a local model's weights.",
    "doctor": "Check a model, and what is needed to evaluate it.",
    "new": "Write the files of a new scenario, ready to run.",
    "check": "Check a scenario: its rows, prompt, gold answers, licence and sources.",
}

app = App(
    name="holoscope",
    help="Evaluate language models as a whole: scenarios x axes, every cell with its uncertainty or a reason.",
    version=__version__,
    default_parameter=Parameter(negative=()),
    help_format="plaintext",
)
for _name, _help in COMMANDS.items():
    _module = f"{_name}_command" if _name in ("list", "import") else _name  # one is built in, one no name at all
    app.command(f"holoscope.cli.{_module}:{_module}", name=_name, help=_help)


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    show_everything()
    sys.exit(invoke(sys.argv[1:] if argv is None else argv))


def invoke(argv: Sequence[str]) -> int:
    """Run one command; return its exit code."""
    try:
        code = app(list(argv), exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return complain(" ".join(str(error).split()), 2)
    except KeyboardInterrupt:
        return complain("stopped; what was answered is kept: the same command goes on from here", 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except Exception as error:
        from holoscope.core import HoloscopeError  # `--help` does without

        if not isinstance(error, HoloscopeError):
            raise
        return complain(str(error), error.exit_code)
    return code if isinstance(code, int) else 0


def show_everything() -> None:
    """Let a terminal that lacks a character show its number: nothing is worth an error once it was computed."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def complain(message: str, code: int) -> int:
    """Print one line on standard error; return `code`."""
    from holoscope.report.printable import printable  # names and reasons may hold a terminal's commands

    print(f"holoscope: {printable(message)}", file=sys.stderr)  # noqa: T201
    return code
