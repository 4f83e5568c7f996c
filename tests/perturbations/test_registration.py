"""What is registered: each described, versioned and documented, and what can't be had refused with its reason."""

import re
from pathlib import Path

import pytest

from holoscope.core import DataError
from holoscope.entries.augmentations import AUGMENTATIONS
from holoscope.perturbations import definition, load_lexicons
from holoscope.perturbations.registration import BEYOND_HELM, HELMS, NOT_SUPPORTED, OURS
from perturbations.perturbing import NOWHERE, registry, spec_for

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "perturbations.md"


def documented() -> set[str]:
    """The words in backquotes at the beginning of a table's rows."""
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    return {name for line in lines if line.startswith("| `") for name in re.findall(r"`([^`]+)`", line.split("|")[1])}


def test_every_perturbation_is_documented() -> None:
    names = {name.removesuffix("@helm") for name in registry().perturbations}
    assert names - documented() == set()


def test_every_value_of_data_augmentation_is_documented() -> None:
    assert set(AUGMENTATIONS) - documented() == set()


def test_every_augmentation_names_what_is_registered_with_arguments_it_takes() -> None:
    known = registry()
    for runs in AUGMENTATIONS.values():
        for wanted in (spec for specs in runs.values() for spec in specs):
            card = known.perturbations.get(wanted.name)
            if not card.unavailable:
                described = card.describe(**wanted.args)
                assert described.name == wanted.name
                assert described.robustness + described.fairness == (wanted.name != "style")


@pytest.mark.parametrize("name", sorted(BEYOND_HELM))
def test_what_helm_lacks_is_ours_under_compat_too(name: str) -> None:
    assert definition(name, registry(), compat=True).version == "1"


def test_under_compat_ours_never_stands_in_for_helms() -> None:
    assert {f"{name}@helm" for name in OURS} == {f"{name}@helm" for name in HELMS} | {
        name for name in NOT_SUPPORTED if name.endswith("@helm")
    }


@pytest.mark.parametrize("name", sorted(name.removesuffix("@helm") for name in NOT_SUPPORTED))
def test_what_can_not_be_had_says_why_in_one_line(name: str) -> None:
    with pytest.raises(DataError, match=f"the perturbation {name} is not supported: HELM") as error:
        load_lexicons(spec_for(name), registry(), NOWHERE, compat=True)
    assert "\n" not in str(error.value)
