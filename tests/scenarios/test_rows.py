import gzip
from pathlib import Path

import pyarrow.parquet
import pytest

from holoscope.core import DataError
from holoscope.scenarios.rows import (
    read_csv,
    read_headless_csv,
    read_jsonl,
    read_lines,
    read_objects,
    read_parquet,
    read_rows,
)

BOM = b"\xef\xbb\xbf"


def write(tmp_path: Path, name: str, content: bytes | str) -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_byte_order_mark_is_no_part_of_a_csvs_first_column(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", BOM + b"question,answer\none,1\n")
    assert [row.values for row in read_csv(path)] == [{"question": "one", "answer": "1"}]


def test_a_byte_order_mark_is_no_part_of_a_jsonl_row(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", BOM + b'{"question": "one"}\n')
    assert [row.values for row in read_jsonl(path)] == [{"question": "one"}]


def test_a_byte_order_mark_is_no_part_of_a_headless_csv(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", BOM + b"one,A\n")
    assert [cells for _, cells in read_headless_csv(path)] == [["one", "A"]]


def test_a_malformed_row_is_named_by_file_and_line(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", '{"a": 1}\n\n{"a": \n')
    with pytest.raises(DataError, match=r"a\.jsonl:3: not a JSON object"):
        list(read_jsonl(path))


def test_a_row_that_is_no_object_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.jsonl:1: not a JSON object"):
        list(read_jsonl(write(tmp_path, "a.jsonl", "[1]\n")))


def test_a_line_separator_within_a_text_ends_no_row(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", '{"a": "x\u2028y"}\n')
    assert [row.values for row in read_jsonl(path)] == [{"a": "x\u2028y"}]


def test_line_breaks_within_a_cell_are_kept_as_one_character(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", 'question,answer\r\n"two\r\nlines",1\r\n')
    assert [row.values["question"] for row in read_csv(path)] == ["two\nlines"]


def test_empty_cells_beyond_the_header_are_ignored(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "question,answer\none,1,,\n")
    assert [row.values for row in read_csv(path)] == [{"question": "one", "answer": "1"}]


def test_a_ragged_row_is_named_by_file_and_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.csv:3: 1 cells under 2 column names"):
        list(read_csv(write(tmp_path, "a.csv", "question,answer\none,1\ntwo\n")))


def test_a_file_in_another_encoding_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.csv:2: not UTF-8"):
        list(read_csv(write(tmp_path, "a.csv", b"question,answer\ncaf\xe9,1\n")))


def test_a_cell_may_hold_a_whole_transcript(tmp_path: Path) -> None:
    [row] = read_csv(write(tmp_path, "a.csv", f"question,answer\n{'x' * 200_000},1\n"))
    assert len(str(row.values["question"])) == 200_000


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.csv:1: 2 columns are called 'answer'"):
        list(read_csv(write(tmp_path, "a.csv", "question,answer,answer\none,1,2\n")))


def test_columns_without_a_name_may_repeat(tmp_path: Path) -> None:
    [row] = read_csv(write(tmp_path, "a.csv", "question,,\none,,\n"))
    assert row.values["question"] == "one"


def test_two_parquet_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    table = pyarrow.table([pyarrow.array([1]), pyarrow.array([2])], names=["a", "a"])
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(DataError, match="2 columns are called 'a'"):
        read_rows(tmp_path / "a.parquet")


@pytest.mark.parametrize("content", ["1" * 5000, "[" * 100_000])
def test_json_beyond_what_python_reads_is_an_error(tmp_path: Path, content: str) -> None:
    with pytest.raises(DataError, match=r"a\.json: not JSON that can be read"):
        read_rows(write(tmp_path, "a.json", content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"a": "1"}\n'),
        ("a.json", '[{"a": "1"}]'),
        ("a.json", '{"version": 2, "data": [{"a": "1"}]}'),
        ("a.csv", "a\n1\n"),
        ("a.tsv", "a\tb\n1\t\n"),
    ],
)
def test_each_format_gives_its_rows(tmp_path: Path, name: str, content: str) -> None:
    [row] = read_rows(write(tmp_path, name, content))
    assert row.values["a"] == "1"


def test_json_without_a_list_of_objects_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected a list of objects"):
        read_rows(write(tmp_path, "a.json", '{"a": [1], "b": [2]}'))


def test_an_unknown_extension_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"\.xlsx is not a data file's"):
        read_rows(write(tmp_path, "a.xlsx", ""))


def test_lines_end_with_the_file(tmp_path: Path) -> None:
    assert read_lines(write(tmp_path, "a.lst", "0\n1\n\n")) == ["0", "1"]


def test_gzipped_rows_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl.gz", gzip.compress('{"question": "où?"}\n'.encode()))
    assert [row.values for row in read_jsonl(path)] == [{"question": "où?"}]


@pytest.mark.parametrize("content", [b"not gzip", gzip.compress(b'{"a": 1}\n' * 99, mtime=0)[:-9]])
def test_a_damaged_gzip_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(DataError, match="not a whole gzip file"):
        list(read_jsonl(write(tmp_path, "a.jsonl.gz", content)))


def test_parquet_rows_are_read_with_what_they_nest(tmp_path: Path) -> None:
    rows = [{"options": ["a", "b"], "key": 1}, {"options": [], "key": 2}]
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert [row.values for row in read_rows(path)] == rows


def test_a_file_that_is_not_parquet_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not Parquet"):
        list(read_parquet(write(tmp_path, "a.parquet", b"PAR2")))


def test_an_object_of_objects_has_a_row_for_each_key(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", '{"one": {"a": 1}, "two": {"a": 2}}')
    assert [(key, row.values) for key, row in read_objects(path)] == [("one", {"a": 1}), ("two", {"a": 2})]


@pytest.mark.parametrize("content", ["[]", '{"one": 1}'])
def test_anything_else_is_no_object_of_objects(tmp_path: Path, content: str) -> None:
    with pytest.raises(DataError, match="object"):
        list(read_objects(write(tmp_path, "a.json", content)))


def test_lines_before_a_csv_are_skipped_and_counted(tmp_path: Path) -> None:
    path = write(tmp_path, "a.arff", "@relation r\n@data\none,A\n")
    assert list(read_headless_csv(path, skip=2)) == [(f"{path}:3", ["one", "A"])]
