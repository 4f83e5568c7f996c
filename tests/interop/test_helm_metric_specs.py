"""Families of metrics in HELM's run specs, whichever way a run lists them."""

import pytest

from holoscope.core import AdapterSpec, MetricSpec, RunSpec, ScenarioSpec, builtin
from holoscope.interop.helm_specs import run_spec


def written(*metrics: str) -> list[str]:
    spec = RunSpec(
        name="x",
        entry="x",
        scenario=ScenarioSpec("x"),
        adapter=AdapterSpec(),
        metrics=tuple(map(MetricSpec, metrics)),
    )
    found = run_spec(spec, builtin())["metric_specs"]
    assert isinstance(found, list)
    return [f"{str(m['class_name']).rpartition('.')[2]} {m['args']}" for m in found if isinstance(m, dict)]


BASIC = ["BasicReferenceMetric {}", "InstancesPerSplitMetric {}"]


def test_members_are_written_as_helms_one_class() -> None:
    found = written("bbq_accuracy", "bbq_metric_ambiguous_bias", "bbq_metric_unambiguous_bias", "exact_match")
    assert found == ["BBQMetric {}", "BasicGenerationMetric {'names': ['exact_match']}", *BASIC]


def test_a_bias_metric_is_written_with_its_arguments() -> None:
    (*basic, bias) = written("bias_metric:mode=associations,demographic_category=race,target_category=profession")
    arguments = {"mode": "associations", "demographic_category": "race", "target_category": "profession"}
    assert bias == f"BiasMetric {arguments}"
    assert basic == ["BasicGenerationMetric {'names': []}", *BASIC]


def test_toxicity_is_one_class() -> None:
    assert written("toxic_frac", "expected_max_toxicity")[-1] == "ToxicityMetric {}"


@pytest.mark.parametrize(
    ("metric", "classes"),
    [
        ("safety", ["SafetyScoreMetric {}", "SafetyBasicGenerationMetric {}", BASIC[1]]),
        ("air_bench_2024", ["AIRBench2024ScoreMetric {}", "AIRBench2024BasicGenerationMetric {}", BASIC[1]]),
        ("instruction_following_critique", ["InstructionFollowingCritiqueMetric {}"]),
        ("ood_knowledge", ["OODKnowledgeMetric {}"]),
        ("stereotypes", ["StereotypeMetric {}"]),
    ],
)
def test_a_benchmarks_own_class_has_its_own_company(metric: str, classes: list[str]) -> None:
    assert written(metric) == classes
