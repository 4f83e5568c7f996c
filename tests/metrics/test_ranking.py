"""Ranking: HELM's formula on its golden runs, and what is ours alone."""

import gzip
import json
import math
from typing import Any

import pytest
from msgspec.structs import replace

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    MetricSpec,
    Outcome,
    Params,
    PlannedRequest,
    Reference,
    Request,
    Trial,
)
from holoscope.metrics import expanded
from holoscope.metrics.helm import statistics
from holoscope.metrics.ranking import measured
from metrics.golden_runs import golden_runs
from metrics.made import one, registry
from paths import GOLDEN, needs_golden

TRACKS = ("msmarco_track_regular_valid_topk_20", "msmarco_track_trec_valid_topk_20_model_golden_short")


def asked(*answers: tuple[str, float | None], relevance: tuple[int, ...]) -> Trial:
    tags = [(f"relevance={value}",) if value else () for value in relevance]
    of = Instance(id="id0", input="?", references=tuple(Reference(str(i), t) for i, t in enumerate(tags)))
    exchanges = [
        Exchange(
            PlannedRequest(instance=of, request=Request(Params(), prompt="?"), reference_index=i),
            Completion(Outcome.OK, (Choice(text, logprob),)),
        )
        for i, (text, logprob) in enumerate(answers)
    ]
    return Trial(of, tuple(exchanges))


def key(stat: dict[str, Any]) -> str:
    return json.dumps(stat["name"], sort_keys=True)


@needs_golden
@pytest.mark.parametrize("track", TRACKS)
def test_statistics_equal_helms(track: str) -> None:
    path = GOLDEN / f"{track}.json.gz"
    golden = json.loads(gzip.decompress(path.read_bytes()))["runs"][0]
    args = next(m["args"] for m in golden["run_spec"]["metric_specs"] if m["class_name"].endswith("RankingMetric"))
    run = golden_runs(path)[0]
    whole, rows = statistics(replace(run.spec, metrics=(MetricSpec("ranking", args),)), run.trials)
    found: dict[str, dict[str, Any]] = {key(stat): stat for stat in whole}
    assert found.keys() == {key(stat) for stat in run.stats}
    for stat in run.stats:
        assert found[key(stat)]["sum"] == pytest.approx(stat["sum"], rel=1e-9, abs=1e-9), key(stat)
    assert len(rows) == len(run.per_instance_stats)


@needs_golden
def test_ours_equals_helms_where_nothing_ties() -> None:
    run = golden_runs(GOLDEN / f"{TRACKS[1]}.json.gz")[0]
    values = {
        (row["instance_id"], stat["name"]["name"]): stat["mean"]
        for row in run.per_instance_stats
        for stat in row["stats"]
        if "mean" in stat
    }
    for trial in run.trials:
        for name in ("NDCG@10", "RR@10", "Recall@5", "Success@3"):
            found = one(name, trial, multiple_relevance_values=True)
            assert found.value == pytest.approx(values[trial.instance.id, name]), name


def test_yes_comes_first_and_no_last_by_certainty() -> None:
    trial = asked(("No", -0.1), ("Yes", -0.9), ("Yes", -0.2), ("No", -2.0), relevance=(0, 0, 1, 0))
    assert one("RR", trial).value == 1
    assert one("RR", asked(("No", -0.1), ("No", -2.0), ("Yes", -1.0), relevance=(1, 0, 0))).value == pytest.approx(
        1 / 3
    )


def test_punctuation_around_the_answer_is_ignored() -> None:
    assert one("Success@1", asked(("no", -0.1), (" Yes.", -0.9), relevance=(0, 1))).value == 1


def test_without_log_probabilities_there_is_no_order() -> None:
    found = one("NDCG@5", asked(("Yes", None), ("No", None), relevance=(1, 0)))
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)


def test_equal_passages_are_not_in_the_files_order() -> None:
    firsts = set()
    for index in range(20):
        trial = asked(("Yes", -0.5), ("Yes", -0.5), relevance=(1, 0))
        firsts.add(one("Success@1", replace(trial, instance=replace(trial.instance, id=f"id{index}"))).value)
    assert firsts == {0, 1}


def test_gain_is_the_relevance() -> None:
    value = measured("NDCG", [1, 3, 0], [1, 3, 0], None)
    assert value == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_no_relevant_passage_scores_nothing() -> None:
    assert [measured(m, [0, 0], [0, 0], 2) for m in ("NDCG", "RR", "Recall", "Success")] == [0, 0, 0, 0]


def test_a_ranking_is_its_measures() -> None:
    args = {"measure_names": ["ndcg_cut.10", "recip_rank.5", "success.1"], "correct_output": "Yes", "rank": 20}
    found = expanded([MetricSpec("ranking", args)])  # type: ignore[arg-type]
    assert [m.name for m in found] == ["NDCG@10", "RR@5", "Success@1"]
    assert all(m.args == {"correct_output": "Yes"} for m in found)
    assert {"NDCG", "RR", "Success", "Recall"} <= set(registry().metrics)
