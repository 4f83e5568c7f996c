"""The values HELM records for one exchange or one trial, in HELM's order."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from holoscope.core import AdapterSpec, Choice, Exchange, Outcome, Token, Trial
from holoscope.metrics.confidence import conditioned, utf8_length
from holoscope.metrics.helm.score import EMPTY, FUNCTIONS, best, predictions, sorted_choices

_FINISH_REASONS = ("length", "stop", "endoftext", "unknown")

Value = tuple[str, float | None]
Stored = Callable[[Trial], Mapping[str, float | None]]
"""What a trial scored by HELM's definitions when its program was run; programs are not run again to be counted."""


def nothing_stored(trial: Trial) -> Mapping[str, float | None]:
    """No program was run."""
    return {}


class TrainingCost(NamedTuple):
    """What training the model took, where its card says so; None is unknown."""

    co2: float | None = None
    energy: float | None = None


class Observer(NamedTuple):
    """What HELM reads beside the trial itself."""

    adapter: AdapterSpec
    names: tuple[str, ...]
    """Metrics of the run that HELM computes from references."""
    request_time: float | None
    """Seconds for a completion that carries no request time."""
    training: TrainingCost
    is_compared: bool = True
    """False where references say what a request is filed under, and are no answers."""
    stored: Stored = nothing_stored

    def generation(self, trial: Trial) -> list[Value]:
        """Of a generated completion."""
        exchange = trial.exchanges[0]
        if not self.is_compared:
            return list(self.request(exchange))
        references = self._references(trial) if trial.instance.references else ()
        return [*self.request(exchange), *references, *language_modeling(exchange)]

    def request(self, exchange: Exchange) -> Iterator[Value]:
        """Of any request."""
        planned, completion = exchange.planned, exchange.completion
        yield "num_references", len(planned.instance.references)
        yield "num_train_trials", self.adapter.num_train_trials
        yield from _tokens(exchange)
        yield "training_co2_cost", self.training.co2
        yield "training_energy_cost", self.training.energy
        seconds = self.request_time if completion.request_time is None else completion.request_time
        if seconds is not None:
            yield "inference_runtime", seconds
            yield "batch_size", 1
        found = _choices(exchange)[0].finish_reason
        reason = found if found in _FINISH_REASONS else "unknown"
        for known in _FINISH_REASONS:
            yield f"finish_reason_{known}", int(reason == known)
        yield "num_train_instances", planned.num_train_instances
        yield "prompt_truncated", planned.prompt_truncated

    def _references(self, trial: Trial) -> Iterator[Value]:
        yield "max_prob", math.exp(sorted_choices(trial.exchanges[0].completion)[0].logprob or 0.0)
        golds = [r.text for r in trial.instance.references if r.is_correct]
        said = predictions(trial, self.adapter.output_mapping_pattern)
        if not golds:
            return
        of_programs = self.stored(trial)
        for name in self.names:
            at_k = f"{name}@{self.adapter.num_outputs}"
            names = (name,) if self.adapter.num_outputs == 1 else (name, at_k)
            if name not in FUNCTIONS:
                yield from ((each, of_programs[each]) for each in names if each in of_programs)
                continue
            yield name, best(FUNCTIONS[name], golds, said[:1])
            if at_k in names:
                yield at_k, best(FUNCTIONS[name], golds, said)


def language_modeling(exchange: Exchange) -> Iterator[Value]:
    """Likelihood of the completion's tokens after those that condition the model."""
    tokens = conditioned(_choices(exchange)[0].tokens, exchange.planned.num_conditioning_tokens)
    yield "logprob", sum(_logprob(token) for token in tokens)
    yield "num_perplexity_tokens", len(tokens)
    yield "num_bytes", utf8_length(tokens)


def separate(trial: Trial, *, calibrated: bool) -> Iterator[Value]:
    """Confidence, accuracy and prediction where each reference was asked for by itself."""
    sums = {(e.planned.reference_index, e.planned.request_mode): _reference_logprob(e) for e in trial.exchanges}
    scores = [_reference_score(sums, index, calibrated) for index in range(len(trial.instance.references))]
    highest = max(scores)
    top = [index for index, score in enumerate(scores) if score >= highest]
    yield "max_prob", 1 / math.fsum(math.exp(score - highest) for score in scores)
    yield "exact_match", sum(trial.instance.references[i].is_correct for i in top) / len(top)
    yield "predicted_index", top[0]


def counts_in_helm(trial: Trial) -> bool:
    """True if HELM would have statistics of this trial: a reply withheld by a filter is an empty one, others fail."""
    return all(e.completion.outcome.has_text or e.completion.outcome is Outcome.CONTENT_FILTER for e in trial.exchanges)


def _reference_score(
    sums: Mapping[tuple[int | None, str | None], tuple[float, int]], index: int, calibrated: bool
) -> float:
    total, tokens = sums[index, "original"]
    return total - sums[index, "calibration"][0] if calibrated else total / tokens


def _reference_logprob(exchange: Exchange) -> tuple[float, int]:
    count = exchange.planned.continuation_tokens
    return sum(_logprob(token) for token in _choices(exchange)[0].tokens[-count:]), count


def _tokens(exchange: Exchange) -> Iterator[Value]:
    prompt = exchange.planned.num_prompt_tokens
    completion = sum(len(choice.tokens) for choice in _choices(exchange))
    echoed = prompt if exchange.planned.request.params.echo_prompt else 0
    yield "num_prompt_tokens", prompt
    yield "num_completion_tokens", completion
    yield "num_output_tokens", max(0, completion - echoed)


def _choices(exchange: Exchange) -> tuple[Choice, ...]:
    return exchange.completion.choices or EMPTY


def _logprob(token: Token) -> float:
    return token.logprob or 0.0
