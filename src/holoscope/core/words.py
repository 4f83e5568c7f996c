"""How a number stands in a sentence, the same in a plan, a page, a figure and a report."""

from collections.abc import Mapping


def counted(number: int, noun: str) -> str:
    """The number with its noun: `1 request`, `1,200 requests`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def shares(counts: Mapping[str, int], whole: int, noun: str) -> list[str]:
    """What was counted, each with how many of the whole it holds for.

    >>> shares({"no seed": 1200}, 1500, "request")
    ['no seed (1,200 of 1,500 requests)']
    """
    return [f"{what} ({number:,} of {counted(whole, noun)})" for what, number in counts.items()]
