"""HELM's mean win rate.

In a column (a scenario) a model's rate is the share of the other models that it beats, a tie being half; its mean is
over the columns that it fills. It depends on who else is there, so whoever shows one names the panel. Columns that
fewer than two models fill count for nobody, and a model that lacks a column is not penalised: that is HELM's way.
"""

from collections.abc import Sequence


def win_rates(column: Sequence[float | None], *, lower_is_better: bool = False) -> list[float | None]:
    """The share of the others that each model beats; None without a value, or for fewer than two with one.

    >>> win_rates([0.9, 0.5, None, 0.5])
    [1.0, 0.25, None, 0.25]
    """
    known = [-value if lower_is_better else value for value in column if value is not None]
    if len(known) < 2:
        return [None] * len(column)
    return [None if value is None else _rate(-value if lower_is_better else value, known) for value in column]


def mean_win_rates(columns: Sequence[Sequence[float | None]], lower_is_better: Sequence[bool]) -> list[float | None]:
    """Each model's mean over columns, `columns[c][m]` being model m's value; None where it fills none."""
    rates = [win_rates(column, lower_is_better=down) for column, down in zip(columns, lower_is_better, strict=True)]
    return [_mean([rate for rate in own if rate is not None]) for own in zip(*rates, strict=True)]


def _rate(value: float, known: Sequence[float]) -> float:
    beaten = sum(other < value for other in known)
    ties = sum(other == value for other in known) - 1
    return (beaten + ties / 2) / (len(known) - 1)


def _mean(rates: Sequence[float]) -> float | None:
    return sum(rates) / len(rates) if rates else None
