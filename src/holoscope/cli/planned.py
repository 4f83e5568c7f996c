"""What `--dry-run` prints: what would be sent, what it may cost, and what can't be run and why.

A run has a line. Where more than a few share a scenario they share the line, and what fails alike is said once for
each scenario: a track of hundreds of runs is read on a screen, and `--json` has every run in full.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from holoscope.cli.columns import print_columns
from holoscope.cli.session import console
from holoscope.core import counted
from holoscope.entries import MissingScenario
from holoscope.pipeline import DryRun, together

if TYPE_CHECKING:
    from rich.console import Console

_FEW = 3
"""Up to so many runs of a scenario have lines of their own."""
_WHY = {
    "unreached": "the host of its rows could not be reached; your own copy is looked for first (--data-dir DIR)",
    "refused": "the host of its rows does not give them; your own copy is looked for first (--data-dir DIR)",
    "own copy": "its rows are given to nobody from here; only your own copy is read (--data-dir DIR)",
    "no address": "its rows have no address; only your own copy is read (--data-dir DIR)",
    "offline": "its rows are not on this machine, and it is set to stay offline",
    "not supported": "not supported",
    "failed": "it could not be planned",
}
"""Kind of hindrance -> the words above those that share it."""


def print_plan(runs: Sequence[DryRun], missing: Sequence[MissingScenario], *, as_json: bool) -> int:
    """Print what each run would send, and the totals; 1 if anything can't be run."""
    refused = [run for run in runs if run.reason]
    if as_json:
        total = together("total", runs)
        print(msgspec.json.encode({"runs": runs, "missing": missing, "total": total}).decode())  # noqa: T201
        return 1 if refused or missing else 0
    to = console()
    for line in _lines(runs):
        to.print(line, soft_wrap=True)
    if refused or missing:
        to.print("")
        _print_refused(refused, missing, to)
        to.print("")
    to.print(_total(runs, missing), soft_wrap=True)
    return 1 if refused or missing else 0


def _lines(runs: Sequence[DryRun]) -> Iterator[str]:
    models = {run.model for run in runs}
    for (scenario, model), same in _by_scenario(runs).items():
        able = [run for run in same if not run.reason]
        if len(same) <= _FEW:
            yield from map(str, able)
        elif able:
            of = "" if len(able) == len(same) else f"{len(able)} of "
            asked = f" of {model}" if len(models) > 1 else ""
            yield f"{scenario}: {of}{len(same)} runs{asked}, {together(scenario, able).counts}"


def _by_scenario(runs: Iterable[DryRun]) -> dict[tuple[str, str], list[DryRun]]:
    found: dict[tuple[str, str], list[DryRun]] = defaultdict(list)
    for run in runs:
        found[run.scenario, run.model].append(run)
    return found


def _print_refused(refused: Sequence[DryRun], missing: Sequence[MissingScenario], to: "Console") -> None:
    by_kind: dict[str, list[DryRun]] = defaultdict(list)
    for run in refused:
        by_kind[run.hindrance].append(run)
    for kind, why in _WHY.items():
        if same := by_kind.get(kind):
            to.print(f"Cannot run, {counted(len(same), 'run')}: {why}", soft_wrap=True)
            print_columns(list(_causes(same)), to, indent="  ")
    by_reason: dict[str, list[MissingScenario]] = defaultdict(list)
    for each in missing:
        by_reason[each.reason].append(each)
    for reason, absent in by_reason.items():
        to.print(f"Missing, {counted(len(absent), 'scenario')}: {reason}", soft_wrap=True)
        print_columns([(each.name, each.title) for each in absent], to, indent="  ")


def _causes(refused: Iterable[DryRun]) -> Iterator[tuple[str, str, str]]:
    """Scenario, number of runs, and why, once for each that differs."""
    alike: dict[tuple[str, str], list[DryRun]] = defaultdict(list)
    for run in refused:
        alike[run.scenario, run.cause].append(run)
    for (scenario, cause), same in alike.items():
        file = f" ({same[0].lacks}{', ...' if len({run.lacks for run in same}) > 1 else ''})" if same[0].lacks else ""
        yield scenario, counted(len(same), "run"), f"{cause}{file}"


def _total(runs: Sequence[DryRun], missing: Sequence[MissingScenario]) -> str:
    total = together("total", runs)
    able = sum(not run.reason for run in runs)
    of = "" if able == len(runs) else f"{able:,} of "
    about = "" if total.tokens_are_exact else "about "
    lacking = f"; {counted(len(runs) - able, 'run')} cannot be run" if able < len(runs) else ""
    absent = f"; {counted(len(missing), 'scenario')} missing" if missing else ""
    return (
        f"{counted(total.requests, 'request')} in {of}{counted(len(runs), 'run')}, "
        f"{about}{total.prompt_tokens:,} prompt tokens and {total.least_completion_tokens:,} to "
        f"{total.most_completion_tokens:,} of answers, {total.cost}{lacking}{absent}; nothing was sent"
    )
