"""Names that are HELM's and not ours: told what they are, and left out of a suite with a word."""

import pytest

from holoscope.core import Registry, UsageError, builtin
from holoscope.entries import ConfEntry, MissingScenario, absent_scenarios, load_absent, resolve, resolve_all


@pytest.fixture(scope="module")
def known() -> Registry:
    return builtin()


def test_a_name_of_helms_is_explained_and_not_taken_for_a_slip(known: Registry) -> None:
    with pytest.raises(UsageError) as caught:
        resolve("cub200", known, models=["test/echo"])
    assert str(caught.value) == (
        "cub200 (CUB-200, images of birds from captions) is not available: "
        "it asks for images, and no model that makes images is supported yet"
    )


def test_a_suite_runs_without_it_and_says_so(known: Registry) -> None:
    found = resolve_all(["gsm", ConfEntry("audiocaps:model=text"), "audiocaps"], known, models=["test/echo"])
    assert [spec.scenario.name for spec in found.specs] == ["gsm"]
    assert found.missing == (absent_scenarios()["audiocaps"],)


def test_a_real_slip_is_still_corrected(known: Registry) -> None:
    with pytest.raises(UsageError, match="did you mean 'mmlu'"):
        resolve("mmluu", known, models=["test/echo"])


def test_every_reason_and_title_is_one_line() -> None:
    for kind in load_absent():
        assert kind.names
        for text in (kind.kind, kind.reason, *kind.names, *kind.names.values()):
            assert text == text.strip(" .\n") != ""
            assert "\n" not in text


def test_by_name_they_are_what_a_suite_lacks() -> None:
    assert absent_scenarios()["msr_vtt"] == MissingScenario(
        "msr_vtt", "MSR-VTT, captions of videos", "it shows a video to a model, and no model is given video yet"
    )
