"""What each expander does to a run and to its name."""

from collections.abc import Mapping

import pytest

from holoscope.core import (
    HELM_COMPAT,
    AdapterSpec,
    AugmentationSpec,
    Json,
    PerturbationSpec,
    RunSpec,
    ScenarioSpec,
    Substitution,
    UsageError,
)
from holoscope.entries.augmentations import AUGMENTATIONS, BEYOND_HELM, HELMS
from holoscope.entries.expanders import expand
from holoscope.prompts.labels import prefix

RUN = RunSpec(
    name="t:a=1",
    entry="t",
    scenario=ScenarioSpec("t", {"a": 1}),
    adapter=AdapterSpec(instructions="Do it.\n", stop_sequences=("\n",), temperature=0.25, max_tokens=7),
    metrics=(),
)


def changed(run: RunSpec) -> dict[str, object]:
    """The adapter fields that differ from `RUN`'s."""
    before, after = RUN.adapter, run.adapter
    return {f: getattr(after, f) for f in AdapterSpec.__struct_fields__ if getattr(after, f) != getattr(before, f)}


def one(key: str, value: Json, compat: str = "") -> RunSpec:
    (run,) = expand(RUN, key, value, compat)
    return run


@pytest.mark.parametrize(
    ("key", "value", "fields"),
    [
        ("max_train_instances", 3, {"max_train_instances": 3}),
        ("max_train_instances", "zero", {"max_train_instances": 0}),
        ("max_eval_instances", 20, {"max_eval_instances": 20}),
        ("max_eval_instances", "default", {"max_eval_instances": 1000}),
        ("num_train_trials", 3, {"num_train_trials": 3}),
        ("num_trials", "heim_efficiency", {"num_trials": 5}),
        ("num_outputs", "default", {"num_outputs": 1}),
        ("num_output_tokens", 4000, {"max_tokens": 4000}),
        ("eval_split", "test", {"eval_splits": ("test",)}),
        ("model", "a/b", {"model": "a/b"}),
        ("model_deployment", "h/a/b", {"model_deployment": "h/a/b"}),
        ("instructions", "none", {"instructions": ""}),
        ("prompt", "i_o", {"input_prefix": "I: ", "output_prefix": "O: "}),
        ("prompt", "input_output", {}),
        (
            "prompt",
            "human_assistant",
            {
                "input_prefix": 'Human: What is the answer to "',
                "input_suffix": '"?\n',
                "output_prefix": 'Assistant: The answer is "',
                "output_suffix": '".\n',
                "stop_sequences": ('".',),
            },
        ),
        ("newline", "br", {"substitutions": (Substitution("\n", "<br>\n"),)}),
        ("stop", "none", {"stop_sequences": ()}),
        ("stop", "hash", {"stop_sequences": ("###",), "instance_prefix": "###\n\n"}),
        ("add_to_stop", "newline", {"stop_sequences": ("\n", "\n")}),
        ("add_to_stop", "END", {"stop_sequences": ("\n", "END")}),
        ("global_prefix", "nlg", {"global_prefix": "[NLG]"}),
        ("format_prompt", {"prefix": "P: ", "suffix": "S: "}, {"input_prefix": "P: ", "output_prefix": "S: "}),
        ("format_prompt", "P: ", {"input_prefix": "P: ", "output_prefix": ""}),
        ("temperature", 1, {"temperature": 1.0}),
        ("increase_temperature", 0.5, {"temperature": 0.75}),
        ("increase_max_tokens", 10, {"max_tokens": 17}),
    ],
)
def test_an_expander_changes_the_adapter(key: str, value: Json, fields: Mapping[str, object]) -> None:
    assert changed(one(key, value)) == fields


def test_expert_instructions_go_before_the_scenarios_own() -> None:
    instructions = one("instructions", "expert").adapter.instructions
    assert instructions == "I am an expert AI assistant who is here to help you with the following. Do it.\n"


def test_format_instructions_stand_around_the_prompt() -> None:
    adapter = one("follow_format_instructions", "all").adapter
    assert adapter.global_prefix.endswith("your job is to figure out what it is.\n\n")
    assert adapter.global_suffix.endswith("the format of the preceding outputs!\nOutput:")


@pytest.mark.parametrize(
    ("key", "value", "numbers"),
    [
        ("max_train_instances", "all", [0, 1, 2, 4, 8, 16]),
        ("max_train_instances", "big_bench_few_shot_setting", [0, 1, 2, 3]),
        ("max_train_instances", "vhelm", [0, 1, 2, 4, 8]),
        ("max_train_instances", "melt", [0, 1, 5]),
        ("num_outputs", "copyright_sweep", [1, 10]),
    ],
)
def test_a_sweep_gives_a_run_for_each_number(key: str, value: str, numbers: list[int]) -> None:
    runs = expand(RUN, key, value, HELM_COMPAT)
    assert [getattr(run.adapter, key) for run in runs] == numbers
    assert [run.name for run in runs] == [f"t:a=1,{key}={number}" for number in numbers]


def test_a_scenarios_own_argument_can_be_swept() -> None:
    runs = expand(RUN, "num_prompt_tokens", "default_sweep", "")
    assert [run.scenario.args["num_prompt_tokens"] for run in runs] == [1, 256, 512, 1024, 1536]


def test_a_tokenizer_is_an_argument_of_the_scenario() -> None:
    run = one("tokenizer", "huggingface/gpt2")
    assert (run.name, run.scenario.args["tokenizer"]) == ("t:a=1,tokenizer=huggingface_gpt2", "huggingface/gpt2")


SILENT: list[tuple[str, Json, str]] = [
    ("temperature", 0.3, "temperature=0.3"),
    ("increase_temperature", 0.5, "increase_temperature=0.5"),
    ("increase_max_tokens", 10, "increase_max_tokens=10"),
    ("add_to_stop", "newline", "add_to_stop=newline"),
    ("format_prompt", {"prefix": "P: "}, 'format_prompt={prefix:"P: "}'),
    ("follow_format_instructions", "all", "follow_format_instructions=all"),
]


@pytest.mark.parametrize(("key", "value", "shown"), SILENT)
def test_what_helm_leaves_out_of_the_name_shows_in_it(key: str, value: Json, shown: str) -> None:
    assert one(key, value).name == f"t:a=1,{shown}"


@pytest.mark.parametrize(("key", "value", "shown"), SILENT)
def test_under_compat_the_name_is_helms(key: str, value: Json, shown: str) -> None:
    assert one(key, value, HELM_COMPAT).name == "t:a=1"


@pytest.mark.parametrize(
    ("key", "value", "compat", "name"),
    [
        ("model", "a/b", HELM_COMPAT, "t:model=a_b"),
        ("stop", "hash", HELM_COMPAT, "t,stop=hash"),
        ("stop", "hash", "", "t:stop=hash"),
    ],
)
def test_what_stands_before_the_first_argument_of_a_name(key: str, value: str, compat: str, name: str) -> None:
    bare = RunSpec(name="t", entry="t", scenario=ScenarioSpec("t"), adapter=AdapterSpec(), metrics=())
    assert [run.name for run in expand(bare, key, value, compat)] == [name]


def test_an_augmentation_keeps_the_originals_and_leaves_examples_alone() -> None:
    run = one("data_augmentation", "misspelling_medium")
    assert run.name == "t:a=1,data_augmentation=misspelling0.20"
    assert run.augmentation == AugmentationSpec(
        perturbations=(PerturbationSpec("misspellings", {"prob": 0.2}),),
        augment_eval=True,
        include_original=True,
        skip_unchanged=True,
    )


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("canonical", ["mild_mix", "dialect", "gender", "person_name"]),
        ("robustness", ["mild_mix"]),
        ("fairness", ["dialect", "gender", "person_name"]),
        ("contract", ["contraction", "expansion"]),
        ("art", ["style"] * 6),
        (
            "robustness_all",
            ["contraction", "expansion", "filler_words", "lowercase", "misspellings", "space", "synonym", "typos"],
        ),
    ],
)
def test_an_augmentation_applies_several_perturbations(value: str, names: list[str]) -> None:
    assert [spec.name for spec in one("data_augmentation", value).augmentation.perturbations] == names


def test_a_misspelling_sweep_is_four_runs() -> None:
    runs = expand(RUN, "data_augmentation", "misspelling_sweep", "")
    assert [run.augmentation.perturbations[0].args for run in runs] == [{"prob": p} for p in (0, 0.05, 0.2, 0.5)]


def test_every_augmentation_of_helm_is_there() -> None:
    graded = [
        *(f"misspelling_{level}" for level in ("mild", "medium", "hard", "sweep")),
        *(f"typo_{level}" for level in ("easy", "medium", "hard")),
        *(f"dialect_{level}" for level in ("easy", "medium", "hard", "deterministic")),
        *(f"gender_{mode}_{level}" for mode in ("terms", "pronouns") for level in ("easy", "medium", "hard")),
        *(f"gender_{mode}_deterministic" for mode in ("terms", "pronouns")),
        *("person_name_first_hard_preserve_gender", "person_name_first_hard_dont_preserve_gender"),
        *("person_name_first_deterministic", "person_name_last_deterministic", "person_name_last_hard"),
    ]
    single = ["extra_space", "contrast_sets", "space", "lower", "contract", "filler", "synonym"]
    others = ["chinese", "hindi", "spanish", "swahili", "art", "cleva_robustness", "cleva_fairness", "cleva"]
    composite = ["robustness", "fairness", "canonical", "robustness_all"]
    assert set(HELMS) == {*graded, *single, *others, *composite}


def test_ours_stand_beside_those_of_helm() -> None:
    assert not set(BEYOND_HELM) & set(HELMS)
    assert set(AUGMENTATIONS) == {*HELMS, *BEYOND_HELM}


def test_every_rotation_of_up_to_ten_options_is_asked() -> None:
    (label,) = AUGMENTATIONS["choice_rotation"]
    assert [spec.args for spec in AUGMENTATIONS["choice_rotation"][label]] == [{"shift": n} for n in range(1, 10)]


def test_any_perturbation_can_be_named_with_its_arguments() -> None:
    run = one("data_augmentation", {"perturbation": "paraphrase", "model": "openai/gpt-4o"})
    assert run.augmentation.perturbations == (PerturbationSpec("paraphrase", {"model": "openai/gpt-4o"}),)
    assert run.augmentation.skip_unchanged
    assert run.name == "t:a=1,data_augmentation=paraphrase_model=openai_gpt-4o"


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ("prefixes_uppercase", {"input_prefix": "INPUT: ", "output_prefix": "OUTPUT: "}),
        ("dashes_between", {"instance_prefix": "\n---\n"}),
    ],
)
def test_a_prompt_format_changes_the_adapter(value: str, fields: Mapping[str, object]) -> None:
    assert changed(one("prompt_format", value)) == fields
    assert one("prompt_format", value).name == f"t:a=1,prompt_format={value}"


@pytest.mark.parametrize(
    ("value", "labels"),
    [("parenthesis", "A) B) "), ("brackets", "(A) (B) "), ("lowercase", "a. b. "), ("digits", "1. 2. ")],
)
def test_options_are_shown_under_other_labels(value: str, labels: str) -> None:
    joint = RunSpec(
        name="t", entry="t", scenario=ScenarioSpec("t"), adapter=AdapterSpec(method="multiple_choice_joint"), metrics=()
    )
    (run,) = expand(joint, "prompt_format", f"labels_{value}", "")
    assert "".join(prefix(run.adapter, i, compat=False) for i in range(2)) == labels


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("data_augmentation", "canonicl", "unknown value of data_augmentation 'canonicl'; did you mean 'canonical'?"),
        ("data_augmentation", {"prob": 0.1}, "data_augmentation={perturbation:NAME,ARGUMENT:VALUE,...} names no pert"),
        (
            "prompt_format",
            "labels_digits",
            "prompt_format=labels_... is for joint multiple choice; t:a=1 is generation",
        ),
        ("eval_split", "tst", "unknown value of eval_split 'tst'; did you mean 'test'?"),
        ("stop", "foo", "unknown value of stop 'foo' (known are none, hash, semicolon, br)"),
        ("max_train_instances", "al", "unknown value of max_train_instances 'al'; did you mean 'all'? (a whole number"),
        ("max_train_instances", -1, "max_train_instances is a whole number from 0, found -1"),
        ("max_eval_instances", 0, "max_eval_instances is a whole number from 1, found 0"),
        ("num_train_trials", "many", "num_train_trials is a whole number from 1, found many"),
        ("temperature", "hot", "temperature is a number, found hot"),
        ("add_to_stop", ["a"], "add_to_stop is text, found [a]"),
        ("format_prompt", {"prefx": "P"}, "unknown value of a part of format_prompt 'prefx'; did you mean 'prefix'?"),
        (
            "output_format_instructions",
            "wmt14",
            "unknown value of output_format_instructions 'wmt14'; did you mean 'wmt_14'?",
        ),
        ("chatml", "x", "chatml=x is not supported ("),
        ("process_output", "x", "process_output=x is not supported ("),
        ("tokenizer", "default", "tokenizer=default is not supported ("),
    ],
)
def test_a_value_that_cannot_be_followed_is_refused(key: str, value: Json, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        expand(RUN, key, value, "")
    assert str(caught.value).startswith(problem)


def test_taking_the_thinking_out_of_a_completion_changes_nothing_here() -> None:
    processor = "helm.benchmark.metrics.output_processors.remove_deepseek_r1_thinking"
    (run,) = expand(RUN, "process_output", processor, HELM_COMPAT)
    assert run == RUN


def test_format_instructions_are_for_generation_only() -> None:
    run = RunSpec(
        name="t",
        entry="t",
        scenario=ScenarioSpec("t"),
        adapter=AdapterSpec(method="multiple_choice_joint"),
        metrics=(),
    )
    with pytest.raises(UsageError, match="for generation only; t is multiple_choice_joint"):
        expand(run, "follow_format_instructions", "all", "")
