"""HELM's commands with HELM's flags, on this engine and under `--compat helm`.

`helm-run` writes HELM's result files beside ours, so that whatever reads them goes on working. A flag whose work is
done otherwise here is accepted with a note; one that can't be honoured is refused in one line.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from holoscope.cli import complain, show_everything
from holoscope.core.errors import HoloscopeError, UsageError

if TYPE_CHECKING:
    from holoscope.core import Registry

_NOTED = {
    "skip_completed_runs": "--skip-completed-runs is not needed: what is answered is never asked again",
    "disable_cache": "--disable-cache is ignored: every answer is kept in the ledger; for a fresh one use another -o",
    "skip_instances": "--skip-instances is ignored; to see what would be sent use --dry-run",
    "cache_instances": "--cache-instances is ignored: instances are read from the data's own files",
    "exit_on_error": "--exit-on-error is ignored: a failed run costs itself only, and the exit code says so",
    "run_specs": "--run-specs is HELM's old name for --run-entries",
}
_REFUSED = {
    "cache_instances_only": "write the data's files to HOLOSCOPE_DATA_DIR instead",
    "enable_huggingface_models": "serve the model with an OpenAI-compatible server and name its address in prod_env/",
    "enable_local_huggingface_models": "serve the model with an OpenAI-compatible server, or use local/PATH.gguf",
    "runner_class_name": "one process runs all; for several machines start the command on each with one ledger",
    "plugins": "a plug-in is an installed package with an entry point in the group 'holoscope'",
    "mongo_uri": "answers are kept in <output>/ledger.sqlite",
    "server_url": "name the server in prod_env/model_deployments.yaml",
}


class _Parser(argparse.ArgumentParser):
    """An error is one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def helm_run(argv: Sequence[str] | None = None) -> None:
    """`helm-run`."""
    _exit(lambda: _run(_run_parser().parse_args(argv)))


def helm_summarize(argv: Sequence[str] | None = None) -> None:
    """`helm-summarize`."""
    _exit(lambda: _summarize(_summarize_parser().parse_args(argv)))


def helm_server(argv: Sequence[str] | None = None) -> None:
    """`helm-server`, which has no pages yet."""
    _exit(lambda: _not_yet("helm-server", "holoscope show --out benchmark_output --suite SUITE prints the grid"))


def helm_create_plots(argv: Sequence[str] | None = None) -> None:
    """`helm-create-plots`, which has no plots yet."""
    _exit(lambda: _not_yet("helm-create-plots", "holoscope export --format csv gives every number"))


def _exit(command: Callable[[], int]) -> NoReturn:
    show_everything()
    try:
        sys.exit(command())
    except HoloscopeError as error:
        sys.exit(complain(str(error), error.exit_code))
    except KeyboardInterrupt:
        sys.exit(complain("stopped; what was answered is kept: the same command goes on from here", 1))


def _not_yet(name: str, instead: str) -> int:
    raise UsageError(f"{name} is not supported in this version; {instead}")


def _run_parser() -> argparse.ArgumentParser:
    parser = _Parser("helm-run", description="Run HELM's run entries, as crfm-helm 0.5.16 defines them.")
    add = parser.add_argument
    add("-c", "--conf-paths", nargs="*", default=[], type=Path, help="files of run entries (.conf)")
    add("-r", "--run-entries", nargs="*", default=[], help="run entries")
    add("--run-specs", nargs="*", default=[], help=argparse.SUPPRESS)
    add("--models-to-run", nargs="*", default=[], help="models for entries that name none, or a group")
    add("--groups-to-run", nargs="*", default=[], help="only runs in these groups")
    add("--priority", type=int, default=None, help="only entries of this priority or a lower number")
    add("-m", "--max-eval-instances", type=int, required=True, help="evaluation instances per run")
    add("-t", "--num-train-trials", type=int, default=None, help="draws of in-context examples per run")
    add("--suite", default="default", help="name under which the runs are kept")
    add("-o", "--output-path", type=Path, default=Path("benchmark_output"), help="folder of results")
    add("-n", "--num-threads", type=int, default=4, help="requests in flight, per model")
    add("--local-path", type=Path, default=Path("prod_env"), help="folder of deployments and credentials")
    add("-d", "--dry-run", action="store_true", help="plan only")
    add("--data-dir", type=Path, default=None, help="folder of benchmark files as upstream publishes them")
    for flag in ("exit-on-error", "skip-completed-runs", "skip-instances", "cache-instances", "disable-cache"):
        add(f"--{flag}", action="store_true", help=argparse.SUPPRESS)
    add("--cache-instances-only", action="store_true", help=argparse.SUPPRESS)
    for flag in ("enable-huggingface-models", "enable-local-huggingface-models", "plugins"):
        add(f"--{flag}", nargs="*", default=[], help=argparse.SUPPRESS)
    for flag in ("runner-class-name", "mongo-uri", "server-url", "log-config", "api-key-path"):
        add(f"--{flag}", default="", help=argparse.SUPPRESS)
    return parser


def _run(flags: argparse.Namespace) -> int:
    from holoscope.cli.execute import Command, execute_specs
    from holoscope.cli.session import registry
    from holoscope.entries import Options, by_groups, by_priority, load_conf, resolve_all, split_names

    for flag, instead in _REFUSED.items():
        if getattr(flags, flag):
            raise UsageError(f"--{flag.replace('_', '-')} is not supported: {instead}")
    entries = [entry for conf in flags.conf_paths for entry in by_priority(load_conf(conf), flags.priority)]
    asked = [*entries, *flags.run_entries, *flags.run_specs]
    if not asked:
        raise UsageError("no run entries; type e.g. helm-run --conf-paths run_entries.conf --suite my-eval -m 100")
    things = registry()
    options = Options(
        max_eval_instances=flags.max_eval_instances, num_train_trials=flags.num_train_trials, compat="helm"
    )
    found = resolve_all(asked, things, models=split_names(flags.models_to_run), options=options)
    specs = by_groups(found.specs, split_names(flags.groups_to_run))
    if not specs:
        raise UsageError("no run is left: none belongs to --groups-to-run, or has the --priority")
    command = Command(
        suite=flags.suite,
        out=flags.output_path,
        max_connections=flags.num_threads,
        dry_run=flags.dry_run,
        data_dir=flags.data_dir,
        local_path=flags.local_path,
        compat="helm",
    )
    notes = [*found.notes, *(note for flag, note in _NOTED.items() if getattr(flags, flag))]
    code = execute_specs(command, specs, notes, things)
    if not flags.dry_run:
        _write_helm_files(flags.output_path, flags.suite, {spec.name for spec in specs}, things)
    return code


def _write_helm_files(out: Path, suite: str, names: set[str], things: "Registry") -> None:
    """HELM's five files for each run, texts included: they stay with the user."""
    from holoscope.interop import export_run
    from holoscope.store import scan

    for run in scan(out, suite).runs:
        if run.name in names and run.manifest.status != "failed":
            export_run(run, out, things, own_use=True)


def _summarize_parser() -> argparse.ArgumentParser:
    parser = _Parser("helm-summarize", description="Write HELM's summary files of a suite, and print its grid.")
    add = parser.add_argument
    add("-o", "--output-path", type=Path, default=Path("benchmark_output"), help="folder of results")
    add("--suite", default="", help="the suite")
    add("--release", default="", help="name of a release of several suites")
    add("--suites", nargs="*", default=[], help="the release's suites")
    add("--schema-path", type=Path, default=None, help="HELM's schema file (YAML)")
    for flag in ("schema-validation", "summarizer-class-name", "log-config", "local-path", "allow-unknown-models"):
        add(f"--{flag}", default="", help=argparse.SUPPRESS)
    add("-n", "--num-threads", type=int, default=8, help=argparse.SUPPRESS)
    for flag in ("debug", "skip-completed-run-display-json", "auto-generate-schema"):
        add(f"--{flag}", action="store_true", help=argparse.SUPPRESS)
    return parser


def _summarize(flags: argparse.Namespace) -> int:
    from holoscope.cli.session import console, registry
    from holoscope.cli.show import print_grid
    from holoscope.interop import load_schema, summarize

    things = registry()
    suite = flags.suite or ("" if flags.release else "default")
    schema = load_schema(flags.schema_path) if flags.schema_path else None
    found = summarize(flags.output_path, things, suite=suite, release=flags.release, suites=flags.suites, schema=schema)
    for warning in found.warnings:
        console(stderr=True).print(f"note: {warning}", soft_wrap=True)
    code = max(print_grid(flags.output_path, each, things) for each in flags.suites or [suite])
    console().print(f"Written: {found.path}", soft_wrap=True)
    return code
