"""What of a track can be asked of a model, and what can't and why.

It rests on run specs and on what is known of the model alone: no row is read, so all tracks take a second.
"""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from holoscope.core import Registry, RunSpec, counted
from holoscope.entries import Track, resolve
from holoscope.models import ModelCard
from holoscope.pipeline import Shortfall, shortfalls

_NAMED = 4
"""Scenarios that are named beside a reason."""


class Lack(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is lacking."""

    reason: str
    effect: str
    runs: int
    scenarios: tuple[str, ...]
    is_whole: bool
    """True if nothing of these runs can be asked."""


class Allowed(msgspec.Struct, frozen=True, kw_only=True):
    """A track or entry, as far as a model can be asked it."""

    entry: str
    runs: int
    able: int
    """Runs that can be asked."""
    lacks: tuple[Lack, ...] = ()


def allowed(entries: Sequence[str], things: Registry, tracks: dict[str, Track], card: ModelCard) -> list[Allowed]:
    """What of each entry the model can be asked."""
    return [_allowed(entry, resolve(entry, things, models=[card.name], tracks=tracks).specs, card) for entry in entries]


def _allowed(entry: str, specs: Sequence[RunSpec], card: ModelCard) -> Allowed:
    found: dict[Shortfall, list[RunSpec]] = defaultdict(list)
    for spec in specs:
        for lack in shortfalls(spec, card):
            found[lack].append(spec)
    lost = sum(len(same) for lack, same in found.items() if lack.is_whole)
    lacks = tuple(_lack(lack, same) for lack, same in found.items())
    return Allowed(entry=entry, runs=len(specs), able=len(specs) - lost, lacks=lacks)


def _lack(lack: Shortfall, specs: Sequence[RunSpec]) -> Lack:
    names = tuple(dict.fromkeys(spec.scenario.name for spec in specs))
    return Lack(
        reason=lack.reason, effect=lack.effect_on(len(specs)), runs=len(specs), scenarios=names, is_whole=lack.is_whole
    )


def rows_of(found: Sequence[Allowed], *, in_full: bool) -> list[tuple[str, str, str]]:
    """Entry, runs, and what is lacking; `in_full` names the scenarios."""
    return [(each.entry, _runs(each), "; ".join(_words(lack, each, in_full) for lack in each.lacks)) for each in found]


def _runs(each: Allowed) -> str:
    return f"{each.able:,} of {counted(each.runs, 'run')}"


def _words(lack: Lack, of: Allowed, in_full: bool) -> str:
    more = ", ..." if len(lack.scenarios) > _NAMED else ""
    named = f" ({', '.join(lack.scenarios[:_NAMED])}{more})" if in_full and lack.runs < of.runs else ""
    return f"{lack.runs:,}{named} {lack.effect}: {lack.reason}"
