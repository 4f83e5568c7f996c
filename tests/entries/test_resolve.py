"""From entries to run specs: names, models, options, and what is said when one cannot be followed."""

from typing import Literal

import pytest

from entries.records import with_perturbations
from holoscope.core import (
    HELM_COMPAT,
    AdapterSpec,
    HoloscopeError,
    MetricSpec,
    Registry,
    RunSpec,
    ScenarioSpec,
    Task,
    UnknownNameError,
    UsageError,
)
from holoscope.entries import (
    ConfEntry,
    Options,
    Resolved,
    Track,
    by_groups,
    check_distinct,
    resolve,
    resolve_all,
    split_entries,
)

HELM = Options(compat=HELM_COMPAT)


def mmlu(subject: Literal["anatomy", "astronomy"], method: str = "multiple_choice_joint") -> Task:
    return Task(
        name=f"mmlu:subject={subject},method={method}",
        scenario=ScenarioSpec("mmlu", {"subject": subject}),
        adapter=AdapterSpec(method=method),
        metrics=(MetricSpec("exact_match"),),
        groups=("mmlu",),
    )


def gsm() -> Task:
    return Task(name="gsm", scenario=ScenarioSpec("gsm"), adapter=AdapterSpec(), metrics=(), groups=("gsm",))


def code(dataset: str, timeout: int = 3) -> Task:
    scenario = ScenarioSpec("code", {"dataset": dataset, "timeout": timeout})
    return Task(name=f"code:dataset={dataset}", scenario=scenario, adapter=AdapterSpec(), metrics=(), groups=("code",))


def file(path: str, input: str = "") -> Task:
    scenario = ScenarioSpec("file", {"path": path, "input": input})
    return Task(name=f"file:path={path}", scenario=scenario, adapter=AdapterSpec(), metrics=(), groups=("file",))


@pytest.fixture
def registry() -> Registry:
    registry = with_perturbations(Registry())
    registry.task("mmlu")(mmlu)
    registry.task("gsm", "gsm8k")(gsm)
    registry.task("code")(code)
    registry.task("file")(file)
    registry.aliases["anatomy"] = "mmlu:subject=anatomy"
    return registry


def track(*descriptions: str) -> dict[str, Track]:
    entries = tuple(ConfEntry(description, groups=("mine",)) for description in descriptions)
    return {"mine": Track(name="mine", title="Mine", description="", entries=entries)}


def names(resolved: Resolved) -> list[str]:
    return [spec.name for spec in resolved.specs]


def test_an_entry_becomes_a_run_spec(registry: Registry) -> None:
    entry = "mmlu:subject=anatomy,model=openai/gpt-4o,eval_split=test"
    assert resolve(entry, registry, options=Options(seed=3, trials=2)).specs == (
        RunSpec(
            name="mmlu:subject=anatomy,method=multiple_choice_joint,model=openai_gpt-4o,eval_split=test,seed=3",
            entry=entry,
            scenario=ScenarioSpec("mmlu", {"subject": "anatomy"}),
            adapter=AdapterSpec(
                method="multiple_choice_joint",
                model="openai/gpt-4o",
                model_deployment="openai/gpt-4o",
                eval_splits=("test",),
            ),
            metrics=(MetricSpec("exact_match"),),
            groups=("mmlu",),
            seed=3,
            trials=2,
        ),
    )


# -- models


def test_an_entry_without_a_model_is_run_for_each_that_is_asked(registry: Registry) -> None:
    resolved = resolve("gsm:eval_split=test", registry, models=["test/echo", "a/b", "test/echo"])
    assert names(resolved) == ["gsm:eval_split=test,model=test_echo", "gsm:eval_split=test,model=a_b"]


def test_an_entrys_own_model_wins(registry: Registry) -> None:
    assert names(resolve("gsm:model=c/d", registry, models=["a/b"])) == ["gsm:model=c_d"]


def test_a_group_of_models_stands_for_those_asked_for_in_its_place(registry: Registry) -> None:
    resolved = resolve("gsm:model=text,eval_split=test", registry, models=["a/b", "c/d"], options=HELM)
    assert names(resolved) == ["gsm:model=a_b,eval_split=test", "gsm:model=c_d,eval_split=test"]


@pytest.mark.parametrize("model", ["vllm/org/name:v1", "replay/a.jsonl?window=2048", "local/smol", "test/echo"])
def test_a_model_is_taken_as_it_stands(registry: Registry, model: str) -> None:
    (spec,) = resolve("gsm", registry, models=[model]).specs
    assert (spec.adapter.model, spec.adapter.model_deployment) == (model, model)


def test_under_compat_a_deployment_names_its_model(registry: Registry) -> None:
    (spec,) = resolve("gsm:model=together/meta/llama", registry, options=HELM).specs
    assert (spec.adapter.model, spec.adapter.model_deployment) == ("meta/llama", "together/meta/llama")
    assert spec.name == "gsm:model=together_meta_llama"


def test_a_deployment_can_be_named_beside_the_model(registry: Registry) -> None:
    (spec,) = resolve("gsm:model=meta/llama,model_deployment=together/llama", registry).specs
    assert (spec.adapter.model, spec.adapter.model_deployment) == ("meta/llama", "together/llama")


def test_a_deployment_alone_is_a_model(registry: Registry) -> None:
    (spec,) = resolve("gsm:model_deployment=together/llama", registry, models=["a/b"]).specs
    assert spec.adapter.model == "together/llama"


def test_under_compat_an_entry_of_another_model_is_left_out_with_a_note(registry: Registry) -> None:
    resolved = resolve("gsm:model=c/d", registry, models=["a/b"], options=HELM)
    assert resolved == Resolved((), ("gsm: left out, its model c/d is not among those to run",))


def test_t114_slashes_and_colons_of_a_model_reach_the_name(registry: Registry) -> None:
    (spec,) = resolve("mmlu:subject=anatomy,model=org/sub/name:v1", registry).specs
    assert spec.adapter.model == "org/sub/name:v1"
    assert spec.name == "mmlu:subject=anatomy,method=multiple_choice_joint,model=org_sub_name:v1"


# -- other names


def test_another_name_is_followed_with_a_note(registry: Registry) -> None:
    resolved = resolve("gsm8k:model=a/b", registry)
    assert (names(resolved), resolved.notes) == (["gsm:model=a_b"], ("gsm8k is called gsm here",))


def test_another_name_may_stand_for_arguments_too(registry: Registry) -> None:
    (spec,) = resolve("anatomy:method=generation,model=a/b", registry).specs
    assert spec.name == "mmlu:subject=anatomy,method=generation,model=a_b"


def test_a_data_file_is_the_path_of_the_file_task(registry: Registry) -> None:
    (spec,) = resolve("./rows/q.jsonl:input=question,model=a/b", registry).specs
    assert spec.scenario == ScenarioSpec("file", {"path": "./rows/q.jsonl", "input": "question"})
    assert spec.name == "file:path=._rows_q.jsonl,input=question,model=a_b"


def test_a_track_gives_all_its_entries(registry: Registry) -> None:
    resolved = resolve("mine", registry, models=["a/b"], tracks=track("gsm", "mmlu:subject=anatomy"))
    assert [(spec.entry, spec.groups) for spec in resolved.specs] == [
        ("gsm", ("gsm", "mine")),
        ("mmlu:subject=anatomy", ("mmlu", "mine")),
    ]


def test_a_tracks_arguments_go_to_all_its_entries(registry: Registry) -> None:
    tracks = track("gsm:max_eval_instances=5", "mmlu:subject=anatomy")
    resolved = resolve("mine:model=a/b,max_eval_instances=2", registry, tracks=tracks)
    assert [spec.adapter.max_eval_instances for spec in resolved.specs] == [2, 2]


def test_a_built_in_track_is_found_by_its_name() -> None:
    registry = Registry()
    registry.task("mmlu")(lambda subject: mmlu(subject))
    assert len(resolve("mmlu-all", registry, models=["test/echo"]).specs) == 57


def test_a_track_with_the_name_of_a_scenario_is_refused(registry: Registry) -> None:
    tracks = {"gsm": track("gsm")["mine"]}
    with pytest.raises(UsageError, match="the track 'gsm' has the name of a scenario"):
        resolve("nothing:model=a/b", registry, tracks=tracks)


# -- options


def test_a_row_limit_holds_where_the_entry_has_none(registry: Registry) -> None:
    entries = ["gsm:model=a/b", "gsm:model=a/b,max_eval_instances=5"]
    resolved = resolve_all(entries, registry, options=Options(max_eval_instances=20))
    assert [spec.adapter.max_eval_instances for spec in resolved.specs] == [20, 5]


def test_a_row_limit_does_not_show_in_the_name(registry: Registry) -> None:
    assert names(resolve("gsm:model=a/b", registry, options=Options(max_eval_instances=20))) == ["gsm:model=a_b"]


@pytest.mark.parametrize(
    ("entry", "asked", "trials"),
    [
        ("gsm:model=a/b,num_train_trials=3", None, 3),
        ("gsm:model=a/b,num_train_trials=3", 2, 2),
        ("gsm:model=a/b,max_train_instances=0,num_train_trials=3", 2, 1),
        ("gsm:model=a/b,max_train_instances=0,num_train_trials=3", None, 1),
    ],
)
def test_draws_of_examples(registry: Registry, entry: str, asked: int | None, trials: int) -> None:
    (spec,) = resolve(entry, registry, options=Options(num_train_trials=asked)).specs
    assert spec.adapter.num_train_trials == trials


def test_groups_of_a_conf_entry_show_in_the_name_and_join_the_runs(registry: Registry) -> None:
    (spec,) = resolve(ConfEntry("gsm:model=a/b", groups=("z", "b")), registry).specs
    assert (spec.name, spec.groups) == ("gsm:model=a_b,groups=b-z", ("gsm", "z", "b"))


def test_runs_are_kept_by_group(registry: Registry) -> None:
    specs = resolve_all(["gsm:model=a/b", "anatomy:model=a/b"], registry).specs
    assert [spec.name for spec in by_groups(specs, ["gsm", "other"])] == ["gsm:model=a_b"]


def test_no_group_keeps_all(registry: Registry) -> None:
    specs = resolve_all(["gsm:model=a/b", "anatomy:model=a/b"], registry).specs
    assert by_groups(specs, []) == list(specs)


# -- names are distinct


def test_an_argument_that_the_tasks_name_leaves_out_shows(registry: Registry) -> None:
    assert names(resolve("code:dataset=x,timeout=9,model=a/b", registry)) == ["code:dataset=x,timeout=9,model=a_b"]


def test_under_compat_it_does_not(registry: Registry) -> None:
    assert names(resolve("code:dataset=x,timeout=9,model=a/b", registry, options=HELM)) == ["code:dataset=x,model=a_b"]


def test_what_differs_in_temperature_only_has_two_names(registry: Registry) -> None:
    entries = ["gsm:model=a/b", "gsm:model=a/b,temperature=0.5"]
    assert names(resolve_all(entries, registry)) == ["gsm:model=a_b", "gsm:model=a_b,temperature=0.5"]


def test_under_compat_two_runs_of_one_name_are_refused(registry: Registry) -> None:
    entries = ["gsm:model=a/b", "gsm:model=a/b,temperature=0.5"]
    with pytest.raises(UsageError, match=r"two different runs are called 'gsm:model=a_b', from 'gsm:model=a/b' and"):
        resolve_all(entries, registry, options=HELM)


def test_what_is_asked_for_twice_runs_once(registry: Registry) -> None:
    assert names(resolve_all(["gsm:model=a/b", "gsm8k:model=a/b"], registry)) == ["gsm:model=a_b"]


def test_two_models_that_look_alike_in_a_name_are_refused(registry: Registry) -> None:
    specs = [*resolve("gsm:model=a/b_c", registry).specs, *resolve("gsm:model=a_b/c", registry).specs]
    with pytest.raises(UsageError, match="put them in different suites"):
        check_distinct(specs)


# -- what cannot be followed


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("mmul:model=a/b", "unknown scenario or track 'mmul'; did you mean 'mmlu'? (holoscope list scenarios)"),
        ("mmlu-al", "unknown scenario or track 'mmlu-al'; did you mean 'mmlu-all'? (holoscope list scenarios)"),
        ("mmlu:subjet=anatomy,model=a/b", "unknown argument of mmlu 'subjet'; did you mean 'subject'? (mmlu takes"),
        (
            "gsm:tempreature=1,model=a/b",
            "unknown argument of gsm 'tempreature'; did you mean 'temperature'?",
        ),
        ("mmlu:subject=anatmy,model=a/b", "unknown value of subject in mmlu 'anatmy'; did you mean 'anatomy'?"),
        ("mmlu:model=a/b", "mmlu needs subject: mmlu:subject=anatomy"),
        ("gsm", "gsm: no model is named; say which with --model provider/model (test/echo needs no key)"),
        ("gsm:model=text", "gsm: model=text is a group of models; say which with --model provider/model"),
        ("gsm:model=gpt-4o", "model 'gpt-4o' has no provider; write provider/model, e.g. openai/gpt-4o or test/echo"),
        ("gsm:model=txt", "model 'txt' has no provider; write provider/model, or did you mean the group 'text'?"),
        ("gsm:model=4", "gsm: a model is provider/model, found 4"),
        ("q.jsonl:path=x,model=a/b", "q.jsonl is the path already; leave out path="),
        ("gsm:follow_format_instructions=some,model=a/b", "unknown value of follow_format_instructions 'some'"),
    ],
)
def test_an_entry_that_cannot_be_followed_is_refused_in_one_line(registry: Registry, entry: str, problem: str) -> None:
    with pytest.raises(HoloscopeError) as caught:
        resolve(entry, registry)
    assert str(caught.value).startswith(problem)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_group_of_models_without_a_choice_names_helms_flag(registry: Registry) -> None:
    with pytest.raises(UsageError, match="model=text is a group of models; say which with --models-to-run"):
        resolve("gsm:model=text", registry, options=HELM)


def test_a_model_on_the_command_line_has_a_provider(registry: Registry) -> None:
    with pytest.raises(UsageError, match="model 'gpt-4o' has no provider"):
        resolve("gsm", registry, models=["gpt-4o"])


def test_a_perturbation_that_is_not_there_is_refused() -> None:
    registry = Registry()
    registry.task("gsm")(gsm)
    with pytest.raises(UnknownNameError, match=r"unknown perturbation 'mild_mix' \(data_augmentation=canonical\)"):
        resolve("gsm:data_augmentation=canonical,model=a/b", registry)


def test_definitions_of_nobody_are_refused(registry: Registry) -> None:
    with pytest.raises(UnknownNameError, match="value of compat 'hlem'; did you mean 'helm'"):
        resolve("gsm:model=a/b", registry, options=Options(compat="hlem"))


def test_instructions_meant_for_some_models_come_with_a_note(registry: Registry) -> None:
    resolved = resolve("gsm:follow_format_instructions=instruct,model=a/b", registry)
    assert resolved.notes == ("follow_format_instructions=instruct: every model is taken to follow instructions",)


def test_t113_an_unknown_name_in_a_list_suggests_the_nearest(registry: Registry) -> None:
    with pytest.raises(UnknownNameError, match="unknown scenario or track 'gms'; did you mean 'gsm'"):
        resolve_all(split_entries(["anatomy,gms,"]), registry, models=["a/b"])
