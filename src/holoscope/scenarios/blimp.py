"""BLiMP: pairs of sentences that differ in one point of grammar; the good one should be the likelier.

Upstream sorts its 67 paradigms into twelve phenomena; a run is of one phenomenon, paradigm after paradigm. There is no
question: the sentences are the options.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from holoscope.core import (
    CORRECT,
    TEST,
    AdapterSpec,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, ChoiceMethod, multiple_choice
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import read_jsonl

Phenomenon = Literal[
    "island_effects",
    "anaphor_agreement",
    "argument_structure",
    "determiner_noun_agreement",
    "subject_verb_agreement",
    "ellipsis",
    "control_raising",
    "quantifiers",
    "irregular_forms",
    "npi_licensing",
    "binding",
    "filler_gap_dependency",
]

_URL = "https://github.com/alexwarstadt/blimp/raw/3e56b06fcabca9b30822fc66435fca6b1aa40bb1/BLiMP.zip"
_PARADIGMS = {
    "island_effects": (
        *("left_branch_island_simple_question", "sentential_subject_island", "wh_island"),
        "coordinate_structure_constraint_object_extraction",
        "coordinate_structure_constraint_complex_left_branch",
        *("adjunct_island", "complex_NP_island", "left_branch_island_echo_question"),
    ),
    "anaphor_agreement": ("anaphor_gender_agreement", "anaphor_number_agreement"),
    "argument_structure": (
        *("animate_subject_passive", "animate_subject_trans", "transitive", "passive_1", "intransitive", "passive_2"),
        *("causative", "drop_argument", "inchoative"),
    ),
    "determiner_noun_agreement": (
        *("determiner_noun_agreement_with_adj_irregular_2", "determiner_noun_agreement_1"),
        *("determiner_noun_agreement_with_adj_irregular_1", "determiner_noun_agreement_irregular_1"),
        *("determiner_noun_agreement_irregular_2", "determiner_noun_agreement_with_adjective_1"),
        *("determiner_noun_agreement_2", "determiner_noun_agreement_with_adj_2"),
    ),
    "subject_verb_agreement": (
        *("distractor_agreement_relative_clause", "irregular_plural_subject_verb_agreement_2"),
        *("irregular_plural_subject_verb_agreement_1", "regular_plural_subject_verb_agreement_1"),
        *("distractor_agreement_relational_noun", "regular_plural_subject_verb_agreement_2"),
    ),
    "ellipsis": ("ellipsis_n_bar_1", "ellipsis_n_bar_2"),
    "control_raising": (
        *("expletive_it_object_raising", "tough_vs_raising_1", "existential_there_subject_raising"),
        *("tough_vs_raising_2", "existential_there_object_raising"),
    ),
    "quantifiers": (
        *("existential_there_quantifiers_1", "superlative_quantifiers_1"),
        *("superlative_quantifiers_2", "existential_there_quantifiers_2"),
    ),
    "irregular_forms": ("irregular_past_participle_verbs", "irregular_past_participle_adjectives"),
    "npi_licensing": (
        *("sentential_negation_npi_licensor_present", "matrix_question_npi_licensor_present"),
        *("sentential_negation_npi_scope", "only_npi_licensor_present", "only_npi_scope"),
        *("npi_present_2", "npi_present_1"),
    ),
    "binding": (
        *("principle_A_domain_2", "principle_A_domain_3", "principle_A_case_1", "principle_A_case_2"),
        *("principle_A_reconstruction", "principle_A_c_command", "principle_A_domain_1"),
    ),
    "filler_gap_dependency": (
        *("wh_vs_that_with_gap", "wh_vs_that_no_gap", "wh_questions_object_gap", "wh_vs_that_no_gap_long_distance"),
        *("wh_questions_subject_gap", "wh_questions_subject_gap_long_distance", "wh_vs_that_with_gap_long_distance"),
    ),
}
"""In the order that decides ids."""


def sources(phenomenon: str) -> tuple[Source, ...]:
    paths = (f"data/{paradigm}.jsonl" for paradigm in _PARADIGMS[phenomenon])
    return tuple(Source(path=path, url=_URL, member=path) for path in paths)


def load(files: Files, phenomenon: str) -> Iterator[Instance]:
    for paradigm in _PARADIGMS[phenomenon]:
        for row in read_jsonl(files.path(f"data/{paradigm}.jsonl")):
            good, bad = Reference(text(row, "sentence_good"), (CORRECT,)), Reference(text(row, "sentence_bad"))
            yield Instance(input="", references=(good, bad), split=TEST, groups={"paradigm": paradigm})


CARD = Scenario(
    name="blimp",
    title="BLiMP",
    description="Minimal pairs of sentences, one of which breaks a rule of English grammar.",
    licence="CC-BY-4.0",
    redistribution="yes",
    citation="https://aclanthology.org/2020.tacl-1.25",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.5,
    helm_class="helm.benchmark.scenarios.blimp_scenario.BLiMPScenario",
)


def blimp(phenomenon: Phenomenon, method: ChoiceMethod = "multiple_choice_separate_original") -> Task:
    return Task(
        name=f"blimp:phenomenon={phenomenon},method={method}",
        scenario=ScenarioSpec("blimp", {"phenomenon": phenomenon}),
        adapter=_adapter(method),
        metrics=EXACT_MATCH,
        groups=("blimp",),
    )


def _adapter(method: ChoiceMethod) -> AdapterSpec:
    """Without anything before the sentences, not even a space."""
    adapter = multiple_choice(method, "Please select the grammatical sentence.")
    if method == JOINT:
        return replace(adapter, input_prefix="", input_suffix="")
    return replace(adapter, output_prefix="")


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("blimp")(blimp)
