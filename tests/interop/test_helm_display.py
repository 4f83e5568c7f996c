from pathlib import Path
from typing import Any

import pytest

from holoscope.core import Display, ScenarioSpec
from holoscope.interop import load_display
from paths import DATA, needs_data
from store.made import spec

SCHEMA = """
metrics:
  - {name: exact_match, display_name: Exact match, short_display_name: EM, lower_is_better: false}
  - {name: bits_per_byte, lower_is_better: true}
perturbations:
  - {name: typos, display_name: Typos}
metric_groups:
adapter: [{name: model}]
run_groups:
  - {name: core, display_name: Core scenarios, subgroups: [answers, blimp]}
  - {name: answers, subgroups: [gsm, mmlu, core]}
  - name: mmlu
    display_name: MMLU
    category: Scenarios
    description: null
    environment: {main_name: exact_match, main_split: test}
    taxonomy: {task: questions, when: 2020}
    todo: true
  - {name: bold, environment: {main_name: none, main_split: test}}
  - {name: gsm, environment: {main_name: final_number_exact_match, main_split: test}}
  - {name: blimp}
  - {name: hidden, visibility: no_groups}
  - {name: ablation, visibility: this_group_only}
"""


@pytest.fixture
def layout(tmp_path: Path) -> Display:
    path = tmp_path / "schema.yaml"
    path.write_text(SCHEMA, encoding="utf-8")
    return load_display(path)


def test_groups_stand_in_the_order_of_their_headings_and_the_others_last(layout: Display) -> None:
    assert [group.name for group in layout.groups] == ["gsm", "mmlu", "blimp", "bold", "ablation"]


def test_a_heading_holds_the_groups_at_any_depth_below_it(layout: Display) -> None:
    sections = {section.name: section.groups for section in layout.sections}
    assert sections == {"core": ("gsm", "mmlu", "blimp"), "answers": ("gsm", "mmlu", "blimp")}
    assert layout.sections[0].title == "Core scenarios"


def test_a_group_has_its_title_main_metric_and_split(layout: Display) -> None:
    (mmlu,) = [group for group in layout.groups if group.name == "mmlu"]
    assert (mmlu.title, mmlu.main_metric, mmlu.main_split, mmlu.category) == (
        "MMLU",
        "exact_match",
        "test",
        "Scenarios",
    )
    assert mmlu.taxonomy == {"task": "questions", "when": "2020"}


def test_helms_none_is_no_metric(layout: Display) -> None:
    assert [group.main_metric for group in layout.groups if group.name in ("bold", "blimp")] == ["", ""]


def test_metrics_and_perturbations_have_their_titles(layout: Display) -> None:
    found = layout.metric("exact_match")
    assert (found.title, found.short_title, found.lower_is_better) == ("Exact match", "EM", False)
    assert layout.metric("bits_per_byte").lower_is_better is True
    assert layout.metric("unheard_of").title == ""
    assert layout.perturbations == {"typos": "Typos"}


@pytest.mark.parametrize(
    ("fields", "group"),
    [
        ({"groups": ("mmlu",)}, "mmlu"),
        ({"groups": ("unknown",), "scenario": ScenarioSpec("gsm")}, "gsm"),
        ({"groups": ("mmlu", "ablation")}, "ablation"),
        ({"groups": ("hidden",), "scenario": ScenarioSpec("x")}, None),
    ],
)
def test_a_run_is_in_the_group_it_names_or_its_scenario_is(
    layout: Display, fields: dict[str, Any], group: str | None
) -> None:
    found = layout.group_of(spec(**fields))
    assert (found.name if found else None) == group


def test_a_run_in_no_group_comes_last(layout: Display) -> None:
    assert layout.position(spec(groups=("mmlu",))) == 1
    assert layout.position(spec(groups=(), scenario=ScenarioSpec("x"))) == len(layout.groups)


@needs_data
def test_helms_own_schema_is_read() -> None:
    layout = load_display(DATA / "helm_outputs" / "benchmark_output" / "runs" / "run1" / "schema.json")
    assert len(layout.groups) == 108
    assert layout.groups[0].title.startswith("MMLU")
    core = layout.sections[0]
    assert core.name == "core_scenarios"
    assert {"mmlu", "boolq", "imdb", "raft"} <= set(core.groups)
