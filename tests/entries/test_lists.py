"""Lists as a shell hands them over."""

import pytest

from holoscope.entries import split_entries, split_names

LISTS = [["a,b"], ["a,", "b"], ["a, b"], ["a", "b"], ["a b"], ["a,b,"], ["a", ",", "b"]]


@pytest.mark.parametrize("typed", LISTS)
def test_t113_every_way_to_type_two_names_gives_two(typed: list[str]) -> None:
    assert split_names(typed) == ["a", "b"]


@pytest.mark.parametrize("typed", LISTS)
def test_t113_every_way_to_type_two_entries_gives_two(typed: list[str]) -> None:
    assert split_entries(typed) == ["a", "b"]


@pytest.mark.parametrize(
    ("typed", "entries"),
    [
        (["mmlu:subject=anatomy,method=joint"], ["mmlu:subject=anatomy,method=joint"]),
        (["mmlu:subject=anatomy,gsm"], ["mmlu:subject=anatomy", "gsm"]),
        (["gsm, mmlu:subject=anatomy, k=5,"], ["gsm", "mmlu:subject=anatomy, k=5"]),
        (["mmlu:subject=anatomy,", "k=5", "gsm"], ["mmlu:subject=anatomy,k=5", "gsm"]),
        (['x:a="b,c",d={e:1,f:2},g=[1,h]', "gsm"], ['x:a="b,c",d={e:1,f:2},g=[1,h]', "gsm"]),
        (["./a.csv,./b.csv"], ["./a.csv", "./b.csv"]),
        (["./my rows.csv"], ["./my rows.csv"]),
        (["the_pile:subset=DM Mathematics"], ["the_pile:subset=DM Mathematics"]),
        (['x:"a key"=1,"another"=2'], ['x:"a key"=1,"another"=2']),
    ],
)
def test_a_comma_between_arguments_starts_no_entry(typed: list[str], entries: list[str]) -> None:
    assert split_entries(typed) == entries
