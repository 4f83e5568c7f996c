"""Medical texts to be answered or summed up, as HELM's older runs ask for them: parallel lines, and LiveQA's questions.

Three of them are published as a file of inputs and one of answers for each split, a line each.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
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
from holoscope.scenarios.adapters import OPEN_ENDED, generation, metrics, summarization
from holoscope.scenarios.documents import read_xml
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import read_lines

_CODALAB = "https://worksheets.codalab.org/rest/bundles"
_RAW = "https://raw.githubusercontent.com"
_SPLITS = {"train": TRAIN, "val": VALID, "test": TEST}
_SPEAKER = "patient: "
_LIVE = "TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml"
_LIVE_URL = f"{_RAW}/abachaa/LiveQA_MedicalTask_TREC2017/e784f2d28b6a174e9a8d9f740876bdaccbd705af/TestDataset/"


class Parallel(NamedTuple):
    """A corpus in parallel lines."""

    title: str
    description: str
    licence: str
    citation: str
    url: str
    helm_class: str
    group: str


_PARALLEL = {
    "covid_dialog": Parallel(
        "COVID-Dialog",
        "What patients wrote to doctors about COVID-19, and what the doctors answered.",
        "none stated (conversations of icliniq.com, healthcaremagic.com and healthtap.com)",
        "https://aclanthology.org/2021.acl-short.112",
        f"{_CODALAB}/0x6f1ac4b2e47043fcbb873b2af1c7ee0c/contents/blob/",
        "COVIDDialogScenario",
        "COVIDDialog",
    ),
    "me_q_sum": Parallel(
        "MeQSum",
        "Long questions about health, each to be put in a sentence.",
        "none stated (questions to the National Library of Medicine)",
        "https://aclanthology.org/P19-1215",
        f"{_CODALAB}/0xd98a53314314445b96b4d703bb2d8c8c/contents/blob/",
        "MeQSumScenario",
        "MeQSum",
    ),
    "med_paragraph_simplification": Parallel(
        "Simplification of medical paragraphs",
        "Abstracts of Cochrane's reviews, to be put in plain words.",
        "none stated (Cochrane's reviews)",
        "https://aclanthology.org/2021.naacl-main.395",
        f"{_RAW}/AshOlogn/Paragraph-level-Simplification-of-Medical-Texts/main/data/data-1024/",
        "MedParagraphSimplificationScenario",
        "MedParagraphSimplification",
    ),
}


def _parallel_sources(name: str) -> tuple[Source, ...]:
    paths = (f"{split}.{side}" for split in _SPLITS for side in ("source", "target"))
    return tuple(Source(path=path, url=_PARALLEL[name].url + path) for path in paths)


def _parallel(files: Files, name: str) -> Iterator[Instance]:
    for part, split in _SPLITS.items():
        inputs, answers = (files.path(f"{part}.{side}") for side in ("source", "target"))
        given, wanted = read_lines(inputs), read_lines(answers)
        if len(given) != len(wanted):
            raise DataError(f"{inputs} has {len(given)} lines, and {answers} has {len(wanted)}")
        for line, answer in zip(given, wanted, strict=True):
            said = line.replace(_SPEAKER, "") if name == "covid_dialog" else line
            if name == "med_paragraph_simplification":
                said, answer = said.rstrip(), answer.rstrip()
            yield Instance(input=said, references=right_answer(answer), split=split)


def _live_sources() -> tuple[Source, ...]:
    return (Source(path=_LIVE, url=_LIVE_URL + _LIVE),)


def _live(files: Files) -> Iterator[Instance]:
    path = files.path(_LIVE)
    for question in read_xml(path):
        answers = [_spaced(answer.text) for answer in question.iter("ANSWER")]
        yield Instance(
            id=question.attrib["qid"],
            input=_spaced(question.findtext("NLM-Summary")),
            references=tuple(Reference(answer, (CORRECT,)) for answer in answers),
            split=TEST,
        )


def _spaced(text: str | None) -> str:
    return " ".join((text or "").split())


def _card(name: str) -> Scenario:
    corpus = _PARALLEL[name]
    return Scenario(
        name=name,
        title=corpus.title,
        description=corpus.description,
        licence=corpus.licence,
        redistribution="ids-only",
        citation=corpus.citation,
        main_metric="rouge_l",
        main_split=TEST,
        load=partial(_parallel, name=name),
        sources=partial(_parallel_sources, name=name),
        helm_class=f"helm.benchmark.scenarios.{name}_scenario.{corpus.helm_class}",
    )


LIVE_QA = Scenario(
    name="live_qa",
    title="LiveQA",
    description="Questions about health that people sent to the National Library of Medicine.",
    licence="none stated",
    redistribution="ids-only",
    citation="https://trec.nist.gov/pubs/trec26/papers/Overview-QA.pdf",
    main_metric="live_qa_score",
    main_split=TEST,
    load=_live,
    sources=_live_sources,
    helm_class="helm.benchmark.scenarios.live_qa_scenario.LiveQAScenario",
)


def live_qa() -> Task:
    told = "Please answer the following consumer health question."
    return Task(
        name="live_qa",
        scenario=ScenarioSpec("live_qa"),
        adapter=generation(
            instructions=told, input_noun="Question", output_noun="Answer", max_train_instances=0, max_tokens=512
        ),
        metrics=(*OPEN_ENDED, *metrics("live_qa_score")),
        groups=("live_qa",),
    )


def _answered(name: str, adapter: AdapterSpec) -> Task:
    return Task(
        name=name,
        scenario=ScenarioSpec(name),
        adapter=adapter,
        metrics=OPEN_ENDED,
        groups=(_PARALLEL[name].group,),
    )


def covid_dialog() -> Task:
    told = "Generate a response given a patient's questions and concerns."
    return _answered(
        "covid_dialog", generation(instructions=told, input_noun="Patient", output_noun="Doctor", max_tokens=128)
    )


def me_q_sum() -> Task:
    return _answered("me_q_sum", summarization(1, max_tokens=128, temperature=0.3))


def med_paragraph_simplification() -> Task:
    return _answered("med_paragraph_simplification", summarization(10, max_tokens=512, temperature=0.3))


_TASKS: tuple[Callable[[], Task], ...] = (live_qa, covid_dialog, me_q_sum, med_paragraph_simplification)


def register(registry: Registry) -> None:
    registry.scenario(LIVE_QA)
    for name in _PARALLEL:
        registry.scenario(_card(name))
    for task in _TASKS:
        registry.task(task.__name__)(task)
