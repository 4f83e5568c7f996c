"""Entity matching: are two rows of two tables the same product, paper, beer or song?

The pairs are upstream's, whose non-matches outnumber its matches; the examples are balanced by drawing as many of the
former. HELM drew them from generators whose states it saved for the datasets of its leaderboard, in a file of its own;
without that file, and for any other dataset, the generator is seeded with 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

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
from holoscope.scenarios.cells import shown_column
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_csv, read_json

if TYPE_CHECKING:
    from numpy.random import RandomState

Dataset = Literal[
    "Beer",
    "iTunes_Amazon",
    "Fodors_Zagats",
    "DBLP_ACM",
    "DBLP_GoogleScholar",
    "Amazon_Google",
    "Walmart_Amazon",
    "Abt_Buy",
    "Company",
    "Dirty_iTunes_Amazon",
    "Dirty_DBLP_ACM",
    "Dirty_DBLP_GoogleScholar",
    "Dirty_Walmart_Amazon",
]

_STATES = "entity_matching_scenario_fixed_random_state.json"
_STATES_URL = "https://worksheets.codalab.org/rest/bundles/0x4d0a972e99c848d2ab3ecf129bb77d29/contents/blob/"
_URL = "http://pages.cs.wisc.edu/~anhai/data1/deepmatcher_data/"
_KINDS = {"Abt_Buy": "Textual", "Company": "Textual"}
_FILES = ("tableA.csv", "tableB.csv", "train.csv", "valid.csv", "test.csv")
_SPLITS = (TRAIN, VALID, TEST)

Table = Mapping[str, str]
"""A row's text by its identifier."""


def sources(dataset: str) -> tuple[Source, ...]:
    archive = f"{_URL}{_folder(dataset)}/{dataset.lower()}_exp_data.zip"
    rows = (Source(path=_path(dataset, name), url=archive, member=f"exp_data/{name}") for name in _FILES)
    return (*rows, Source(path=_STATES, url=_STATES_URL, optional=True))


def load(files: Files, dataset: Dataset) -> Iterator[Instance]:
    draw = _generator(files, dataset)
    tables = [_table(files.path(_path(dataset, f"table{name}.csv"))) for name in "AB"]
    for split in _SPLITS:
        pairs = list(read_csv(files.path(_path(dataset, f"{split}.csv"))))
        for row in _balanced(pairs, draw) if split == TRAIN else pairs:
            first, second = (_row_of(table, row, key) for table, key in zip(tables, _KEYS, strict=True))
            yield Instance(
                input=f"Product A is {first}. Product B is {second}. Are A and B the same?",
                references=(Reference("Yes" if _is_match(row) else "No", (CORRECT,)),),
                split=split,
            )


_KEYS = ("ltable_id", "rtable_id")


def _table(path: Path) -> Table:
    """Every row as `column: cell. column: cell`, its identifier left out."""
    rows = list(read_csv(path))
    columns = [name for name in (rows[0].values if rows else ()) if name != "id"]
    shown = [shown_column([text(row, name) for row in rows]) for name in columns]
    return {
        text(row, "id"): ". ".join(f"{name}: {cells[i]}".strip() for name, cells in zip(columns, shown, strict=True))
        for i, row in enumerate(rows)
    }


def _row_of(table: Table, row: Row, key: str) -> str:
    if text(row, key) not in table:
        raise DataError(f"{row.where}: the table has no row {text(row, key)!r}")
    return table[text(row, key)]


def _balanced(pairs: Sequence[Row], draw: "RandomState") -> list[Row]:
    """As many pairs that don't match as do, each kind in the order drawn."""
    kinds = [[row for row in pairs if _is_match(row) == matches] for matches in (False, True)]
    size = len(kinds[1])
    if size >= len(kinds[0]):
        raise DataError(f"expected more pairs that don't match than the {size} that do, found {len(kinds[0])}")
    return [rows[i] for rows in kinds for i in draw.choice(len(rows), size=size, replace=False)]


def _is_match(row: Row) -> bool:
    return text(row, "label") == "1"


def _generator(files: Files, dataset: str) -> "RandomState":
    """numpy's generator in the state that HELM saved for the dataset, else seeded with 0."""
    import numpy

    draw = numpy.random.RandomState(0)
    saved = read_json(files.path(_STATES)) if files.has(_STATES) else {}
    if isinstance(saved, dict) and dataset in saved:
        name, keys, position, has_gauss, gauss = cast("tuple[str, list[int], int, int, float]", saved[dataset])
        draw.set_state((name, numpy.array(keys, dtype=numpy.uint32), position, has_gauss, gauss))
    return draw


def _folder(dataset: str) -> str:
    """Upstream's folder, such as `Dirty/iTunes-Amazon`."""
    plain = dataset.removeprefix("Dirty_")
    kind = "Dirty" if plain != dataset else _KINDS.get(dataset, "Structured")
    return f"{kind}/{plain.replace('_', '-')}"


def _path(dataset: str, name: str) -> str:
    return f"{_folder(dataset)}/exp_data/{name}"


CARD = Scenario(
    name="entity_matching",
    title="Entity matching",
    description="Whether two rows of two tables are the same thing.",
    licence="CC-BY-4.0 (Abt-Buy, Amazon-Google, DBLP-ACM, DBLP-Scholar); none stated (the others)",
    redistribution="ids-only",
    citation="https://dl.acm.org/doi/10.14778/3007263.3007314",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.5,
    helm_class="helm.benchmark.scenarios.entity_matching_scenario.EntityMatchingScenario",
)


def entity_matching(dataset: Dataset) -> Task:
    return Task(
        name=f"entity_matching:dataset={dataset}",
        scenario=ScenarioSpec("entity_matching", {"dataset": dataset}),
        adapter=generation(instructions="Are Product A and Product B the same? Yes or No?", output_noun="Answer"),
        metrics=EXACT_MATCH,
        groups=("entity_matching",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("entity_matching")(entity_matching)
