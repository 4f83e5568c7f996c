"""What holds for any text: determinism, independence of company, identity kept, nothing changed without a target."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.core import AugmentationSpec, Instance, PerturbationSpec, Reference
from holoscope.perturbations import augment, load_lexicons
from perturbations.perturbing import NOWHERE, registry

CLASSES: Any = {"prob": 0.5, "source_class": "male", "target_class": "female"}
NAMES: Any = {"prob": 0.5, "source_class": {"race": "white_american"}, "target_class": {"race": "black_american"}}
SWAPS = (
    PerturbationSpec("contraction"),
    PerturbationSpec("expansion"),
    PerturbationSpec("misspellings", {"prob": 0.5}),
    PerturbationSpec("dialect", {"prob": 0.5, "source_class": "SAE", "target_class": "AAVE"}),
    PerturbationSpec("gender", CLASSES | {"mode": "terms"}),
    PerturbationSpec("gender", CLASSES | {"mode": "pronouns"}),
    PerturbationSpec("person_name", NAMES),
)
ALL = (
    *SWAPS,
    PerturbationSpec("extra_space", {"num_spaces": 2}),
    PerturbationSpec("filler_words"),
    PerturbationSpec("lowercase"),
    PerturbationSpec("mild_mix"),
    PerturbationSpec("space", {"max_spaces": 3}),
    PerturbationSpec("typos", {"prob": 0.5}),
)
HELMS = tuple(p for p in ALL if p.name not in ("mild_mix", "misspellings"))
"""Those that need no list that is not carried."""

PIECES = [
    "he",
    "His",
    "MOM",
    "it is",
    "don’t",
    "The",
    "Jack",
    "Sue-Ellen",
    "Ünder",
    "é",
    "e\u0301",
    "ſhe",
    "K",
    "İ",
    "ß",
]
TEXTS = st.one_of(
    st.text(max_size=40), st.lists(st.sampled_from([*PIECES, " ", "\n", "-", "."]), max_size=20).map("".join)
)
INSTANCES = st.builds(
    Instance,
    id=st.text(min_size=1, max_size=5),
    input=TEXTS,
    references=st.lists(st.builds(Reference, text=TEXTS), max_size=2).map(tuple),
    split=st.sampled_from(["test", "valid"]),
)
REGISTRY = registry()


def perturbed(
    instances: list[Instance], perturbations: tuple[PerturbationSpec, ...], *, compat: bool
) -> list[Instance]:
    spec = AugmentationSpec(perturbations=perturbations, augment_eval=True, seeds_per_instance=2)
    lexicons = load_lexicons(spec, REGISTRY, NOWHERE, compat=compat)
    return augment(instances, spec, REGISTRY, lexicons=lexicons, compat=compat)


@pytest.mark.parametrize(("compat", "perturbations"), [(False, ALL), (True, HELMS)])
class TestAnyInstance:
    @settings(max_examples=60, deadline=None)
    @given(instances=st.lists(INSTANCES, max_size=3))
    def test_text_depends_on_the_instance_alone(
        self, compat: bool, perturbations: tuple[PerturbationSpec, ...], instances: list[Instance]
    ) -> None:
        apart = [made for one in reversed(instances) for made in perturbed([one], perturbations, compat=compat)[::-1]]
        assert perturbed(instances, perturbations, compat=compat)[::-1] == apart

    @settings(max_examples=60, deadline=None)
    @given(instance=INSTANCES)
    def test_id_split_and_tags_are_kept(
        self, compat: bool, perturbations: tuple[PerturbationSpec, ...], instance: Instance
    ) -> None:
        for made in perturbed([instance], perturbations, compat=compat):
            assert (made.id, made.split, made.original_input) == (instance.id, instance.split, instance.input)
            assert [r.tags for r in made.references] == [r.tags for r in instance.references]


@settings(max_examples=100, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["L", "Cs"]), max_size=60))
def test_a_text_without_letters_is_unchanged_by_every_swap(text: str) -> None:
    assert {made.input for made in perturbed([Instance(id="a", input=text)], SWAPS, compat=False)} == {text}


@settings(max_examples=100, deadline=None)
@given(words=st.lists(st.text("qxzj", min_size=2, max_size=6), max_size=8))
def test_a_text_without_a_target_word_is_unchanged_by_every_swap(words: list[str]) -> None:
    text = " ".join(words)
    assert {made.input for made in perturbed([Instance(id="a", input=text)], SWAPS, compat=False)} == {text}


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=60))
def test_lowercase_is_that_of_unicode(text: str) -> None:
    made = perturbed([Instance(id="a", input=text)], (PerturbationSpec("lowercase"),), compat=False)[0]
    assert made.input == text.lower()


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_only_spaces_differ_after_space(text: str) -> None:
    made = perturbed([Instance(id="a", input=text)], (PerturbationSpec("space", {"max_spaces": 3}),), compat=False)[0]
    assert made.input.replace(" ", "") == text.replace(" ", "")


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_pronouns_of_one_gender_are_gone_after_a_certain_swap(text: str) -> None:
    certain = PerturbationSpec("gender", CLASSES | {"mode": "pronouns", "prob": 1.0})
    once = perturbed([Instance(id="a", input=text)], (certain,), compat=False)[0].input
    assert perturbed([Instance(id="b", input=once)], (certain,), compat=False)[0].input == once
