"""All other tasks of LegalBench, each asked with the prompt that upstream wrote for it.

The prompt holds its own worked examples and places for a row's columns; it is read from upstream's repository, which
has a folder of the same name for each task. Upstream scores labels by their balanced accuracy, which is
`classification_macro_recall` here, and a few tasks (open citations, extracted terms and parties, sums) by rules of
their own; those have F1 beside exact match. `rule_qa` is graded by hand there. Each task has its own licence.
"""

import re
from collections.abc import Iterator
from typing import Literal
from urllib.parse import quote

from holoscope.core import TEST, DataError, Files, Instance, MetricSpec, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import EXACT_MATCH, continuation, metrics
from holoscope.scenarios.fields import text
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import Row, read_rows

Other = Literal[
    "canada_tax_court_outcomes",
    "citation_prediction_classification",
    "citation_prediction_open",
    "consumer_contracts_qa",
    "contract_nli_confidentiality_of_agreement",
    "contract_nli_explicit_identification",
    "contract_nli_inclusion_of_verbally_conveyed_information",
    "contract_nli_limited_use",
    "contract_nli_no_licensing",
    "contract_nli_notice_on_compelled_disclosure",
    "contract_nli_permissible_acquirement_of_similar_information",
    "contract_nli_permissible_copy",
    "contract_nli_permissible_development_of_similar_information",
    "contract_nli_permissible_post-agreement_possession",
    "contract_nli_return_of_confidential_information",
    "contract_nli_sharing_with_employees",
    "contract_nli_sharing_with_third-parties",
    "contract_nli_survival_of_obligations",
    "contract_qa",
    "cuad_affiliate_license-licensee",
    "cuad_affiliate_license-licensor",
    "cuad_anti-assignment",
    "cuad_audit_rights",
    "cuad_cap_on_liability",
    "cuad_change_of_control",
    "cuad_competitive_restriction_exception",
    "cuad_covenant_not_to_sue",
    "cuad_effective_date",
    "cuad_exclusivity",
    "cuad_expiration_date",
    "cuad_governing_law",
    "cuad_insurance",
    "cuad_ip_ownership_assignment",
    "cuad_irrevocable_or_perpetual_license",
    "cuad_joint_ip_ownership",
    "cuad_license_grant",
    "cuad_liquidated_damages",
    "cuad_minimum_commitment",
    "cuad_most_favored_nation",
    "cuad_no-solicit_of_customers",
    "cuad_no-solicit_of_employees",
    "cuad_non-compete",
    "cuad_non-disparagement",
    "cuad_non-transferable_license",
    "cuad_notice_period_to_terminate_renewal",
    "cuad_post-termination_services",
    "cuad_price_restrictions",
    "cuad_renewal_term",
    "cuad_revenue-profit_sharing",
    "cuad_rofr-rofo-rofn",
    "cuad_source_code_escrow",
    "cuad_termination_for_convenience",
    "cuad_third_party_beneficiary",
    "cuad_uncapped_liability",
    "cuad_unlimited-all-you-can-eat-license",
    "cuad_volume_restriction",
    "cuad_warranty_duration",
    "definition_classification",
    "definition_extraction",
    "diversity_1",
    "diversity_2",
    "diversity_3",
    "diversity_4",
    "diversity_5",
    "diversity_6",
    "hearsay",
    "insurance_policy_interpretation",
    "jcrew_blocker",
    "learned_hands_benefits",
    "learned_hands_business",
    "learned_hands_consumer",
    "learned_hands_courts",
    "learned_hands_crime",
    "learned_hands_divorce",
    "learned_hands_domestic_violence",
    "learned_hands_education",
    "learned_hands_employment",
    "learned_hands_estates",
    "learned_hands_family",
    "learned_hands_health",
    "learned_hands_housing",
    "learned_hands_immigration",
    "learned_hands_torts",
    "learned_hands_traffic",
    "legal_reasoning_causality",
    "maud_ability_to_consummate_concept_is_subject_to_mae_carveouts",
    "maud_accuracy_of_fundamental_target_rws_bringdown_standard",
    "maud_accuracy_of_target_capitalization_rw_(outstanding_shares)_bringdown_standard_answer",
    "maud_accuracy_of_target_general_rw_bringdown_timing_answer",
    "maud_additional_matching_rights_period_for_modifications_(cor)",
    "maud_application_of_buyer_consent_requirement_(negative_interim_covenant)",
    "maud_buyer_consent_requirement_(ordinary_course)",
    "maud_change_in_law__subject_to_disproportionate_impact_modifier",
    "maud_changes_in_gaap_or_other_accounting_principles__subject_to_disproportionate_impact_modifier",
    "maud_cor_permitted_in_response_to_intervening_event",
    "maud_cor_permitted_with_board_fiduciary_determination_only",
    "maud_cor_standard_(intervening_event)",
    "maud_cor_standard_(superior_offer)",
    "maud_definition_contains_knowledge_requirement_-_answer",
    "maud_definition_includes_asset_deals",
    "maud_definition_includes_stock_deals",
    "maud_fiduciary_exception__board_determination_standard",
    "maud_fiduciary_exception_board_determination_trigger_(no_shop)",
    "maud_financial_point_of_view_is_the_sole_consideration",
    "maud_fls_(mae)_standard",
    "maud_general_economic_and_financial_conditions_subject_to_disproportionate_impact_modifier",
    "maud_includes_consistent_with_past_practice",
    "maud_initial_matching_rights_period_(cor)",
    "maud_initial_matching_rights_period_(ftr)",
    "maud_intervening_event_-_required_to_occur_after_signing_-_answer",
    "maud_knowledge_definition",
    "maud_liability_standard_for_no-shop_breach_by_target_non-do_representatives",
    "maud_ordinary_course_efforts_standard",
    "maud_pandemic_or_other_public_health_event__subject_to_disproportionate_impact_modifier",
    "maud_pandemic_or_other_public_health_event_specific_reference_to_pandemic-related_governmental_responses_or_measures",
    "maud_relational_language_(mae)_applies_to",
    "maud_specific_performance",
    "maud_tail_period_length",
    "maud_type_of_consideration",
    "nys_judicial_ethics",
    "opp115_data_retention",
    "opp115_data_security",
    "opp115_do_not_track",
    "opp115_first_party_collection_use",
    "opp115_international_and_specific_audiences",
    "opp115_policy_change",
    "opp115_third_party_sharing_collection",
    "opp115_user_access,_edit_and_deletion",
    "opp115_user_choice_control",
    "oral_argument_question_purpose",
    "overruling",
    "personal_jurisdiction",
    "privacy_policy_entailment",
    "privacy_policy_qa",
    "rule_qa",
    "sara_entailment",
    "sara_numeric",
    "scalr",
    "ssla_company_defendants",
    "ssla_individual_defendants",
    "ssla_plaintiff",
    "successor_liability",
    "supply_chain_disclosure_best_practice_accountability",
    "supply_chain_disclosure_best_practice_audits",
    "supply_chain_disclosure_best_practice_certification",
    "supply_chain_disclosure_best_practice_training",
    "supply_chain_disclosure_best_practice_verification",
    "supply_chain_disclosure_disclosed_accountability",
    "supply_chain_disclosure_disclosed_audits",
    "supply_chain_disclosure_disclosed_certification",
    "supply_chain_disclosure_disclosed_training",
    "supply_chain_disclosure_disclosed_verification",
    "telemarketing_sales_rule",
    "textualism_tool_dictionaries",
    "textualism_tool_plain",
    "ucc_v_common_law",
    "unfair_tos",
]
"""The tasks that HELM does not ask."""

ROWS_URL = (
    "https://huggingface.co/datasets/nguha/legalbench/resolve/e042ea68c19df12b737fe768572f22ead61e8e37/data.tar.gz"
)
_PROMPTS_URL = "https://raw.githubusercontent.com/HazyResearch/legalbench/ce482446b8eac4403b6db2c17223af4514bb24e3/"
_PLACE = re.compile(r"\{\{(.*?)\}\}")
_WRITTEN = {
    "citation_prediction_open": 50,
    "definition_extraction": 30,
    "rule_qa": 256,
    "sara_numeric": 30,
    "ssla_company_defendants": 100,
    "ssla_individual_defendants": 100,
    "ssla_plaintiff": 100,
    "successor_liability": 50,
}
"""Tasks whose answers are no labels -> tokens for one."""
_LABEL_TOKENS = 30


def sources(subset: str) -> tuple[Source, ...]:
    prompt, rows = _prompt(subset), f"data/{subset}/test.tsv"
    return (
        Source(path=prompt, url=_PROMPTS_URL + quote(prompt)),
        Source(path=rows, url=ROWS_URL, member=rows, stand_in=f"legalbench/{subset}/test.jsonl"),
    )


def load(files: Files, subset: str) -> Iterator[Instance]:
    path = files.path(_prompt(subset))
    template = path.read_text(encoding="utf-8").rstrip()
    if not _PLACE.search(template):
        raise DataError(f"{path}: the prompt has no place for a row, such as {{{{text}}}}")
    for row in read_rows(files.path(f"data/{subset}/test.tsv")):
        yield Instance(input=_filled(template, row), references=right_answer(text(row, "answer")), split=TEST)


def _filled(template: str, row: Row) -> str:
    return _PLACE.sub(lambda place: text(row, place[1].strip()), template)


def _prompt(subset: str) -> str:
    return f"tasks/{subset}/base_prompt.txt"


CARD = Scenario(
    name="legalbench_tasks",
    title="LegalBench, all other tasks",
    description="Tasks of legal reasoning, each with its own prompt.",
    licence="by task; see each task's README in upstream's repository",
    redistribution="ids-only",
    citation="https://arxiv.org/abs/2308.11462",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    folder="legalbench",
)


def other_task(subset: Other) -> Task:
    """A task that HELM does not ask."""
    measured = metrics("f1_score") if subset in _WRITTEN else (MetricSpec("classification"),)
    return Task(
        name=f"legalbench:subset={subset}",
        scenario=ScenarioSpec("legalbench_tasks", {"subset": subset}),
        adapter=continuation(max_tokens=_WRITTEN.get(subset, _LABEL_TOKENS), temperature=0.0, stop_sequences=("\n",)),
        metrics=(*EXACT_MATCH, *measured),
        groups=("legalbench",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
