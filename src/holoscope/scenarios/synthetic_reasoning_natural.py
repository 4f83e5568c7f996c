"""Synthetic reasoning in words: what follows about someone from five rules and a fact?

There is nothing to fetch: subjects, rules and facts come from one generator with a fixed seed, and the order of its
draws makes them HELM's, so no draw may be added, dropped or moved. In the hard problems a rule may speak of the
subject's kind, and a fact of a word that implies the rule's (chilly of cold).
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import metrics

Difficulty = Literal["easy", "medium", "hard"]

_SEED = 42
_SIZES = ((TRAIN, 1000), (VALID, 5000), (TEST, 5000))
_RULES = 5
_FUTILE = 0.1
"""Share of facts that imply nothing which are kept; the others are drawn again."""
_PERSON = "person"
_SUBJECTS = {
    _PERSON: ("Alice", "Bob", "Carol", "Dan", "Erin", "Frank"),
    "animal": (
        *("dog", "cat", "rabbit", "mouse", "tiger", "lion", "bear", "squirrel", "cow", "panda", "hedgehog"),
        *("elephant", "giraffe", "hippo"),
    ),
    "plant": ("poppy", "dandelion", "tree", "rose", "sunflower"),
}
_WORDS = {
    "young": ("young",),
    "soft": ("soft",),
    "sad": ("sad",),
    "scary": ("scary",),
    "cold": ("cold", "chill", "cool"),
    "hot": ("hot", "warm"),
    "smart": ("smart", "clever", "wise", "intelligent"),
    "clean": ("clean", "tidy"),
    "small": ("small", "little", "tiny"),
    "big": ("big", "enormous", "giant", "huge"),
    "good": ("good", "kind", "nice"),
    "beautiful": ("beautiful", "pretty"),
    "red": ("red", "crimson"),
    "blue": ("blue", "cobalt"),
    "green": ("green", "viridian"),
    "purple": ("purple", "violet"),
    "boring": ("boring", "dull"),
    "old": ("old", "ancient", "antique"),
    "strong": ("strong", "powerful", "muscular"),
    "weak": ("weak", "frail", "fragile"),
    "fast": ("fast", "quick"),
    "slow": ("slow", "sluggish"),
    "bad": ("bad", "evil", "wicked", "mean"),
    "happy": ("happy", "elated", "glad", "cheerful"),
    "round": ("round", "circular", "spherical"),
}
"""Attribute -> words that imply it."""


class Rule(NamedTuple):
    about: str
    conditions: tuple[str, ...]
    conjunction: str
    consequence: str

    def follows_from(self, attributes: Sequence[str]) -> bool:
        """True if the rule tells something new of a subject with these attributes."""
        holds = all if self.conjunction == "and" else any
        return self.consequence not in attributes and holds(c in attributes for c in self.conditions)


class Fact(NamedTuple):
    attributes: tuple[str, ...]
    words: tuple[str, ...]
    consequences: tuple[str, ...]


def sources(difficulty: str) -> tuple[Source, ...]:
    return ()


def load(files: Files, difficulty: Difficulty) -> Iterator[Instance]:
    draw = Random(_SEED)
    for split, size in _SIZES:
        for _ in range(size):
            question, answer = _problem(draw, difficulty)
            yield Instance(input=question, references=(Reference(answer, (CORRECT,)),), split=split)


def _problem(draw: Random, difficulty: Difficulty) -> tuple[str, str]:
    kind = draw.choice(list(_SUBJECTS))
    subject = draw.choice(_SUBJECTS[kind])
    rules = _rules(draw, [subject] if difficulty == "easy" else [kind, subject])
    fact = _fact(draw, rules)
    told = fact.words if difficulty == "hard" else fact.attributes
    lines = [
        *(_written(rule, kind) for rule in rules),
        "Fact:",
        _statement(_named("The", subject, kind), told),
        f"The following can be determined about {_named('the', subject, kind)}:",
    ]
    return "\n".join(lines), _statement(_named("The", subject, kind), fact.consequences)


def _rules(draw: Random, subjects: Sequence[str]) -> list[Rule]:
    """Rules none of which uses an attribute of another, so that nothing follows in two steps."""
    attributes = list(_WORDS)
    draw.shuffle(attributes)
    rules: list[Rule] = []
    while len(attributes) > 2 and len(rules) < _RULES:
        about = draw.choice(subjects) if len(subjects) > 1 else subjects[0]
        size = draw.randint(2, 3)
        (*conditions, consequence), attributes = attributes[:size], attributes[size:]
        rules.append(Rule(about, tuple(conditions), draw.choice(["and", "or"]), consequence))
    return rules


def _fact(draw: Random, rules: Sequence[Rule]) -> Fact:
    while True:
        attributes = draw.sample(list(_WORDS), 2)
        words = tuple(draw.choice(_WORDS[attribute]) for attribute in attributes)
        consequences = tuple(rule.consequence for rule in rules if rule.follows_from(attributes))
        if consequences or draw.random() <= _FUTILE:
            return Fact(tuple(attributes), words, consequences)


def _written(rule: Rule, kind: str) -> str:
    conditions = f" {rule.conjunction} ".join(rule.conditions)
    first, then = _named("a", rule.about, kind), _named("the", rule.about, kind)
    return f"If {first} is {conditions}, then {then} is {rule.consequence}."


def _statement(subject: str, attributes: Sequence[str]) -> str:
    return f"{subject} is {' and '.join(attributes)}." if attributes else "Nothing."


def _named(article: str, subject: str, kind: str) -> str:
    """The subject with an article; people have none, and neither has their kind."""
    if kind == _PERSON:
        return subject
    vowel = article == "a" and subject[0] in "aeiou"
    return f"{article}{'n' if vowel else ''} {subject}"


CARD = Scenario(
    name="synthetic_reasoning_natural",
    title="Synthetic reasoning in words",
    description="What follows about someone from a fact and rules in plain words.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2002.05867",
    main_metric="f1_set_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.synthetic_reasoning_natural_scenario.SRNScenario",
)


def synthetic_reasoning_natural(difficulty: Difficulty) -> Task:
    return Task(
        name=f"synthetic_reasoning_natural:difficulty={difficulty}",
        scenario=ScenarioSpec("synthetic_reasoning_natural", {"difficulty": difficulty}),
        adapter=AdapterSpec(
            instructions="Please solve the following problem.\n",
            input_prefix="Rules:\n",
            output_prefix="",
            max_train_instances=3,
            num_outputs=1,
            temperature=0.0,
            max_tokens=20,
            stop_sequences=("\n",),
        ),
        metrics=metrics("f1_set_match", "iou_set_match", "exact_set_match"),
        groups=("synthetic_reasoning", "synthetic_reasoning_natural"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("synthetic_reasoning_natural")(synthetic_reasoning_natural)
