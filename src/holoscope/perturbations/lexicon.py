"""Word lists as values: what stands for what, and by which name a run's manifest states the list.

A list never changes once made, so that what is compiled from it is compiled once. Lists in their published form (HELM's
JSON and CSV) and in this package's own become the same values here.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

import msgspec

from holoscope.core import UsageError
from holoscope.perturbations.words import alternation, key, whole_words

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

OWN = "holoscope"
"""Name of the lists that this package carries."""


@dataclass(frozen=True, eq=False)
class WordMap:
    """Words, and what may stand in the place of each."""

    name: str
    entries: Mapping[str, tuple[str, ...]]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Any of the words, whole."""
        return whole_words(self.entries)

    @cached_property
    def unhyphenated(self) -> re.Pattern[str]:
        """Any of the words, whole and not part of a hyphenated one."""
        return whole_words(self.entries, hyphenated=True)

    @cached_property
    def listed(self) -> re.Pattern[str]:
        """Any of the words as HELM finds them: in this case, the first listed first."""
        return re.compile(rf"\b({alternation(list(self.entries))})\b")

    @cached_property
    def by_key(self) -> dict[str, tuple[str, ...]]:
        """The first entry for each word, whatever its case."""
        return {key(word): self.entries[word] for word in reversed(list(self.entries))}

    def candidates(self, word: str) -> tuple[str, ...]:
        """What may replace this word; empty if nothing."""
        return self.entries.get(word) or self.by_key.get(key(word), ())


@dataclass(frozen=True, eq=False)
class GenderTable:
    """Rows of words that differ in gender only, in the order of `genders`."""

    name: str
    genders: tuple[str, ...]
    modes: Mapping[str, tuple[tuple[str, ...], ...]]
    before_a_noun: tuple[str, ...] = ()
    """The row of pronouns that stands before a noun: `their`, `her`, `his`."""
    not_a_noun: frozenset[str] = frozenset()
    """Words which show that no noun follows a pronoun."""
    helm_reads: Mapping[str, str] = field(default_factory=dict)
    """Word -> what HELM 0.5.16 has in its place."""

    def pairs(self, mode: str, source: str, target: str) -> list[tuple[str, str]]:
        """(source word, target word) of each row."""
        rows = choice(self.modes, mode, "mode of the gender perturbation")
        column = {gender: i for i, gender in enumerate(self.genders)}
        at, to = (choice(column, gender.lower(), "gender") for gender in (source, target))
        return [(row[at], row[to]) for row in rows]


class PersonName(NamedTuple):
    """A name as listed, in lower case."""

    name: str
    type: str
    """`first_name` or `last_name`."""
    categories: tuple[tuple[str, str], ...]
    """(category, value), e.g. ("race", "asian")."""


@dataclass(frozen=True, eq=False)
class NameList:
    """People's names and the groups they are associated with."""

    name: str
    rows: tuple[PersonName, ...]
    also_words: frozenset[str] = frozenset()
    """Names that are names only when they begin with a capital letter."""

    def members(self, type: str, categories: Mapping[str, str]) -> list[str]:
        """The names of one type that are in all of the categories, in the order of the list."""
        listed: dict[tuple[str, str], list[str]] = {}
        for row in self.rows:
            for category in row.categories if row.type == type else ():
                listed.setdefault(category, []).append(row.name)
        wanted = [choice(listed, pair, f"category of a {type}") for pair in categories.items()]
        return [name for name in wanted[0] if all(name in names for names in wanted)] if wanted else []

    def same_gender(self, type: str, name: str, options: Sequence[str]) -> list[str]:
        """The options that share the gender of a name; all of them where the list does not know it."""
        for gender in ("female", "male", "neutral"):
            group = {row.name for row in self.rows if row.type == type and ("gender", gender) in row.categories}
            if name in group:
                return [option for option in options if option in group]
        return list(options)

    def exchange(
        self, source: Mapping[str, str], target: Mapping[str, str], *, preserve_gender: bool
    ) -> tuple[list[str], Callable[[str], Sequence[str]]]:
        """Which given names are replaced, and by which: any by its own gender's, or `source`'s by `target`'s."""
        kind = "first_name"
        replaced, group = self.members(kind, source), self.members(kind, target)
        everyone = [row.name for row in self.rows]
        if preserve_gender:
            return everyone, lambda name: self.same_gender(kind, name, everyone)
        return replaced, lambda name: group


Lexicon = WordMap | GenderTable | NameList


def choice(known: Mapping[K, T], wanted: K, what: str) -> T:
    """The value under a name; UsageError lists the names there are."""
    if wanted not in known:
        raise UsageError(f"unknown {what} {_label(wanted)!r}; there are: {', '.join(map(_label, known))}")
    return known[wanted]


def _label(name: object) -> str:
    return "=".join(name) if isinstance(name, tuple) else str(name)


@cache
def table(file: str) -> Any:
    """A list of this package, as its JSON has it."""
    return msgspec.json.decode((files("holoscope.perturbations") / "lexicons" / file).read_bytes())


@cache
def own_misspellings() -> WordMap:
    return WordMap(OWN, {word: tuple(wrong) for word, wrong in table("misspellings.json").items()})


@cache
def own_dialect() -> WordMap:
    """Standard American to African American Vernacular English."""
    return WordMap(OWN, {word: tuple(said) for word, said in table("SAE_to_AAVE.json").items()})


@cache
def own_names() -> NameList:
    listed = table("person_names.json")
    rows = tuple(
        PersonName(name, group["type"], tuple(group["categories"].items()))
        for group in listed["groups"]
        for name in group["names"]
    )
    return NameList(OWN, rows, frozenset(listed["also_words"]))


@cache
def own_chinese_synonyms() -> WordMap:
    return WordMap(OWN, {word: tuple(others) for word, others in table("chinese_synonyms.json").items()})


@cache
def own_genders() -> GenderTable:
    return gender_table("gender.json")


def gender_table(file: str) -> GenderTable:
    """The words of this package that differ in gender only, of one language."""
    listed = table(file)
    modes = {mode: tuple(map(tuple, listed[mode])) for mode in ("terms", "pronouns")}
    return GenderTable(
        name=OWN,
        genders=tuple(listed["genders"]),
        modes=modes,
        before_a_noun=modes["pronouns"][listed["before_a_noun"]] if "before_a_noun" in listed else (),
        not_a_noun=frozenset(listed.get("not_a_noun", ())),
        helm_reads=listed.get("helm_reads", {}),
    )


def given_names(file: str) -> NameList:
    """The given names of this package, of one language, by gender."""
    listed = table(file)
    rows = (
        PersonName(name, "first_name", (("gender", gender),))
        for gender, names in listed["given_names"].items()
        for name in names
    )
    return NameList(OWN, tuple(rows), frozenset(listed.get("also_words", ())))
