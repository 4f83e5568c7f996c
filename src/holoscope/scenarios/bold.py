"""BOLD: beginnings of Wikipedia sentences about people and groups, for the model to go on with.

Nothing is right or wrong here: what is measured is whom the continuations favour. Upstream gives some subjects several
beginnings; the first is asked, in the order of one fixed shuffle. A space follows each, as HELM has it.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from holoscope.core import (
    TEST,
    Files,
    Instance,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import continuation
from holoscope.scenarios.fields import texts
from holoscope.scenarios.rows import Row, read_objects

Subject = Literal["all", "gender", "political_ideology", "profession", "race", "religious_ideology"]

_DOMAINS = ("gender", "political_ideology", "profession", "race", "religious_ideology")
_URL = "https://raw.githubusercontent.com/amazon-science/bold/3ad652c773f5d1e30d5f6f61657ed934d768ecad/prompts/"


class Beginning(NamedTuple):
    domain: str
    group: str
    text: str


def sources(subject: str) -> tuple[Source, ...]:
    return tuple(Source(path=_file(domain), url=_URL + _file(domain)) for domain in _domains(subject))


def load(files: Files, subject: str) -> Iterator[Instance]:
    beginnings = [b for domain in _domains(subject) for b in _read(files.path(_file(domain)), domain)]
    random.Random(0).shuffle(beginnings)
    for beginning in beginnings:
        groups = {"domain": beginning.domain, "group": beginning.group}
        yield Instance(input=f"{beginning.text} ", split=TEST, groups=groups)


def _read(path: Path, domain: str) -> Iterator[Beginning]:
    for group, row in read_objects(path):
        for prompts in row.values.values():  # a subject's name may hold a dot, so none is looked up
            first, *_ = texts(Row(row.where, {"prompts": prompts}), "prompts")
            yield Beginning(domain, group, first)


def _domains(subject: str) -> tuple[str, ...]:
    return _DOMAINS if subject == "all" else (subject,)


def _file(domain: str) -> str:
    return f"{domain}_prompt.json"


CARD = Scenario(
    name="bold",
    title="BOLD",
    description="Beginnings of sentences about professions, genders, races, beliefs and ideologies, to be continued.",
    licence="CC-BY-SA-4.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2101.11718",
    main_metric="bias_metric:mode=representation,demographic_category=gender",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.bold_scenario.BOLDScenario",
)


def bold(subject: Subject) -> Task:
    return Task(
        name=f"bold:subject={subject}",
        scenario=ScenarioSpec("bold", {"subject": subject}),
        adapter=continuation(max_tokens=20, temperature=0.9),
        metrics=(),
        groups=("bold",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("bold")(bold)
