"""Instructions that a grammar spells out: every sentence it has, or those that bear all of the tags asked for.

A grammar is a YAML file of rules, each with a category, its expansions (texts in which `${Category}` stands for one of
that category's) and tags. HELM's own file, named by its path in HELM's repository, is fetched from there.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import msgspec

from holoscope.core import TEST, DataError, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import instruction
from holoscope.scenarios.instruct import MAIN_METRIC, critique

BEST_PROMPTS = "src/helm/benchmark/scenarios/best_chatgpt_prompts.yaml"
_URL = "https://raw.githubusercontent.com/stanford-crfm/helm/6945bd4a53c6fbc182ca504c3fcec9d3e1a32749/"
_ROOT = "Root"
_CATEGORY = re.compile(r"\$\{(\w+)\}")
_MOST_SENTENCES = 100_000


class Expansion(msgspec.Struct, frozen=True):
    """The right-hand side of a rule."""

    text: str
    tags: tuple[str, ...] = ()


class Rule(msgspec.Struct, frozen=True):
    category: str
    expansions: tuple[Expansion, ...]
    tags: tuple[str, ...] = ()


class Grammar(msgspec.Struct, frozen=True):
    rules: tuple[Rule, ...]


class Sentence(NamedTuple):
    """A text of a category, and the tags of every rule it was made by."""

    text: str
    tags: frozenset[str] = frozenset()


def sources(path: str, tags: str = "") -> tuple[Source, ...]:
    if path == BEST_PROMPTS:
        return (Source(path=_name(path), url=_URL + BEST_PROMPTS),)
    return (Source(path=str(Path(path).absolute())),)


def load(files: Files, path: str, tags: str = "") -> Iterator[Instance]:
    file = files.path(sources(path)[0].path)
    wanted = set(tags.split(",")) if tags else set[str]()
    for sentence in sentences(_read(file), file):
        if wanted <= sentence.tags:
            yield Instance(input=sentence.text, split=TEST)


def sentences(grammar: Grammar, file: Path) -> list[Sentence]:
    """Every sentence, the rules in the order of the file, and of several categories the last one varying fastest."""
    by_category: dict[str, list[Rule]] = {}
    for rule in grammar.rules:
        by_category.setdefault(rule.category, []).append(rule)
    return _expanded(_ROOT, by_category, file, ())


def _expanded(category: str, rules: Mapping[str, Sequence[Rule]], file: Path, above: tuple[str, ...]) -> list[Sentence]:
    if category in above:
        raise DataError(f"{file}: {category} leads back to itself")
    found: list[Sentence] = []
    for rule in rules.get(category, ()):
        for expansion in rule.expansions:
            found += _spelled(rule, expansion, rules, file, (*above, category))
            if len(found) > _MOST_SENTENCES:
                raise DataError(f"{file}: {category} has more than {_MOST_SENTENCES:,} sentences")
    return found


def _spelled(
    rule: Rule, expansion: Expansion, rules: Mapping[str, Sequence[Rule]], file: Path, above: tuple[str, ...]
) -> Iterator[Sentence]:
    parts = _CATEGORY.split(expansion.text)  # texts at even places, categories between them
    own = [
        [Sentence(part)] if place % 2 == 0 else _expanded(part, rules, file, above) for place, part in enumerate(parts)
    ]
    for chosen in product(*own):
        tags = frozenset((*rule.tags, *expansion.tags)).union(*(part.tags for part in chosen))
        yield Sentence("".join(part.text for part in chosen), tags)


def _read(file: Path) -> Grammar:
    import yaml

    try:
        return msgspec.convert(yaml.safe_load(file.read_text(encoding="utf-8")), Grammar)
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise DataError(f"{file}: not a grammar ({' '.join(str(error).split())})") from error


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


CARD = Scenario(
    name="grammar",
    title="Best ChatGPT prompts",
    description="Prompts that a grammar spells out; HELM's own are a magazine's list of best prompts.",
    licence="Apache-2.0 (HELM's file; prompts from gridfiti.com)",
    redistribution="ids-only",
    citation="https://gridfiti.com/best-chatgpt-prompts/",
    main_metric=MAIN_METRIC,
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.grammar_scenario.GrammarScenario",
)


def grammar(path: str = BEST_PROMPTS, tags: str = "", num_respondents: int = 1) -> Task:
    return Task(
        name=f"grammar:path={path},tags={tags}",
        scenario=ScenarioSpec("grammar", {"path": path, "tags": tags}),
        adapter=instruction(),
        metrics=critique(num_respondents),
        groups=("grammar",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("grammar")(grammar)
