"""What a suite would send, without sending it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from holoscope.core import HoloscopeError, PlannedRequest, RunSpec, StoreError, Usage
from holoscope.pipeline.plan import Planner


class DryRun(msgspec.Struct, frozen=True, kw_only=True):
    """What one run would send."""

    run: str
    model: str
    instances: int = 0
    perturbed: int = 0
    """Perturbed versions of those instances, beside the originals."""
    requests: int = 0
    unsent: int = 0
    """Requests that cannot be sent, such as those that don't fit into the model's window."""
    prompt_tokens: int = 0
    tokens_are_exact: bool = False
    most_cost: float | None = None
    """USD if every answer is as long as it may be; None: the price is unknown."""
    in_context_examples: dict[int, int] = {}
    """How many requests carry how many examples."""
    reason: str = ""
    """Why the run can't be planned."""

    def __str__(self) -> str:
        if self.reason:
            return f"{self.run}: cannot run: {self.reason}"
        about = "" if self.tokens_are_exact else "about "
        extra = f" + {self.perturbed:,} perturbed" if self.perturbed else ""
        cost = "cost unknown" if self.most_cost is None else f"at most ${self.most_cost:.2f}"
        unsent = f"; {self.unsent:,} do not fit the window and are not sent" if self.unsent else ""
        shots = ", ".join(f"{k}-shot: {n:,}" for k, n in sorted(self.in_context_examples.items()))
        return (
            f"{self.run}: {counted(self.instances, 'instance')}{extra} = {counted(self.requests, 'request')} "
            f"({shots or 'none'}), {about}{self.prompt_tokens:,} prompt tokens, {cost}{unsent}"
        )


def counted(number: int, noun: str) -> str:
    """`1 request`, `2 requests`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def dry_run(specs: Sequence[RunSpec], planner: Planner) -> list[DryRun]:
    """What each run would send."""
    return [_dry(spec, planner) for spec in specs]


def _dry(spec: RunSpec, planner: Planner) -> DryRun:
    model = spec.adapter.model_deployment or spec.adapter.model
    try:
        if (missing := planner.obstacle(spec)) is not None:
            return DryRun(run=spec.name, model=model, reason=missing)
        plan = planner.plan(spec)
        planned = list(plan.requests())
    except HoloscopeError as error:
        return DryRun(run=spec.name, model=model, reason=str(error))
    sent = [request for request in planned if request.unsent is None]
    prompt_tokens = sum(request.num_prompt_tokens for request in sent)
    longest = sum(r.request.params.max_tokens * r.request.params.num_completions for r in sent)
    price = plan.model.card.price
    return DryRun(
        run=spec.name,
        model=model,
        instances=plan.originals,
        perturbed=len(plan.instances) - plan.originals,
        requests=len(sent),
        unsent=len(planned) - len(sent),
        prompt_tokens=prompt_tokens,
        most_cost=price.cost(Usage(prompt_tokens, longest)) if price else None,
        tokens_are_exact=plan.model.window().exact,
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
                yield msgspec.json.encode(_line(spec, planned))


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
