"""The run-entry language: from what a user types to run specs.

An entry is a line of text, typed, or read from a `.conf` file or a track; a run spec is a value that decides everything
about a run. Between them stand only names and rules: no data is fetched and no model is looked at, so that every entry
of a suite is known to be right before the first request is paid for. Grammar, arguments and run names are HELM's to the
byte, since its entries, confs and result folders are what people have.
"""

from holoscope.entries.absent import AbsentKind, absent_scenarios, load_absent
from holoscope.entries.conf import ConfEntry, by_priority, load_conf
from holoscope.entries.language import Entry, format_entry, format_value, parse_entry
from holoscope.entries.lists import split_entries, split_names
from holoscope.entries.resolve import FILE_TASK, Options, Resolved, by_groups, check_distinct, resolve, resolve_all
from holoscope.entries.tracks import MissingScenario, Track, TrackGroup, load_tracks

__all__ = [
    "FILE_TASK",
    "AbsentKind",
    "ConfEntry",
    "Entry",
    "MissingScenario",
    "Options",
    "Resolved",
    "Track",
    "TrackGroup",
    "absent_scenarios",
    "by_groups",
    "by_priority",
    "check_distinct",
    "format_entry",
    "format_value",
    "load_absent",
    "load_conf",
    "load_tracks",
    "parse_entry",
    "resolve",
    "resolve_all",
    "split_entries",
    "split_names",
]
