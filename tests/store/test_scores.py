from pathlib import Path

from holoscope.core import Instance, Outcome, PerturbationDescription, Score, Trial
from holoscope.store import ScoresWriter, read_scores, score_row

TRIAL = Trial(Instance(id="id1", input="q", sub_split="de", cluster="p7"), (), train_trial_index=1, index=2)
SCORES = [
    Score("exact_match", 1.0, rule="last_number", span=(3, 5), answer="42", version="2"),
    Score("judge", None, Outcome.JUDGE_FAILED, "no answer from the judge"),
    Score("seconds", 0.5),
]


def test_what_is_read_equals_what_was_written(tmp_path: Path) -> None:
    with ScoresWriter(tmp_path / "scores.parquet") as writer:
        writer.write_trial(TRIAL, SCORES)
    assert list(read_scores(tmp_path / "scores.parquet")) == [score_row(TRIAL, score) for score in SCORES]


def test_perturbations_of_one_name_stay_apart(tmp_path: Path) -> None:
    by_seed = [
        Trial(Instance(id="id1", input="q", perturbation=PerturbationDescription("typos", seed=seed)), ())
        for seed in (None, 1)
    ]
    with ScoresWriter(tmp_path / "scores.parquet") as writer:
        for trial in by_seed:
            writer.write_trial(trial, SCORES[:1])
    read = [row.perturbation for row in read_scores(tmp_path / "scores.parquet")]
    assert read == [trial.instance.perturbation for trial in by_seed]


def test_metrics_made_of_times_are_left_out(tmp_path: Path) -> None:
    with ScoresWriter(tmp_path / "scores.parquet", leave_out=["seconds"]) as writer:
        writer.write_trial(TRIAL, SCORES)
    assert {row.score.metric for row in read_scores(tmp_path / "scores.parquet")} == {"exact_match", "judge"}


def test_equal_scores_make_equal_bytes_however_they_arrive(tmp_path: Path) -> None:
    rows = [score_row(TRIAL, Score("exact_match", float(i % 2), answer=str(i))) for i in range(3_000)]
    with ScoresWriter(tmp_path / "one.parquet") as one:
        one.write(rows)
    with ScoresWriter(tmp_path / "two.parquet") as two:
        for row in rows:
            two.write([row])
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
