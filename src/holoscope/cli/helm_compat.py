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
    """`helm-server`."""
    _exit(lambda: _server(_server_parser().parse_args(argv)))


def helm_create_plots(argv: Sequence[str] | None = None) -> None:
    """`helm-create-plots`."""
    _exit(lambda: _create_plots(_plots_parser().parse_args(argv)))


def _exit(command: Callable[[], int]) -> NoReturn:
    show_everything()
    try:
        sys.exit(command())
    except HoloscopeError as error:
        sys.exit(complain(str(error), error.exit_code))
    except KeyboardInterrupt:
        sys.exit(complain("stopped; what was answered is kept: the same command goes on from here", 1))


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
    add("--allow-unsafe-code", action="store_true", help="run model-written code even where no sandbox works")
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
    from holoscope.entries import Options, Resolved, by_groups, by_priority, load_conf, resolve_all, split_names

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
        allow_unsafe_code=flags.allow_unsafe_code,
        compat="helm",
    )
    notes = [*found.notes, *(note for flag, note in _NOTED.items() if getattr(flags, flag))]
    missing = () if flags.groups_to_run else found.missing  # which groups those would be in is not known
    code = execute_specs(command, Resolved(tuple(specs), tuple(notes), missing), things)
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
    from holoscope.core import NO_LAYOUT
    from holoscope.interop import display, load_schema, summarize

    things = registry()
    suite = flags.suite or ("" if flags.release else "default")
    schema = load_schema(flags.schema_path) if flags.schema_path else None
    found = summarize(flags.output_path, things, suite=suite, release=flags.release, suites=flags.suites, schema=schema)
    for warning in found.warnings:
        console(stderr=True).print(f"note: {warning}", soft_wrap=True)
    layout = display(schema) if schema else NO_LAYOUT
    code = max(print_grid(flags.output_path, each, things, display=layout) for each in flags.suites or [suite])
    if flags.release:
        _publish(flags.output_path, flags.release, flags.suites, things)
    console().print(f"Written: {found.path}", soft_wrap=True)
    return code


def _publish(out: Path, release: str, suites: Sequence[str], things: "Registry") -> None:
    """Keep the release's own runs under its name; HELM would write over an earlier one, which stays here."""
    from holoscope.cli.release import publish
    from holoscope.cli.session import console
    from holoscope.store import scan

    runs = [run for suite in suites for run in scan(out, suite).runs]
    try:
        if runs:
            publish(out, release, runs, things)
    except UsageError as error:
        console(stderr=True).print(f"note: {error}", soft_wrap=True)


def _server_parser() -> argparse.ArgumentParser:
    parser = _Parser("helm-server", description="Show results as web pages; to this machine alone unless --host says.")
    add = parser.add_argument
    add("-p", "--port", type=int, default=8000, help="port to listen on")
    add("-o", "--output-path", default="benchmark_output", help="folder of results")
    add("--suite", default="", help="the suite to show; by default all")
    add("--release", default="", help="the release to show")
    add("--export-path", type=Path, default=None, help="write the pages as files into this folder instead")
    add("--host", default="127.0.0.1", help="address to listen on (HELM: all); beyond this machine a token is needed")
    add("--token", default="", help="what others must know to look; made where it is needed and not given")
    for flag in ("project", "cache-output-path"):
        add(f"--{flag}", default="", help=argparse.SUPPRESS)
    return parser


def _server(flags: argparse.Namespace) -> int:
    """Serve the pages, or write them as files."""
    from holoscope.cli.session import console
    from holoscope.cli.view import library_of, serve_pages

    if "://" in flags.output_path:
        raise UsageError("-o takes a folder here, not an address; copy the results to this machine first")
    out = Path(flags.output_path)
    library = library_of(out)
    if not library.suites():
        raise UsageError(
            f"no runs in {out}; result folders that HELM wrote are read with: holoscope import {out} --out {out}"
        )
    if flags.project:
        console(stderr=True).print("note: --project is ignored: the pages are of the runs that there are")
    shown = [name for name in (flags.suite, f"@{flags.release}" if flags.release else "") if name]
    if flags.export_path is None:
        return serve_pages(library, shown, host=flags.host, port=flags.port, token=flags.token)
    from holoscope.report.site import write_site

    written = write_site(library, shown or [suite.name for suite in library.suites()], flags.export_path)
    console().print(f"Written: {written.home}", soft_wrap=True)
    for scenario in written.withheld:
        console(stderr=True).print(f"note: {scenario}: its licence does not allow passing texts on; they are left out")
    return 0


def _plots_parser() -> argparse.ArgumentParser:
    parser = _Parser("helm-create-plots", description="Draw the plots of HELM's paper from a suite's stored runs.")
    add = parser.add_argument
    add("-o", "--output-path", type=Path, default=Path("benchmark_output"), help="folder of results")
    add("--suite", required=True, help="the suite; plots go into its folder, under plots/")
    add("--plot-format", choices=("png", "pdf", "svg"), default="png", help="kind of file")
    add("--log-config", default="", help=argparse.SUPPRESS)
    return parser


def _create_plots(flags: argparse.Namespace) -> int:
    """Every plot that the suite has the data for; the others are named with the reason. 1 if there is none at all."""
    from holoscope.cli.session import console, registry
    from holoscope.report import grid
    from holoscope.report.images import write_images
    from holoscope.report.paper_plots import plots
    from holoscope.store import scan, suite_folder

    found = scan(flags.output_path, flags.suite)
    if not found.runs:
        there = f"holoscope list runs --out {flags.output_path} names what is there"
        raise UsageError(f"no runs of suite {flags.suite!r}; {there}")
    runs = {run.name: run for run in found.runs}
    folder = suite_folder(flags.output_path, flags.suite) / "plots"
    drawn, absent = {}, []
    for plot in plots(grid(found.runs, registry()), runs):
        if isinstance(plot.found, str):
            absent.append(f"not drawn: {plot.name}: {plot.found}")
        else:
            drawn[folder / f"{plot.name}.{flags.plot_format}"] = plot.found
    write_images(drawn, scale=3.0)
    for line in (*found.warnings, *absent):
        console(stderr=True).print(line, soft_wrap=True)
    for path in drawn:
        console().print(f"Written: {path}", soft_wrap=True)
    return 0 if drawn else 1
