"""The built-in scenarios, all registered through the door that third-party packages use."""

from holoscope.core import Registry
from holoscope.scenarios import (
    babi_qa,
    bbq,
    big_bench,
    blimp,
    bold,
    boolq,
    code_generation,
    commonsense,
    data_file,
    dyck_language,
    entity_data_imputation,
    gsm,
    ifeval,
    legal_contract_summarization,
    legalbench,
    lsat_qa,
    med_qa,
    mmlu,
    mmlu_clinical_afr,
    mmlu_pro,
    narrative_qa,
    natural_qa,
    pubmed_qa,
    quickstart,
    real_toxicity_prompts,
    synthetic_reasoning,
    synthetic_reasoning_natural,
    truthful_qa,
    wmt_14,
)

_MODULES = (
    mmlu,
    mmlu_pro,
    mmlu_clinical_afr,
    gsm,
    commonsense,
    synthetic_reasoning,
    synthetic_reasoning_natural,
    narrative_qa,
    natural_qa,
    boolq,
    truthful_qa,
    bbq,
    bold,
    real_toxicity_prompts,
    blimp,
    babi_qa,
    dyck_language,
    lsat_qa,
    legalbench,
    legal_contract_summarization,
    med_qa,
    pubmed_qa,
    entity_data_imputation,
    wmt_14,
    big_bench,
    code_generation,
    ifeval,
    quickstart,
    data_file,
)


def register(registry: Registry) -> None:
    """Put every built-in scenario and run entry into `registry`."""
    for module in _MODULES:
        module.register(registry)
