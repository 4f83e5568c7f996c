"""HELM's statistics from the golden completions: every number, to 1e-9."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holoscope.metrics.helm import FUNCTIONS, statistics
from metrics.golden_runs import FAMILIES, GoldenRun, golden_files, golden_runs
from paths import needs_golden

pytestmark = needs_golden

BASIC = {
    *("BasicGenerationMetric", "BasicReferenceMetric", "InstancesPerSplitMetric", "LanguageModelingMetric"),
    *FAMILIES,
}
FIELDS = ("count", "sum", "sum_squared", "min", "max", "mean", "variance", "stddev")


def all_runs() -> list[Any]:
    return [
        pytest.param(path, index, id=f"{path.name.split('.')[0]}-{index}")
        for path in golden_files()
        for index in range(len(golden_runs(path)))
    ]


def key(stat: dict[str, Any]) -> str:
    return json.dumps(stat["name"], sort_keys=True)


def ours_alone(run: GoldenRun, stats: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Golden statistics without those of metric classes that have no counterpart here."""
    known = {key(stat) for stat in statistics(run.spec, run.trials)[0]}
    return [stat for stat in stats if key(stat) in known]


def agree(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert ours.keys() == theirs.keys(), key(theirs)
    for field in FIELDS:
        if field in theirs:
            assert ours[field] == pytest.approx(theirs[field], rel=1e-9, abs=1e-9), (key(theirs), field)


def is_basic(run: GoldenRun) -> bool:
    return set(run.metric_classes) <= BASIC and all(
        m.name in FUNCTIONS or m.name in FAMILIES.values() for m in run.spec.metrics
    )


@pytest.mark.parametrize(("path", "index"), all_runs())
def test_statistics_equal_helms(path: Path, index: int) -> None:
    run = golden_runs(path)[index]
    ours, _ = statistics(run.spec, run.trials)
    theirs = run.stats if is_basic(run) else ours_alone(run, run.stats)
    assert [key(s) for s in ours] == [key(s) for s in theirs]
    for mine, golden in zip(ours, theirs, strict=True):
        agree(mine, golden)


@pytest.mark.parametrize(("path", "index"), all_runs())
def test_per_instance_statistics_equal_helms(path: Path, index: int) -> None:
    run = golden_runs(path)[index]
    ours: list[dict[str, Any]] = statistics(run.spec, run.trials)[1]
    basic = [r for r in run.per_instance_stats if any(s["name"]["name"] == "num_references" for s in r["stats"])]
    theirs = run.per_instance_stats if is_basic(run) else basic
    assert [_row(r) for r in ours] == [_row(r) for r in theirs]
    for mine, golden in zip(ours, theirs, strict=True):
        names = {key(s) for s in mine["stats"]}
        kept = golden["stats"] if is_basic(run) else [s for s in golden["stats"] if key(s) in names]
        assert Counter(map(key, mine["stats"])) == Counter(map(key, kept))
        for one, other in zip(mine["stats"], kept, strict=True):
            agree(one, other)


def test_most_golden_runs_need_nothing_else() -> None:
    runs = [run for path in golden_files() for run in golden_runs(path)]
    assert sum(map(is_basic, runs)) > 25


def _row(row: dict[str, Any]) -> tuple[str, str, int]:
    return row["instance_id"], json.dumps(row.get("perturbation"), sort_keys=True), row["train_trial_index"]
