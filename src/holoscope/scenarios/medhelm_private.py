"""MedHELM's benchmarks over records that may not be handed on: they read the user's own file in HELM's layout.

`data_path` names the file, or the folder, as in HELM. Nothing of it is fetched, and nothing goes into an export.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from holoscope.core import (
    TEST,
    Files,
    Instance,
    Json,
    MetricSpec,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.documents import read_sheet
from holoscope.scenarios.fields import text
from holoscope.scenarios.juries import rated, rating, written
from holoscope.scenarios.medhelm_choices import choice, chosen
from holoscope.scenarios.references import right_answer, right_position
from holoscope.scenarios.rows import read_csv, read_jsonl, read_lines

Condition = Literal[
    "alcohol_dependence",
    "attention_deficit_hyperactivity_disorder",
    "bipolar_disorder",
    "chronic_pain",
    "homelessness",
    "liver_disease",
    "major_depression",
    "personality_disorder",
    "post_traumatic_stress_disorder",
    "substance_use_disorder",
    "suicidal_behavior",
    "tobacco_dependence",
    "unemployment",
]
_ABBREVIATED = {
    "attention_deficit_hyperactivity_disorder": "attention deficit hyperactivity disorder (ADHD)",
    "post_traumatic_stress_disorder": "post-traumatic stress disorder (PTSD)",
}
_CASE = {
    "Diagnosis": "Diagnosis",
    "Procedure": "ActualProcedure",
    "History & Physical": "HistoryPhysicalNoteText",
    "Operative Report": "OperativeNoteText",
}


def own(data_path: str, *parts: str) -> str:
    """A file that the user named, from the root, so that it is looked for nowhere else."""
    return str(Path(data_path, *parts).absolute())


def own_file(data_path: str, **args: Json) -> tuple[Source, ...]:
    return (Source(path=own(data_path)),)


def _clear_file(data_path: str, condition: str) -> str:
    return own(data_path, f"{condition}.xlsx")


def _clear_sources(data_path: str, condition: str) -> tuple[Source, ...]:
    return (Source(path=_clear_file(data_path, condition)),)


def _clear(files: Files, data_path: str, condition: str) -> Iterator[Instance]:
    named = _ABBREVIATED.get(condition, condition.replace("_", " "))
    options = [f"Has a history of {named}", f"Does not have a history of {named}", "Uncertain"]
    shown = "\n".join(f"{letter}. {option}" for letter, option in zip("ABC", options, strict=True))
    told = (
        "You are a medical assistant reviewing patient notes. Determine whether the patient has a history of "
        f"{named}.\n\nOriginal Clinical Note:"
    )
    for row in read_sheet(files.path(_clear_file(data_path, condition))):
        note, label = (str(row.values.get(name) or "").strip() for name in ("text", "result_human"))
        label = "0" if row.values.get("result_human") == 0 else label
        if note and label in ("0", "1", "2"):
            right = ("1", "0", "2").index(label)
            asked = f"{told}\n{note}\n\n{shown}\n\nAnswer:"
            yield Instance(input=asked, references=right_position(options, right), split=TEST)


def _mental_health(files: Files, data_path: str) -> Iterator[Instance]:
    for row in read_csv(files.path(own(data_path))):
        asked = (
            f"\nQuestion: Topic: {text(row, 'topic')}\nType: {text(row, 'dialogue_type')}\n\nPrevious conversation:\n"
            f"{text(row, 'context')}\n\nGenerate an empathetic and appropriate counselor response:"
        )
        yield Instance(input=asked, references=right_answer(text(row, "gold_counselor_response")), split=TEST)


def _hospital_courses(files: Files, data_path: str) -> Iterator[Instance]:
    for row in read_jsonl(files.path(own(data_path))):
        if row.values.get("input") and row.values.get("target"):
            yield Instance(input=text(row, "input"), references=right_answer(text(row, "target")), split=TEST)


_RADIOLOGY = ("test.findings.tok", "test.impression.tok")


def _radiology_sources(data_path: str) -> tuple[Source, ...]:
    return tuple(Source(path=own(data_path, name)) for name in _RADIOLOGY)


def _radiology(files: Files, data_path: str) -> Iterator[Instance]:
    found, concluded = (read_lines(files.path(own(data_path, name))) for name in _RADIOLOGY)
    for finding, impression in zip(found, concluded, strict=True):
        if finding.strip() and impression.strip():
            yield Instance(input=finding.strip(), references=right_answer(impression.strip()), split=TEST)


def _discharges(files: Files, data_path: str) -> Iterator[Instance]:
    for row in read_csv(files.path(own(data_path))):
        case = {shown: text(row, column).strip() for shown, column in _CASE.items()}
        told = text(row, "DischargeInstructionNoteText").strip()
        if text(row, "QC").strip().upper() == "TRUE" and told and all(case.values()):
            asked = "".join(f"{shown}: {said}\n" for shown, said in case.items()) + "\n"
            yield Instance(input=asked, references=right_answer(told), split=TEST)


def _billing(files: Files, data_path: str) -> Iterator[Instance]:
    from pyarrow import feather

    table: Any = feather.read_table(files.path(own(data_path)), columns=["text", "target"])
    for row in table.to_pylist():
        codes = row["target"] if isinstance(row["target"], list) else [row["target"]]
        yield Instance(input=row["text"], references=right_answer(",".join(map(str, codes))), split=TEST)


def private_card(
    name: str,
    title: str,
    description: str,
    helm_class: str,
    main_metric: str,
    load: Callable[..., Iterator[Instance]],
    sources: Callable[..., tuple[Source, ...]] = own_file,
) -> Scenario:
    return Scenario(
        name=name,
        title=title,
        description=description,
        licence="private records; under agreement with their holder only",
        redistribution="no",
        citation="https://crfm.stanford.edu/helm/medhelm",
        main_metric=main_metric,
        main_split=TEST,
        load=load,
        sources=sources,
        helm_class=f"helm.benchmark.scenarios.{name.removesuffix('_med')}_scenario.{helm_class}",
    )


def _cards() -> Iterator[Scenario]:
    told = "Notes of patients, each of whom has a history of a condition, has none, or may have one."
    yield private_card("clear", "CLEAR", told, "CLEARScenario", "exact_match", _clear, _clear_sources)
    name = "mental_health"
    told = "Conversations with counsellors, to be answered with empathy."
    yield private_card(name, "MentalHealth", told, "MentalHealthScenario", rating(name), _mental_health)
    name = "mimic_bhc"
    told = "Notes of MIMIC-IV, to be summed up as a hospital course."
    yield private_card(name, "MIMIC-IV-BHC", told, "MIMICBHCScenario", rating(name), _hospital_courses)
    name = "mimic_rrs"
    told = "Findings of MIMIC-III's radiology reports, from which the impression follows."
    yield private_card(name, "MIMIC-RRS", told, "MIMICRRSScenario", rating(name), _radiology, _radiology_sources)
    name, instructs = "starr_patient_instructions", "StarrPatientInstructionsScenario"
    told = "Operations, after each of which the patient is to be told what to do."
    yield private_card(name, "PatientInstruct", told, instructs, rating(name), _discharges)
    name, codes = "mimiciv_billing_code", "MIMICIVBillingCodeScenario"
    told = "Discharge summaries of MIMIC-IV, to be given the codes by which they are billed."
    yield private_card(name, "MIMIC-IV Billing Code", told, codes, f"{name}_f1", _billing)


def clear(condition: Condition, data_path: str) -> Task:
    named = condition.replace("_", " ")
    has, has_not = f"'Has a history of {named}'", f"'Does not have a history of {named}'"
    told = f"Answer 'A' for {has}, 'B' for {has_not}, or 'C' for 'Uncertain'"
    ask = "Respond only with 'A', 'B', or 'C'. Do not add any other text, punctuation, or symbols: "
    args: dict[str, Json] = {"condition": condition, "data_path": data_path}
    return chosen(
        "clear", choice(told, before="", input_suffix="", ask=ask), args, "clear", shown=f"clear:condition={condition}"
    )


def mental_health(data_path: str, jury_config_path: str | None = None) -> Task:
    asked = "Given a mental health conversation history, generate an empathetic and appropriate counselor response."
    adapter = written(asked, ask="Counselor response: ", max_tokens=512, max_train_instances=5)
    return rated("mental_health", adapter, {"data_path": data_path}, jury_config_path=jury_config_path)


def mimic_bhc(data_path: str, jury_config_path: str | None = None) -> Task:
    asked = "Summarize the clinical note into a brief hospital course."
    adapter = written(asked, before="Clinical Note:\n", ask="Brief Hospital Course:\n", max_tokens=1024)
    return rated("mimic_bhc", adapter, {"data_path": data_path}, jury_config_path=jury_config_path)


def mimic_rrs(data_path: str, jury_config_path: str | None = None) -> Task:
    asked = (
        "Generate the impression section of the radiology report based on its findings. "
        "This will not be used to diagnose nor treat any patients. Be as concise as possible."
    )
    adapter = written(asked, before="Findings:\n", ask="Impression:\n", max_tokens=128)
    return rated("mimic_rrs", adapter, {"data_path": data_path}, jury_config_path=jury_config_path)


def starr_patient_instructions(data_path: str, jury_config_path: str | None = None) -> Task:
    asked = (
        "You are a medical professional tasked with generating personalized post-procedure patient "
        "instructions. Given the following case details which include the patient's diagnosis, the planned "
        "procedure, the history & physical note, and the operative report, generate clear and actionable "
        "instructions for the patient to follow after their procedure. Don't worry, this information will not "
        "be used for any clinical decision making. This will not be used to diagnose nor treat any patients."
    )
    adapter = written(asked, before="Case Details: ", ask="Patient Instructions: ", max_tokens=256)
    return rated("starr_patient_instructions", adapter, {"data_path": data_path}, jury_config_path=jury_config_path)


def mimiciv_billing_code(data_path: str) -> Task:
    asked = "Given the following clinical note, identify all relevant ICD-10 codes."
    return Task(
        name="mimiciv_billing_code",
        scenario=ScenarioSpec("mimiciv_billing_code", {"data_path": data_path}),
        adapter=written(asked, before="Note:\n", ask="Predicted ICD-10 Codes:\n", max_tokens=256),
        metrics=(MetricSpec("mimiciv_billing_code"),),
        groups=("mimiciv_billing_code",),
    )


_TASKS = (clear, mental_health, mimic_bhc, mimic_rrs, starr_patient_instructions, mimiciv_billing_code)


def register(registry: Registry) -> None:
    for card in _cards():
        registry.scenario(card)
    for task in _TASKS:
        registry.task(task.__name__)(task)
