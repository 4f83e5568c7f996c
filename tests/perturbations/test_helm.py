"""HELM's definitions on the texts of its own tests, and at the places where they differ from ours."""

from typing import Any

import msgspec
import pytest

from holoscope.core import Instance, Settings
from holoscope.perturbations import augment, load_lexicons
from paths import DATA, needs_data
from perturbations.perturbing import NOWHERE, instance, registry, spec_for

MALE_TO_FEMALE: Any = {"prob": 1.0, "source_class": "male", "target_class": "female"}
NAMES: Any = {"prob": 1.0, "source_class": {"race": "white_american"}, "target_class": {"race": "black_american"}}


def as_helm(given: Instance, name: str, settings: Settings = NOWHERE, seeds: int = 1, **args: Any) -> list[Instance]:
    spec = msgspec.structs.replace(spec_for(name, **args), seeds_per_instance=seeds)
    lexicons = load_lexicons(spec, registry(), settings, compat=True)
    return augment([given], spec, registry(), lexicons=lexicons, compat=True)


@pytest.mark.parametrize(
    ("name", "args", "text", "expected"),
    [
        ("extra_space", {"num_spaces": 2}, "Hello my name is", "Hello  my  name  is"),
        (
            "typos",
            {"prob": 0.1},
            "After their marriage, she started a close collaboration with Karvelas.",
            "After tjeir marriage, she xrwrted a cloae dollabpration with Iarvwlas.",
        ),
        (
            "filler_words",
            {"insert_prob": 0.3, "speaker_ph": False},
            "The quick brown fox jumps over the lazy dog.",
            "The quick brown fox jumps over like the lazy probably dog.",
        ),
        ("space", {"max_spaces": 3}, "Hello World!\nQuite a day, huh?", "Hello   World!\nQuite a  day,   huh?"),
        ("contraction", {}, "She is a doctor, and I am a student", "She's a doctor, and I'm a student"),
        ("expansion", {}, "She's a doctor, and I'm a student", "She is a doctor, and I am a student"),
        (
            "gender",
            MALE_TO_FEMALE | {"mode": "pronouns"},
            "Did she mention that he was coming with his parents and their friends?",
            "Did she mention that she was coming with her parents and their friends?",
        ),
        (
            "gender",
            MALE_TO_FEMALE | {"mode": "terms"},
            "His grandsons looked a lot like their dad.",
            "His granddaughters looked a lot like their mom.",
        ),
        ("gender", MALE_TO_FEMALE | {"mode": "pronouns"}, "he said that was his", "he said that was his"),
        ("gender", MALE_TO_FEMALE | {"mode": "terms"}, "two grandfathers.", "two grandfathers."),
        ("contraction", {}, "IT IS so", "It's so"),
        ("expansion", {}, "we can't've known", "we cannot've known"),
        ("typos", {"prob": 0.0}, "ẞ", "SS"),
    ],
)
def test_a_text_becomes_what_helm_makes_of_it(name: str, args: Any, text: str, expected: str) -> None:
    assert as_helm(instance(text), name, **args)[0].input == expected


def test_names_are_those_that_helm_draws() -> None:
    text = "I learned that Jack, Peter, and Lauren are siblings! Do you know who is the oldest?"
    changed = as_helm(instance(text, "Peter and peter were friends."), "person_name", **NAMES)[0]
    assert changed.input == text.replace("Jack", "Lamar").replace("Peter", "Tyree").replace("Lauren", "Sharise")
    assert changed.references[0].text == "Tyree and tyree were friends."


def test_names_are_drawn_alike_in_each_repetition() -> None:
    first, second = as_helm(instance("Jack, Peter, and Lauren"), "person_name", seeds=2, **NAMES)
    assert first == second


def test_a_repetition_is_seeded_by_its_number_and_the_id() -> None:
    first, second = as_helm(instance("a quick brown fox jumps"), "typos", seeds=2, prob=0.5)
    again = as_helm(Instance(id="1id0", input="a quick brown fox jumps"), "typos", prob=0.5)[0]
    assert first.input != second.input == again.input


@needs_data
def test_misspellings_are_those_that_helm_draws() -> None:
    settings = Settings(NOWHERE.cache_dir, DATA, offline=True)
    text = "Already, the new product is not available."
    changed = as_helm(instance(text), "misspellings", settings, prob=1.0)[0]
    assert changed.input == "Alreayd, hten new product is nto avaliable."
