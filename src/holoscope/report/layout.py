"""A layout laid over stored runs: what a track or a schema file says of titles, main metrics, splits and order.

It changes how runs are shown and no number of theirs. A main metric that a run doesn't have makes an empty cell:
another one in its place would pass for it unseen.
"""

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from holoscope.core import Display
from holoscope.store import Manifest, StoredRun


def laid_out(runs: Iterable[StoredRun], display: Display) -> list[StoredRun]:
    """The runs by suite, model, place in the layout and name, each with the main metric and split of its group."""
    return [
        StoredRun(run.path, _shown(run.manifest, display)) for run in sorted(runs, key=partial(_order, display=display))
    ]


def title(manifest: Manifest, display: Display) -> str:
    """What the layout calls a run's group; empty if the run is in none."""
    group = display.group_of(manifest.spec)
    return group.title if group else ""


def directions(known: frozenset[str], display: Display) -> frozenset[str]:
    """The metrics whose direction is down, where the layout says so as well as where it is known."""
    said = {metric.name: metric.lower_is_better for metric in display.metrics if metric.lower_is_better is not None}
    return (known - said.keys()) | {name for name, is_lower in said.items() if is_lower}


def _order(run: StoredRun, display: Display) -> tuple[str, str, int, str]:
    manifest = run.manifest
    return manifest.suite, manifest.model.name, display.position(manifest.spec), run.name


def _shown(manifest: Manifest, display: Display) -> Manifest:
    group = display.group_of(manifest.spec)
    if group is None:
        return manifest
    card = manifest.scenario
    metric, split = group.main_metric or card.main_metric, group.main_split or card.main_split
    if (metric, split) == (card.main_metric, card.main_split):
        return manifest
    chance = card.chance if metric == card.main_metric else None
    return replace(manifest, scenario=replace(card, main_metric=metric, main_split=split, chance=chance))
