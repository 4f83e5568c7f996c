"""KPI-EDGAR: sentences of annual reports, whose indicators and amounts are to be found and named.

HELM asks for four kinds of the twelve, each found phrase followed by its kind in brackets; brackets in a sentence
become parentheses. Sentences with none of the four are left out.
"""

from collections.abc import Iterator

from holoscope.core import TEST, TRAIN, VALID, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import generation, metrics
from holoscope.scenarios.fields import integer, objects, text
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import Row, read_rows

_FILE = "kpi_edgar.json"
_URL = "https://raw.githubusercontent.com/tobideusser/kpi-edgar/2ec7084dcd55b4979bbe288d4aa1e962c685c9ab/data/"
_SPLITS = {"train": TRAIN, "valid": VALID, "test": TEST}
_KINDS = {
    "kpi": "Key Performance Indicators expressible in numerical and monetary value",
    "cy": "Current Year monetary value",
    "py": "Prior Year monetary value",
    "py1": "Two Year Past Value",
}
_TOLD = (
    "Task: Extract key performance indicators (KPIs) and values from the above text. Also, specify one of the "
    "following categories to each of the extracted KPIs and values in brackets."
)


def sources() -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL + _FILE),)


def load(files: Files) -> Iterator[Instance]:
    for number, report in enumerate(read_rows(files.path(_FILE))):
        for segment in objects(report, "segments"):
            for sentence in objects(segment, "sentences") if segment.values.get("sentences") else ():
                yield from _instance(sentence, f"report {number}")


def _instance(sentence: Row, report: str) -> Iterator[Instance]:
    split = sentence.values.get("split_type")
    words = [text(word, "value") for word in objects(sentence, "words")]
    found = ", ".join(
        f"{_plain(words[integer(noted, 'start') : integer(noted, 'end')])} [{text(noted, 'type_')}]"
        for noted in objects(sentence, "entities_anno")
        if text(noted, "type_") in _KINDS
    )
    if isinstance(split, str) and found:
        kinds = ", ".join(f"{kind}: {meaning}" for kind, meaning in _KINDS.items())
        asked = f"Context: {_plain(words)}\n{_TOLD}\n{kinds}."
        yield Instance(input=asked, references=right_answer(found), split=_SPLITS[split], cluster=report)


def _plain(words: list[str]) -> str:
    return " ".join(words).replace("[", "(").replace("]", ")")


CARD = Scenario(
    name="kpi_edgar",
    title="KPI-EDGAR",
    description="Sentences of annual reports, whose indicators and amounts are to be found and named.",
    licence="MIT",
    redistribution="yes",
    citation="https://arxiv.org/abs/2210.09163",
    main_metric="adjusted_macro_f1_score",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.kpi_edgar_scenario.KPIEDGARScenario",
)


def kpi_edgar() -> Task:
    return Task(
        name="kpi_edgar",
        scenario=ScenarioSpec("kpi_edgar"),
        adapter=generation(output_noun="Answer", max_train_instances=20, max_tokens=100),
        metrics=metrics("kpi_edgar"),
        groups=("kpi_edgar",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("kpi_edgar")(kpi_edgar)
