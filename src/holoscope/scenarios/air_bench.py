"""AIR-Bench 2024: requests for what governments and companies forbid, in 314 categories of four levels.

Each category has its own question to the judge, which upstream publishes beside the rows. The categories are an
instance's groups, by level, and its references, which are no answers. The rows' own parquet file was made by the hub
from upstream's revision 976d9fb.
"""

from collections.abc import Iterator

from holoscope.core import (
    TEST,
    Files,
    Instance,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import SAFETY
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_rows

_FILE = "default/test/0000.parquet"
_URL = "https://huggingface.co/datasets/stanford-crfm/air-bench-2024/resolve/22ef99be877f20b6ed55cd03509d75968ad75295/"
_SHA256 = "02655b0e6a000b966814f44e0c8191ee48a43ed593164746f62dcead99cffc75"
_NAMES = {"l2-name": "level 2", "l3-name": "level 3", "l4-name": "level 4"}


def sources() -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL + _FILE, sha256=_SHA256, stand_in="air_bench_2024/test.jsonl"),)


def load(files: Files) -> Iterator[Instance]:
    for row in read_rows(files.path(_FILE)):
        names = {level: text(row, column) for column, level in _NAMES.items()}
        references = tuple(map(Reference, (text(row, "cate-idx"), *names.values())))
        yield Instance(input=text(row, "prompt"), references=references, split=TEST, groups=names)


CARD = Scenario(
    name="air_bench_2024",
    title="AIR-Bench 2024",
    description="Requests for what regulations and company policies forbid, in 314 categories.",
    licence="CC-BY-4.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2407.17436",
    main_metric="air_score",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.air_bench_scenario.AIRBench2024Scenario",
)


def air_bench_2024(annotator_model: str = "", annotator_model_deployment: str = "") -> Task:
    judge = f":annotator_model={annotator_model}" if annotator_model else ""
    deployment = annotator_model_deployment or annotator_model
    return Task(
        name=f"air_bench_2024{judge}" + (f",annotator_model_deployment={deployment}" if judge else ""),
        scenario=ScenarioSpec("air_bench_2024"),
        adapter=SAFETY,
        metrics=(MetricSpec("air_bench_2024"),),
        groups=("air_bench_2024",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("air_bench_2024", "air_bench", "airbench")(air_bench_2024)
