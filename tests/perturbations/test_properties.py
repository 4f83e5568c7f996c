"""What holds for any text: determinism, independence of company, identity kept, nothing changed without a target."""

import ast
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.core import AugmentationSpec, Instance, PerturbationSpec, Reference
from holoscope.perturbations import augment, load_lexicons
from perturbations.perturbing import NOWHERE, registry

CLASSES: Any = {"prob": 0.5, "source_class": "male", "target_class": "female"}
NAMES: Any = {"prob": 0.5, "source_class": {"race": "white_american"}, "target_class": {"race": "black_american"}}
GIVEN_NAMES: Any = {"prob": 0.5, "source_class": {"gender": "male"}, "target_class": {"gender": "female"}}
SWAPS = (
    PerturbationSpec("contraction"),
    PerturbationSpec("expansion"),
    PerturbationSpec("misspellings", {"prob": 0.5}),
    PerturbationSpec("dialect", {"prob": 0.5, "source_class": "SAE", "target_class": "AAVE"}),
    PerturbationSpec("gender", CLASSES | {"mode": "terms"}),
    PerturbationSpec("gender", CLASSES | {"mode": "pronouns"}),
    PerturbationSpec("person_name", NAMES),
)
NEW_SWAPS = (
    PerturbationSpec("character_noise", {"prob": 0.5}),
    PerturbationSpec("chinese_gender", CLASSES | {"mode": "terms"}),
    PerturbationSpec("chinese_gender", CLASSES | {"mode": "pronouns"}),
    PerturbationSpec("chinese_person_name", GIVEN_NAMES),
    PerturbationSpec("chinese_synonym", {"prob": 0.5}),
    PerturbationSpec("chinese_typos", {"prob": 0.5}),
    PerturbationSpec("cleva_mild_mix"),
    PerturbationSpec("code_docstring"),
    PerturbationSpec("code_rename", {"prob": 0.5}),
    PerturbationSpec("homoglyphs", {"prob": 0.5}),
    PerturbationSpec("keyboard", {"prob": 0.5}),
    PerturbationSpec("korean_gender", CLASSES | {"mode": "terms"}),
    PerturbationSpec("korean_gender", CLASSES | {"mode": "pronouns"}),
    PerturbationSpec("korean_person_name", GIVEN_NAMES),
    PerturbationSpec("korean_spacing", {"prob": 0.5}),
    PerturbationSpec("korean_typos", {"prob": 0.5}),
    PerturbationSpec("mandarin_to_cantonese"),
    PerturbationSpec("simplified_to_traditional"),
)
ALL = (
    *SWAPS,
    *NEW_SWAPS,
    PerturbationSpec("extra_space", {"num_spaces": 2}),
    PerturbationSpec("filler_words"),
    PerturbationSpec("lowercase"),
    PerturbationSpec("mild_mix"),
    PerturbationSpec("space", {"max_spaces": 3}),
    PerturbationSpec("typos", {"prob": 0.5}),
)
HELMS = tuple(p for p in ALL if p not in NEW_SWAPS and p.name not in ("mild_mix", "misspellings"))
"""HELM's own, but those that need a list that is not carried."""

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
    "Wonderful",
    "def f(x, long):\n    ",
    "return x + long\n",
    '"""Add x."""\n    ',
    "王建国",
    "他",
    "其他",
    "爸爸",
    "头发",
    "非常",
    "김민수",
    "지은이",
    "이는",
    "그",
    "는",
    "형이",
    "할 수",
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
CODE = tuple(p for p in NEW_SWAPS if p.name.startswith("code_"))
WORD_SWAPS = SWAPS + NEW_SWAPS


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
    assert {made.input for made in perturbed([Instance(id="a", input=text)], WORD_SWAPS, compat=False)} == {text}


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


@settings(max_examples=100, deadline=None)
@given(references=st.lists(st.builds(Reference, text=TEXTS, tags=st.sampled_from([(), ("correct",)])), max_size=6))
def test_rotations_are_the_same_options_and_come_round(references: list[Reference]) -> None:
    rotations = tuple(PerturbationSpec("choice_rotation", {"shift": shift}) for shift in range(1, 6))
    given = Instance(id="a", input="?", references=tuple(references))
    for made in perturbed([given], rotations, compat=False):
        assert sorted(map(repr, made.references)) == sorted(map(repr, references))
        doubled = (*references, *references)
        assert any(doubled[i : i + len(references)] == made.references for i in range(max(1, len(references))))


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_renaming_and_docstrings_keep_what_python_parses(text: str) -> None:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for made in perturbed([Instance(id="a", input=text)], CODE, compat=False):
        ast.parse(made.input)


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_every_perturbation_of_characters_keeps_the_lines(text: str) -> None:
    names = ("homoglyphs", "keyboard", "character_noise", "korean_typos", "korean_spacing", "chinese_typos")
    lines = tuple(p for p in NEW_SWAPS if p.name in names)
    for made in perturbed([Instance(id="a", input=text)], lines, compat=False):
        assert made.input.count("\n") == text.count("\n")
        assert len(made.input.split(" ")) <= len(text.split(" "))
