"""What a suite would send, without sending it.

Everything that decides a run is done as it would be (rows, sampling, perturbations, prompts, the window), so the
counts are the run's own. Only cost is a range: nobody knows how long the answers will be.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from holoscope.core import HoloscopeError, PlannedRequest, RunSpec, StoreError, Usage, counted
from holoscope.pipeline.collect import light
from holoscope.pipeline.plan import Planner, RunPlan

K = TypeVar("K")


class DryRun(msgspec.Struct, frozen=True, kw_only=True):
    """What one run would send."""

    run: str
    model: str
    scenario: str = ""
    instances: int = 0
    perturbed: int = 0
    """Perturbed versions of those instances, beside the originals."""
    requests: int = 0
    unsent: int = 0
    """Requests that cannot be sent, such as those that don't fit into the model's window."""
    unsent_reason: str = ""
    """Why, for most of them."""
    by_perturbation: dict[str, int] = {}
    """How many requests ask under each; those of the originals under the empty name."""
    prompt_tokens: int = 0
    tokens_are_exact: bool = False
    least_completion_tokens: int = 0
    """A token for each answer that is to be written."""
    most_completion_tokens: int = 0
    """Every answer as long as it may be."""
    least_cost: float | None = None
    """USD for the prompts and the shortest answers; None: the price is unknown."""
    most_cost: float | None = None
    """USD for the prompts and the longest answers; None: the price is unknown."""
    in_context_examples: dict[int, int] = {}
    """How many requests carry how many examples."""
    reason: str = ""
    """Why the run can't be planned."""
    hindrance: str = ""
    """The kind of that reason."""
    cause: str = ""
    """That reason in a few words, the same for every run that lacks the same."""
    lacks: str = ""
    """The file that can't be had, as it would lie in a data directory."""

    def __str__(self) -> str:
        return f"{self.run}: cannot run: {self.reason}" if self.reason else f"{self.run}: {self.counts}"

    @property
    def counts(self) -> str:
        """Instances, requests, tokens and cost, in words."""
        about = "" if self.tokens_are_exact else "about "
        unsent = f"; {self.unsent:,} are not sent: {self.unsent_reason}" if self.unsent else ""
        extra = f" + {self.perturbed:,} perturbed" if self.perturbed else ""
        return (
            f"{counted(self.instances, 'instance')}{extra} = {counted(self.requests, 'request')} "
            f"({self._kinds() or 'none'}), {about}{self.prompt_tokens:,} prompt tokens and "
            f"at most {self.most_completion_tokens:,} of answers, {self.cost}{unsent}"
        )

    @property
    def cost(self) -> str:
        """The range of cost, in words."""
        if self.least_cost is None or self.most_cost is None:
            return "cost unknown"
        least, most = _dollars(self.least_cost), _dollars(self.most_cost)
        return most if least == most else f"{least} to {most}"

    def _kinds(self) -> str:
        """The requests by perturbation, where there is one, and by in-context examples."""
        asked = sorted(self.by_perturbation.items()) if self.perturbed else ()
        perturbed = ", ".join(f"{name or 'as they are'}: {n:,}" for name, n in asked)
        shots = ", ".join(f"{k}-shot: {n:,}" for k, n in sorted(self.in_context_examples.items()))
        return "; ".join(filter(None, (perturbed, shots)))


def _dollars(amount: float) -> str:
    """An amount to the cent; what is less than one is not nothing.

    >>> _dollars(1.25), _dollars(0.004), _dollars(0)
    ('$1.25', '<$0.01', '$0.00')
    """
    return "<$0.01" if 0 < amount < 0.005 else f"${amount:.2f}"


def dry_run(specs: Sequence[RunSpec], planner: Planner) -> list[DryRun]:
    """What each run would send."""
    planner.look_for_hosts(specs)
    return [_dry(spec, planner) for spec in specs]


def together(name: str, runs: Sequence[DryRun]) -> DryRun:
    """What several runs would send, under one name; those that can't be planned count for nothing."""
    runs = [run for run in runs if not run.reason]
    unsent = max(runs, key=lambda run: run.unsent, default=DryRun(run=name, model=""))
    return DryRun(
        run=name,
        model=", ".join(dict.fromkeys(run.model for run in runs)),
        instances=sum(run.instances for run in runs),
        perturbed=sum(run.perturbed for run in runs),
        requests=sum(run.requests for run in runs),
        unsent=sum(run.unsent for run in runs),
        unsent_reason=unsent.unsent_reason,
        by_perturbation=_added(run.by_perturbation for run in runs),
        prompt_tokens=sum(run.prompt_tokens for run in runs),
        tokens_are_exact=all(run.tokens_are_exact for run in runs),
        least_completion_tokens=sum(run.least_completion_tokens for run in runs),
        most_completion_tokens=sum(run.most_completion_tokens for run in runs),
        least_cost=_sum_of_known(run.least_cost for run in runs),
        most_cost=_sum_of_known(run.most_cost for run in runs),
        in_context_examples=_added(run.in_context_examples for run in runs),
    )


def _added(counts: Iterable[Mapping[K, int]]) -> dict[K, int]:
    total: Counter[K] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)


def _sum_of_known(amounts: Iterable[float | None]) -> float | None:
    """The sum; None if any part of it is unknown, or if there is none."""
    known = list(amounts)
    return None if None in known or not known else sum(amount for amount in known if amount is not None)


def _dry(spec: RunSpec, planner: Planner) -> DryRun:
    model = spec.adapter.model_deployment or spec.adapter.model
    unplanned = DryRun(run=spec.name, model=model, scenario=spec.scenario.name)
    try:
        if (missing := planner.lack(spec)) is not None:
            return replace(
                unplanned,
                reason=missing.message,
                hindrance=missing.kind,
                cause=missing.cause,
                lacks=missing.file,
            )
        plan = planner.plan(spec)
        planned = list(map(light, plan.requests()))
    except HoloscopeError as error:
        return replace(unplanned, reason=str(error), hindrance="failed", cause=str(error))
    return _counted(unplanned, plan, planned)


def _counted(run: DryRun, plan: RunPlan, planned: Sequence[PlannedRequest]) -> DryRun:
    sent = [request for request in planned if request.unsent is None]
    prompt_tokens = sum(request.num_prompt_tokens for request in sent)
    held_back = Counter(request.unsent_reason for request in planned if request.unsent is not None)
    asked = [request.request.params for request in sent]
    longest = sum(params.max_tokens * params.num_completions for params in asked)
    shortest = sum(params.num_completions for params in asked if params.max_tokens)
    card = plan.model.card
    price = card.price.in_batches if card.price and card.is_batch else card.price
    return replace(
        run,
        instances=plan.originals,
        perturbed=len(plan.instances) - plan.originals,
        requests=len(sent),
        unsent=held_back.total(),
        unsent_reason=held_back.most_common(1)[0][0] if held_back else "",
        by_perturbation=dict(Counter(request.instance.perturbation_name or "" for request in sent)),
        prompt_tokens=prompt_tokens,
        least_completion_tokens=shortest,
        most_completion_tokens=longest,
        least_cost=price.cost(Usage(prompt_tokens, shortest)) if price else None,
        most_cost=price.cost(Usage(prompt_tokens, longest)) if price else None,
        tokens_are_exact=not plan.model.window().estimates,
        in_context_examples=dict(Counter(request.num_train_instances for request in sent)),
    )


def write_requests(specs: Sequence[RunSpec], planner: Planner, path: Path) -> int:
    """Write every request that would be sent as a JSON line; how many there are.

    Raises the first error of a run that can't be planned.
    """
    count = 0
    try:
        with path.open("wb") as file:
            for line in _lines(specs, planner):
                file.write(line + b"\n")
                count += 1
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error
    return count


def _lines(specs: Sequence[RunSpec], planner: Planner) -> Iterator[bytes]:
    for spec in specs:
        for planned in planner.plan(spec).requests():
            if planned.unsent is None:
                yield msgspec.json.encode(_line(spec, light(planned)))


def _line(spec: RunSpec, planned: PlannedRequest) -> dict[str, object]:
    request, instance = planned.request, planned.instance
    asked = {"prompt": request.prompt} if request.messages is None else {"messages": request.messages}
    return {
        "run": spec.name,
        "model": spec.adapter.model_deployment or spec.adapter.model,
        "instance_id": instance.id,
        "split": instance.split,
        "perturbation": instance.perturbation_name,
        "trial": planned.trial,
        "train_trial_index": planned.train_trial_index,
        "reference_index": planned.reference_index,
        "request_mode": planned.request_mode,
        **asked,
        "params": _all_params(request.params),
    }


def _all_params(params: msgspec.Struct) -> dict[str, object]:
    """Defaults too: a reader should not have to know them."""
    return {name: getattr(params, name) for name in params.__struct_fields__}
