"""What `list scenarios` and `list tracks` show: each benchmark with size, licence, source and where it is.

A run entry may lead to several benchmarks (`commonsense:dataset=piqa`), so each of its fixed choices is tried; nothing
is fetched and no row is read.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from holoscope.core import HoloscopeError, Json, Registry, Scenario, ScenarioSpec, Settings, Task
from holoscope.entries import FILE_TASK, Track, resolve
from holoscope.scenarios import open_files
from holoscope.scenarios.fetch import host_of
from holoscope.scenarios.sizes import known_sizes

if TYPE_CHECKING:
    from holoscope.core.registry import TaskFunction

_SPECIMENS: dict[Any, Json] = {bool: False, int: 1, float: 0.5}


class ListedScenario(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark as a list shows it."""

    name: str
    """The run entry, with the argument that leads to this benchmark where there are several."""
    title: str
    tracks: tuple[str, ...]
    rows: int | None
    """Of the split that is asked, as its publishers say; None is unknown."""
    licence: str
    redistribution: str
    sources: tuple[str, ...]
    """Hosts."""
    availability: str
    arguments: str
    also: tuple[str, ...]
    """Other names of the entry."""
    citation: str
    about: str


class ListedTrack(msgspec.Struct, frozen=True, kw_only=True):
    """A track as a list shows it."""

    name: str
    title: str
    scenarios: int
    runs: int
    missing: int
    about: str


def list_scenarios(things: Registry, machine: Settings, tracks: Mapping[str, Track]) -> list[ListedScenario]:
    """Every benchmark that a run entry leads to, by name."""
    members = _members(things, tracks)
    rows = []
    for name in sorted(things.tasks):
        found = _variants(name, things)
        by_card: dict[str, list[tuple[str, ScenarioSpec]]] = defaultdict(list)
        for shown, spec in found:
            by_card[spec.name].append((shown, spec))
        for card, same in by_card.items():
            entry = name if len(by_card) == 1 else same[0][0]
            listed = [spec for _, spec in same]
            rows.append(_listed(entry, name, things, things.scenarios.get(card), listed, machine, members))
    return rows


def list_tracks(things: Registry, tracks: Mapping[str, Track]) -> list[ListedTrack]:
    """Every track, with how much it holds."""
    rows = []
    for name, track in sorted(tracks.items()):
        found = resolve(name, things, models=["test/echo"], tracks=tracks)
        scenarios = {spec.scenario.name for spec in found.specs}
        rows.append(
            ListedTrack(
                name=name,
                title=track.title,
                scenarios=len(scenarios),
                runs=len(found.specs),
                missing=len(found.missing),
                about=track.description,
            )
        )
    return rows


def _members(things: Registry, tracks: Mapping[str, Track]) -> dict[str, tuple[str, ...]]:
    """Scenario -> the tracks it belongs to."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(tracks):
        specs = resolve(name, things, models=["test/echo"], tracks=tracks).specs
        absent = [each.name for each in tracks[name].missing]
        for scenario in {*(spec.scenario.name for spec in specs), *absent}:
            found[scenario].append(name)
    return {scenario: tuple(names) for scenario, names in found.items()}


def _listed(
    entry: str,
    task: str,
    things: Registry,
    card: Scenario,
    specs: Sequence[ScenarioSpec],
    machine: Settings,
    members: Mapping[str, tuple[str, ...]],
) -> ListedScenario:
    urls = {source.url for spec in specs for source in card.sources(**spec.args) if source.url}
    return ListedScenario(
        name=entry,
        title=card.title,
        tracks=members.get(card.name, ()),
        rows=known_sizes().get(card.name),
        licence=card.licence,
        redistribution=card.redistribution,
        sources=tuple(sorted({host_of(url) for url in urls})),
        availability=_availability(card, specs, machine),
        arguments=_arguments(task, things),
        also=tuple(alias for alias, meant in things.aliases.items() if meant.split(":")[0] == task),
        citation=card.citation,
        about=card.description,
    )


def _availability(card: Scenario, specs: Sequence[ScenarioSpec], machine: Settings) -> str:
    """Where the rows are or come from; where that differs by argument, how many are where."""
    if card.unavailable:
        return f"not supported: {card.unavailable}"
    counts: dict[str, int] = defaultdict(int)
    for spec in specs:
        counts[open_files(card, spec.args, machine).whereabouts()] += 1
    shown = [place if len(counts) == 1 else f"{place} ({n} of {len(specs)})" for place, n in counts.items()]
    gates = {source.gated: None for spec in specs for source in card.sources(**spec.args) if source.gated}
    why = f": {'; '.join(gates)}" if gates and "only from your own copy" in counts else ""
    return f"{', '.join(shown)}{why}"


def _arguments(task: str, things: Registry) -> str:
    return " ".join(
        key if parameter.default is parameter.empty else f"{key}={parameter.default}"
        for key, parameter in things.task_arguments(task).items()
    )


def _variants(name: str, things: Registry) -> Iterator[tuple[str, ScenarioSpec]]:
    """The scenario specs that the fixed choices of a run entry's own arguments lead to, each with its entry."""
    if name == FILE_TASK:
        return
    function = things.tasks.get(name)
    choices = _choices(name, function, things)
    first = {key: values[0] for key, values in choices.items()}
    varied = [(key, value) for key, values in choices.items() for value in values]
    for key, value in varied or [("", None)]:
        args = {**first, key: value} if key else first
        try:
            task: Task = function(**args)
        except HoloscopeError:  # this choice goes with another argument only
            continue
        yield f"{name}:{key}={value}" if key else name, task.scenario


def _choices(name: str, function: "TaskFunction", things: Registry) -> dict[str, list[Json]]:
    """The values to try for each argument that must be given."""
    hints = get_type_hints(function)
    needed = (key for key, parameter in things.task_arguments(name).items() if parameter.default is parameter.empty)
    return {key: _values(key, hints.get(key)) for key in needed}


def _values(key: str, hint: object) -> list[Json]:
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [_SPECIMENS.get(hint, key.upper())]
