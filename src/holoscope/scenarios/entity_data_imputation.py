"""Entity data imputation: what stands in the cell that is left out of a product's or a restaurant's row?

The column left out is the manufacturer or the city. Upstream has tables, no splits: a tenth of the rows are drawn as
test, a fifth of the others as validation, the rest are examples in file order. Cells that say nothing read `nan`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, generation
from holoscope.scenarios.cells import EMPTY, NOTHING
from holoscope.scenarios.draws import table_sample
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_csv, read_headless_csv, read_lines

Dataset = Literal["Buy", "Restaurant"]
Cells = dict[str, str]

_SEED = 1234
_URL = "https://storage.googleapis.com/crfm-helm-public/source_datasets/scenarios/entity_data_imputation/"


def _products(path: Path) -> Iterator[Cells]:
    """Rows with a description; the identifier says nothing about the product."""
    for row in read_csv(path):
        cells = {name: text(row, name) for name in row.values if name != "id"}
        if cells["description"] not in EMPTY:
            yield {name: NOTHING if value in EMPTY else value for name, value in cells.items()}


def _restaurants(path: Path) -> Iterator[Cells]:
    """Rows of an ARFF file in which every cell says something; the class says which rows are of one restaurant."""
    lines = read_lines(path)
    names = [line.split()[1] for line in lines if line.startswith("@attribute")]
    start = next((i for i, line in enumerate(lines, 1) if line.startswith("@data")), len(lines))
    for where, values in read_headless_csv(path, skip=start):
        if len(values) != len(names):
            raise DataError(f"{where}: {len(values)} values for {len(names)} attributes")
        cells = {name: value for name, value in zip(names, values, strict=True) if name != "class"}
        if EMPTY.isdisjoint(cells.values()):
            yield {name: value.replace('"', "").strip() for name, value in cells.items()}


class Table(NamedTuple):
    archive: str
    member: str
    path: str
    column: str
    """The column left out."""
    read: Callable[[Path], Iterator[Cells]]


_TABLES = {
    "Buy": Table("Abt-Buy.zip", "Buy.csv", "Buy/Buy.csv", "manufacturer", _products),
    "Restaurant": Table("restaurant.tar.gz", "restaurant/fz.arff", "Restaurant/fz.arff", "city", _restaurants),
}


def sources(dataset: str) -> tuple[Source, ...]:
    table = _TABLES[dataset]
    return (Source(path=table.path, url=_URL + table.archive, member=table.member),)


def load(files: Files, dataset: Dataset) -> Iterator[Instance]:
    table = _TABLES[dataset]
    test, others = table_sample(list(table.read(files.path(table.path))), 0.1, _SEED)
    valid, train = table_sample(others, 0.2, _SEED)
    for split, rows in ((TRAIN, train), (VALID, valid), (TEST, test)):
        for cells in rows:
            yield _instance(cells, table.column, split)


def _instance(cells: Cells, column: str, split: str) -> Instance:
    told = [f"{name}: {value}".strip() for name, value in cells.items() if name != column]
    answer = Reference(cells[column], (CORRECT,))
    return Instance(input=f"{'. '.join(told)}. {column}?", references=(answer,), split=split)


CARD = Scenario(
    name="entity_data_imputation",
    title="Data imputation",
    description="A product's or restaurant's row with one cell left out, to be filled in.",
    licence="CC-BY-4.0 (Buy, from the Leipzig entity resolution benchmark); none stated (Restaurant)",
    redistribution="ids-only",
    citation="https://ieeexplore.ieee.org/document/9458712",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.entity_data_imputation_scenario.EntityDataImputationScenario",
)


def entity_data_imputation(dataset: Dataset) -> Task:
    return Task(
        name=f"entity_data_imputation:dataset={dataset}",
        scenario=ScenarioSpec("entity_data_imputation", {"dataset": dataset}),
        adapter=generation(instructions="What is the missing value?", output_noun="Answer"),
        metrics=EXACT_MATCH,
        groups=("entity_data_imputation",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("entity_data_imputation")(entity_data_imputation)
