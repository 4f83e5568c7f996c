"""What an answer cost: seconds, tokens, money. Unknown is missing, never zero.

Times are per request (mean over a trial's requests), so that they mean the same for one request per instance and for
one per option; tokens and money are what the whole trial took. Prices are arguments, in USD per million tokens: the
metric knows no model.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from holoscope.core import Completion, Exchange, Outcome, Score, Trial

TIMED_METRICS = ("request_time", "time_to_first_token", "tokens_per_second")
"""Scores that are made of times, and differ between two runs with equal completions."""

_MILLION = 1e6


def request_time(trial: Trial) -> Score:
    """Seconds from sending a request to the last byte of its reply."""
    return _mean(
        "request_time", trial, lambda c: c.request_time, _no_time(trial, "the completion carries no request time")
    )


def time_to_first_token(trial: Trial) -> Score:
    """Seconds from sending a request to the first token of its reply."""
    reason = _no_time(trial, "the reply was not streamed")
    return _mean("time_to_first_token", trial, lambda c: c.time_to_first_token, reason)


def tokens_per_second(trial: Trial) -> Score:
    """Completion tokens per second of request time."""
    name = "tokens_per_second"
    tokens = _total(map(_completion_tokens, trial.exchanges))
    seconds = _total(e.completion.request_time for e in trial.exchanges)
    if tokens is None or not seconds:
        return _unknown(name, _no_time(trial, "the completion carries no request time or no token count"))
    return Score(name, tokens / seconds)


def num_prompt_tokens(trial: Trial) -> Score:
    """Tokens of the prompts, as the endpoint counts them, else by the deployment's tokenizer."""
    return _sum("num_prompt_tokens", map(_prompt_tokens, trial.exchanges))


def num_completion_tokens(trial: Trial) -> Score:
    """Tokens of the replies."""
    return _sum("num_completion_tokens", map(_completion_tokens, trial.exchanges))


def cost(
    trial: Trial,
    input: float | None = None,
    output: float | None = None,
    cached_input: float | None = None,
    batch_input: float | None = None,
    batch_output: float | None = None,
) -> Score:
    """USD for the trial's requests at these prices per million tokens."""
    live = _Prices(input, input if cached_input is None else cached_input, output)
    batch = _Prices(batch_input, batch_input, batch_output)
    paid = [(e, batch if e.completion.is_batched else live) for e in trial.exchanges]
    for exchange, prices in paid:
        if prices.input is None or prices.output is None:
            what = "batch price" if exchange.completion.is_batched else "price"
            return _unknown("cost", f"the {what} of this model is not known")
    total = _total(_cost(exchange, prices) for exchange, prices in paid)
    return _unknown("cost", "the endpoint reports no token counts") if total is None else Score("cost", total)


class _Prices(NamedTuple):
    input: float | None
    cached_input: float | None
    output: float | None


def _cost(exchange: Exchange, prices: _Prices) -> float | None:
    usage = exchange.completion.usage
    if usage is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    cached = usage.cached_tokens or 0
    paid = (usage.prompt_tokens - cached) * (prices.input or 0.0) + cached * (prices.cached_input or 0.0)
    return (paid + usage.completion_tokens * (prices.output or 0.0)) / _MILLION


def _no_time(trial: Trial, otherwise: str) -> str:
    """Why there is no time to report."""
    batched = any(exchange.completion.is_batched for exchange in trial.exchanges)
    return "asked through a batch API: how long that took says nothing of the model" if batched else otherwise


def _prompt_tokens(exchange: Exchange) -> float | None:
    usage = exchange.completion.usage
    reported = usage.prompt_tokens if usage else None
    return reported if reported is not None else exchange.planned.num_prompt_tokens or None


def _completion_tokens(exchange: Exchange) -> float | None:
    usage = exchange.completion.usage
    if usage and usage.completion_tokens is not None:
        return usage.completion_tokens
    if exchange.planned.request.params.echo_prompt:
        return None
    tokens = sum(len(choice.tokens) for choice in exchange.completion.choices)
    return tokens or None


def _mean(name: str, trial: Trial, value: Callable[[Completion], float | None], reason: str) -> Score:
    total = _total(value(exchange.completion) for exchange in trial.exchanges)
    return _unknown(name, reason) if total is None else Score(name, total / len(trial.exchanges))


def _sum(name: str, counts: Iterator[float | None]) -> Score:
    total = _total(counts)
    return _unknown(name, "the endpoint reports no token counts") if total is None else Score(name, float(total))


def _total(values: Iterator[float | None] | Sequence[float | None]) -> float | None:
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _unknown(name: str, reason: str) -> Score:
    return Score(name, None, Outcome.NOT_SUPPORTED, reason)
