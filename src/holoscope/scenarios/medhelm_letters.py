"""MedHELM's questions about records of Stanford Health Care whose answers are letters: nine over one shape.

Each reads the user's own CSV of prompt, context and label; they differ in the words before the question and after its
context. Of equal prompts HELM keeps one.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from holoscope.core import TEST, Files, Instance, Registry, Task
from holoscope.scenarios.fields import text
from holoscope.scenarios.medhelm_choices import choice, chosen
from holoscope.scenarios.medhelm_private import own, private_card
from holoscope.scenarios.references import position_of, right_position
from holoscope.scenarios.rows import read_csv

_SIMPLE = "Do not provide any additional details or response, just a simple A or B response."
_ANSWER = "Answer the question with a 'A' for yes or 'B' for no."
_EITHER = "Answer the question with either 'A' for yes or 'B' for no."
_OF_THREE = (
    "Answer the question with either 'A' for yes, 'B' for no, or 'C' for no mention. "
    "Do not provide any additional details or response, just a simple A, B, or C response."
)
_NOTE = (
    "You are reviewing a clinical note from health records of children with attention deficit hyperactivity disorder "
    "(ADHD)"
)


class Letters(NamedTuple):
    """Questions whose answers are letters: the words before the question, and those after its context."""

    title: str
    helm_class: str
    before: str = "Provide an answer to the following question:"
    after: str = f"{_ANSWER} {_SIMPLE}"
    letters: str = "AB"
    question: str = "prompt"
    """Its column."""
    counted: str = ""
    """What stands before each prompt, with the prompt's number for `#`: HELM keeps one row of each prompt."""


_LETTERS = {
    "shc_bmt_med": Letters("BMT-Status", "SHCBMTMedScenario"),
    "shc_cdi_med": Letters("CDI-QA", "SHCCDIMedScenario", after=f"{_EITHER} {_SIMPLE}"),
    "shc_conf_med": Letters("MedConfInfo", "SHCCONFMedScenario"),
    "shc_ent_med": Letters("ENT-Referral", "SHCENTMedScenario", after=_OF_THREE, letters="ABC", counted="# "),
    "shc_gip_med": Letters("HospiceReferral", "SHCGIPMedScenario"),
    "shc_privacy_med": Letters(
        "PrivacyDetection",
        "SHCPRIVACYMedScenario",
        "You are reviewing clinical messages in order to determine if any confidential information was included. "
        "Please answer the following question:",
    ),
    "shc_proxy_med": Letters(
        "ProxySender",
        "SHCPROXYMedScenario",
        "You are reviewing a clinical messages in order to determine if they have been sent by a proxy user. "
        "Please determine the following:",
        letters="ABC",
    ),
    "shc_ptbm_med": Letters(
        "ADHD-Behavior",
        "SHCPTBMMedScenario",
        f"{_NOTE} and classifying mentions of behavioral therapy. Provide an answer to the following question:",
    ),
    "shc_sequoia_med": Letters("ClinicReferral", "SHCSequoiaMedScenario", question="question", counted=" # "),
}


def _letters(files: Files, data_path: str, name: str) -> Iterator[Instance]:
    asked = _LETTERS[name]
    found: dict[str, str] = {}
    labelled = (row for row in read_csv(files.path(own(data_path))) if name != "shc_ent_med" or text(row, "label"))
    for number, row in enumerate(labelled, 1):
        before = f"{asked.counted.replace('#', str(number))}{asked.before}"
        context = f"with the following context: {text(row, 'context')} , {asked.after}"
        found[f"{before} {text(row, asked.question)} {context}"] = text(row, "label")
    for prompt, label in found.items():
        right = position_of(label, asked.letters, data_path)
        yield Instance(input=prompt, references=right_position(list(asked.letters), right), split=TEST)


def _of_letters(name: str) -> Callable[[str], Task]:
    of_three = len(_LETTERS[name].letters) == 3
    told = f"Answer {'A, B, or C' if of_three else 'A or B'}."

    def task(data_path: str) -> Task:
        adapter = choice(told, before=": ", ask=": ", max_train_instances=5)
        return chosen(name, adapter, {"data_path": data_path})

    return task


def register(registry: Registry) -> None:
    told = "Questions about records of Stanford Health Care, answered by a letter."
    for name, asked in _LETTERS.items():
        load = partial(_letters, name=name)
        registry.scenario(private_card(name, asked.title, told, asked.helm_class, "exact_match", load))
        registry.task(name)(_of_letters(name))
