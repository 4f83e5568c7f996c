"""Legal texts to be summarised: bills of the US, civil rights cases, and acts of the European Union.

Texts are cut to their first words. An in-context example is a text of a length that leaves room for several.
"""

from collections.abc import Iterator
from typing import NamedTuple

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    Files,
    Instance,
    Json,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import summarization
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_json_rows, read_parquet
from holoscope.scenarios.summarization import Device, first_words

_HUB = "https://huggingface.co/datasets/"


class Corpus(NamedTuple):
    url: str
    files: dict[str, str]
    """Split -> path there."""
    document: str
    summary: str


_CORPORA = {
    "BillSum": Corpus(
        f"{_HUB}FiscalNote/billsum/resolve/80bf8bc45b509641bd203107fff6a1db72949eaa/",
        {TRAIN: "data/train-00000-of-00001.parquet", TEST: "data/test-00000-of-00001.parquet"},
        "text",
        "summary",
    ),
    "MultiLexSum": Corpus(
        f"{_HUB}allenai/multi_lexsum/resolve/8e0586b2190bcb588fdc923d15d81ab66a6fb3ed/",
        {
            split: f"releases/v20220616/{name}.json"
            for split, name in ((TRAIN, "train"), (VALID, "dev"), (TEST, "test"))
        },
        "summary/long",
        "summary/short",
    ),
    "EurLexSum": Corpus(
        f"{_HUB}dennlinger/eur-lex-sum/resolve/dab944b274fe6e047f0cc6b8dc5e0ca68f4dcd36/",
        {s: f"data/english/{name}.json" for s, name in ((TRAIN, "train"), (VALID, "validation"), (TEST, "test"))},
        "reference",
        "summary",
    ),
}


def sources(dataset_name: str, **lengths: int) -> tuple[Source, ...]:
    corpus = _CORPORA[dataset_name]
    return tuple(Source(path=path, url=corpus.url + path) for path in corpus.files.values())


def load(
    files: Files, dataset_name: str, sampling_min_length: int, sampling_max_length: int, doc_max_length: int
) -> Iterator[Instance]:
    corpus = _CORPORA[dataset_name]
    for split, path in corpus.files.items():
        place = files.path(path)
        for row in read_parquet(place) if place.suffix == ".parquet" else read_json_rows(place):
            if not row.values.get(corpus.summary):
                continue  # some cases have none
            document = first_words(text(row, corpus.document), doc_max_length)
            if split == TRAIN and not sampling_min_length <= len(document.split()) <= sampling_max_length:
                continue
            reference = Reference(first_words(text(row, corpus.summary)), (CORRECT,))
            yield Instance(input=document, references=(reference,), split=split)


CARD = Scenario(
    name="legal_summarization",
    title="Legal summarization",
    description="Bills, civil rights cases and acts of the European Union to be summarised.",
    licence="CC0-1.0 (BillSum), ODC-By (Multi-LexSum), CC-BY-4.0 (EUR-Lex-Sum)",
    redistribution="yes",
    citation="https://aclanthology.org/D19-5406",
    main_metric="rouge_2",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.legal_summarization_scenario.LegalSummarizationScenario",
)


def _task(
    dataset_name: str,
    lengths: tuple[int, int, int],
    sentences: int | None,
    max_tokens: int,
    temperature: float,
    device: Device,
) -> Task:
    names = ("sampling_min_length", "sampling_max_length", "doc_max_length")
    args: dict[str, Json] = {"dataset_name": dataset_name, **dict(zip(names, lengths, strict=True))}
    metric: dict[str, Json] = {"task": f"{dataset_name.lower()}_legal_summarization", "device": device}
    return Task(
        name=f"legal_summarization:temperature={temperature},device={device}",
        scenario=ScenarioSpec("legal_summarization", args),
        adapter=summarization(sentences, max_tokens=max_tokens, temperature=temperature),
        metrics=(MetricSpec("summarization", metric),),
        groups=("legal_summarization", "summarization"),
    )


def billsum(temperature: float = 0.3, device: Device = "cpu") -> Task:
    return _task("BillSum", (200, 800, 2048), None, 1024, temperature, device)


def multilexsum(temperature: float = 0.3, device: Device = "cpu") -> Task:
    return _task("MultiLexSum", (100, 400, 1024), 2, 256, temperature, device)


def eurlexsum(temperature: float = 0.3, device: Device = "cpu") -> Task:
    return _task("EurLexSum", (400, 1600, 2048), None, 2048, temperature, device)


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("billsum_legal_summarization", "billsum")(billsum)
    registry.task("multilexsum_legal_summarization", "multi_lexsum")(multilexsum)
    registry.task("eurlexsum_legal_summarization", "eur_lex_sum")(eurlexsum)
