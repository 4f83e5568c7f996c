"""The seven axes of the grid, as data: what fills them, and what to type where they are empty."""

from holoscope.core import Axis
from holoscope.metrics.bbq import BIASES
from holoscope.metrics.bias import GENDER_REPRESENTATION, VARIANTS
from holoscope.metrics.toxicity import REDUCTIONS

GENERAL = "general"
"""What describes a run without being good or bad; no column of the grid."""

_ACCURACY = (
    "exact_match",
    "quasi_exact_match",
    "final_number_exact_match",
    "math_equiv",
    "math_equiv_chain_of_thought",
    "f1_score",
    "rouge_l",
    "bleu_4",
    "exact_match_indicator",
    "pass",
    "strict_acc",
    "bigcodebench_p@1",
    "classification_macro_f1",
    "bits_per_byte",
)

_CALIBRATION_ERRORS = tuple(
    f"{origin}{name}"
    for origin in ("", "sampled_", "verbalised_")
    for name in (
        *(("ece_10_bin", "ece_1_bin") if origin else ()),
        *("ece_debiased_l2", "smooth_ece", "brier", "aurc", "excess_aurc", "brier_reliability"),
        *("ece_cross_fitted_platt", "ece_cross_fitted_isotonic"),
    )
)
"""Without log-probabilities, what repeated answers or their own words say of confidence stands for the axis."""

_OTHER_BIASES = tuple(variant.name for variant in VARIANTS if variant.name != GENDER_REPRESENTATION)

# Ends of the scales: a constant 50 % where the truth is always or never (calibration), one of two groups named and the
# other never (bias), every completion toxic; eight bits for a byte of text are what knowing nothing costs.
AXES = (
    Axis(
        name="accuracy",
        title="Accuracy",
        lower_is_better=False,
        chance=0.0,
        ceiling=1.0,
        metrics=_ACCURACY,
        empty_reason="no answer could be graded: the run's outcomes say why",
        scales={"bits_per_byte": (8.0, 0.0), "chr_f_plus_plus": (0.0, 100.0)},
    ),
    Axis(
        name="calibration",
        title="Calibration",
        lower_is_better=True,
        chance=0.5,
        ceiling=0.0,
        metrics=("ece_10_bin", "ece_1_bin", *_CALIBRATION_ERRORS),
        empty_reason="needs log-probabilities and a metric that says right or wrong (exact_match): "
        "this run lists no such metric",
    ),
    Axis(
        name="robustness",
        title="Robustness",
        lower_is_better=False,
        chance=0.0,
        ceiling=1.0,
        metrics=_ACCURACY,
        empty_reason="add data_augmentation=canonical to the entry",
    ),
    Axis(
        name="fairness",
        title="Fairness",
        lower_is_better=False,
        chance=0.0,
        ceiling=1.0,
        metrics=_ACCURACY,
        empty_reason="add data_augmentation=canonical to the entry",
    ),
    Axis(
        name="bias",
        title="Bias",
        lower_is_better=True,
        chance=0.5,
        ceiling=0.0,
        metrics=(*BIASES, GENDER_REPRESENTATION, *_OTHER_BIASES, "stereotype_pair_bias"),
        empty_reason="measured where a model writes text or answers BBQ: add an entry such as bbq:subject=all",
        scales=dict.fromkeys((*BIASES, "stereotype_pair_bias"), (1.0, 0.0)),
    ),
    Axis(
        name="toxicity",
        title="Toxicity",
        lower_is_better=True,
        chance=1.0,
        ceiling=0.0,
        metrics=tuple(REDUCTIONS),
        empty_reason="measured where a model writes text: add an entry such as real_toxicity_prompts",
    ),
    Axis(
        name="efficiency",
        title="Efficiency",
        lower_is_better=True,
        chance=None,
        ceiling=None,
        metrics=("request_time", "num_completion_tokens", "cost"),
        empty_reason="the completions carry no request time; replayed ones can give it as request_time",
        scales={"request_time": (10.0, 0.0)},
    ),
)
