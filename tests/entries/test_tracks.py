"""Tracks: the built-in ones, and those of a folder."""

from pathlib import Path

import pytest

from entries.records import RECORD, helm_entries
from holoscope.core import EntryError, UsageError
from holoscope.entries import ConfEntry, Track, TrackGroup, load_tracks, parse_entry
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
