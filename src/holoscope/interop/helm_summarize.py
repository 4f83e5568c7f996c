"""What `helm-summarize` writes: the tables and indexes of one suite, or of a release that joins several.

Everything is made anew from the run folders that are there, never from an earlier summary: a run that was added since
appears, whatever the order of commands. Unlike HELM's, `costs.json` counts every request of every run.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from holoscope.core import Json, Registry, StoreError, UsageError, nearest
from holoscope.interop.documents import Document, write_json
from holoscope.interop.helm_latex import latex
from holoscope.interop.helm_runs import HelmRun, find, helm_suites, read_helm_runs
from holoscope.interop.helm_schema import OTHER, RunGroup, Schema, automatic_schema, with_other
from holoscope.interop.helm_specs import without_none
from holoscope.interop.helm_tables import group_tables, index_tables
from holoscope.store import check_suite, replacing, suite_folder


class Summary(NamedTuple):
    """What was summarised."""

    path: Path
    runs: int
    warnings: tuple[str, ...]


def summarize(
    out: Path,
    registry: Registry,
    *,
    suite: str = "",
    release: str = "",
    suites: Sequence[str] = (),
    schema: Schema | None = None,
    today: date | None = None,
) -> Summary:
    """Write the summary of `suite` into its folder, or of `suites` into `<out>/releases/<release>`."""
    if bool(suite) == bool(release) or bool(release) != bool(suites):
        raise UsageError("name one suite (--suite NAME), or a release and its suites (--release NAME --suites A B)")
    by_name: dict[str, HelmRun] = {}
    warnings: list[str] = []
    for each in suites or [suite]:
        found, passed_over = read_helm_runs(out, each)
        if not found:  # before anything is written: a suite must not come to be by asking for its summary
            raise StoreError(passed_over[0]) if passed_over else UsageError(_no_runs(out, each))
        by_name.update({run.name: run for run in found})
        warnings += passed_over
    runs = list(by_name.values())
    full, strays = with_other(schema or automatic_schema(runs, registry), runs, registry)
    to = out / "releases" / check_suite(release) if release else suite_folder(out, suite)
    day = (today or datetime.now(UTC).date()).isoformat()
    named: Document = {"release": release or None, "suites": [*(suites or [suite])], "suite": suite or None}
    write_json(to / "summary.json", without_none({**named, "date": day}))
    _write_runs(to, runs)
    _write_groups(to, full, runs)
    return Summary(to, len(runs), (*warnings, *strays))


def _no_runs(out: Path, suite: str) -> str:
    """What to say of a suite without runs."""
    there = helm_suites(out)
    if not there:
        return f"no runs of suite {suite!r} in {out}, nor of any other; helm-run -o {out} writes them"
    near = nearest(suite, there)
    return f"no runs of suite {suite!r} in {out}; there are {', '.join(there)}" + (
        f"; did you mean {near!r}?" if near else ""
    )


def _write_runs(to: Path, runs: Sequence[HelmRun]) -> None:
    write_json(to / "run_specs.json", [run.spec for run in runs])
    write_json(
        to / "runs.json",
        [{"run_path": run.path.as_posix(), "run_spec": run.spec, "stats": run.stats} for run in runs],
    )
    write_json(to / "runs_to_run_suites.json", {run.path.name: run.suite for run in runs})
    write_json(to / "costs.json", _costs(runs))


def _write_groups(to: Path, schema: Schema, runs: Sequence[HelmRun]) -> None:
    runs_of = {group.name: _runs_of(group, schema, runs) for group in schema.run_groups}
    write_json(to / "schema.json", _schema_document(schema, runs))
    write_json(to / "groups.json", index_tables(schema, runs_of))
    metadata = {
        g.name: {"display_name": g.title, "description": g.description or "", "taxonomy": g.taxonomy}
        for g in schema.run_groups
    }
    write_json(to / "groups_metadata.json", metadata)
    for group in schema.run_groups:
        tables = group_tables(schema, group, runs_of[group.name])
        write_json(to / "groups" / f"{group.name}.json", [table.document for table in tables])
        for table in tables:
            write_json(to / "groups" / "json" / f"{table.name}.json", table.document)
            with replacing(to / "groups" / "latex" / f"{table.name}.tex") as temporary:
                temporary.write_text(latex(table.document, table.name), encoding="utf-8")


def _runs_of(group: RunGroup, schema: Schema, runs: Sequence[HelmRun]) -> list[HelmRun]:
    if group.name == OTHER:
        known = {each.name for each in schema.run_groups} - {OTHER}
        return [run for run in runs if known.isdisjoint(run.groups)]
    names = {group.name, *group.subgroups}
    return [run for run in runs if names.intersection(run.groups)]


def _costs(runs: Sequence[HelmRun]) -> Document:
    """Tokens and requests of each deployment, over all of its runs."""
    totals: dict[str, Any] = {}
    for run in runs:
        total = totals.setdefault(run.deployment, dict.fromkeys(_COSTS, 0))
        for split in dict.fromkeys(stat["name"].get("split") for stat in run.stats if stat["name"].get("split")):
            instances = find(run, "num_instances", split).value or 0
            prompt = round(instances * (find(run, "num_prompt_tokens", split).value or 0))
            completion = round(instances * (find(run, "num_completion_tokens", split).value or 0))
            requests = round(instances)
            added = (prompt, completion, requests, requests, prompt + completion)
            for name, amount in zip(_COSTS, added, strict=True):
                total[name] += amount
    return totals


_COSTS = ("num_prompt_tokens", "num_completion_tokens", "num_completions", "num_requests", "total_tokens")


def _schema_document(schema: Schema, runs: Sequence[HelmRun]) -> Document:
    models: list[Json] = [
        {
            "name": model,
            "display_name": model.rpartition("/")[2],
            "short_display_name": model.rpartition("/")[2],
            "description": "",
            "creator_organization": model.partition("/")[0],
            "access": "",
            "todo": False,
            "release_date": "",
        }
        for model in dict.fromkeys(run.model for run in runs)
    ]
    parts: Any = msgspec.to_builtins(schema)
    bare: Document = {name: [without_none(each) for each in part] for name, part in parts.items()}
    return {**bare, "adapter": [], "models": models}
