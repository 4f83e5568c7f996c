"""Metrics that run the code a model wrote. Without a sandbox to run it in they say so, and nothing is run.

A fault in such code is a fault on the user's machine, so the choice is between a contained process and no number.
"""

from holoscope.core import Metric, NotSupportedError, Score, Trial

_TITLES = {"code_eval_acc": "Programs that pass their tests", "pass": "pass@1"}


def refused(trial: Trial) -> Score:
    """Say that there is no sandbox."""
    raise NotSupportedError("no sandbox: this version does not run code that a model wrote")


def cards() -> tuple[Metric, ...]:
    return tuple(
        Metric(name=name, version="1", axis="accuracy", title=title, binary=True, score=refused)
        for name, title in _TITLES.items()
    )
