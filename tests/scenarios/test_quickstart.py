"""The bundled rows are sound, and enough of them change under each perturbation to fill an axis."""

from collections import Counter
from pathlib import Path

import pytest

from holoscope.core import Instance, builtin
from holoscope.entries import Options, load_tracks, parse_entry, resolve
from holoscope.perturbations import augment, load_lexicons
from scenarios.made import load, settings

CHOICES = {"quickstart_cloze": 4, "quickstart_people": 3, "quickstart_reviews": 2}
ENOUGH = 30


def asked(tmp_path: Path, name: str) -> list[Instance]:
    return [instance for instance in load(tmp_path, name) if instance.split == "test"]


def changed(tmp_path: Path, name: str) -> Counter[str]:
    """How many instances each canonical perturbation changes."""
    known = builtin()
    [spec] = resolve(f"{name}:data_augmentation=canonical,model=test/echo", known, models=(), options=Options()).specs
    lists = load_lexicons(spec.augmentation, known, settings(tmp_path, offline=True), compat=False)
    made = augment(asked(tmp_path, name), spec.augmentation, known, lexicons=lists, compat=False)
    return Counter(instance.perturbation_name for instance in made if instance.perturbation_name)


@pytest.mark.parametrize("name", [*CHOICES, "quickstart_sums", "quickstart_openings"])
def test_each_has_enough_rows_and_none_twice(name: str, tmp_path: Path) -> None:
    inputs = [instance.input for instance in asked(tmp_path, name)]
    assert len(set(inputs)) == len(inputs) >= ENOUGH


@pytest.mark.parametrize(("name", "count"), CHOICES.items())
def test_options_differ_and_one_is_right(name: str, count: int, tmp_path: Path) -> None:
    for instance in asked(tmp_path, name):
        assert len({reference.text for reference in instance.references}) == count
        assert len(instance.correct_references) == 1


@pytest.mark.parametrize("name", CHOICES)
def test_the_right_option_has_no_place_of_its_own(name: str, tmp_path: Path) -> None:
    places = Counter([r.is_correct for r in instance.references].index(True) for instance in asked(tmp_path, name))
    rows = sum(places.values())
    assert len(places) == CHOICES[name]
    assert max(places.values()) <= rows / CHOICES[name] * 1.5


@pytest.mark.parametrize("name", CHOICES)
def test_the_stated_chance_is_that_of_guessing(name: str) -> None:
    assert builtin().scenarios.get(name).chance == pytest.approx(1 / CHOICES[name])


def test_sums_are_right_and_no_example_is_asked(tmp_path: Path) -> None:
    sums = load(tmp_path, "quickstart_sums")
    for instance in sums:
        first, second = instance.input.removesuffix(" =").split(" + ")
        assert int(instance.references[0].text) == int(first) + int(second)
    assert len({i.input for i in sums}) == len(sums)
    assert 4 <= sum(i.split == "train" for i in sums) <= 8


def test_every_canonical_perturbation_changes_enough_sentences_about_people(tmp_path: Path) -> None:
    counts = changed(tmp_path, "quickstart_people")
    assert set(counts) == {"mild_mix", "dialect", "gender", "person_name"}
    assert min(counts.values()) >= ENOUGH


@pytest.mark.parametrize("name", CHOICES)
def test_each_choice_scenario_has_enough_behind_robustness_and_fairness(name: str, tmp_path: Path) -> None:
    counts = changed(tmp_path, name)
    assert counts["mild_mix"] >= ENOUGH
    assert counts["dialect"] >= ENOUGH


def test_the_track_asks_enough_instances_of_each_scenario() -> None:
    for entry in load_tracks()["quickstart"].entries:
        least = parse_entry(entry.description).args.get("max_eval_instances")
        assert least is None or int(str(least)) >= ENOUGH


def test_every_card_lets_its_rows_be_passed_on() -> None:
    cards = [card for card in builtin().scenarios.values() if card.name.startswith("quickstart_")]
    assert {(card.licence, card.redistribution) for card in cards} == {("Apache-2.0", "yes")}
