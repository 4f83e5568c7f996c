from pathlib import Path

import pytest

from holoscope.core import MetricSpec, Registry, StoreError, Trial, group_trials
from holoscope.metrics import TIMED_METRICS, applicable, measure, register, score
from holoscope.report import cells_json, grid
from holoscope.report.measures import measures_of
from holoscope.store import (
    REQUESTS,
    SCORES,
    STATISTICS,
    RequestsWriter,
    ScoresWriter,
    StoredRun,
    open_run,
    run_folder,
    write_manifest,
    write_measures,
)
from store.made import exchange, manifest, spec


@pytest.fixture
def registry() -> Registry:
    made = Registry()
    register(made)
    return made


@pytest.fixture
def stored(tmp_path: Path, registry: Registry) -> StoredRun:
    """A run of three instances, written as the pipeline writes one."""
    run = spec("gsm:model=x", metrics=(MetricSpec("exact_match"), MetricSpec("f1_score")))
    exchanges = [exchange(f"id{i}", f"{i}?", answer) for i, answer in enumerate(("yes", "no", "perhaps"))]
    trials = list(group_trials(exchanges))
    specs = applicable(run)
    scores = score(specs, trials, registry)
    folder = run_folder(tmp_path, "mine", run.name)
    with RequestsWriter(folder / REQUESTS) as requests:
        requests.write(exchanges)
    with ScoresWriter(folder / SCORES, leave_out=TIMED_METRICS) as writer:
        for trial, own in zip(trials, scores, strict=True):
            writer.write_trial(trial, own)
    write_measures(folder, measure(specs, trials, scores, registry))
    write_manifest(folder, manifest(run=run))
    return open_run(folder)


def test_measures_made_again_from_the_scores_are_those_that_were_kept(stored: StoredRun, registry: Registry) -> None:
    kept = list(measures_of(stored, registry))
    (stored.path / STATISTICS).unlink()
    assert list(measures_of(stored, registry)) == kept


def test_the_grid_is_the_same_with_and_without_the_cache(stored: StoredRun, registry: Registry) -> None:
    with_cache = cells_json(grid([stored], registry))
    (stored.path / STATISTICS).write_bytes(b"{damaged")
    assert cells_json(grid([stored], registry)) == with_cache


def test_a_stored_score_is_not_made_again(stored: StoredRun, registry: Registry) -> None:
    """Whoever changes a score (a judge, a person) finds it in the grid."""
    trials: list[Trial] = list(group_trials(stored.exchanges()))
    with ScoresWriter(stored.path / SCORES) as writer:
        for trial in trials:
            own = [row.score for row in stored.scores() if row.instance_id == trial.instance.id]
            flipped = [s if s.metric != "exact_match" else type(s)("exact_match", 1.0) for s in own]
            writer.write_trial(trial, flipped)
    found = [m for m in measures_of(stored, registry) if m.metric == "exact_match" and m.axis == "accuracy"]
    assert [m.value for m in found] == [1.0]


def test_scores_of_another_run_are_refused(stored: StoredRun, registry: Registry) -> None:
    with RequestsWriter(stored.path / REQUESTS) as requests:
        requests.write([exchange("id99", "?", "yes")])
    (stored.path / STATISTICS).unlink()
    with pytest.raises(StoreError, match="not of the same run"):
        measures_of(stored, registry)
