"""Which instances come out, in which order, and that nothing but instance, perturbation and seed decides their text."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec
import pytest

from holoscope.core import AugmentationSpec, Instance, PerturbationSpec, Reference, UnknownNameError, image_mark
from holoscope.perturbations import augment, load_lexicons
from perturbations.perturbing import NOWHERE, instance, lexicons_for, perturb_instance, registry

GENDER = PerturbationSpec("gender", {"mode": "pronouns", "prob": 0.5, "source_class": "male", "target_class": "female"})
SPACE = PerturbationSpec("space", {"max_spaces": 3})
TYPOS = PerturbationSpec("typos", {"prob": 0.2})
LOWER = PerturbationSpec("lowercase")


def spec(*perturbations: PerturbationSpec, **fields: Any) -> AugmentationSpec:
    return AugmentationSpec(perturbations=perturbations, augment_eval=True, **fields)


def run(instances: list[Instance], wanted: AugmentationSpec, **fields: Any) -> list[Instance]:
    return augment(instances, wanted, registry(), lexicons=lexicons_for(wanted), **{"compat": False} | fields)


def hundred() -> list[Instance]:
    return [Instance(id=f"id{i}", input=f"He said that he saw him, number {i}, near his house.") for i in range(100)]


def test_without_augmentation_the_instances_are_as_they_were() -> None:
    assert run(hundred(), AugmentationSpec(perturbations=(LOWER,))) == hundred()


def test_each_original_comes_before_its_perturbed_versions() -> None:
    made = run([instance("A B"), instance("C D")], spec(LOWER, SPACE, include_original=True))
    assert [i.perturbation_name for i in made] == [None, "lowercase", "space"] * 2


def test_originals_are_left_out_unless_asked_for() -> None:
    assert [i.perturbation_name for i in run([instance("A")], spec(LOWER))] == ["lowercase"]


def test_unchanged_instances_are_left_out_where_asked() -> None:
    made = run([instance("A"), instance("a")], spec(LOWER, skip_unchanged=True))
    assert [i.input for i in made] == ["a"]


def test_a_change_of_the_references_alone_is_no_change() -> None:
    he = msgspec.structs.replace(GENDER, args=GENDER.args | {"prob": 1.0})
    assert run([instance("Who?", "he")], spec(he, skip_unchanged=True)) == []


def test_a_perturbed_instance_keeps_all_but_its_text() -> None:
    given = Instance(id="id7", input="A", split="valid", sub_split="easy", cluster="c", extra={"k": 1})
    made = run([given], spec(LOWER))[0]
    assert made == msgspec.structs.replace(given, input="a", perturbation=made.perturbation, original_input="A")


def test_each_seed_is_another_draw_and_is_stated() -> None:
    made = run([instance("a quick brown fox jumps over a lazy dog")], spec(TYPOS, seeds_per_instance=3))
    assert [i.perturbation.seed for i in made if i.perturbation] == [None, 1, 2]
    assert len({i.input for i in made}) == 3


def test_another_seed_of_the_run_draws_otherwise() -> None:
    given = [instance("a quick brown fox jumps over a lazy dog")]
    assert run(given, spec(TYPOS), seed=0) == run(given, spec(TYPOS), seed=0) != run(given, spec(TYPOS), seed=1)


def test_draws_depend_on_the_arguments() -> None:
    given = [instance("a quick brown fox jumps over a lazy dog")]
    hardly_harder = msgspec.structs.replace(TYPOS, args={"prob": 0.2000001})
    assert run(given, spec(TYPOS))[0].input != run(given, spec(hardly_harder))[0].input


@pytest.mark.parametrize("compat", [False, True])
def test_one_and_sixteen_threads_give_the_same_bytes(compat: bool) -> None:
    wanted = spec(GENDER, SPACE, TYPOS, include_original=True, seeds_per_instance=2)
    whole = run(hundred(), wanted, compat=compat)
    one = partial(augment, spec=wanted, registry=registry(), lexicons=lexicons_for(wanted), compat=compat)
    for _ in range(2):
        with ThreadPoolExecutor(16) as pool:
            parts = list(pool.map(one, [[i] for i in hundred()]))
        assert msgspec.json.encode([i for part in parts for i in part]) == msgspec.json.encode(whole)


def test_the_order_and_company_of_instances_does_not_matter() -> None:
    wanted = spec(GENDER, TYPOS)
    assert run(hundred()[::-1], wanted)[:2] == run(hundred()[99:], wanted)


def test_compat_takes_helms_definition_where_there_is_one() -> None:
    edge = msgspec.structs.replace(GENDER, args=GENDER.args | {"prob": 1.0})
    assert run([instance("he and he.")], spec(edge), compat=True)[0].input == "he and she."


def test_compat_keeps_unchanged_passages_with_questions_as_helm_does() -> None:
    wanted, boolq = spec(GENDER, skip_unchanged=True), "helm.benchmark.scenarios.boolq_scenario.BoolQScenario"
    given = [instance("A passage.\nQuestion: why?")]
    assert [i.input for i in run(given, wanted, compat=True, helm_class=boolq)] == [given[0].input]
    assert run(given, wanted, compat=True) == []
    assert run(given, wanted, helm_class=boolq) == []


def test_an_unchanged_contrast_set_is_left_out_everywhere() -> None:
    wanted, boolq = spec(PerturbationSpec("contrast_sets"), skip_unchanged=True), "BoolQScenario"
    assert run([instance("A passage.\nQuestion: why?")], wanted, compat=True, helm_class=boolq) == []


def test_a_contrast_set_brings_its_own_references() -> None:
    extra: Any = {
        "contrast_inputs": ["is it the first?"],
        "contrast_references": [[{"text": "Yes", "tags": ["correct"]}]],
    }
    changed = perturb_instance(Instance(id="id0", input="is it the last?", extra=extra), "contrast_sets")
    assert changed.input == "is it the first?"
    assert changed.references == (Reference("Yes", ("correct",)),)
    assert changed.original_input == "is it the last?"


def test_an_unknown_perturbation_suggests_the_nearest() -> None:
    wanted = spec(PerturbationSpec("mispellings", {"prob": 0.1}))
    with pytest.raises(UnknownNameError, match="unknown perturbation 'mispellings'; did you mean 'misspellings'"):
        load_lexicons(wanted, registry(), NOWHERE, compat=False)


def test_every_definition_has_a_version() -> None:
    versions = {card.name: card.version for card in registry().perturbations.values()}
    assert versions["gender"] == "1"
    assert versions["gender@helm"] == "helm-0.5.16"
    assert "space@helm" not in versions


@pytest.mark.parametrize(("name", "args"), [("typos", {"prob": 1.0}), ("lowercase", {}), ("style", {"suffix": "art"})])
def test_the_mark_of_an_image_is_left_as_it_is(name: str, args: dict[str, Any]) -> None:
    mark = image_mark("COCO_val2014_Aa.JPG")
    made = perturb_instance(instance(f"WHAT IS {mark} HERE?"), name, **args).input
    assert mark in made
    assert made != f"WHAT IS {mark} HERE?"


def test_texts_around_an_image_are_changed_one_by_one() -> None:
    mark = image_mark("a.png")
    made = perturb_instance(instance(f"One{mark}Two"), "style", suffix="art").input
    assert made == f"One, art{mark}Two, art"
