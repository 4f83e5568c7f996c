"""CTI-to-MITRE: descriptions of attacks on computers, each to be filed under a technique of MITRE's catalogue.

The wrong options are drawn with a fixed seed, anew for each row in turn, so that an option list depends on the rows
before it; the last option, `Others`, is never right.
"""

from collections.abc import Iterator
from random import Random

from holoscope.core import (
    TEST,
    TRAIN,
    DataError,
    Files,
    Instance,
    Json,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.draws import table_sample
from holoscope.scenarios.fields import boolean, objects, text
from holoscope.scenarios.references import right_position
from holoscope.scenarios.rows import Row, read_csv, read_json

_ROWS, _CATALOGUE = "dataset.csv", "enterprise-attack.json"
_ROWS_URL = "https://github.com/dessertlab/cti-to-mitre-with-nlp/raw/a8cacf3185d098c686e0d88768a619a03a4d76d1/data/"
_CATALOGUE_URL = "https://github.com/mitre/cti/raw/refs/tags/ATT&CK-v10.1/enterprise-attack/"
_MOST, _OTHERS = 199, "Others"
_TRAIN = 0.7


def sources(num_options: int, seed: int) -> tuple[Source, ...]:
    return (
        Source(path=_ROWS, url=_ROWS_URL + _ROWS),
        Source(path=_CATALOGUE, url=_CATALOGUE_URL + _CATALOGUE),
    )


def load(files: Files, num_options: int, seed: int) -> Iterator[Instance]:
    rows = list(read_csv(files.path(_ROWS)))
    train, others = table_sample(rows, _TRAIN, seed)
    test, _ = table_sample(others, 1, seed)
    path = files.path(_CATALOGUE)
    whole = read_json(path)
    names = _techniques(Row(str(path), whole if isinstance(whole, dict) else {}))
    draw = Random(seed)
    for split, members in ((TRAIN, train), (TEST, test)):
        for row in members:
            label = text(row, "label_tec")
            if label not in names:
                raise DataError(f"{row.where}: {label} is no technique in {path}")
            references = _options(names[label], [*names.values()], min(num_options, _MOST), draw)
            yield Instance(input=text(row, "sentence"), references=references, split=split)


def _techniques(catalogue: Row) -> dict[str, str]:
    """The techniques' names by their numbers, those that are part of another left out."""
    names: dict[str, str] = {}
    for entry in objects(catalogue, "objects"):
        part = "x_mitre_is_subtechnique"
        if text(entry, "type") == "attack-pattern" and part in entry.values and not boolean(entry, part):
            known = [ref for ref in objects(entry, "external_references") if text(ref, "source_name") == "mitre-attack"]
            names[text(known[0], "external_id")] = text(entry, "name")
    return names


def _options(right: str, names: list[str], count: int, draw: Random) -> tuple[Reference, ...]:
    wrong = [name for name in names if name != right]
    shown = [*draw.sample(wrong, min(len(wrong), count - 2)), right]
    order = [*range(len(shown))]
    draw.shuffle(order)
    options = [shown[position] for position in order]
    if count <= len(names):
        options.append(_OTHERS)
    return right_position(options, options.index(right))


CARD = Scenario(
    name="cti_to_mitre",
    title="CTI-to-MITRE",
    description="Descriptions of attacks on computers, each to be filed under a technique of MITRE's catalogue.",
    licence="none stated (rows); MITRE's terms of use (catalogue)",
    redistribution="ids-only",
    citation="https://doi.org/10.1016/j.jnca.2022.103491",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.cti_to_mitre_scenario.CtiToMitreScenario",
)


def cti_to_mitre(num_options: int = 10, seed: int = 42, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    told = "Classify the following situation by the type of security attack. Answer with only a single letter."
    args: dict[str, Json] = {"num_options": num_options, "seed": seed}
    adapter = multiple_choice(method, told, input_noun="Situation", max_train_instances=10)
    return Task(
        name=f"cti_to_mitre:num_options={num_options},seed={seed},method={method}",
        scenario=ScenarioSpec("cti_to_mitre", args),
        adapter=adapter,
        metrics=EXACT_MATCH,
        groups=("cti_to_mitre",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("cti_to_mitre")(cti_to_mitre)
