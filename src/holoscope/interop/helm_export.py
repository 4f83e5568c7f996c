"""A stored run as HELM's five files, for whoever reads HELM's result folders.

Texts of a benchmark leave only where its licence allows passing them on; elsewhere ids, numbers and a note remain.
Each file is whole or absent, and the one that HELM's tools look for first is written last.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from holoscope.core import Registry, Trial, canonical, group_trials
from holoscope.interop.documents import Document, write_json, write_with_list
from holoscope.interop.helm_specs import adapter_spec, folder_name, run_spec
from holoscope.interop.helm_state import request_state
from holoscope.store import Manifest, StoredRun, remove, replacing, suite_folder

NOTE = "TEXTS-LEFT-OUT.txt"


class Exported(NamedTuple):
    """A run folder in HELM's format."""

    path: Path
    note: str
    """Why it carries no texts; empty if it does."""


def export_run(stored: StoredRun, to: Path, registry: Registry, *, own_use: bool = False) -> Exported:
    """Write HELM's files to `<to>/runs/<suite>/<run>`; `own_use` keeps texts that may not be passed on."""
    from holoscope.metrics import helm

    manifest = stored.manifest
    spec = manifest.spec
    folder = suite_folder(to, manifest.suite) / folder_name(spec.name)
    note = "" if own_use else licence_note(manifest)
    trials = list(group_trials(stored.exchanges()))
    stats, per_instance = helm.statistics(spec, trials, stored=_of_programs(stored))
    if note:
        with replacing(folder / NOTE) as temporary:
            temporary.write_text(f"{note}\n", encoding="utf-8")
    else:
        remove(folder / NOTE)  # an export without texts left it
    write_json(folder / "scenario.json", _scenario(manifest, registry))
    head: Document = {"adapter_spec": adapter_spec(spec.adapter)}
    write_with_list(folder / "scenario_state.json", head, "request_states", _states(stored, with_text=not note))
    write_json(folder / "stats.json", stats)
    write_json(folder / "per_instance_stats.json", per_instance)
    write_json(folder / "run_spec.json", run_spec(spec, registry))
    return Exported(folder, note)


def _of_programs(stored: StoredRun) -> Callable[[Trial], Mapping[str, float | None]]:
    """What HELM's definitions said of each trial's program when the run was scored; nothing is run for an export."""
    from holoscope.metrics import helm

    found: dict[tuple[str, bytes, int, int], dict[str, float | None]] = {}
    wanted = any(metric.name in helm.PROGRAM_METRICS for metric in stored.manifest.spec.metrics)
    for row in stored.scores() if wanted else ():
        if row.score.value is not None and row.score.version == helm.VERSION:
            key = row.instance_id, canonical(row.perturbation), row.train_trial_index, row.trial
            found.setdefault(key, {})[row.score.metric] = row.score.value

    def of(trial: Trial) -> Mapping[str, float | None]:
        instance = trial.instance
        return found.get((instance.id, canonical(instance.perturbation), trial.train_trial_index, trial.index), {})

    return of


def licence_note(manifest: Manifest) -> str:
    """Why the run's texts may not be passed on; empty if they may."""
    scenario = manifest.scenario
    if scenario.redistribution == "yes":
        return ""
    licence = f"its licence ({scenario.licence})" if scenario.licence else "its licence, which is unknown,"
    return (
        f"Texts of {scenario.title or scenario.name} are left out: {licence} does not allow passing them on. "
        "For your own use: holoscope export --own-use."
    )


def _states(stored: StoredRun, *, with_text: bool) -> Iterator[Document]:
    adapter = stored.manifest.spec.adapter
    return (request_state(exchange, adapter, with_text=with_text) for exchange in stored.exchanges())


def _scenario(manifest: Manifest, registry: Registry) -> Document:
    name = manifest.scenario.name
    card = registry.scenarios.get(name) if name in registry.scenarios else None
    return {
        "name": name,
        "description": card.description if card else manifest.scenario.title,
        "tags": [],
        "definition_path": card.citation if card else "",
    }
