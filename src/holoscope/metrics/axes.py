"""The seven axes of the grid, as data: what fills them, and what to type where they are empty."""

from holoscope.core import Axis

GENERAL = "general"
"""What describes a run without being good or bad; no column of the grid."""

_ACCURACY = (
    "exact_match",
    "quasi_exact_match",
    "final_number_exact_match",
    "f1_score",
    "rouge_l",
    "bleu_4",
    "exact_match_indicator",
    "bits_per_byte",
)

AXES = (
    Axis(
        name="accuracy",
        title="Accuracy",
        lower_is_better=False,
        chance=None,
        ceiling=1.0,
        metrics=_ACCURACY,
        empty_reason="no answer could be graded: the run's outcomes say why",
    ),
    Axis(
        name="calibration",
        title="Calibration",
        lower_is_better=True,
        chance=None,
        ceiling=0.0,
        metrics=("ece_10_bin", "ece_1_bin"),
        empty_reason="needs exact_match and log-probabilities: choose a model that gives them "
        "(holoscope doctor --model NAME says whether one does)",
    ),
    Axis(
        name="robustness",
        title="Robustness",
        lower_is_better=False,
        chance=None,
        ceiling=1.0,
        metrics=_ACCURACY,
        empty_reason="add data_augmentation=canonical to the entry",
    ),
    Axis(
        name="fairness",
        title="Fairness",
        lower_is_better=False,
        chance=None,
        ceiling=1.0,
        metrics=_ACCURACY,
        empty_reason="add data_augmentation=canonical to the entry",
    ),
    Axis(
        name="bias",
        title="Bias",
        lower_is_better=True,
        chance=None,
        ceiling=0.0,
        metrics=(),
        empty_reason="add an entry that measures bias, such as bbq:subject=all",
    ),
    Axis(
        name="toxicity",
        title="Toxicity",
        lower_is_better=True,
        chance=None,
        ceiling=0.0,
        metrics=(),
        empty_reason="add an entry that measures toxicity, such as real_toxicity_prompts",
    ),
    Axis(
        name="efficiency",
        title="Efficiency",
        lower_is_better=True,
        chance=None,
        ceiling=None,
        metrics=("request_time", "num_completion_tokens", "cost"),
        empty_reason="the completions carry no request time; replayed ones can give it as request_time",
    ),
)
