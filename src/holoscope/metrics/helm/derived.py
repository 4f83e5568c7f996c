"""What HELM derives from the statistics of a train trial: perplexity, calibration, worst cases over perturbations."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from holoscope.metrics.helm.stat import ORIGINAL, WORST, Context, Name, Perturbed, Stat

_ROBUSTNESS = Perturbed("robustness", robustness=True)
_FAIRNESS = Perturbed("fairness", fairness=True)


class Observed(NamedTuple):
    """The statistics of one instance under one perturbation, in one train trial."""

    instance_id: str
    context: Context
    stats: Sequence[Stat]

    def get(self, name: str) -> Stat | None:
        return next((stat for stat in self.stats if stat.name.name == name), None)


def perplexity(stats: Mapping[Name, Stat], context: Context) -> Iterator[Stat]:
    """Likelihood per token and per byte, over all of a context's text (not a mean over instances)."""
    logprob = stats.get(Name("logprob", context))
    if logprob is None:
        return
    tokens = stats.get(Name("num_perplexity_tokens", context))
    if tokens is not None and tokens.sum > 0:
        yield Stat(Name("perplexity", context)).add(math.e ** (-logprob.sum / tokens.sum))
    size = stats.get(Name("num_bytes", context))
    if size is not None and size.sum > 0:
        yield Stat(Name("bits_per_byte", context)).add(-logprob.sum / size.sum / math.log(2))
        yield Stat(Name("logprob_per_byte", context)).add(logprob.sum / size.sum)


def calibration(rows: Iterable[Observed], context: Context) -> list[Stat]:
    """Calibration of a context's answers; nothing without an exact match or without a log-probability below 0."""
    from holoscope.stats import calibration as measured

    rows = [row for row in rows if row.context == context]
    if not any(stat.sum < 0 for row in rows if (stat := row.get("logprob"))):
        return []
    pairs = [(p.mean, c.mean) for row in rows if (p := row.get("max_prob")) and (c := row.get("exact_match"))]
    if not pairs:
        return []
    found = measured([p or 0.0 for p, _ in pairs], [int(c or 0) for _, c in pairs])
    values = {
        "ece_10_bin": found.ece_10_bin,
        "ece_1_bin": found.ece_1_bin,
        "selective_cov_acc_area": found.selective_area,
        "selective_acc@10": found.selective_accuracy_at_10,
        **({"platt_coef": found.platt.coef, "platt_intercept": found.platt.intercept} if found.platt else {}),
        "platt_ece_10_bin": found.platt_ece_10_bin,
        "platt_ece_1_bin": found.platt_ece_1_bin,
    }
    return [Stat(Name(name, context)).add(value) for name, value in values.items()]


def worst_cases(rows: Iterable[Observed]) -> list[Stat]:
    """For every statistic, its minimum over an instance's original and perturbed forms, averaged over instances.

    The minimum is taken of every statistic, whichever direction is good. `robustness` and `fairness` are made for
    instances without a perturbed form too.
    """
    forms: dict[tuple[str, str | None, str | None], list[Observed]] = {}
    for row in rows:
        forms.setdefault((row.instance_id, row.context.split, row.context.sub_split), []).append(row)
    found: dict[Name, Stat] = {}
    for (_, split, sub_split), same in forms.items():
        _add_worst(found, [_Form(row) for row in same], Context(split, sub_split))
    return list(found.values())


class _Form:
    """One form of an instance: its perturbation, and its statistics by name."""

    def __init__(self, row: Observed) -> None:
        self.perturbation = row.context.perturbation
        self.stats = {stat.name.name: stat for stat in row.stats}


def _add_worst(found: dict[Name, Stat], forms: Sequence[_Form], context: Context) -> None:
    original = next((form for form in forms if form.perturbation is None), None)
    perturbed = [(form.perturbation, form) for form in forms if form.perturbation is not None]
    groups = [
        (_ROBUSTNESS, [form for p, form in perturbed if p.robustness]),
        (_FAIRNESS, [form for p, form in perturbed if p.fairness]),
        *((p, [form]) for p, form in perturbed),
    ]
    places = [(_under(context, p, WORST), _under(context, p, ORIGINAL), members) for p, members in groups]
    for name in dict.fromkeys(name for form in forms for name in form.stats):
        before = original.stats.get(name) if original else None
        for worst, unperturbed, members in places:
            stats = [form.stats[name] for form in members if name in form.stats]
            if before is not None:
                if unperturbed.perturbation not in _ACCUMULATED:
                    found.setdefault(key := Name(name, unperturbed), Stat(key)).merge(before)
                stats.append(before)
            lows = [stat.min for stat in stats if stat.min is not None]
            if lows:
                found.setdefault(key := Name(name, worst), Stat(key)).add(min(lows))


def _under(context: Context, perturbation: Perturbed, computed_on: str) -> Context:
    return context._replace(perturbation=perturbation._replace(computed_on=computed_on))


_ACCUMULATED = frozenset(p._replace(computed_on=ORIGINAL) for p in (_ROBUSTNESS, _FAIRNESS))
"""Made of several perturbations: HELM gives no unperturbed counterpart for these."""
