import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import AdapterSpec, DataError, Instance
from holoscope.prompts import choose_eval
from prompts.made import asked


def rows(split: str, count: int) -> list[Instance]:
    return [asked(f"{split} {i}", "yes", split=split, id=f"{split}{i}") for i in range(count)]


def ids(instances: list[Instance]) -> list[str]:
    return [instance.id for instance in instances]


def chosen(instances: list[Instance], limit: int | None = None, seed: int = 0, **changes: object) -> list[str]:
    adapter = AdapterSpec(max_eval_instances=limit, **changes)  # type: ignore[arg-type]
    return ids(choose_eval(instances, adapter, compat=False, main_split="test", seed=seed))


def test_only_the_main_split_is_asked() -> None:
    assert chosen(rows("train", 2) + rows("valid", 3) + rows("test", 2)) == ["test0", "test1"]


def test_eval_split_names_another() -> None:
    assert chosen(rows("valid", 2) + rows("test", 2), eval_splits=("valid",)) == ["valid0", "valid1"]


def test_no_limit_means_every_row_in_file_order() -> None:
    assert chosen(rows("test", 300)) == [f"test{i}" for i in range(300)]


def test_a_limit_above_the_rows_keeps_file_order() -> None:
    assert chosen(rows("test", 3), limit=3) == ["test0", "test1", "test2"]


@given(st.integers(2, 60), st.data())
def test_a_larger_sample_begins_with_every_smaller_one(size: int, data: st.DataObject) -> None:
    small = data.draw(st.integers(1, size - 1))
    large = data.draw(st.integers(small, size - 1))
    instances = rows("test", size)
    assert chosen(instances, large)[:small] == chosen(instances, small)


def test_a_grouped_file_is_sampled_from_all_its_groups() -> None:
    instances = rows("test", 1000)
    hundred = {int(identifier[4:]) // 100 for identifier in chosen(instances, 100, seed=1)}
    assert hundred == set(range(10))


def test_a_seed_repeats_its_sample() -> None:
    instances = rows("test", 1000)
    assert chosen(instances, 100, seed=1) == chosen(instances, 100, seed=1)


def test_another_seed_draws_another_sample() -> None:
    instances = rows("test", 1000)
    assert chosen(instances, 100, seed=1) != chosen(instances, 100, seed=2)


def test_an_empty_split_is_an_error_that_says_what_there_is() -> None:
    with pytest.raises(DataError, match=r"no rows in split test; there are valid \(3 rows\): add eval_split=valid"):
        chosen(rows("valid", 3))


def test_compat_counts_valid_and_test_together() -> None:
    instances = rows("valid", 3) + rows("test", 2)
    found = choose_eval(instances, AdapterSpec(max_eval_instances=4), compat=True, main_split="test", seed=7)
    assert {identifier[:-1] for identifier in ids(found)} == {"valid", "test"}


def test_compat_ignores_eval_splits_without_a_limit() -> None:
    instances = rows("valid", 3) + rows("test", 2)
    adapter = AdapterSpec(eval_splits=("test",))
    assert len(choose_eval(instances, adapter, compat=True, main_split="test", seed=0)) == 5


def test_compat_draws_helms_permutation_whatever_the_seed() -> None:
    adapter = AdapterSpec(max_eval_instances=5)
    found = choose_eval(rows("test", 10), adapter, compat=True, main_split="test", seed=3)
    assert ids(found) == ["test2", "test8", "test4", "test9", "test1"]
