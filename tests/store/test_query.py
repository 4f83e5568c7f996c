from collections.abc import Sequence
from pathlib import Path

import pytest

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    Outcome,
    Params,
    PerturbationDescription,
    PlannedRequest,
    Reference,
    Request,
    Score,
    StoreError,
    UsageError,
    group_trials,
)
from holoscope.store import (
    REQUESTS,
    SCORES,
    InstanceFilter,
    Instances,
    PairFilter,
    RequestsWriter,
    ScenarioSummary,
    ScoresWriter,
    StoredRun,
    open_run,
    read_exchanges,
    read_scores,
    run_folder,
    write_manifest,
)
from store.made import manifest, spec

MIX = PerturbationDescription("mild_mix", robustness=True)


def asked(
    number: int,
    answer: str = "yes",
    *,
    perturbation: PerturbationDescription | None = None,
    outcome: Outcome = Outcome.OK,
    reference: int | None = None,
    thinking: str | None = None,
) -> Exchange:
    instance = Instance(id=f"id{number}", input=f"Question {number}?", perturbation=perturbation)
    choices = (Choice(answer, thinking=thinking),) if outcome.has_text else ()
    reason = "" if outcome is Outcome.OK else "cut"
    return Exchange(
        PlannedRequest(instance=instance, request=Request(Params(), prompt=f"Q{number}"), reference_index=reference),
        Completion(outcome, choices, reason),
    )


def scored(exchange: Exchange) -> list[Score]:
    if not exchange.completion.outcome.has_text:
        return [Score("exact_match", None, exchange.completion.outcome, "cut"), Score("size", None, Outcome.OK)]
    text = exchange.completion.text
    return [Score("exact_match", float(text == "yes"), answer=text), Score("size", len(text) / 10)]


def stored(
    out: Path,
    name: str,
    exchanges: Sequence[Exchange],
    scores: Sequence[Sequence[Score]] | None = None,
    main: str = "exact_match",
) -> StoredRun:
    run = spec(name)
    folder = run_folder(out, "mine", run.name)
    with RequestsWriter(folder / REQUESTS) as requests:
        requests.write(exchanges)
    trials = list(group_trials(exchanges))
    with ScoresWriter(folder / SCORES) as writer:
        for trial, own in zip(trials, scores or [scored(t.exchanges[0]) for t in trials], strict=True):
            writer.write_trial(trial, own)
    write_manifest(folder, manifest(run=run, scenario=ScenarioSummary(name="mmlu", main_metric=main)))
    return open_run(folder)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("query")


@pytest.fixture(scope="module")
def runs(out: Path) -> list[StoredRun]:
    first = [
        asked(0, "yes"),
        asked(0, "no, never", perturbation=MIX),
        asked(1, "a longer word", thinking="Hmm, YES?"),
        asked(2, "yes", outcome=Outcome.TRUNCATED),
        asked(3, outcome=Outcome.CONTENT_FILTER),
    ]
    return [stored(out, "first", first), stored(out, "second", [asked(0, "no"), asked(2, "yes"), asked(7, "yes")])]


@pytest.fixture(scope="module")
def finder(out: Path) -> Instances:
    return Instances(out)


def found(finder: Instances, runs: Sequence[StoredRun], **wanted: object) -> list[tuple[int, str, str | None]]:
    page = finder.page(runs, InstanceFilter(**wanted))  # type: ignore[arg-type]
    assert page.total == len(page.rows)
    return [(row.run, row.instance_id, row.perturbation) for row in page.rows]


def test_a_list_has_every_trial_in_plan_order(finder: Instances, runs: list[StoredRun]) -> None:
    first = [(0, "id0", None), (0, "id0", "mild_mix"), (0, "id1", None), (0, "id2", None), (0, "id3", None)]
    assert found(finder, runs) == [*first, (1, "id0", None), (1, "id2", None), (1, "id7", None)]


def test_a_row_has_its_score_and_the_beginning_of_its_texts(finder: Instances, runs: list[StoredRun]) -> None:
    row = finder.page(runs, InstanceFilter(), offset=2, limit=1, width=8).rows[0]
    assert (row.input, row.completion, row.metric, row.value, row.answer) == (
        *("Question", "a longer", "exact_match", 0.0),
        "a longer word",
    )


def test_a_row_without_a_text_says_why(finder: Instances, runs: list[StoredRun]) -> None:
    row = finder.page(runs, InstanceFilter(outcome="content_filter")).rows[0]
    assert (row.instance_id, row.completion, row.value, row.outcome, row.reason) == (
        *("id3", "", None, Outcome.CONTENT_FILTER),
        "cut",
    )


def test_a_cut_answer_that_was_graded_shows_both(finder: Instances, runs: list[StoredRun]) -> None:
    (row,) = finder.page(runs, InstanceFilter(outcome="truncated")).rows
    assert (row.value, row.outcome) == (1.0, Outcome.TRUNCATED)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ({"score": "right"}, ["id0", "id2", "id2", "id7"]),
        ({"score": "wrong"}, ["id0", "id1", "id0"]),
        ({"score": "none"}, ["id3"]),
        ({"metric": "size", "low": 0.5}, ["id0", "id1"]),
        ({"metric": "size", "low": 0.3, "high": 0.3}, ["id0", "id2", "id2", "id7"]),
        ({"metric": "size", "score": "between"}, ["id0", "id0", "id2", "id0", "id2", "id7"]),
        ({"metric": "unknown"}, []),
        ({"outcome": "ok"}, ["id0", "id0", "id1", "id0", "id2", "id7"]),
        ({"outcome": "refused"}, []),
        ({"perturbation": "mild_mix"}, ["id0"]),
        ({"perturbation": "", "score": "wrong"}, ["id1", "id0"]),
        ({"split": "test", "score": "none"}, ["id3"]),
        ({"split": "valid"}, []),
        ({"text": "NEVER"}, ["id0"]),
        ({"text": "hmm, yes"}, ["id1"]),
        ({"text": "question 2"}, ["id2", "id2"]),
        ({"text": "id7"}, ["id7"]),
        ({"text": "%"}, []),
        ({"text": "^no.*r$", "is_regex": True}, ["id0"]),
        ({"text": "n[eo]", "is_regex": True, "score": "wrong"}, ["id0", "id0"]),
        ({"text": "yes", "outcome": "truncated"}, ["id2"]),
        ({"sort": "-value", "metric": "size"}, ["id1", "id0", "id0", "id2", "id2", "id7", "id0", "id3"]),
        ({"sort": "value", "metric": "size"}, ["id0", "id0", "id2", "id2", "id7", "id0", "id1", "id3"]),
    ],
)
def test_a_filter_leaves_what_passes_it(
    finder: Instances, runs: list[StoredRun], wanted: dict[str, object], ids: list[str]
) -> None:
    assert [identity for _, identity, _ in found(finder, runs, **wanted)] == ids


def test_pages_make_up_the_list(finder: Instances, runs: list[StoredRun]) -> None:
    for sort in ("plan", "value", "-value"):
        wanted = InstanceFilter(sort=sort)
        whole = finder.page(runs, wanted).rows
        parts = [finder.page(runs, wanted, offset=offset, limit=3) for offset in range(0, 9, 3)]
        assert [row for part in parts for row in part.rows] == list(whole)
        assert {part.total for part in parts} == {8}


def test_beyond_the_end_there_is_nothing(finder: Instances, runs: list[StoredRun]) -> None:
    page = finder.page(runs, InstanceFilter(), offset=500)
    assert (page.rows, page.total) == ((), 8)


@pytest.mark.parametrize("text", ["' OR 1=1 --", "\\", "\x00", "{}", "?", "'; DROP TABLE found; --", "\ufffd"])
def test_what_is_typed_is_only_searched_for(finder: Instances, runs: list[StoredRun], text: str) -> None:
    assert found(finder, runs, text=text) in ([], [row for row in found(finder, runs) if "?" in text])
    assert found(finder, runs, metric=text) == []
    assert found(finder, runs, perturbation=text) == []


@pytest.mark.parametrize("pattern", ["(", "(a{1000}){1000}", "\\1", "(?=x)", "[z-a]"])
def test_a_pattern_that_cannot_be_read_is_one_line(finder: Instances, runs: list[StoredRun], pattern: str) -> None:
    with pytest.raises(UsageError, match="cannot read the pattern") as error:
        finder.page(runs, InstanceFilter(text=pattern, is_regex=True))
    assert "\n" not in str(error.value)


def test_a_pattern_that_would_blow_up_elsewhere_is_answered(out: Path, finder: Instances) -> None:
    run = stored(out, "long", [asked(0, "a" * 50_000 + "!")])
    assert finder.page([run], InstanceFilter(text="^(a+)+$", is_regex=True)).total == 0


def test_a_search_has_a_length(finder: Instances, runs: list[StoredRun]) -> None:
    with pytest.raises(UsageError, match="at most 1,000 characters"):
        finder.page(runs, InstanceFilter(text="x" * 1_001))


def test_each_run_is_listed_by_its_own_main_metric(out: Path, finder: Instances, runs: list[StoredRun]) -> None:
    other = stored(out, "other", [asked(5, "four")], main="size")
    without = stored(out, "no main", [asked(6, "yes")], main="bits_per_byte")
    page = finder.page([runs[1], other, without], InstanceFilter())
    assert sorted((row.run, row.metric, row.value) for row in page.rows) == [
        *((0, "exact_match", 0.0), (0, "exact_match", 1.0), (0, "exact_match", 1.0)),
        *((1, "size", 0.4), (2, "exact_match", 1.0)),
    ]


def test_a_run_without_scores_of_instances_is_listed_too(out: Path, finder: Instances) -> None:
    exchanges = [asked(0, "so"), asked(1, outcome=Outcome.TRANSPORT_ERROR)]
    run = stored(out, "unscored", exchanges, scores=[[], []])
    page = finder.page([run], InstanceFilter())
    assert [(row.instance_id, row.completion, row.metric, row.outcome) for row in page.rows] == [
        ("id0", "so", "", Outcome.OK),
        ("id1", "", "", Outcome.TRANSPORT_ERROR),
    ]
    assert finder.page([run], InstanceFilter(outcome="transport_error")).total == 1


def test_runs_without_scores_are_listed_in_plan_order(out: Path, finder: Instances) -> None:
    run = stored(out, "unscored", [asked(k) for k in range(500)], scores=[[] for _ in range(500)])
    rows = finder.page([run], InstanceFilter(), offset=100, limit=200).rows
    assert [row.instance_id for row in rows] == [f"id{k}" for k in range(100, 300)]


def test_texts_are_found_where_trials_have_several_requests(out: Path, finder: Instances) -> None:
    even = [asked(k, "", reference=r) for k in range(3) for r in range(2)]
    uneven = [asked(k, f"text {k}") for k in range(4) for _ in range(1 + k % 3)]
    for name, exchanges in (("even", even), ("uneven", uneven)):
        page = finder.page([stored(out, name, exchanges)], InstanceFilter())
        assert [row.input for row in page.rows] == [f"Question {k}?" for k in range(page.total)]


def test_texts_are_found_across_row_groups(out: Path, finder: Instances) -> None:
    exchanges = [asked(k, f"text {k}") for k in range(4_100)]
    page = finder.page([stored(out, "many", exchanges)], InstanceFilter(), offset=1_990, limit=20)
    assert [row.completion for row in page.rows] == [f"text {k}" for k in range(1_990, 2_010)]
    assert page.total == 4_100


def test_an_instance_is_what_was_written(finder: Instances, runs: list[StoredRun]) -> None:
    path = runs[0].path
    exchanges = [e for e in read_exchanges(path / REQUESTS) if e.planned.instance.id == "id0"]
    scores = [row for row in read_scores(path / SCORES) if row.instance_id == "id0"]
    assert finder.exchanges(runs[0], "id0") == exchanges
    assert finder.scores(runs[0], "id0") == scores
    assert finder.exchanges(runs[0], "id99") == []


def test_an_instance_keeps_its_references_and_unknown_numbers(out: Path, finder: Instances) -> None:
    instance = Instance(id="id0", input="q", references=(Reference("a", ("correct",)), Reference("b")))
    planned = PlannedRequest(instance=instance, request=Request(Params(), prompt="p"))
    exchange = Exchange(planned, Completion(Outcome.OK, (Choice("a"),)))
    assert finder.exchanges(stored(out, "references", [exchange]), "id0") == [exchange]


def test_neighbours_follow_the_plan(finder: Instances, runs: list[StoredRun]) -> None:
    around = finder.neighbours(runs[0], "id1")
    assert around is not None
    assert (around.before, around.after, around.position, around.total) == ("id0", "id2", 2, 4)
    assert finder.neighbours(runs[0], "id99") is None


@pytest.mark.parametrize(
    ("kind", "ids"),
    [("", ["id0", "id2"]), ("both", ["id2"]), ("only_a", ["id0"]), ("only_b", []), ("neither", [])],
)
def test_pairs_are_what_two_runs_share(finder: Instances, runs: list[StoredRun], kind: str, ids: list[str]) -> None:
    wanted = PairFilter(metric="exact_match", split="test", kind=kind)  # type: ignore[arg-type]
    pairs, total = finder.pairs(runs[0], runs[1], wanted)
    assert ([pair.instance_id for pair in pairs], total) == (ids, len(ids))


def test_repetitions_of_a_pair_count_as_their_mean(out: Path, finder: Instances, runs: list[StoredRun]) -> None:
    again = [asked(2, "yes"), asked(2, "no")]
    for trial, exchange in enumerate(again):
        planned = exchange.planned
        again[trial] = Exchange(
            PlannedRequest(instance=planned.instance, request=planned.request, trial=trial), exchange.completion
        )
    repeated = stored(out, "repeated", again)
    (pair,), _ = finder.pairs(repeated, runs[1], PairFilter(metric="exact_match", split="test"))
    assert (pair.value_a, pair.value_b) == (0.5, 1.0)


def test_a_damaged_run_is_left_out_with_a_line(tmp_path: Path) -> None:
    good, bad = stored(tmp_path, "good", [asked(0)]), stored(tmp_path, "bad", [asked(0)])
    for name in (SCORES, REQUESTS):
        path = bad.path / name
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
        page = Instances(tmp_path).page([bad, good], InstanceFilter(text="yes"))
        assert [row.run for row in page.rows] == [1]
        assert len(page.warnings) == 1
        assert str(path) in page.warnings[0]
        path.write_bytes(content)


def test_a_damaged_run_alone_is_an_error_of_one_line(tmp_path: Path) -> None:
    run = stored(tmp_path, "bad", [asked(0)])
    (run.path / REQUESTS).write_bytes(b"no table")
    with pytest.raises(StoreError, match="cannot read") as error:
        Instances(tmp_path).exchanges(run, "id0")
    assert "\n" not in str(error.value)


def test_a_run_without_tables_is_passed_over(tmp_path: Path) -> None:
    run = stored(tmp_path, "gone", [asked(0)])
    (run.path / SCORES).unlink()
    assert Instances(tmp_path).page([run], InstanceFilter()).total == 0


def test_files_of_other_folders_cannot_be_read(tmp_path: Path) -> None:
    elsewhere = stored(tmp_path / "elsewhere", "run", [asked(0)])
    finder = Instances(tmp_path / "here")
    with pytest.raises(StoreError, match=r"[Pp]ermission"):
        finder.exchanges(elsewhere, "id0")


def test_a_folder_may_be_called_what_it_likes(tmp_path: Path) -> None:
    out = tmp_path / "a [1] *? 'quoted'"
    run = stored(out, "run", [asked(0)])
    assert Instances(out).page([run], InstanceFilter()).total == 1


def test_what_is_listed_follows_the_files(tmp_path: Path) -> None:
    finder = Instances(tmp_path)
    for count in (3, 5, 2):
        run = stored(tmp_path, "run", [asked(k) for k in range(count)])
        assert finder.page([run], InstanceFilter()).total == count
    finder.close()
