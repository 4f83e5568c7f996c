"""One run: how it went, what it measured under each condition, and everything it was made of."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from holoscope.core import AdapterSpec, Json, Outcome, Registry, StoreError, shares
from holoscope.report.blocks import amount
from holoscope.report.grid import Cell, Row, status_reason
from holoscope.report.library import Library, Suite
from holoscope.report.pages.links import Links
from holoscope.report.pages.render import render
from holoscope.report.printable import interval
from holoscope.store import Manifest, RunProgress, StoredRun, read_progress

_PASSED_ON = {"yes": "yes", "ids-only": "ids only", "no": "no"}
_MOST_OTHERS = 60
"""Other models that can be compared from here."""


class Measured(NamedTuple):
    """One number of the run, or the reason why there is none."""

    axis: str
    metric: str
    condition: str
    """Perturbation, split and part, where they are not the usual."""
    value: str
    interval: str
    n: int
    how: str
    is_empty: bool


class Ended(NamedTuple):
    """How many requests ended in one way."""

    outcome: str
    requests: int
    share: float
    href: str


class Other(NamedTuple):
    """The same run of another model."""

    model: str
    href: str


def run(library: Library, links: Links, suite: str, folder: str) -> str:
    """The page of the run in `folder`; of one that is under way for the first time, only how far it is."""
    path = library.path(suite, folder)
    progress = read_progress(path)
    found = library.suite(suite)
    stored = found.runs.get(path.name)
    if stored is None:
        if progress is None:
            library.run(suite, folder)  # raises with what is wrong
            raise StoreError(f"{path} cannot be shown")
        return _under_way(links, suite, path.name, progress)
    row = next(row for name, row in zip(found.runs, found.grid.rows, strict=True) if name == path.name)
    manifest = stored.manifest
    shown, whole = _measured(row)
    return render(
        "run.html",
        links=links,
        title=f"{row.label} · {row.model}",
        suite=suite,
        here="run",
        folder=path.name,
        row=row,
        manifest=manifest,
        progress=progress,
        status=status_reason(manifest) or manifest.status,
        outcomes=_ended(manifest, links, suite, path.name),
        not_taken=shares(manifest.dropped_params, manifest.requests, "request"),
        headlines=shown,
        measured=whole,
        lists=_lists(library.registry, stored, links, suite),
        others=_others(found, row, links, path.name),
        parts_of_it=_parts(manifest),
        raw=_json(manifest.spec),
    )


def _under_way(links: Links, suite: str, folder: str, progress: RunProgress) -> str:
    return render(
        "run_under_way.html",
        links=links,
        title=f"{progress.run} · {progress.model}",
        suite=suite,
        here="run",
        folder=folder,
        progress=progress,
    )


def _measured(row: Row) -> tuple[list[Measured], list[Measured]]:
    """What stands for each axis, and everything."""
    split = row.manifest.scenario.main_split
    return [_number(cell, split) for cell in row.headlines.values()], [_number(cell, split) for cell in row.cells]


def _number(cell: Cell, split: str) -> Measured:
    parts = [cell.perturbation or "", cell.split if cell.split != split else "", cell.sub_split or ""]
    missing = f"{cell.n_missing:,} without a value" if cell.n_missing else ""
    how = cell.reason if cell.value is None else "; ".join(filter(None, (cell.method, missing)))
    return Measured(
        axis=cell.axis,
        metric=cell.metric,
        condition=" · ".join(filter(None, parts)),
        value=amount(cell),
        interval=interval(cell.low, cell.high),
        n=cell.n,
        how=how,
        is_empty=cell.value is None,
    )


def _ended(manifest: Manifest, links: Links, suite: str, folder: str) -> list[Ended]:
    """How the requests ended, the commonest first."""
    total = sum(manifest.outcomes.values()) or 1
    has_list = links.is_served and manifest.status != "failed"
    return [
        Ended(
            str(outcome),
            count,
            count / total,
            links("instances", suite=suite, folder=folder, outcome=str(outcome)) if has_list else "",
        )
        for outcome, count in sorted(manifest.outcomes.items(), key=lambda each: -each[1])
    ]


def _lists(registry: Registry, stored: StoredRun, links: Links, suite: str) -> dict[str, str]:
    """Lists of instances worth opening, by what they hold; a failed run has none."""
    manifest, folder = stored.manifest, stored.path.name
    if manifest.status == "failed" or not links.has("instances", suite=suite, folder=folder):
        return {}
    found = {"all instances": links("instances", suite=suite, folder=folder)}
    metric = manifest.scenario.main_metric
    if links.is_served and metric in registry.metrics and registry.metrics.get(metric).binary:
        for name, score in (("wrong answers", "wrong"), ("right answers", "right")):
            found[name] = links("instances", suite=suite, folder=folder, score=score, perturbation="none")
    if links.is_served and manifest.outcomes.get(Outcome.OK, 0) < manifest.requests:
        found["without a score"] = links("instances", suite=suite, folder=folder, score="none")
    return found


def _others(suite: Suite, row: Row, links: Links, folder: str) -> list[Other]:
    """Runs of the same scenario by other models, to compare with."""
    found = []
    for name, other in zip(suite.runs, suite.grid.rows, strict=True):
        if other.label == row.label and other.model != row.model:
            parts = {"suite": suite.name, "a": folder, "b": name}
            if links.has("compare", **parts):
                found.append(Other(other.model, links("compare", **parts)))
    return found[:_MOST_OTHERS]


def _parts(manifest: Manifest) -> dict[str, dict[str, str]]:
    """Everything the run was made of, by heading."""
    return {heading: facts for heading, given in _facts(manifest) if (facts := {k: v for k, v in given.items() if v})}


def _facts(manifest: Manifest) -> Iterator[tuple[str, dict[str, str]]]:
    spec, scenario, model, made = manifest.spec, manifest.scenario, manifest.model, manifest.provenance
    yield (
        "What was asked",
        {
            "entry": spec.entry,
            "run": spec.name,
            "definitions": "HELM 0.5.16's" if spec.compat else "holoscope's",
            "seed": str(spec.seed),
            "repetitions": str(spec.trials),
            "groups": ", ".join(spec.groups),
        },
    )
    yield (
        "Scenario",
        {
            "name": f"{scenario.title or scenario.name}, version {scenario.version}",
            "main metric": scenario.main_metric,
            "main split": scenario.main_split,
            "score of guessing": "" if scenario.chance is None else f"{scenario.chance:g}",
            "licence": scenario.licence or "unknown",
            "texts may be passed on": _PASSED_ON[scenario.redistribution],
            **_shown(spec.scenario.args),
        },
    )
    yield "Prompt", {"version": manifest.versions.prompt, **_unusual(spec.adapter)}
    yield (
        "Model",
        {
            "name": model.name,
            "deployment": model.deployment,
            "served as": model.served_model or "",
            "address": model.base_url,
            **model.identity,
            **{f"USD per million {kind} tokens": f"{price:g}" for kind, price in model.prices.items() if price},
        },
    )
    yield "Data", manifest.data
    yield "Perturbations", {name: f"version {version}" for name, version in manifest.versions.perturbations.items()}
    yield "Metrics", {name: f"version {version}" for name, version in manifest.versions.metrics.items()}
    own = {"holoscope": made.holoscope, "Python": made.python, "platform": made.platform}
    yield "Software", {**own, **made.packages, "commit of the folder it ran in": made.git_commit or ""}
    if made.imported is not None:
        yield "Imported from", _shown(msgspec.to_builtins(made.imported))


def _unusual(adapter: AdapterSpec) -> dict[str, str]:
    """The settings that are not the usual ones, and the few that always matter."""
    usual = AdapterSpec()
    always = ("method", "max_train_instances", "max_tokens", "temperature")
    own: dict[str, Json] = msgspec.to_builtins(adapter)
    names = [n for n in AdapterSpec.__struct_fields__ if n in always or getattr(adapter, n) != getattr(usual, n)]
    return _shown({name: own[name] for name in names if name not in ("model", "model_deployment")})


def _shown(values: Mapping[str, Json]) -> dict[str, str]:
    """JSON values as words: text as it is where that can be seen, else quoted."""
    found = {}
    for name, value in values.items():
        plain = isinstance(value, str) and value == value.strip() and value
        found[name] = value if isinstance(value, str) and plain else msgspec.json.encode(value).decode()
    return found


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
