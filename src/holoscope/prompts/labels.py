"""The letters under which choices stand in a prompt: A, B, C ... as the adapter's prefix shows the first of them.

After Z come AA, AB ..., each label once, so that an answer names one choice however many there are. HELM counts on
through the code points instead ([, \\, ]), and does so here under compat.
"""

from holoscope.core import AdapterSpec, UsageError
from holoscope.core.labels import letters_of


def label(adapter: AdapterSpec, position: int, *, compat: bool) -> str:
    """The label of the choice at `position`.

    >>> [label(AdapterSpec(), i, compat=False) for i in (0, 25, 26, 59)]
    ['A', 'Z', 'AA', 'BH']
    """
    given = adapter.reference_prefix_characters
    if given is not None:
        if position >= len(given):
            raise UsageError(f"the adapter has {len(given)} labels for choices, and an instance has more choices")
        return given[position]
    first = first_character(adapter)
    if compat:
        return chr(ord(first) + position)
    if first.isascii() and first.isdigit():
        return str(int(first) + position)
    if first.isascii():
        base = "A" if first.isupper() else "a"
        return letters_of(ord(first) - ord(base) + position, base)
    return chr(ord(first) + position)


def prefix(adapter: AdapterSpec, position: int, *, compat: bool) -> str:
    """What stands before the choice at `position`, such as `C. `."""
    return adapter.reference_prefix.replace(first_character(adapter), label(adapter, position, compat=compat))


def first_character(adapter: AdapterSpec) -> str:
    """The letter or digit in the prefix that labels count from."""
    for character in adapter.reference_prefix:
        if character.isalnum():
            return character
    raise UsageError(f"reference_prefix {adapter.reference_prefix!r} holds no letter or digit to count from")
