"""Three clinical subjects of MMLU in eleven African languages, translated by people."""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    TEST,
    TRAIN,
    VALID,
    Files,
    Instance,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.references import question_of, right_text
from holoscope.scenarios.rows import read_headless_csv

Subject = Literal["clinical_knowledge", "college_medicine", "virology"]
Language = Literal["af", "am", "bm", "ig", "nso", "sn", "st", "tn", "ts", "xh", "zu"]

URL = (
    "https://github.com/InstituteforDiseaseModeling/Bridging-the-Gap-Low-Resource-African-Languages/raw/"
    "9af6ce2f5df8171a64d58ced2032761396bfb2ad/data/evaluation_benchmarks_afr_release.zip"
)
_SPLITS = {"dev": TRAIN, "val": VALID, "test": TEST}
LANGUAGES: dict[Language, str] = {
    "af": "Afrikaans",
    "am": "Amharic",
    "bm": "Bambara",
    "ig": "Igbo",
    "nso": "Sepedi",
    "sn": "Shona",
    "st": "Sesotho",
    "tn": "Setswana",
    "ts": "Tsonga",
    "xh": "Xhosa",
    "zu": "Zulu",
}


def sources(subject: str, lang: str) -> tuple[Source, ...]:
    paths = [_path(subject, name, lang) for name in _SPLITS]
    return tuple(Source(path=path, url=URL, member=path, optional="_val_" in path) for path in paths)


def load(files: Files, subject: str, lang: str) -> Iterator[Instance]:
    for source, split in zip(sources(subject, lang), _SPLITS.values(), strict=True):
        if source.optional and not files.has(source.path):
            continue
        for where, cells in read_headless_csv(files.path(source.path)):
            question = question_of(cells, where)
            yield Instance(input=question.text, references=right_text(question.options, question.right), split=split)


def _path(subject: str, name: str, lang: str) -> str:
    return f"evaluation_benchmarks_afr_release/mmlu_cm_ck_vir/{subject}_{name}_{lang}.csv"


CARD = Scenario(
    name="mmlu_clinical_afr",
    title="MMLU clinical, African languages",
    description="Clinical exam questions of MMLU in eleven African languages.",
    licence="MIT",
    redistribution="yes",
    citation="https://github.com/InstituteforDiseaseModeling/Bridging-the-Gap-Low-Resource-African-Languages",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.25,
    helm_class="helm.benchmark.scenarios.mmlu_clinical_afr_scenario.MMLU_Clinical_Afr_Scenario",
)


def mmlu_clinical_afr(subject: Subject, lang: Language, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    topic = f"{subject.replace('_', ' ')} in {LANGUAGES[lang]}"
    return Task(
        name=f"mmlu_clinical_afr:subject={subject},lang={lang},method={method}",
        scenario=ScenarioSpec("mmlu_clinical_afr", {"subject": subject, "lang": lang}),
        adapter=multiple_choice(method, f"The following are multiple choice questions (with answers) about {topic}."),
        metrics=EXACT_MATCH,
        groups=(f"mmlu_clinical_afr_{subject}", f"mmlu_clinical_afr_{subject}_{lang}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("mmlu_clinical_afr")(mmlu_clinical_afr)
