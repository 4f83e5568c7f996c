"""The arguments that every entry takes: each turns a run into one run, or into several.

`expand(spec, key, value, compat)` applies one of them. The names, values and effects are HELM's, and so is the order:
as written in the entry, each adding `,key=value` to the run's name. A few of HELM's leave no trace in the name, so that
two different runs shared one folder; by default they show in it here, and only under HELM's definitions they don't.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from msgspec.structs import replace

from holoscope.core import EVAL_SPLITS, HELM_COMPAT, AdapterSpec, Json, RunSpec, Substitution, UsageError
from holoscope.entries.arguments import choose
from holoscope.entries.augmentations import AUGMENTATIONS, Perturbations, augmentation, named_perturbation
from holoscope.entries.language import format_value
from holoscope.entries.output_formats import output_format

Naming = Literal["separated", "appended", "silent"]
"""How HELM shows an expander in the name: after `:` if it is the first there, after `,` even then, or not at all."""


class Variant(NamedTuple):
    """One run that an expander makes of a run."""

    label: str
    """What the name shows after `key=`."""
    change: Callable[[RunSpec], RunSpec]


class Expander(NamedTuple):
    """What one argument does."""

    naming: Naming
    variants: Callable[[str, Json], list[Variant]]
    """`variants(key, value)`."""


def expand(spec: RunSpec, key: str, value: Json, compat: str) -> list[RunSpec]:
    """The runs that `key=value` makes of `spec`."""
    expander = EXPANDERS[key]
    return [
        replace(variant.change(spec), name=_named(spec.name, key, variant.label, expander.naming, compat))
        for variant in expander.variants(key, value)
    ]


def _named(name: str, key: str, label: str, naming: Naming, compat: str) -> str:
    if naming == "silent" and compat == HELM_COMPAT:
        return name
    is_first = ":" not in name and not (naming == "appended" and compat == HELM_COMPAT)
    return f"{name}{':' if is_first else ','}{key}={label.replace('/', '_')}"


def _adapter(**fields: object) -> Callable[[RunSpec], RunSpec]:
    """The change that sets fields of the adapter."""
    return lambda spec: replace(spec, adapter=replace(spec.adapter, **fields))


def _derived(fields: Callable[[AdapterSpec], Mapping[str, object]]) -> Callable[[RunSpec], RunSpec]:
    """The change that sets fields of the adapter by what is in it."""
    return lambda spec: replace(spec, adapter=replace(spec.adapter, **fields(spec.adapter)))


def _whole(key: str, value: Json, least: int) -> int:
    if not isinstance(value, int) or value < least:
        raise UsageError(f"{key} is a whole number from {least}, found {format_value(value)}")
    return value


def _number(key: str, value: Json) -> float:
    if not isinstance(value, int | float):
        raise UsageError(f"{key} is a number, found {format_value(value)}")
    return float(value)


def _text(key: str, value: Json) -> str:
    if isinstance(value, list | dict):
        raise UsageError(f"{key} is text, found {format_value(value)}")
    return str(value)


def _count(least: int, field: str = "", **sweeps: tuple[int, ...]) -> Expander:
    """A whole number in a field of the adapter (the key's own, if not named); words stand for one or several."""

    def variants(key: str, value: Json) -> list[Variant]:
        if isinstance(value, str) and sweeps:
            hint = f"(a whole number from {least}, or {', '.join(sweeps)})"
            numbers = sweeps[choose(key, value, sweeps, hint)]
        else:
            numbers = (_whole(key, value, least),)
        return [Variant(str(number), _adapter(**{field or key: number})) for number in numbers]

    return Expander("separated", variants)


def _preset(naming: Naming, presets: Mapping[str, Callable[[RunSpec], RunSpec]]) -> Expander:
    """A word that stands for a change."""

    def variants(key: str, value: Json) -> list[Variant]:
        word = choose(key, value, presets)
        return [Variant(word, presets[word])]

    return Expander(naming, variants)


def _silent(change: Callable[[str, Json], Callable[[RunSpec], RunSpec]]) -> Expander:
    """Any value, which HELM leaves out of the name."""

    def variants(key: str, value: Json) -> list[Variant]:
        label = value if isinstance(value, str) and value.isprintable() else format_value(value)
        return [Variant(label, change(key, value))]

    return Expander("silent", variants)


def _added(field: str, value: float) -> Callable[[RunSpec], RunSpec]:
    return _derived(lambda adapter: {field: getattr(adapter, field) + value})


def _one_field(field: str) -> Expander:
    """Text in a field of the adapter."""

    def variants(key: str, value: Json) -> list[Variant]:
        return [Variant(_text(key, value), _adapter(**{field: _text(key, value)}))]

    return Expander("separated", variants)


def _scenario_argument(**sweeps: tuple[Json, ...]) -> Expander:
    """An argument of the scenario itself, whatever the task function is."""

    def change(key: str, value: Json) -> Callable[[RunSpec], RunSpec]:
        return lambda spec: replace(spec, scenario=replace(spec.scenario, args={**spec.scenario.args, key: value}))

    def variants(key: str, value: Json) -> list[Variant]:
        values = sweeps.get(value, (value,)) if isinstance(value, str) else (value,)
        return [Variant(_text(key, number), change(key, number)) for number in values]

    return Expander("separated", variants)


def _tokenizers(key: str, value: Json) -> list[Variant]:
    if value == "default":
        raise UsageError(f"{key}=default is not supported (no model is looked at yet); name the tokenizer")
    return _scenario_argument().variants(key, value)


def _augmentation(key: str, value: Json) -> Mapping[str, Perturbations]:
    return AUGMENTATIONS[choose(key, value, AUGMENTATIONS)]


def _augmentations(key: str, value: Json) -> list[Variant]:
    def change(label: str) -> Callable[[RunSpec], RunSpec]:
        return lambda spec: replace(spec, augmentation=augmentation(runs[label]))

    runs = dict([named_perturbation(value)]) if isinstance(value, dict) else _augmentation(key, value)
    return [Variant(label, change(label)) for label in runs]


def _stop(text: str) -> Callable[[RunSpec], RunSpec]:
    return _adapter(stop_sequences=(text,), instance_prefix=f"{text}\n\n")


def _added_stop(key: str, value: Json) -> Callable[[RunSpec], RunSpec]:
    text = "\n" if value == "newline" else _text(key, value)
    return _derived(lambda adapter: {"stop_sequences": (*adapter.stop_sequences, text)})


def _format_prompt(key: str, value: Json) -> Callable[[RunSpec], RunSpec]:
    """`format_prompt={prefix:"Q: ",suffix:"A: "}`; a text is the prefix, with an empty suffix."""
    parts = value if isinstance(value, dict) else {"prefix": value}
    for part in parts:
        choose(f"a part of {key}", part, ("prefix", "suffix"))
    prefix, suffix = (_text(key, parts.get(part, "")) for part in ("prefix", "suffix"))
    return _adapter(input_prefix=prefix, output_prefix=suffix)


_EXAMPLES_AHEAD = (
    "Here are some input-output examples. Read the examples carefully to figure out the mapping. "
    "The output of the last example is not given, and your job is to figure out what it is.\n\n"
)
_FOLLOW_EXAMPLES = (
    "\n\nPlease provide the output to this last example. "
    "It is critical to follow the format of the preceding outputs!\n"
)


def _follow_format(spec: RunSpec) -> RunSpec:
    if spec.adapter.method != "generation":
        raise UsageError(f"follow_format_instructions is for generation only; {spec.name} is {spec.adapter.method}")
    suffix = _FOLLOW_EXAMPLES + spec.adapter.output_prefix.strip()
    return replace(spec, adapter=replace(spec.adapter, global_prefix=_EXAMPLES_AHEAD, global_suffix=suffix))


def _options_as(reference_prefix: str) -> Callable[[RunSpec], RunSpec]:
    """The change that shows the options of joint multiple choice under other labels."""

    def change(spec: RunSpec) -> RunSpec:
        if spec.adapter.method != "multiple_choice_joint":
            raise UsageError(
                f"prompt_format=labels_... is for joint multiple choice; {spec.name} is {spec.adapter.method}"
            )
        return _adapter(reference_prefix=reference_prefix)(spec)

    return change


def _not_supported(why: str) -> Expander:
    def variants(key: str, value: Json) -> list[Variant]:
        raise UsageError(f"{key}={format_value(value)} is not supported ({why}); leave it out of the entry")

    return Expander("silent", variants)


def _processed(key: str, value: Json) -> list[Variant]:
    """HELM's one processor takes the thinking out of a completion, which is done in any case; others are programs."""
    if isinstance(value, str) and value.rpartition(".")[2] == "remove_deepseek_r1_thinking":
        return [Variant(value, lambda spec: spec)]
    return _not_supported("metrics find the answer in the completion themselves").variants(key, value)


EXPANDERS: Mapping[str, Expander] = {
    "model": _one_field("model"),
    "model_deployment": _one_field("model_deployment"),
    "data_augmentation": Expander("appended", _augmentations),
    "max_train_instances": _count(
        0,
        zero=(0,),
        one=(1,),
        all=(0, 1, 2, 4, 8, 16),
        big_bench_few_shot_setting=(0, 1, 2, 3),
        vhelm=(0, 1, 2, 4, 8),
        melt=(0, 1, 5),
    ),
    "max_eval_instances": _count(1, default=(1000,), heim_default=(100,), heim_fid=(30000,), heim_art_styles=(17,)),
    "num_train_trials": _count(1),
    "num_trials": _count(1, heim_efficiency=(5,)),
    "num_outputs": _count(1, default=(1,), copyright_sweep=(1, 10)),
    "num_output_tokens": _count(0, "max_tokens", default_sweep=(1, 2, 4, 8, 16, 32, 64)),
    "num_prompt_tokens": _scenario_argument(default_sweep=(1, 256, 512, 1024, 1536)),
    "tokenizer": Expander("separated", _tokenizers),
    "eval_split": _preset("separated", {split: _adapter(eval_splits=(split,)) for split in EVAL_SPLITS}),
    "instructions": _preset(
        "appended",
        {
            "none": _adapter(instructions=""),
            "expert": _derived(
                lambda adapter: {
                    "instructions": "I am an expert AI assistant who is here to help you with the following. "
                    + adapter.instructions
                }
            ),
        },
    ),
    "prompt": _preset(
        "appended",
        {
            "human_assistant": _adapter(
                input_prefix='Human: What is the answer to "',
                input_suffix='"?\n',
                output_prefix='Assistant: The answer is "',
                output_suffix='".\n',
                stop_sequences=('".',),
            ),
            "question_answer": _adapter(input_prefix="Question: ", output_prefix="Answer: "),
            "qa": _adapter(input_prefix="Q: ", output_prefix="A: "),
            "input_output_html": _adapter(
                input_prefix="<input>",
                input_suffix="</input>\n",
                output_prefix="<output>",
                output_suffix="</output>\n",
            ),
            "input_output": _adapter(input_prefix="Input: ", output_prefix="Output: "),
            "i_o": _adapter(input_prefix="I: ", output_prefix="O: "),
        },
    ),
    "prompt_format": _preset(
        "separated",
        {
            "labels_parenthesis": _options_as("A) "),
            "labels_brackets": _options_as("(A) "),
            "labels_lowercase": _options_as("a. "),
            "labels_digits": _options_as("1. "),
            "prefixes_uppercase": _derived(
                lambda adapter: {
                    "input_prefix": adapter.input_prefix.upper(),
                    "output_prefix": adapter.output_prefix.upper(),
                }
            ),
            "dashes_between": _derived(lambda adapter: {"instance_prefix": f"{adapter.instance_prefix}---\n"}),
        },
    ),
    "newline": _preset(
        "appended",
        {
            "semicolon": _adapter(substitutions=(Substitution("\n", ";\n"),)),
            "br": _adapter(substitutions=(Substitution("\n", "<br>\n"),)),
        },
    ),
    "stop": _preset(
        "appended",
        {"none": _adapter(stop_sequences=()), "hash": _stop("###"), "semicolon": _stop(";"), "br": _stop("<br>")},
    ),
    "global_prefix": _preset("appended", {"nlg": _adapter(global_prefix="[NLG]")}),
    "add_to_stop": _silent(_added_stop),
    "format_prompt": _silent(_format_prompt),
    "temperature": _silent(lambda key, value: _adapter(temperature=_number(key, value))),
    "increase_temperature": _silent(lambda key, value: _added("temperature", _number(key, value))),
    "increase_max_tokens": _silent(lambda key, value: _added("max_tokens", _whole(key, value, 0))),
    "follow_format_instructions": _preset("silent", {"all": _follow_format, "instruct": _follow_format}),
    "output_format_instructions": _silent(lambda key, value: output_format(_text(key, value))),
    "process_output": Expander("silent", _processed),
    "chatml": _not_supported("providers apply a model's chat template themselves"),
}
"""Name -> what it does. A task's own argument of the same name is never reached, as in HELM."""
