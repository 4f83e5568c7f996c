"""From a scenario spec to its instances.

Ids are given by position in the whole list, train rows included and before anything is sampled, so an instance has the
same id in every run of its scenario: `id0`, `id1`, ... A scenario whose every row brings an id of its own keeps those.
"""

from msgspec.structs import replace

from holoscope.core import DataError, Instance, Registry, ScenarioSpec, Settings
from holoscope.scenarios.sources import open_files


def load_instances(spec: ScenarioSpec, registry: Registry, settings: Settings) -> list[Instance]:
    """Every instance of the scenario, in upstream order, with its id."""
    scenario = registry.scenarios.get(spec.name)
    instances = list(scenario.load(open_files(scenario, spec.args, settings), **spec.args))
    if not instances:
        raise DataError(f"{spec.name}: its files hold no rows")
    if not all(instance.id for instance in instances):
        return [replace(instance, id=f"id{position}") for position, instance in enumerate(instances)]
    _refuse_twins(spec.name, [instance.id for instance in instances])
    return instances


def data_hashes(spec: ScenarioSpec, registry: Registry, settings: Settings) -> dict[str, str]:
    """sha256 of each file that `load_instances` reads."""
    return open_files(registry.scenarios.get(spec.name), spec.args, settings).hashes()


def _refuse_twins(name: str, ids: list[str]) -> None:
    seen: set[str] = set()
    for identifier in ids:
        if identifier in seen:
            raise DataError(f"{name}: two rows have the id {identifier!r}; ids must be unique")
        seen.add(identifier)
