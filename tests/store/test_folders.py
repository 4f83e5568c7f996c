import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import UsageError
from holoscope.store import check_suite, folder_name, run_folder

HOSTILE = "mmlu:subject=a/b,question=what?*\\|<>\"'\n" + "x" * 300


def test_folder_name_of_a_hostile_300_character_name_is_portable_and_short() -> None:
    name = folder_name(HOSTILE)
    assert re.fullmatch(r"[A-Za-z0-9._-]+", name)
    assert len(name) < 120


def test_path_of_a_run_stays_under_200_characters() -> None:
    path = run_folder(Path("benchmark_output"), "s" * 48, HOSTILE) / "requests.parquet"
    assert len(str(path)) < 200


def test_folder_name_says_which_run_it_is() -> None:
    assert folder_name("mmlu:subject=anatomy,model=openai_gpt-4o").startswith("mmlu--subject-anatomy--model-openai_gpt")


@pytest.mark.parametrize(
    ("one", "other"),
    [("a:b=c", "a=b:c"), ("x" * 300 + "1", "x" * 300 + "2"), ("日本", "中国"), ("a", "a:"), ("", ":")],
)
def test_names_that_look_alike_have_folders_of_their_own(one: str, other: str) -> None:
    assert folder_name(one) != folder_name(other)


def test_names_that_differ_in_case_have_folders_of_their_own_where_case_is_ignored() -> None:
    assert folder_name("gsm:model=A").lower() != folder_name("gsm:model=a").lower()


@given(st.text())
def test_any_name_has_a_folder_that_is_neither_hidden_nor_an_option(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{,118}", folder_name(name))


@pytest.mark.parametrize("suite", ["latest", "v1.0", "my_suite-2"])
def test_ordinary_suite_names_are_kept(suite: str) -> None:
    assert check_suite(suite) == suite


@pytest.mark.parametrize("suite", ["", "..", "a/b", "a:b", "con", "NUL.x", "a.", " ", "-x", "x" * 49, "a\nb"])
def test_suite_names_that_cannot_be_folders_are_refused_in_one_line(suite: str) -> None:
    with pytest.raises(UsageError, match="suite name") as caught:
        check_suite(suite)
    assert "\n" not in str(caught.value)
