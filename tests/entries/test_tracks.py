"""Tracks: the built-in ones, and those of a folder."""

from pathlib import Path

import pytest

from entries.records import RECORD, helm_entries
from holoscope.core import EntryError, UsageError, builtin
from holoscope.entries import (
    ConfEntry,
    MissingScenario,
    Resolved,
    Track,
    TrackGroup,
    load_tracks,
    parse_entry,
    resolve,
)
from holoscope.metrics import expanded
from paths import SHARED

MINE = """
name: mine
title: Mine
description: Two of my own.
entries:
  - {description: "gsm", priority: 2}
  - {description: "./q.jsonl", groups: [own]}
groups:
  - {name: own, title: My own, main_metric: f1_score}
"""


def test_a_folder_of_tracks_is_read_beside_the_built_in_ones(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
    tracks = load_tracks(tmp_path)
    assert tracks["mine"] == Track(
        name="mine",
        title="Mine",
        description="Two of my own.",
        entries=(ConfEntry("gsm", 2), ConfEntry("./q.jsonl", None, ("own",))),
        groups=(TrackGroup("own", "My own", "f1_score"),),
    )
    assert "quickstart" in tracks


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("title: Mine\n", "", "Object missing required field `title`"),
        ("title: Mine", "titel: Mine", "unknown field 'titel'; did you mean 'title'?"),
        ("main_metric", "metric", "group 1: unknown field 'metric'; did you mean 'main_metric'?"),
        ('"gsm"', '"gsm:k"', "entry 1: entry 'gsm:k': expected key=value"),
        ("entries:", "entries: {}\nrows:", "unknown field 'rows'"),
    ],
)
def test_a_malformed_track_names_its_file(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(MINE.replace(old, new), encoding="utf-8")
    with pytest.raises(EntryError) as caught:
        load_tracks(tmp_path)
    assert str(caught.value).startswith(f"{path}: {problem}")


def test_two_tracks_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(MINE.replace("name: mine", "name: quickstart"), encoding="utf-8")
    with pytest.raises(UsageError, match="there is a track 'quickstart' already"):
        load_tracks(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: no such folder of tracks"):
        load_tracks(tmp_path / "none")


def test_quickstart_runs_what_comes_with_the_package() -> None:
    names = [parse_entry(entry.description).name for entry in load_tracks()["quickstart"].entries]
    assert all(name.startswith("quickstart_") or name == "synthetic_reasoning" for name in names)
    assert len(set(names)) == len(names) == 6


def test_mmlu_all_has_every_subject_once_and_a_title_for_each() -> None:
    track = load_tracks()["mmlu-all"]
    subjects = [parse_entry(entry.description).args["subject"] for entry in track.entries]
    assert len(set(subjects)) == len(subjects) == 57
    assert {group.name for group in track.groups} == {"mmlu", *(f"mmlu_{subject}" for subject in subjects)}


@pytest.mark.skipif(not RECORD.is_file(), reason=f"no record of HELM's entries under {SHARED}")
def test_mmlu_all_is_helms_conf() -> None:
    helms = [
        ConfEntry(row["desc"], int(row["prio"]), tuple(row["groups"]))
        for row in helm_entries()
        if row["conf"] == "run_entries_mmlu.conf"
    ]
    assert list(load_tracks()["mmlu-all"].entries) == helms


SIXTEEN = (
    *("air-bench", "capabilities", "classic", "coding", "finance", "instruct", "legalbench-all", "lite"),
    *("long-context", "medhelm", "mmlu-all", "multilingual", "multimodal", "open-llm", "quickstart", "safety"),
)


@pytest.fixture(scope="module")
def built_in() -> dict[str, Track]:
    return load_tracks()


@pytest.fixture(scope="module")
def resolved(built_in: dict[str, Track]) -> dict[str, Resolved]:
    known = builtin()
    return {name: resolve(name, known, models=["test/echo"], tracks=built_in) for name in SIXTEEN}


def test_there_are_sixteen_tracks() -> None:
    assert sorted(load_tracks()) == sorted(SIXTEEN)


@pytest.mark.parametrize("name", SIXTEEN)
def test_every_entry_of_a_track_makes_runs_of_its_groups(
    name: str, built_in: dict[str, Track], resolved: dict[str, Resolved]
) -> None:
    track, found = built_in[name], resolved[name]
    assert len(found.specs) >= len(track.entries)
    assert found.missing == track.missing
    groups = {group.name: group for group in track.groups}
    shown: set[str] = set()
    for spec in found.specs:
        own = {*spec.groups, spec.scenario.name} & groups.keys()
        assert own, f"{spec.name} is in no group of {name}"
        shown |= own
    assert shown == groups.keys()


@pytest.mark.parametrize("name", SIXTEEN)
def test_a_groups_main_metric_is_one_of_its_runs(
    name: str, built_in: dict[str, Track], resolved: dict[str, Resolved]
) -> None:
    for group in built_in[name].groups:
        runs = [spec for spec in resolved[name].specs if group.name in (*spec.groups, spec.scenario.name)]
        metrics = {metric.name for spec in runs for metric in expanded(spec.metrics)}
        assert not group.main_metric or group.main_metric in metrics, f"{group.name}: {group.main_metric}"


@pytest.mark.parametrize("name", SIXTEEN)
def test_what_a_track_lacks_is_named_once_with_a_reason_and_is_none_of_its_runs(
    name: str, built_in: dict[str, Track]
) -> None:
    track = built_in[name]
    assert all(missing.title and missing.reason for missing in track.missing)
    assert len({missing.name for missing in track.missing}) == len(track.missing)
    assert not {missing.name for missing in track.missing} & {parse_entry(e.description).name for e in track.entries}


def test_medhelm_lists_what_hospitals_keep_to_themselves() -> None:
    missing = {each.name for each in load_tracks()["medhelm"].missing}
    assert {"ehrshot", "medalign", "mental_health", "shc_ent_med"} <= missing


def test_multimodal_lists_the_benchmark_that_asks_for_images() -> None:
    [missing] = load_tracks()["multimodal"].missing
    assert missing.name == "parti_prompts"
    assert str(missing).startswith("parti_prompts (PartiPrompts) is not available: it asks for images")


def test_what_a_track_lacks_is_read_from_its_file(tmp_path: Path) -> None:
    text = MINE + 'missing:\n  - {name: theirs, title: Theirs, reason: "it is private"}\n'
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    track = load_tracks(tmp_path)["mine"]
    assert track.missing == (MissingScenario("theirs", "Theirs", "it is private"),)


@pytest.mark.skipif(not RECORD.is_file(), reason=f"no record of HELM's entries under {SHARED}")
@pytest.mark.parametrize(
    ("track", "conf", "priority"),
    [
        ("lite", "lite_20240424", 2),
        ("capabilities", "capabilities", 5),
        ("safety", "safety", 5),
        ("air-bench", "air_bench", 5),
    ],
)
def test_a_track_is_helms_conf(track: str, conf: str, priority: int) -> None:
    helms = [
        row["desc"]
        for row in helm_entries()
        if row["conf"] == f"run_entries_{conf}.conf" and int(row["prio"]) <= priority
    ]
    assert [entry.description for entry in load_tracks()[track].entries] == helms


@pytest.mark.skipif(not RECORD.is_file(), reason=f"no record of HELM's entries under {SHARED}")
def test_classic_has_every_scenario_of_the_paper() -> None:
    own = {entry.description for entry in load_tracks()["classic"].entries}
    named = {parse_entry(entry).name for entry in own}
    helms = [row["desc"] for row in helm_entries() if row["conf"] == "run_entries.conf" and row["fn"] in named]
    changed = [entry for entry in helms if entry not in own]
    assert all("tokenizer=default" in entry for entry in changed)
    assert len(helms) > 400
