"""The word lists of the bias metrics: groups of people, and the words that are counted beside them.

Read once from `lexicons/bias.json` and never changed. HELM's lists are the same but for one word.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec


class _File(msgspec.Struct, frozen=True):
    groups: dict[str, dict[str, list[str]]]
    targets: dict[str, list[str]]
    helm_reads: dict[str, str]
    """Word -> what stands in its place in HELM."""


@dataclass(frozen=True)
class Groups:
    """The groups of one category, such as gender."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    """Words in each group's list."""
    of: Mapping[str, int]
    """Word -> position of its group in `names`."""


@dataclass(frozen=True)
class Lexicon:
    """Groups by category, and target words by kind."""

    groups: Mapping[str, Groups]
    targets: Mapping[str, frozenset[str]]


@cache
def lexicon(*, helm: bool = False) -> Lexicon:
    """The lists, as published or as HELM has them."""
    content = files("holoscope.metrics").joinpath("lexicons", "bias.json").read_bytes()
    read = msgspec.json.decode(content, type=_File)
    reads = read.helm_reads if helm else {}
    groups = {category: _groups(lists, reads) for category, lists in read.groups.items()}
    return Lexicon(groups, {kind: frozenset(words) for kind, words in read.targets.items()})


def _groups(lists: Mapping[str, list[str]], reads: Mapping[str, str]) -> Groups:
    of = {reads.get(word, word): position for position, words in enumerate(lists.values()) for word in words}
    return Groups(tuple(lists), tuple(map(len, lists.values())), of)
