import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import AdapterSpec, Instance
from holoscope.prompts import choose_train
from prompts.made import asked

TRAIN = [asked(f"question {i}", "yes" if i % 3 else "no", split="train", id=f"id{i}") for i in range(30)]
UNLABELLED = [Instance(id=f"u{i}", input=f"open {i}", split="train") for i in range(5)]


def chosen(train: list[Instance], shots: int, trial: int = 0, seed: int = 0, sample: bool = True) -> list[str]:
    adapter = AdapterSpec(max_train_instances=shots, sample_train=sample)
    return [instance.id for instance in choose_train(train, adapter, trial=trial, seed=seed)]


def test_labels_take_turns_the_frequent_first() -> None:
    answers = {instance.id: instance.references[0].text for instance in TRAIN}
    assert [answers[identifier] for identifier in chosen(TRAIN, 5)] == ["yes", "no", "yes", "no", "yes"]


def test_trials_draw_different_examples() -> None:
    assert chosen(TRAIN, 5, trial=0) != chosen(TRAIN, 5, trial=1)


def test_seeds_draw_different_examples() -> None:
    assert chosen(TRAIN, 5, seed=0) != chosen(TRAIN, 5, seed=1)


def test_pythons_global_generator_is_left_alone() -> None:
    state = random.getstate()
    chosen(TRAIN, 5)
    assert random.getstate() == state


def test_without_sampling_each_trial_takes_the_next_rows() -> None:
    assert chosen(TRAIN, 2, trial=1, sample=False) == ["id2", "id3"]


def test_unlabelled_rows_are_sampled_where_there_are_no_labels() -> None:
    assert sorted(chosen(UNLABELLED, 5)) == ["u0", "u1", "u2", "u3", "u4"]


@pytest.mark.parametrize("shots", [4, 6])
def test_unlabelled_rows_follow_when_labelled_ones_run_out(shots: int) -> None:
    found = chosen(TRAIN[:3] + UNLABELLED, shots)
    assert [identifier[0] for identifier in found] == ["i"] * 3 + ["u"] * (shots - 3)


@given(st.integers(0, 40), st.integers(0, 3))
def test_no_example_is_drawn_twice(shots: int, trial: int) -> None:
    found = chosen(TRAIN + UNLABELLED, shots, trial)
    assert len(set(found)) == len(found) == min(shots, 35)
