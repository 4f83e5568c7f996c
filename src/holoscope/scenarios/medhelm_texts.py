"""MedHELM's public benchmarks that ask for a text: notes, plans, summaries and answers, rated by a jury.

ACI-Bench's visits are played, MTSamples' reports are templates for transcribers, MedDialog's conversations come from
two sites; MEDIQA and MedicationQA hold questions that lay people sent in. Reports without a plan, a summary or findings
have nothing to be held against and are left out.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from holoscope.core import TEST, TRAIN, Files, Instance, Registry, Scenario, Source, Task
from holoscope.scenarios.archives import read_members
from holoscope.scenarios.documents import read_sheet
from holoscope.scenarios.fields import integer, member, objects, text
from holoscope.scenarios.juries import rated, rating, written
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import Row, read_json, read_rows

_CLASSES = "helm.benchmark.scenarios"
_RAW, _HUB = "https://raw.githubusercontent.com", "https://huggingface.co/datasets"

_ACI_URL = f"{_RAW}/wyim/aci-bench/e75b383172195414a7a68843ec4876e83e5409f7/data/challenge_data_json/"
_ACI = {
    "train_full.json": TRAIN,
    "clinicalnlp_taskB_test1_full.json": TEST,
    "clef_taskC_test3_full.json": TEST,
    "clinicalnlp_taskC_test2_full.json": TEST,
}
_DIALOG_URL = "https://worksheets.codalab.org/rest/bundles/0x82f0c47f6d3e4462ae9ef8ea39eebe64/contents/blob/"
_MEDIQA = "mediqa_qa_source/test/0000.parquet"
_MEDIQA_URL = f"{_HUB}/bigbio/mediqa_qa/resolve/refs%2Fconvert%2Fparquet/"
_MEDICATION = "MedInfo2019-QA-Medications.xlsx"
_MEDICATION_URL = f"{_RAW}/abachaa/Medication_QA_MedInfo2019/f18faaf77e624e9249e2a0ca6aaf04d25648676f/"
_REPORTS_URL = "https://github.com/raulista1997/benchmarkdata/archive/"
_REPORTS = {
    "mtsamples_replicate": ("ebc104a4f96c5b7602242f301e081e9934a23344", "mtsamples_processed"),
    "mtsamples_procedures": ("c4c252443fa9c52afb6960f53e51be278639bea2", "mtsample_procedure"),
}
"""Revision and folder of the one repository that has both."""
_SECTIONS = ("PLAN:", "SUMMARY:", "FINDINGS:")
"""What a report is to be held against, the first that it has."""

Subset = Literal["healthcaremagic", "icliniq"]


def _aci_sources() -> tuple[Source, ...]:
    return tuple(Source(path=name, url=_ACI_URL + name) for name in _ACI)


def _aci(files: Files) -> Iterator[Instance]:
    for name, split in _ACI.items():
        for row in read_rows(files.path(name)):
            conversation = f"Doctor-patient dialogue:\n\n{text(row, 'src')}"
            yield Instance(input=conversation, references=right_answer(text(row, "tgt")), split=split)


def _dialog_sources(subset: str) -> tuple[Source, ...]:
    return (Source(path=f"{subset}/test.json", url=f"{_DIALOG_URL}{subset}/test.json"),)


def _dialog(files: Files, subset: str) -> Iterator[Instance]:
    path = files.path(f"{subset}/test.json")
    whole = read_json(path)
    for row in objects(Row(str(path), whole if isinstance(whole, dict) else {}), "data"):
        yield Instance(input=text(row, "src"), references=right_answer(text(row, "tgt")), split=TEST)


def _mediqa_sources() -> tuple[Source, ...]:
    return (Source(path=_MEDIQA, url=_MEDIQA_URL + _MEDIQA, stand_in="medi_qa/test.jsonl"),)


def _mediqa(files: Files) -> Iterator[Instance]:
    for row in read_rows(files.path(_MEDIQA)):
        asked = member(row, "QUESTION")
        answers = [member(answer, "Answer") for answer in objects(asked, "AnswerList")]
        best = next((text(a, "AnswerText") for a in answers if integer(a, "ReferenceRank") == 1), "")
        yield Instance(
            id=text(asked, "QID"), input=text(asked, "QuestionText"), references=right_answer(best), split=TEST
        )


def _medication_sources() -> tuple[Source, ...]:
    return (Source(path=_MEDICATION, url=_MEDICATION_URL + _MEDICATION),)


def _medication(files: Files) -> Iterator[Instance]:
    for row in read_sheet(files.path(_MEDICATION)):
        if row.values.get("Answer") is not None:
            yield Instance(input=text(row, "Question"), references=right_answer(text(row, "Answer")), split=TEST)


def _report_sources(name: str) -> tuple[Source, ...]:
    revision, _ = _REPORTS[name]
    return (Source(path=f"{revision}.zip", url=f"{_REPORTS_URL}{revision}.zip"),)


def _reports(files: Files, name: str) -> Iterator[Instance]:
    revision, folder = _REPORTS[name]
    wanted = re.compile(rf"(?:[^/]*/)?{folder}/[^/]*\.txt")
    cut = _SECTIONS if name == "mtsamples_procedures" else _SECTIONS[:1]
    for _, report in read_members(files.path(f"{revision}.zip"), lambda member: bool(wanted.fullmatch(member))):
        whole = report.replace("\r\n", "\n").replace("\r", "\n").strip()
        if any(section in whole.upper() and section not in whole for section in _SECTIONS):
            continue  # upstream finds no section under a heading that is not in capitals, and drops the report
        expected = next((found for section in _SECTIONS if (found := _section(whole, section))), "")
        if expected:
            yield Instance(input=_before(whole, cut), references=right_answer(expected), split=TEST)


def _section(report: str, section: str) -> str:
    """The line after a heading in capitals."""
    _, found, rest = report.partition(section)
    return rest.partition("\n")[0].partition(section)[0].strip() if found else ""


def _before(report: str, sections: tuple[str, ...]) -> str:
    """The report up to the sections that would give the answer away."""
    for section in sections:
        if section in report:
            report = report.partition(section)[0].strip()
    return report


def _card(
    name: str,
    title: str,
    description: str,
    licence: str,
    citation: str,
    load: Callable[..., Iterator[Instance]],
    sources: Callable[..., tuple[Source, ...]],
    helm_class: str,
) -> Scenario:
    return Scenario(
        name=name,
        title=title,
        description=description,
        licence=licence,
        redistribution="yes" if licence.startswith("CC-BY-4.0") else "ids-only",
        citation=citation,
        main_metric=rating(name),
        main_split=TEST,
        load=load,
        sources=sources,
        helm_class=f"{_CLASSES}.{name}_scenario.{helm_class}",
    )


CARDS = (
    _card(
        "aci_bench",
        "ACI-Bench",
        "Played visits to a doctor, each to be written up as a clinical note.",
        "CC-BY-4.0",
        "https://arxiv.org/abs/2306.02022",
        _aci,
        _aci_sources,
        "ACIBenchScenario",
    ),
    _card(
        "med_dialog",
        "MedDialog",
        "Conversations of patients with doctors, to be summed up in a sentence.",
        "none stated (conversations of healthcaremagic.com and icliniq.com)",
        "https://aclanthology.org/2020.emnlp-main.743",
        _dialog,
        _dialog_sources,
        "MedDialogScenario",
    ),
    _card(
        "medi_qa",
        "MEDIQA",
        "Questions about health that lay people asked, with answers ranked by doctors.",
        "none stated",
        "https://aclanthology.org/W19-5039",
        _mediqa,
        _mediqa_sources,
        "MediQAScenario",
    ),
    _card(
        "medication_qa",
        "MedicationQA",
        "Questions about medicines that lay people asked.",
        "none stated",
        "https://ebooks.iospress.nl/publication/51941",
        _medication,
        _medication_sources,
        "MedicationQAScenario",
    ),
    _card(
        "mtsamples_replicate",
        "MTSamples",
        "Transcribed medical reports, for each of which a plan of treatment is asked.",
        "none stated (reports of mtsamples.com)",
        "https://mtsamples.com",
        partial(_reports, name="mtsamples_replicate"),
        partial(_report_sources, name="mtsamples_replicate"),
        "MTSamplesReplicateScenario",
    ),
    _card(
        "mtsamples_procedures",
        "MTSamples procedures",
        "Transcribed reports of operations, for each of which a plan of treatment is asked.",
        "none stated (reports of mtsamples.com)",
        "https://mtsamples.com",
        partial(_reports, name="mtsamples_procedures"),
        partial(_report_sources, name="mtsamples_procedures"),
        "MTSamplesProceduresScenario",
    ),
)


def aci_bench(jury_config_path: str | None = None) -> Task:
    sections = "1. HISTORY OF PRESENT ILLNESS\n2. PHYSICAL EXAM\n3. RESULTS\n4. ASSESSMENT AND PLAN"
    asked = "Summarize the conversation to generate a clinical note with four sections:"
    adapter = written(
        f"{asked}\n{sections}\n\nThe conversation is:",
        before="Conversation: ",
        ask="Clinical Note: ",
        max_tokens=768,
    )
    return rated("aci_bench", adapter, jury_config_path=jury_config_path, groups=("clinical", "aci_bench"))


def med_dialog(subset: Subset, jury_config_path: str | None = None) -> Task:
    asked = "Generate a one sentence summary of this patient-doctor conversation."
    adapter = written(asked, before="Patient-Doctor: ", ask="Summary: ", max_tokens=80)
    shown = f"med_dialog,subset={subset}"
    return rated("med_dialog", adapter, {"subset": subset}, jury_config_path=jury_config_path, shown=shown)


def medi_qa(jury_config_path: str | None = None) -> Task:
    asked = "Answer the following consumer health question."
    adapter = written(asked, before="Question: ", ask="Answer: ", max_tokens=1024)
    return rated("medi_qa", adapter, jury_config_path=jury_config_path)


def medication_qa(jury_config_path: str | None = None) -> Task:
    asked = "Please answer the following consumer health question."
    adapter = written(asked, before="Question: ", ask="Answer: ", max_tokens=512)
    return rated("medication_qa", adapter, jury_config_path=jury_config_path)


def mtsamples_replicate(jury_config_path: str | None = None) -> Task:
    asked = "Given various information about a patient, return a reasonable treatment plan for the patient."
    adapter = written(asked, ask="Answer: ", max_tokens=512)
    return rated("mtsamples_replicate", adapter, jury_config_path=jury_config_path)


def mtsamples_procedures(jury_config_path: str | None = None) -> Task:
    asked = "Here are information about a patient, return a reasonable treatment plan for the patient."
    adapter = written(asked, before="Patient Notes: ", ask="Answer: ", max_tokens=512)
    return rated("mtsamples_procedures", adapter, jury_config_path=jury_config_path)


_TASKS = (aci_bench, med_dialog, medi_qa, medication_qa, mtsamples_replicate, mtsamples_procedures)


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    for task in _TASKS:
        registry.task(task.__name__)(task)
