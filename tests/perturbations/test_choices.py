"""The order of options: tags travel with the texts, every rotation is asked, an order that means something stays."""

import pytest

from holoscope.core import CORRECT, AdapterSpec, AugmentationSpec, Instance, PerturbationSpec, Reference, UsageError
from holoscope.models.tokenizers import CHARACTERS, Limits, open_window
from holoscope.perturbations import augment
from holoscope.prompts import plan
from perturbations.perturbing import lexicons_for, perturb_instance, registry

ROTATIONS = AugmentationSpec(
    perturbations=tuple(PerturbationSpec("choice_rotation", {"shift": shift}) for shift in range(1, 10)),
    augment_eval=True,
    include_original=True,
    skip_unchanged=True,
)


def asked(*options: str, right: str = "") -> Instance:
    references = tuple(Reference(text, (CORRECT,) if text == right else ()) for text in options)
    return Instance(id="id0", input="Which one?", references=references)


def rotated(*options: str, shift: int = 1) -> list[str]:
    return [r.text for r in perturb_instance(asked(*options), "choice_rotation", shift=shift).references]


def forms(given: Instance) -> list[Instance]:
    return augment([given], ROTATIONS, registry(), lexicons=lexicons_for(ROTATIONS), compat=False)


def test_the_options_are_rotated() -> None:
    assert rotated("red", "green", "blue", shift=2) == ["blue", "red", "green"]


def test_the_right_answer_moves_along() -> None:
    changed = perturb_instance(asked("red", "green", "blue", right="red"), "choice_rotation", shift=1)
    assert [r.is_correct for r in changed.references] == [False, False, True]


def test_each_option_comes_first_once() -> None:
    found = forms(asked("red", "green", "blue", "black", right="green"))
    assert sorted(i.references[0].text for i in found) == ["black", "blue", "green", "red"]
    assert [i.references[0].is_correct for i in found] == [False, True, False, False]


def test_a_shift_beyond_the_options_is_no_perturbation() -> None:
    assert rotated("red", "green", shift=2) == ["red", "green"]
    assert len(forms(asked("red", "green"))) == 2


@pytest.mark.parametrize(
    "option",
    [
        "All of the above",
        "none of these",
        "Both A and B",
        "a, b and c",
        "(A) or (B)",
        "options A, C",
        "Neither of the two options above, i.e. none of the above",
        "One of the other answers",
        "the above",
        "以上都是",
    ],
)
def test_options_that_name_others_by_their_place_stay(option: str) -> None:
    assert rotated("red", "green", option) == ["red", "green", option]


@pytest.mark.parametrize(
    "option", ["I and II only", "1 and 2", "Vitamins A and C", "some of the cells", "a cat and dogs"]
)
def test_options_that_name_something_else_are_rotated(option: str) -> None:
    assert rotated("red", "green", option) == ["green", option, "red"]


@pytest.mark.parametrize("options", [("A", "B", "C"), ("(a)", "(b)")])
def test_options_that_are_only_labels_stay(options: tuple[str, ...]) -> None:
    assert rotated(*options) == list(options)


def test_a_question_without_options_is_unchanged() -> None:
    assert forms(asked()) == [asked()]
    assert forms(asked("red")) == [asked("red")]


def test_a_shift_is_at_least_one() -> None:
    with pytest.raises(UsageError, match="shift must be at least 1, not 0"):
        perturb_instance(asked("red", "green"), "choice_rotation", shift=0)


def planned(given: Instance, method: str) -> list[str]:
    window = open_window(CHARACTERS, Limits())
    adapter = AdapterSpec(method=method, max_train_instances=0)
    requests = plan(adapter, [], [given], window, compat=False, seed=0, trials=1, wants_logprobs=True)
    return [request.request.prompt or "" for request in requests]


def test_joint_multiple_choice_shows_them_in_the_new_order() -> None:
    changed = perturb_instance(asked("red", "green", "blue"), "choice_rotation", shift=1)
    assert "A. green\nB. blue\nC. red\n" in planned(changed, "multiple_choice_joint")[0]


def test_separate_multiple_choice_asks_the_same_of_each_option() -> None:
    before = asked("red", "green", "blue")
    changed = perturb_instance(before, "choice_rotation", shift=1)
    method = "multiple_choice_separate_original"
    assert sorted(planned(changed, method)) == sorted(planned(before, method)) != planned(changed, method)
