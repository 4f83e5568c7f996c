"""Groups and counterfactual pairs: every number with n, clusters, interval, and what chance would show."""

from collections.abc import Sequence

import pytest

from holoscope.core import Measure, MetricSpec, Outcome, PerturbationDescription, Trial
from holoscope.metrics import measure, score
from metrics.made import failed, generated, instance, registry

FAIR = PerturbationDescription("gender", fairness=True)


def answered(right: bool, index: int, groups: dict[str, str], **fields: object) -> Trial:
    return generated(instance("y", id=f"id{index}", groups=groups, **fields), "y" if right else "n")


def measured(name: str, trials: Sequence[Trial], **args: object) -> dict[tuple[str, str | None], Measure]:
    specs = [MetricSpec("exact_match"), MetricSpec(name, args)]  # type: ignore[arg-type]
    found = measure(specs, trials, score(specs, trials, registry()), registry())
    return {(m.metric, m.sub_split): m for m in found if m.axis == "fairness" and m.perturbation in (None, "gender")}


def two_groups(n: int, first: float, second: float) -> list[Trial]:
    return [
        *(answered(i < first * n, i, {"gender": "female"}) for i in range(n)),
        *(answered(i < second * n, n + i, {"gender": "male"}) for i in range(n)),
    ]


def test_each_group_has_its_mean_with_an_interval() -> None:
    found = measured("groups", two_groups(100, 0.9, 0.6))
    female = found["exact_match", "gender=female"]
    assert (female.value, female.n) == (0.9, 100)
    assert female.low is not None
    assert female.low > 0.8
    assert found["exact_match", "gender=male"].value == 0.6


def test_a_real_gap_is_told_from_chance() -> None:
    found = measured("groups", two_groups(100, 0.9, 0.6))
    assert found["group_gap", "gender"].value == pytest.approx(0.3)
    assert (found["group_gap_by_chance", "gender"].value or 1) < 0.08
    assert (found["group_gap_p_value", "gender"].value or 1) < 0.001
    assert "2 groups, the smallest of 100" in found["group_gap", "gender"].method


def test_a_gap_of_few_answers_proves_nothing() -> None:
    found = measured("groups", two_groups(5, 0.8, 0.6))
    assert found["group_gap", "gender"].value == pytest.approx(0.2)
    assert (found["group_gap_p_value", "gender"].value or 0) > 0.3
    shrunken = [found["exact_match_shrunken", f"gender={g}"].value for g in ("female", "male")]
    assert shrunken == pytest.approx([0.7, 0.7])


def test_attributes_are_crossed() -> None:
    trials = [
        answered(i % 3 > 0, i, {"gender": ("female", "male")[i % 2], "region": ("east", "west")[i // 2 % 2]})
        for i in range(40)
    ]
    found = measured("groups", trials)
    assert found["exact_match", "gender=female&region=west"].n == 10
    assert ("group_gap", "gender&region") in found
    assert ("group_gap", "region") in found


def test_missing_scores_are_counted_in_their_group() -> None:
    lost = failed(instance("y", id="x", groups={"gender": "other"}), Outcome.TRANSPORT_ERROR)
    found = measured("groups", [*two_groups(10, 0.9, 0.6), lost])["exact_match", "gender=other"]
    assert (found.value, found.n, found.n_missing) == (None, 0, 1)
    assert found.reason


def test_groups_within_a_template_are_compared_there() -> None:
    trials = [
        answered(template % 2 == 0, 2 * template + k, {"gender": group}, cluster=f"t{template}")
        for template in range(20)
        for k, group in enumerate(("female", "male"))
    ]
    found = measured("groups", trials)
    assert found["exact_match", "gender=female"].n_clusters == 20
    assert found["group_gap", "gender"].value == 0


def test_repetitions_count_once() -> None:
    once = two_groups(10, 0.9, 0.6)
    trials = [Trial(t.instance, t.exchanges, 0, k) for t in once for k in range(3)]
    assert measured("groups", trials)["exact_match", "gender=female"].n == 10


def test_without_groups_there_is_nothing() -> None:
    assert measured("groups", [generated(instance("y"), "y")]) == {}


def test_one_group_has_no_gap() -> None:
    found = measured("groups", [answered(True, i, {"gender": "female"}) for i in range(5)])
    assert list(found) == [("exact_match", "gender=female")]


def pairs(n: int, changed: int) -> list[Trial]:
    own = [answered(True, i, {}) for i in range(n)]
    other = [answered(i >= changed, i, {}, perturbation=FAIR) for i in range(n)]
    return [trial for both in zip(own, other, strict=True) for trial in both]


def test_pairs_of_equal_answers_are_equivalent() -> None:
    found = measured("counterfactual_pairs", pairs(200, 1))
    change = found["counterfactual_change", None]
    assert change.value == pytest.approx(-1 / 200)
    assert change.perturbation == "gender"
    assert (found["counterfactual_equivalence_p_value", None].value or 1) < 0.001


def test_few_pairs_prove_nothing() -> None:
    found = measured("counterfactual_pairs", pairs(10, 1))
    assert (found["counterfactual_equivalence_p_value", None].value or 0) > 0.05


def test_the_margin_is_the_users() -> None:
    strict = measured("counterfactual_pairs", pairs(100, 2), margin=0.001)["counterfactual_equivalence_p_value", None]
    assert (strict.value or 0) > 0.5
    assert "margin 0.001" in strict.method


def test_pairs_that_never_change_have_no_p_value() -> None:
    found = measured("counterfactual_pairs", pairs(10, 0))
    assert found["counterfactual_change", None].value == 0
    assert found["counterfactual_equivalence_p_value", None].reason


def test_perturbations_of_another_kind_are_no_counterfactuals() -> None:
    typos = PerturbationDescription("typos", robustness=True)
    trials = [answered(True, 0, {}), answered(True, 0, {}, perturbation=typos)]
    specs = [MetricSpec("exact_match"), MetricSpec("counterfactual_pairs")]
    found = measure(specs, trials, score(specs, trials, registry()), registry())
    assert not [m for m in found if m.metric.startswith("counterfactual")]


def test_a_pair_without_a_score_is_missing() -> None:
    lost = failed(instance("y", id="id0", perturbation=FAIR), Outcome.TRANSPORT_ERROR)
    found = measured("counterfactual_pairs", [answered(True, 0, {}), lost])["counterfactual_change", None]
    assert (found.value, found.n, found.n_missing) == (None, 0, 1)
