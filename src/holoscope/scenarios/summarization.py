"""News articles to be summarised: CNN/DailyMail in three sentences, XSum in one, and HELM's sample of XSum.

HELM keeps its copies as pickles of plain rows, which are read without running anything in them; a JSON file of the same
shape, `{split: [row, ...]}`, may lie in their place. Articles are cut to their first words. An in-context example is an
article of a length that leaves room for several, and of XSum one whose summary is no caption.
"""

from collections.abc import Iterator
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
from holoscope.scenarios.fields import objects, text
from holoscope.scenarios.pickled import read_plain_pickle
from holoscope.scenarios.rows import Row, read_json

Device = Literal["cpu", "cuda"]
"""Where HELM runs the models of its metrics; on `cpu` it leaves them out."""

_URL = "https://storage.googleapis.com/crfm-helm-public/source_datasets/scenarios/summarization_scenario/"
_SPLITS = {"train": TRAIN, "validation": VALID, "test": TEST}
_SHORT, _LONG, _WORDS = 50, 150, 512


class Corpus(NamedTuple):
    file: str
    article: str
    summary: str


_CORPORA = {
    "cnn-dm": Corpus("cnndm.pk", "article", "highlights"),
    "xsum": Corpus("xsum.pk", "document", "summary"),
    "xsum-sampled": Corpus("xsum-sampled.pk", "document", "summary"),
}


def sources(dataset_name: str, **lengths: int) -> tuple[Source, ...]:
    name = _CORPORA[dataset_name].file
    return (Source(path=name, url=_URL + name, stand_in=f"summarization/{name}".replace(".pk", ".json")),)


def load(
    files: Files, dataset_name: str, sampling_min_length: int, sampling_max_length: int, doc_max_length: int
) -> Iterator[Instance]:
    corpus = _CORPORA[dataset_name]
    whole = _read(files.path(corpus.file))
    for name, split in _SPLITS.items():
        for row in objects(whole, name):
            article = first_words(text(row, corpus.article), doc_max_length)
            summary = first_words(text(row, corpus.summary))
            if split == TRAIN and not sampling_min_length <= len(article.split()) <= sampling_max_length:
                continue
            if split == TRAIN and dataset_name == "xsum" and _is_no_summary(article, summary):
                continue
            yield Instance(input=article, references=(Reference(summary, (CORRECT,)),), split=split)


def first_words(passage: str, count: int | None = None) -> str:
    """The first words, with single spaces between them."""
    return " ".join(passage.split()[:count])


def _read(path: Path) -> Row:
    whole = read_plain_pickle(path) if path.suffix == ".pk" else read_json(path)
    if not isinstance(whole, dict):
        raise DataError(f"{path}: expected an object of splits")
    return Row(str(path), whole)


def _is_no_summary(article: str, summary: str) -> bool:
    """True of pages that are a video or a list of changes, and of summaries too short or nearly as long as the page."""
    words, length = len(summary.split()), len(article.split())
    marks = ("Media playback is unsupported on your device", "Last updated at")
    return any(mark in article for mark in marks) or words <= 10 or words / length > 0.2


CARD = Scenario(
    name="summarization",
    title="News summarization",
    description="News articles of CNN, the Daily Mail and the BBC to be summarised.",
    licence="none stated (articles of CNN, the Daily Mail and the BBC)",
    redistribution="ids-only",
    citation="https://aclanthology.org/D18-1206",
    main_metric="rouge_2",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.summarization_scenario.SummarizationScenario",
)


def _task(name: str, dataset_name: str, sentences: int, max_tokens: int, temperature: float, device: Device) -> Task:
    lengths: dict[str, Json] = {
        "sampling_min_length": _SHORT,
        "sampling_max_length": _LONG,
        "doc_max_length": _WORDS,
    }
    return Task(
        name=f"{name}:temperature={temperature},device={device}",
        scenario=ScenarioSpec("summarization", {"dataset_name": dataset_name, **lengths}),
        adapter=summarization(sentences, max_tokens=max_tokens, temperature=temperature),
        metrics=(MetricSpec("summarization", {"task": name, "device": device}),),
        groups=(name,),
    )


def summarization_cnndm(temperature: float = 0.3, device: Device = "cpu") -> Task:
    return _task("summarization_cnndm", "cnn-dm", 3, 128, temperature, device)


def summarization_xsum(temperature: float = 0.3, device: Device = "cpu") -> Task:
    return _task("summarization_xsum", "xsum", 1, 64, temperature, device)


def summarization_xsum_sampled(temperature: float = 0.3, device: Device = "cpu") -> Task:
    return _task("summarization_xsum_sampled", "xsum-sampled", 1, 64, temperature, device)


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("summarization_cnndm", "cnn_dailymail", "cnn_dm")(summarization_cnndm)
    registry.task("summarization_xsum", "xsum")(summarization_xsum)
    registry.task("summarization_xsum_sampled")(summarization_xsum_sampled)
