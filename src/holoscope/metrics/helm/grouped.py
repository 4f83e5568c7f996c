"""Statistics of HELM's metric classes that see all instances of a context at once: bias and BBQ.

They have no statistics per instance and no worst cases; what is undefined is a statistic that counted nothing.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from holoscope.core import Trial
from holoscope.metrics.helm import bbq, bias
from holoscope.metrics.helm.stat import Context, Name, Stat, merge_into

NAMES = frozenset({*bias.VALUES, *bbq.NAMES})


def grouped(names: Sequence[str], trials: Sequence[Trial]) -> list[Stat]:
    """The statistics called `names`, for every context."""
    return [stat for same in _classes(names) for stat in _of_class(same, trials)]


def _classes(names: Sequence[str]) -> list[list[str]]:
    """The three of BBQ are one class in HELM, and each bias metric is one."""
    return [list(same) for _, same in groupby(names, lambda name: name if name in bias.VALUES else "")]


def _of_class(names: Sequence[str], trials: Sequence[Trial]) -> Iterator[Stat]:
    whole: dict[Name, Stat] = {}
    ordered = sorted(trials, key=lambda trial: trial.train_trial_index)
    values = bias.bias_values if names[0] in bias.VALUES else bbq.bbq_values
    for _, same in groupby(ordered, key=lambda trial: trial.train_trial_index):
        contexts: dict[Context, list[Trial]] = {}
        for trial in same:
            contexts.setdefault(Context.of(trial.instance), []).append(trial)
        for context, members in contexts.items():
            for name in names:
                stat = Stat(Name(name, context))
                for value in values(name, members):
                    stat.add(value)
                merge_into(whole, stat.take_mean())
    yield from whole.values()
