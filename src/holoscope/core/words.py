"""How a number stands in a sentence, the same in a plan, a page, a figure and a report."""


def counted(number: int, noun: str) -> str:
    """The number with its noun: `1 request`, `1,200 requests`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
