"""From a scenario spec to its instances.

Ids are given by position in the whole list, train rows included and before anything is sampled, so an instance has the
same id in every run of its scenario: `id0`, `id1`, ... A scenario whose every row brings an id of its own keeps those.
"""

import csv
from pathlib import Path

import msgspec
from msgspec.structs import replace

from holoscope.core import (
    DataError,
    Files,
    ImageReader,
    Instance,
    Registry,
    RunSpec,
    Scenario,
    ScenarioSpec,
    Settings,
    no_images,
)
from holoscope.scenarios.adapters import IN_FILES
from holoscope.scenarios.sources import open_files

_UNFIT = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RuntimeError, OSError),
    *(csv.Error, msgspec.MsgspecError),
)
"""What code that reads rows raises where a row is not what it expects. UnicodeDecodeError is a ValueError, too."""


def load_instances(spec: ScenarioSpec, registry: Registry, settings: Settings) -> list[Instance]:
    """Every instance of the scenario, in upstream order, with its id."""
    scenario = registry.scenarios.get(spec.name)
    instances = _loaded(scenario, spec, _Watched(open_files(scenario, spec.args, settings)))
    if not instances:
        raise DataError(f"{spec.name}: its files hold no rows")
    if not all(instance.id for instance in instances):
        return [replace(instance, id=f"id{position}") for position, instance in enumerate(instances)]
    _refuse_twins(spec.name, [instance.id for instance in instances])
    return instances


def instructed(spec: RunSpec, registry: Registry, settings: Settings) -> RunSpec:
    """The run as its scenario's files say that it is asked, with the instructions that are kept there, if any are."""
    scenario = registry.scenarios.get(spec.scenario.name)
    if scenario.asking is not None:
        files = open_files(scenario, spec.scenario.args, settings)
        adapter, metrics = scenario.asking(files, spec.adapter, spec.metrics, **spec.scenario.args)
        spec = replace(spec, adapter=adapter, metrics=metrics)
    asked = spec.adapter
    if scenario.instructions is None or IN_FILES not in asked.instructions:
        return spec
    found = scenario.instructions(open_files(scenario, spec.scenario.args, settings), **spec.scenario.args)
    return replace(spec, adapter=replace(asked, instructions=asked.instructions.replace(IN_FILES, found)))


class _Watched:
    """Files that remember which of them was opened last, for messages."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.opened: Path | None = None

    def path(self, name: str) -> Path:
        self.opened = self.files.path(name)
        return self.opened

    def has(self, name: str) -> bool:
        return self.files.has(name)


def _loaded(scenario: Scenario, spec: ScenarioSpec, files: _Watched) -> list[Instance]:
    """The instances; a row that its loader did not foresee is that scenario's DataError, and ends no suite."""
    instances: list[Instance] = []
    before, opened = 0, None
    try:
        for instance in scenario.load(files, **spec.args):
            if files.opened != opened:
                before, opened = len(instances), files.opened
            instances.append(instance)
    except _UNFIT as error:
        read = len(instances) - before if files.opened == opened else 0
        where = f"{files.opened}, after {read} instances of it" if files.opened else "before any file was opened"
        cause = " ".join(str(error).split())
        raise DataError(f"{spec.name}: {where}: a row it cannot read ({type(error).__name__}: {cause})") from error
    return instances


def image_reader(spec: ScenarioSpec, registry: Registry, settings: Settings) -> ImageReader:
    """What reads the images that the scenario's instances name, each when it is asked for."""
    scenario = registry.scenarios.get(spec.name)
    if scenario.images is None:
        return no_images
    return scenario.images(open_files(scenario, spec.args, settings), **spec.args)


def data_hashes(spec: ScenarioSpec, registry: Registry, settings: Settings) -> dict[str, str]:
    """sha256 of each file that `load_instances` reads."""
    return open_files(registry.scenarios.get(spec.name), spec.args, settings).hashes()


def _refuse_twins(name: str, ids: list[str]) -> None:
    seen: set[str] = set()
    for identifier in ids:
        if identifier in seen:
            raise DataError(f"{name}: two rows have the id {identifier!r}; ids must be unique")
        seen.add(identifier)
