"""Which metrics a run gets: those it lists, as far as its method allows, and those every run gets.

A run that scores options one by one generates no text, so that of HELM's list for it only `exact_match` means
anything; what remains is what follows from the options' probabilities.
"""

from collections.abc import Mapping

from holoscope.core import HELM_COMPAT, MetricSpec, RunSpec
from holoscope.metrics.helm.strings import FUNCTIONS

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
    own = tuple(_with_pattern(m, spec) for m in spec.metrics if not (_is_separate(spec) and _reads_text(m)))
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
    return (*_by_method(spec), *_EFFICIENCY, *cost)


def _by_method(spec: RunSpec) -> tuple[MetricSpec, ...]:
    if spec.adapter.method == "language_modeling":
        return _LANGUAGE_MODELING
    if spec.adapter.method.startswith("multiple_choice_separate"):
        return tuple(map(MetricSpec, ("exact_match", "predicted_index", "max_prob", "calibration")))
    if spec.adapter.method == "ranking_binary":
        return ()
    confidence = MetricSpec("max_prob"), MetricSpec("logprob")
    grades_exactly = any(m.name == "exact_match" for m in spec.metrics)
    return (*confidence, MetricSpec("calibration")) if grades_exactly else confidence


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
