"""Which metrics a run gets: those it lists, as far as its method allows, and those every run gets.

A run that scores options one by one generates no text, so that of HELM's list for it only `exact_match` means
anything; what remains is what follows from the options' probabilities. What a model writes freely is measured for bias
and toxicity whether the run lists that or not: the words are there, and counting them costs next to nothing.
"""

from collections.abc import Mapping

from holoscope.core import HELM_COMPAT, Json, MetricSpec, RunSpec
from holoscope.metrics import code, instructions
from holoscope.metrics.bbq import ACCURACY
from holoscope.metrics.bias import GENDER_REPRESENTATION, VARIANTS
from holoscope.metrics.families import expanded
from holoscope.metrics.helm.completions import COT as STATED_OPTION
from holoscope.metrics.helm.strings import FUNCTIONS
from holoscope.metrics.passing import PASS
from holoscope.metrics.strict import STRICT
from holoscope.metrics.toxicity import REDUCTIONS

_EFFICIENCY = tuple(
    MetricSpec(name)
    for name in (
        "request_time",
        "time_to_first_token",
        "tokens_per_second",
        "num_prompt_tokens",
        "num_completion_tokens",
        "time_percentiles",
    )
)
_HARMS = tuple(map(MetricSpec, ("toxic_frac", GENDER_REPRESENTATION)))
_FREE_TEXT = 16
"""From this many tokens on a generation is text; below it is a label, such as `Yes`."""
_OF_TEXT = frozenset({*FUNCTIONS, *REDUCTIONS, *(variant.name for variant in VARIANTS)})
"""Metrics that read what a model wrote."""
_GRADES = frozenset({*FUNCTIONS, ACCURACY, STATED_OPTION, *instructions.NAMES})
"""Metrics by which groups may be compared."""
_RIGHT_OR_WRONG = frozenset({*(name for name in FUNCTIONS if name.endswith("exact_match")), ACCURACY, STATED_OPTION})
"""Metrics whose values a confidence can be held against."""
_PUBLISHED_K = (10, 100)
"""Of pass@k, beside pass@1."""
_LANGUAGE_MODELING = tuple(
    MetricSpec(name)
    for name in ("logprob", "num_perplexity_tokens", "num_bytes", "perplexity", "bits_per_byte", "logprob_per_byte")
)


def applicable(
    spec: RunSpec,
    *,
    prices: Mapping[str, float | None] | None = None,
    training: Mapping[str, float | None] | None = None,
) -> tuple[MetricSpec, ...]:
    """The run's own metrics that its method allows, then the implied ones, each once."""
    listed_ones = expanded(spec.metrics)
    own = tuple(_with_pattern(m, spec) for m in listed_ones if not (_is_separate(spec) and m.name in _OF_TEXT))
    listed = {m.name for m in own}
    return own + tuple(m for m in implied(spec, prices=prices, training=training) if m.name not in listed)


def implied(
    spec: RunSpec,
    *,
    prices: Mapping[str, float | None] | None = None,
    training: Mapping[str, float | None] | None = None,
) -> tuple[MetricSpec, ...]:
    """What every run gets beside its own list.

    `prices` (`input`, `output`, `cached_input` in USD per million tokens) and `training` (`energy_kwh`, `co2_kg`,
    `flops`) are the model's, where they are known.
    """
    cost = MetricSpec("cost", dict(prices or {})), MetricSpec("training", dict(training or {}))
    return (*_by_method(spec), *_read_strictly(spec), *_of_correctness(spec), *_of_programs(spec), *_EFFICIENCY, *cost)


def _by_method(spec: RunSpec) -> tuple[MetricSpec, ...]:
    if spec.adapter.method == "language_modeling":
        return _LANGUAGE_MODELING
    if spec.adapter.method.startswith("multiple_choice_separate"):
        return tuple(map(MetricSpec, ("exact_match", "predicted_index", "max_prob", "calibration")))
    if spec.adapter.method == "ranking_binary":
        return ()
    confidence = MetricSpec("max_prob"), MetricSpec("logprob")
    grades_exactly = any(m.name == "exact_match" for m in spec.metrics)
    calibration = (MetricSpec("calibration"),) if grades_exactly else ()
    return (*confidence, *calibration, *(_HARMS if _is_free_text(spec) else ()))


def _read_strictly(spec: RunSpec) -> tuple[MetricSpec, ...]:
    """The strict reading of what the run lists, where it may differ: not of a whole text, nor under compat."""
    listed = {m.name: m for m in spec.metrics}
    found = [_with_pattern(listed[base], spec) for base in STRICT if base in listed]
    differ = [m for m in found if m.name != "exact_match" or spec.adapter.method.startswith("multiple_choice_joint")]
    return () if spec.compat == HELM_COMPAT else tuple(MetricSpec(f"strict_{m.name}", m.args) for m in differ)


def _of_correctness(spec: RunSpec) -> tuple[MetricSpec, ...]:
    """What follows from which answers are right: confidence of other origins, and groups where instances name them."""
    graded = "exact_match" if _is_separate(spec) else _graded_by(spec)
    if graded is None or spec.adapter.method in ("language_modeling", "ranking_binary"):
        return ()
    args: dict[str, Json] = {"metric": graded}
    found = [MetricSpec("groups", args), MetricSpec("counterfactual_pairs", args)]
    if graded in _RIGHT_OR_WRONG:
        drawn = spec.adapter.temperature > 0 and (spec.trials > 1 or spec.adapter.num_outputs > 1)
        found += [MetricSpec("calibration_parts", args)] * (graded == "exact_match")
        found += [MetricSpec("sampled_calibration", args)] * (drawn and not _is_separate(spec))
        found += [MetricSpec("verbalised_calibration", args)] * (not _is_separate(spec))
    return tuple(found)


def _of_programs(spec: RunSpec) -> tuple[MetricSpec, ...]:
    """pass@k where requests have several answers or are repeated; under compat what HELM adds for several answers."""
    listed = [m.name for m in spec.metrics if m.name in code.NAMES]
    if spec.compat == HELM_COMPAT:
        outputs = spec.adapter.num_outputs
        return tuple(MetricSpec(f"{name}@{outputs}") for name in listed) if outputs != 1 else ()
    draws = spec.adapter.num_outputs * spec.trials
    sizes = sorted({draws, *(k for k in _PUBLISHED_K if k < draws)}) if PASS in listed and draws > 1 else ()
    return tuple(MetricSpec("pass_at_k", {"k": k, "metric": PASS}) for k in sizes)


def _graded_by(spec: RunSpec) -> str | None:
    """The first metric of the run that compares an answer with references."""
    return next((m.name for m in expanded(spec.metrics) if m.name in _GRADES), None)


def _is_free_text(spec: RunSpec) -> bool:
    method = spec.adapter.method
    return (method.startswith("generation") or method == "chat") and spec.adapter.max_tokens >= _FREE_TEXT


def _is_separate(spec: RunSpec) -> bool:
    return spec.adapter.method.startswith("multiple_choice_separate") or spec.adapter.method == "ranking_binary"


def _reads_text(metric: MetricSpec) -> bool:
    return metric.name in FUNCTIONS


def _with_pattern(metric: MetricSpec, spec: RunSpec) -> MetricSpec:
    """Hand the adapter's expression for the answer to the metrics that look for one."""
    pattern = spec.adapter.output_mapping_pattern
    takes_it = _reads_text(metric) and (spec.compat == HELM_COMPAT or metric.name != "final_number_exact_match")
    if not pattern or not takes_it or "pattern" in metric.args:
        return metric
    return MetricSpec(metric.name, {**metric.args, "pattern": pattern})
