"""Gold answers of medical, financial, legal and other small benchmarks are right: under ours and HELM's."""

from pathlib import Path

import pytest

from holoscope.core import HELM_COMPAT, Outcome, Registry, builtin
from holoscope.metrics import applicable, measure, score
from paths import DATA, needs_data
from scenarios.financial import FINANCIAL
from scenarios.golds import gold_scores, gold_trials, resolved
from scenarios.medical import MEDICAL, PRIVATE, private

REAL = [
    ("aci_bench", "rouge_l"),
    ("banking77", "quasi_exact_match"),
    ("medec", "medec_error_flag_accuracy"),
    ("medhelm_med_qa", "exact_match"),
]
LAID_OUT = [
    ("med_mcqa", "med_mcqa", "exact_match"),
    ("med_mcqa", "medhelm_med_mcqa", "exact_match"),
    ("medbullets", "medbullets", "exact_match"),
    ("head_qa", "head_qa", "exact_match"),
    ("head_qa", "head_qa:category=nursery", "exact_match"),
    ("race_based_med", "race_based_med", "exact_match"),
    ("medcalc_bench", "medcalc_bench", "medcalc_bench_accuracy"),
    ("medhallu", "medhallu", "exact_match"),
    ("med_dialog", "med_dialog:subset=icliniq", "rouge_1"),
    ("medi_qa", "medi_qa", "rouge_1"),
    ("medication_qa", "medication_qa", "rouge_1"),
    ("mtsamples", "mtsamples_replicate", "rouge_1"),
    ("mtsamples", "mtsamples_procedures", "rouge_1"),
    ("live_qa", "live_qa", "f1_score"),
    ("parallel", "covid_dialog", "f1_score"),
    ("parallel", "me_q_sum", "rouge_l"),
    ("parallel", "med_paragraph_simplification", "quasi_exact_match"),
    ("fin_qa", "fin_qa", "program_accuracy"),
    ("fin_qa", "fin_qa", "execution_accuracy"),
    ("conv_fin_qa", "conv_fin_qa_calc", "float_equiv"),
    ("financial_phrasebank", "financial_phrasebank:agreement=100", "quasi_exact_match"),
    ("gold_commodity_news", "gold_commodity_news:category=direction_up", "quasi_exact_match"),
    ("legal_opinions", "legal_opinion_sentiment_classification", "quasi_exact_match"),
    ("echr", "echr_judgment_classification", "quasi_exact_match"),
    ("sumosum", "sumosum", "rouge_l"),
    ("casehold", "casehold", "quasi_exact_match"),
    ("cti_to_mitre", "cti_to_mitre", "quasi_exact_match"),
    ("lm_entry", "lm_entry:task=bigger_number", "quasi_exact_match"),
    ("lm_entry", "lm_entry:task=bigger_number,method=multiple_choice_joint", "exact_match"),
    ("lm_entry", "lm_entry:task=first_letter", "quasi_exact_match"),
    ("lm_entry", "lm_entry:task=most_associated_word", "quasi_exact_match"),
    ("lm_entry", "lm_entry:task=all_words_from_category", "quasi_exact_match"),
    ("ewok", "ewok:domain=social_relations", "exact_match"),
    ("omni_math", "omni_math", "math_equiv"),
]
PRIVATE_RUNS = [
    ("shc_bmt_med", "letters.csv", "exact_match"),
    ("shc_cdi_med", "letters.csv", "exact_match"),
    ("shc_ent_med", "letters.csv", "exact_match"),
    ("shc_privacy_med", "letters.csv", "exact_match"),
    ("shc_sequoia_med", "letters.csv", "exact_match"),
    ("clear:condition=chronic_pain", "", "exact_match"),
    ("mental_health", "dialogues.csv", "rouge_1"),
    ("mimic_bhc", "bhc.json", "rouge_1"),
    ("mimic_rrs", "", "rouge_1"),
    ("starr_patient_instructions", "cases.csv", "rouge_1"),
    ("mimiciv_billing_code", "icd10.feather", "mimiciv_billing_code_f1"),
]
JUDGED = [
    ("med_dialog", "med_dialog:subset=icliniq", "med_dialog_accuracy"),
    ("financebench", "financebench", "annotation_financebench_label_correct_answer"),
    ("omni_math", "omni_math", "omni_math_accuracy"),
    ("live_qa", "live_qa", "live_qa_score"),
    ("ehr_sql", "ehr_sql", "ehr_sql_execution_accuracy"),
]


@pytest.fixture(scope="module")
def known() -> Registry:
    return builtin()


def all_right(entry: str, metric: str, known: Registry, tmp_path: Path, data_dir: Path) -> None:
    for compat in (False, True):
        spec = resolved(entry, known, compat=compat)
        trials = gold_trials(spec, known, tmp_path, data_dir)
        scores = gold_scores(spec, known, trials, metric)
        wrong = [(trial.instance.id, s) for trial, s in zip(trials, scores, strict=True) if s.value != pytest.approx(1)]
        assert not wrong, f"{entry}{' compat' * compat}: {wrong[:2]}"


@needs_data
@pytest.mark.parametrize(("entry", "metric"), REAL)
def test_gold_answers_of_real_rows_are_right(entry: str, metric: str, known: Registry, tmp_path: Path) -> None:
    all_right(entry, metric, known, tmp_path, DATA)


@needs_data
def test_medecs_gold_answers_name_the_right_sentence(known: Registry, tmp_path: Path) -> None:
    spec = resolved("medec", known)
    scores = gold_scores(spec, known, gold_trials(spec, known, tmp_path, DATA), "medec_error_sentence_accuracy")
    assert {s.value for s in scores} == {1.0}


@pytest.mark.parametrize(("layout", "entry", "metric"), LAID_OUT)
def test_gold_answers_of_rows_in_upstreams_layout_are_right(
    layout: str, entry: str, metric: str, known: Registry, tmp_path: Path
) -> None:
    (MEDICAL | FINANCIAL)[layout](tmp_path / "data")
    all_right(entry, metric, known, tmp_path, tmp_path / "data")


@pytest.mark.parametrize(("entry", "file", "metric"), PRIVATE_RUNS)
def test_gold_answers_of_the_users_own_records_are_right(
    entry: str, file: str, metric: str, known: Registry, tmp_path: Path
) -> None:
    private(tmp_path / "data")
    own = tmp_path / "data" / PRIVATE / file
    all_right(f'{entry}{"," if ":" in entry else ":"}data_path="{own}"', metric, known, tmp_path, tmp_path / "data")


def test_gold_answers_of_kpi_edgar_are_right(known: Registry, tmp_path: Path) -> None:
    FINANCIAL["kpi_edgar"](tmp_path / "data")
    spec = resolved("kpi_edgar", known)
    trials = gold_trials(spec, known, tmp_path, tmp_path / "data")
    metrics = [metric for metric in applicable(spec) if metric.name == "kpi_edgar"]
    found = measure(metrics, trials, score(metrics, trials, known, compat=False), known, compat=False)
    values = {m.metric: m.value for m in found}
    assert values == {"word_macro_f1_score": 0.5, "adjusted_macro_f1_score": 0.5}  # two of the four kinds occur


@pytest.mark.parametrize(("layout", "entry", "metric"), JUDGED)
def test_what_needs_a_judge_or_a_database_says_so(
    layout: str, entry: str, metric: str, known: Registry, tmp_path: Path
) -> None:
    (MEDICAL | FINANCIAL)[layout](tmp_path / "data")
    for compat in (False, True):
        spec = resolved(entry, known, compat=compat)
        assert (spec.compat == HELM_COMPAT) is compat
        [first, *_] = gold_scores(spec, known, gold_trials(spec, known, tmp_path, tmp_path / "data"), metric)
        assert (first.value, first.outcome) == (None, Outcome.NOT_SUPPORTED)
        assert first.reason.startswith("needs ")
