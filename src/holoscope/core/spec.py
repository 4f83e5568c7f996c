"""A run, written down: everything that decides which requests are sent and how they are scored.

A `RunSpec` is a value: equal specs make equal runs. It names registered things by name and JSON arguments, so it can
be stored, compared and rebuilt anywhere.
"""

import msgspec

from holoscope.core.instance import Json

HELM_COMPAT = "helm"


class ScenarioSpec(msgspec.Struct, frozen=True):
    name: str
    args: dict[str, Json] = {}


class Substitution(msgspec.Struct, frozen=True):
    """A `re.sub(source, target)` over the finished prompt."""

    source: str
    target: str


class AdapterSpec(msgspec.Struct, frozen=True, kw_only=True):
    """How instances become prompts. Fields and defaults are HELM's (helm.md 1.7)."""

    method: str = "generation"
    global_prefix: str = ""
    global_suffix: str = ""
    instructions: str = ""
    input_prefix: str = "Input: "
    input_suffix: str = "\n"
    reference_prefix: str = "A. "
    reference_prefix_characters: tuple[str, ...] | None = None
    reference_suffix: str = "\n"
    chain_of_thought_prefix: str = ""
    chain_of_thought_suffix: str = "\n"
    output_prefix: str = "Output: "
    output_suffix: str = "\n"
    instance_prefix: str = "\n"
    substitutions: tuple[Substitution, ...] = ()
    max_train_instances: int = 5
    max_eval_instances: int | None = None
    """None: all rows."""
    num_outputs: int = 5
    num_train_trials: int = 1
    num_trials: int = 1
    sample_train: bool = True
    model_deployment: str = ""
    model: str = ""
    temperature: float = 1.0
    max_tokens: int = 100
    stop_sequences: tuple[str, ...] = ()
    random: str | None = None
    multi_label: bool = False
    eval_splits: tuple[str, ...] | None = None
    """None: HELM's valid and test under compat, else the scenario's main split."""
    output_mapping_pattern: str | None = None


class MetricSpec(msgspec.Struct, frozen=True):
    name: str
    args: dict[str, Json] = {}


class PerturbationSpec(msgspec.Struct, frozen=True):
    name: str
    args: dict[str, Json] = {}


class AugmentationSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Which perturbations are applied to the evaluation instances, beside the originals."""

    perturbations: tuple[PerturbationSpec, ...] = ()
    augment_train: bool = False
    augment_eval: bool = False
    include_original: bool = False
    skip_unchanged: bool = False
    seeds_per_instance: int = 1


class RunSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One run."""

    name: str
    """Readable and unique in a suite, in HELM's form: `mmlu:subject=anatomy,model=openai_gpt-4o`."""
    entry: str
    """What the user typed."""
    scenario: ScenarioSpec
    adapter: AdapterSpec
    metrics: tuple[MetricSpec, ...]
    augmentation: AugmentationSpec = AugmentationSpec()
    groups: tuple[str, ...] = ()
    seed: int = 0
    trials: int = 1
    """How often each request is asked (`--trials`)."""
    compat: str = ""
    """`helm`: HELM 0.5.16's definitions, else ours."""
