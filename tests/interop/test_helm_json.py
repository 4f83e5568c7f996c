from pathlib import Path

import pytest

from holoscope.core import StoreError
from holoscope.interop.helm_json import read_adapter, read_list, read_states


def write(folder: Path, text: str) -> Path:
    path = folder / "file.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_elements_come_one_by_one(tmp_path: Path) -> None:
    elements = read_list(write(tmp_path, '[{"a": 1}, {"a": 2}]'))
    assert next(elements) == {"a": 1}
    assert list(elements) == [{"a": 2}]


def test_the_list_of_states_is_found_beside_other_fields(tmp_path: Path) -> None:
    path = write(tmp_path, '{"adapter_spec": {"model": "m"}, "request_states": [1, 2], "annotator_specs": []}')
    assert list(read_states(path)) == [1, 2]
    assert read_adapter(path) == {"model": "m"}


def test_what_is_no_number_in_json_is_unknown(tmp_path: Path) -> None:
    path = write(tmp_path, '[{"a": NaN, "b": -Infinity, "c": "NaN, \\"Infinity"}]')
    assert list(read_list(path)) == [{"a": None, "b": None, "c": 'NaN, "Infinity'}]


@pytest.mark.parametrize("text", ["", "[", "[{]", "{}", "3", '[{"a": 1}'])
def test_a_damaged_file_is_one_line_before_its_first_element(tmp_path: Path, text: str) -> None:
    with pytest.raises(StoreError, match=r"cannot read .*file\.json") as caught:
        read_list(write(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"file\.json"):
        read_list(tmp_path / "file.json")
