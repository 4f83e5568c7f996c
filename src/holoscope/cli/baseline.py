"""`run --baseline RUN --max-regression V`: is what was just run surely worse than before?

Each run is compared with the baseline's run of the same scenario, on the instances that both answered. A regression is
judged by its 95 % interval, not by the estimate: the threshold is missed where the whole interval is worse than V, so
that chance alone rarely stops a release, and `--max-regression 0` means "surely worse". A baseline score that has no
counterpart now counts as missed, because unknown is not good.
"""

from collections.abc import Sequence
from typing import NamedTuple

from holoscope.cli.references import Suites
from holoscope.cli.session import console
from holoscope.core import Registry, RunSpec, UsageError
from holoscope.pipeline.record import Place
from holoscope.report.comparison import RunPair, compare
from holoscope.report.comparison_lines import signed
from holoscope.report.differences import Difference
from holoscope.report.headline import ACCURACY
from holoscope.report.printable import interval, number
from holoscope.store import MANIFEST, StoredRun, open_run


class Baseline(NamedTuple):
    """The runs of one model, and the earlier ones that they are held against."""

    name: str
    specs: tuple[RunSpec, ...]
    runs: tuple[StoredRun, ...]


def find_baselines(name: str, specs: Sequence[RunSpec], place: Place) -> list[Baseline]:
    """What `--baseline` names, for each model of this command; UsageError before anything is paid for if nothing fits.

    A suite of several models is asked for the same model's runs.
    """
    found = Suites(place.out).find_any(name, place.suite)
    replaced = {place.folder(spec) for spec in specs} & {run.path for run in found.runs}
    if replaced:
        raise UsageError(f"--baseline {name} is replaced by this command; keep what is run now apart: --suite NAME")
    made = []
    for model in dict.fromkeys(map(_model, specs)):
        same = tuple(run for run in found.runs if _model(run.manifest.spec) == model) or found.runs
        if len({_model(run.manifest.spec) for run in same}) > 1:
            raise UsageError(f"--baseline {name} holds several models and none is {model}; name one: {name}/MODEL")
        own = tuple(spec for spec in specs if _model(spec) == model)
        scenarios = [run.manifest.spec.scenario for run in same]
        if not any(spec.scenario in scenarios for spec in own):
            raise UsageError(f"--baseline {name} has none of the scenarios of this command")
        made.append(Baseline(found.name, own, same))
    return made


def is_worse(baseline: Baseline, place: Place, registry: Registry, most: float | None) -> bool:
    """Say how each run differs from the baseline; True if any is worse by more than `most`."""
    folders = [folder for spec in baseline.specs if ((folder := place.folder(spec)) / MANIFEST).exists()]
    made = compare([*map(open_run, folders)], baseline.runs, registry, names=("this", baseline.name))
    errors = console(stderr=True)
    missed = False
    for pair in made.pairs:
        for difference in (d for d in pair.differences if d.axis == ACCURACY):
            verdict = _verdict(difference, most)
            errors.print(f"baseline: {_words(pair, difference)}{verdict}", soft_wrap=True)
            missed = missed or bool(verdict)
        for warning in pair.warnings:
            errors.print(f"note: {pair.label}: {warning}", soft_wrap=True)
    for name in made.only_a:
        errors.print(f"note: {name} is not in the baseline", soft_wrap=True)
    return missed


def _model(spec: RunSpec) -> str:
    return spec.adapter.model_deployment or spec.adapter.model


def _verdict(d: Difference, most: float | None) -> str:
    """Why the threshold is missed; empty if it is not, or none was set."""
    if most is None:
        return ""
    if d.value is None:
        return "; missed, for it had a score before" if d.b is not None else ""
    worse, surely = (d.value, d.low) if d.lower_is_better else (-d.value, None if d.high is None else -d.high)
    return f"; worse by more than {most:g}" if (worse if surely is None else surely) > most else ""


def _words(pair: RunPair, d: Difference) -> str:
    if d.value is None:
        return f"{pair.label}: {d.metric or d.axis} is not compared: {d.reason}"
    change = f"{signed(d.value)} {interval(d.low, d.high)}".strip()
    shared = f", n {d.n:,}" if d.n is not None else ""
    return f"{pair.label}: {d.metric} {number(d.b)} before, {number(d.a)} now: {change}{shared}"
