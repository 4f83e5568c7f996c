"""Files of entries: the shapes that are read, and what is said of those that aren't."""

from pathlib import Path

import pytest

from holoscope.core import EntryError
from holoscope.entries import ConfEntry, by_priority, load_conf

HOCON = """
# what the paper ran
entries: [
  // the first
  {description: "mmlu:subject=anatomy,model=text", priority: 1}
  {description: "boolq:model=text,note=\\"${HOME} {x} # // no comment\\"", priority: 2, groups: ["g", "h"]},
  {description: "gsm"},
]
"""
ENTRIES = [
    ConfEntry("mmlu:subject=anatomy,model=text", 1),
    ConfEntry('boolq:model=text,note="${HOME} {x} # // no comment"', 2, ("g", "h")),
    ConfEntry("gsm"),
]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_conf_file_is_read(tmp_path: Path) -> None:
    assert load_conf(written(tmp_path, "a.conf", HOCON)) == ENTRIES


def test_a_bare_list_with_a_trailing_comma_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "a.conf", '[ {description: "gsm", priority: 1}, {description: "boolq"}, ]')
    assert load_conf(path) == [ConfEntry("gsm", 1), ConfEntry("boolq")]


def test_a_byte_order_mark_is_no_character(tmp_path: Path) -> None:
    assert load_conf(written(tmp_path, "a.conf", f"\ufeff{HOCON}")) == ENTRIES


def test_a_variable_of_the_file_is_filled_in(tmp_path: Path) -> None:
    path = written(tmp_path, "a.conf", 'm: "test/echo"\nentries: [{description: "gsm:model="${m}}]')
    assert load_conf(path) == [ConfEntry("gsm:model=test/echo")]


@pytest.mark.parametrize("head", ["entries:\n", ""])
def test_yaml_is_read_in_both_shapes(tmp_path: Path, head: str) -> None:
    rows = '- {description: "mmlu:subject=anatomy,model=text", priority: 1}\n- description: gsm\n  groups: [g]\n'
    entries = load_conf(written(tmp_path, "a.yaml", head + rows))
    assert entries == [ENTRIES[0], ConfEntry("gsm", None, ("g",))]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.conf", 'entries: [\n  {description: "gsm"\n', ":3: Expected '}', found end of file"),
        ("a.conf", "entries: [\n  {description: gsm:k=1}\n]", ":2: Expected '}', found '=1}'"),
        ("a.conf", "entries", ":1: expected entries: [{description: ...}], found end of file"),
        ("a.conf", 'entries: [{description: "gsm:k="${nowhere_at_all}}]', ":1: Cannot resolve variable"),
        ("a.conf", 'include url("http://localhost/x.conf")', ": include url(...) is not followed"),
        ("a.conf", 'entris: [{description: "gsm"}]', ": expected entries: [...], found 'entris'"),
        ("a.conf", "entries: 3", ": expected a list of entries, found 3"),
        ("a.conf", 'entries: ["gsm"]', ": entry 1: expected {description, priority, groups}, found 'gsm'"),
        (
            "a.conf",
            '[{description: "a"}, {descripton: "gsm"}]',
            ": entry 2: unknown field 'descripton'; did you mean 'description'?",
        ),
        (
            "a.conf",
            '[{description: "a", zzz: 1}]',
            ": entry 1: unknown field 'zzz'; known are description, priority, groups",
        ),
        ("a.conf", "[{priority: 1}]", ": entry 1: Object missing required field `description`"),
        (
            "a.conf",
            '[{description: "a", priority: high}]',
            ": entry 1: Expected `int | null`, got `str` - at `priority`",
        ),
        ("a.conf", '[{description: "a", groups: "g"}]', ": entry 1: Expected `array`, got `str` - at `groups`"),
        (
            "a.conf",
            '[\n{description: "a"},\n{description: "mmlu:anatomy"}]',
            ":3: entry 'mmlu:anatomy': expected key=value",
        ),
        ("a.yml", "entries:\n  - {description: gsm\n", ":3: expected ',' or '}', but got '<stream end>'"),
        ("a.yml", "entries:\n  - {description: 5}\n", ": entry 1: Expected `str`, got `int` - at `description`"),
    ],
)
def test_a_malformed_file_is_refused_in_one_line(tmp_path: Path, name: str, text: str, problem: str) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(EntryError) as caught:
        load_conf(path)
    assert str(caught.value).startswith(f"{path}{problem}")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EntryError, match=r"none\.conf: no such file"):
        load_conf(tmp_path / "none.conf")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.conf"
    path.write_bytes(b"entries: [\xff]")
    with pytest.raises(EntryError, match=r"a\.conf: not UTF-8 \(byte 10\)"):
        load_conf(path)


def test_an_entry_without_a_priority_counts_as_the_most_urgent() -> None:
    assert by_priority(ENTRIES, 1) == [ENTRIES[0], ENTRIES[2]]


def test_a_priority_keeps_what_is_as_urgent_or_more() -> None:
    assert by_priority(ENTRIES, 2) == ENTRIES


def test_no_priority_keeps_all() -> None:
    assert by_priority(ENTRIES, None) == ENTRIES
