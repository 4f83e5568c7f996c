"""HELM's likelihood of a scored text: a token without a log-probability, such as a text's first, counts as certain.

Of generated texts it is ours, since there a model without log-probabilities would be one that is sure of everything.
"""

from collections.abc import Callable

from holoscope.core import Metric, Score, Trial
from holoscope.metrics import confidence
from holoscope.metrics.axes import GENERAL
from holoscope.metrics.helm.observed import language_modeling
from holoscope.metrics.helm.score import VERSION

ScoreFunction = Callable[[Trial], Score]

_OURS: dict[str, ScoreFunction] = {
    "logprob": confidence.logprob,
    "num_perplexity_tokens": confidence.num_perplexity_tokens,
    "num_bytes": confidence.num_bytes,
}
_TITLES = {
    "logprob": "Log-probability (nats, HELM)",
    "num_perplexity_tokens": "Tokens with a log-probability (HELM)",
    "num_bytes": "Bytes of text (HELM)",
}


def helm_likelihood(name: str) -> ScoreFunction:
    """The metric `name` of all windows of a text together."""

    def score(trial: Trial) -> Score:
        if not all(e.planned.request.params.echo_prompt for e in trial.exchanges):
            return _OURS[name](trial)
        values = (dict(language_modeling(exchange))[name] for exchange in trial.exchanges)
        return Score(name, float(sum(value or 0.0 for value in values)))

    return score


def cards() -> list[Metric]:
    return [
        Metric(
            name=f"{name}@helm",
            version=VERSION,
            axis=GENERAL,
            title=title,
            ends=(None, 0.0) if name == "logprob" else (0.0, None),
            score=helm_likelihood(name),
        )
        for name, title in _TITLES.items()
    ]
