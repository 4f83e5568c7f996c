"""Whether the rows of a suite can be had, asked before anything is paid for.

Every address is asked once, all together and within a fixed time, so that a track of hundreds of runs is checked in
seconds and a machine without a network is told so at once.
"""

from collections.abc import Sequence

import msgspec

from holoscope.core import Registry, RunSpec, ScenarioSpec, Settings, canonical, counted
from holoscope.scenarios import find_refused, lack, open_files


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """One scenario with its arguments, as the check found it."""

    what: str
    """The first run that needs it."""
    scenario: str
    runs: int
    found: str
    """Where its rows are or come from; empty where they can't be had."""
    problem: str = ""
    """Why they can't be had, in full."""
    cause: str = ""
    """Why, in a few words."""
    licence: str = ""


def check_sources(specs: Sequence[RunSpec], things: Registry, machine: Settings) -> list[Checked]:
    """Every scenario of the runs, in their order."""
    needed: dict[bytes, list[RunSpec]] = {}
    for spec in specs:
        needed.setdefault(canonical(spec.scenario), []).append(spec)
    firsts = [same[0].scenario for same in needed.values()]
    urls = [url for spec in firsts for url in _to_ask(spec, things, machine)]
    refused = find_refused(urls, machine)
    return [_checked(same, things, machine, refused) for same in needed.values()]


def _to_ask(spec: ScenarioSpec, things: Registry, machine: Settings) -> list[str]:
    card = things.scenarios.get(spec.name)
    return [] if card.unavailable else open_files(card, spec.args, machine).to_ask()


def _checked(same: Sequence[RunSpec], things: Registry, machine: Settings, refused: dict[str, str]) -> Checked:
    spec = same[0].scenario
    card = things.scenarios.get(spec.name)
    missing = lack(card, spec.args, machine, refused)
    return Checked(
        what=same[0].name,
        scenario=spec.name,
        runs=len(same),
        found="" if missing else open_files(card, spec.args, machine).whereabouts(),
        problem=missing.message if missing else "",
        cause=missing.cause if missing else "",
        licence=card.licence,
    )


def summarised(found: Sequence[Checked]) -> list[tuple[str, str, str]]:
    """Scenario, runs, and what was found: a line for all that are alike; problems come last."""
    alike: dict[tuple[str, str, str], int] = {}
    for each in sorted(found, key=lambda each: bool(each.problem)):
        key = each.scenario, each.found, each.cause
        alike[key] = alike.get(key, 0) + each.runs
    return [
        (scenario, counted(runs, "run"), place or f"can't be had: {cause}")
        for (scenario, place, cause), runs in alike.items()
    ]
