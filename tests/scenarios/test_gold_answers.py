"""A benchmark's own gold answers, asked as it asks and read by its own metric, are right: under ours and HELM's."""

from pathlib import Path
from typing import get_args

import pytest

from holoscope.core import Registry, builtin
from holoscope.scenarios.bbh import Name as BBHTask
from paths import DATA, needs_data
from sandboxed import needs_sandbox
from scenarios import long_texts, reasoning
from scenarios.golds import gold_scores, gold_trials, resolved
from scenarios.languages import LANGUAGES
from scenarios.pictured import PICTURED
from scenarios.test_gpqa import layout as gpqa
from scenarios.upstream import LAYOUTS

EXAMS = ("sat-math", "sat-en", "sat-en-without-passage", "lsat-ar", "lsat-lr", "lsat-rc", "aqua-rat")
REAL = [
    ("mmlu:subject=anatomy", "exact_match"),
    ("mmlu:subject=high_school_us_history", "exact_match"),
    ("mmlu:subject=anatomy,method=multiple_choice_separate_calibrated", "exact_match"),
    ("mmlu_pro:use_chain_of_thought=false", "exact_match"),
    ("mmlu_pro:use_few_shot=true", "chain_of_thought_correctness"),
    ("mmlu_clinical_afr:subject=virology,lang=zu", "exact_match"),
    ("msmarco:track=regular,valid_topk=20", "RR@10"),
    ("msmarco:track=trec,valid_topk=20", "NDCG@10"),
    ("commonsense:dataset=hellaswag,method=multiple_choice_separate_original", "exact_match"),
    ("commonsense:dataset=openbookqa", "exact_match"),
    ("commonsenseqa", "exact_match"),
    ("piqa", "exact_match"),
    ("boolq", "quasi_exact_match"),
    ("natural_qa:mode=closedbook", "f1_score"),
    ("truthful_qa:task=mc_single", "exact_match"),
    ("gsm", "final_number_exact_match"),
    ("babi_qa:task=all", "quasi_exact_match"),
    ("bbq:subject=age", "bbq_accuracy"),
    ("bbq:subject=nationality", "bbq_accuracy"),
    ("bbq:subject=religion", "bbq_accuracy"),
    ("blimp:phenomenon=binding", "exact_match"),
    ("big_bench:task=strategyqa", "exact_match"),
    ("dyck_language:num_parenthesis_pairs=2", "exact_match_indicator"),
    ("synthetic_reasoning:mode=pattern_match", "quasi_exact_match"),
    ("synthetic_reasoning:mode=variable_substitution", "quasi_exact_match"),
    ("synthetic_reasoning:mode=induction", "quasi_exact_match"),
    ("synthetic_reasoning_natural:difficulty=easy", "f1_set_match"),
    ("entity_data_imputation:dataset=Buy", "quasi_exact_match"),
    ("legal_contract_summarization", "rouge_l"),
    ("legalbench:subset=abercrombie", "quasi_exact_match"),
    ("legalbench:subset=corporate_lobbying", "quasi_exact_match"),
    ("legalbench:subset=proa", "quasi_exact_match"),
    ("lsat_qa:task=all", "quasi_exact_match"),
    ("med_qa", "quasi_exact_match"),
    ("pubmed_qa", "exact_match"),
    ("wmt_14:language_pair=de-en", "bleu_4"),
    ("wmt_14:language_pair=en-cs", "bleu_4"),
    ("wmt_14:language_pair=fr-en", "bleu_4"),
    ("wmt_14:language_pair=hi-en", "bleu_4"),
    ("wmt_14:language_pair=ru-en", "bleu_4"),
    ("raft:subset=banking_77", "quasi_exact_match"),
    ("raft:subset=neurips_impact_statement_risks", "quasi_exact_match"),
    ("raft:subset=one_stop_english", "quasi_exact_match"),
    ("raft:subset=systematic_review_inclusion", "quasi_exact_match"),
    ("raft:subset=tai_safety_research", "quasi_exact_match"),
    ("entity_matching:dataset=Abt_Buy", "quasi_exact_match"),
    ("entity_matching:dataset=Amazon_Google", "quasi_exact_match"),
    ("entity_matching:dataset=DBLP_ACM", "quasi_exact_match"),
    ("numeracy:relation_type=plane,mode=standard", "exact_match"),
    ("numeracy:relation_type=parabola,mode=function", "absolute_value_difference"),
    pytest.param("code:dataset=humaneval", "pass", marks=needs_sandbox),
    pytest.param("mbpp", "code_eval_acc", marks=needs_sandbox),
    ("ruler_hotpotqa:max_num_words=4000", "ruler_string_match_part"),
    ("ruler_squad:max_num_words=4000", "ruler_string_match_part"),
    ("winogrande_afr:lang=af", "exact_match"),
    ("winogrande_afr:lang=am,method=multiple_choice_separate_original", "exact_match"),
    ("nusax", "exact_match"),
    ("indonli", "exact_match"),
    ("lindsea_syntax_minimal_pairs", "exact_match"),
    ("lindsea_pragmatics_presuppositions", "exact_match"),
    ("lindsea_pragmatics_scalar_implicatures:subset=pair", "exact_match"),
    ("lindsea_pragmatics_scalar_implicatures:subset=single", "exact_match"),
    ("klue:task=nli", "exact_match"),
    ("klue:task=sts", "exact_match"),
    ("big_bench:task=date_understanding", "exact_match"),
    ("big_bench:task=tracking_shuffled_objects", "exact_match"),
    *((f"agieval:task={task}", "exact_match") for task in EXAMS),
    *((f"bbh:task={task}", "stated_exact_match") for task in get_args(BBHTask)),
]
"""Entry, and the metric by which its answers are right: rows of `shared/data`, or drawn ones."""

LAID_OUT = [
    ("quac", "quac", "f1_score"),
    ("news_qa", "news_qa", "f1_score"),
    ("summarization", "summarization_cnndm", "rouge_2"),
    ("summarization", "summarization_xsum", "rouge_l"),
    ("summarization", "summarization_xsum_sampled", "rouge_1"),
    ("imdb", "imdb", "quasi_exact_match"),
    ("civil_comments", "civil_comments:demographic=all", "quasi_exact_match"),
    ("wikifact", "wikifact:k=5,subject=capital", "quasi_exact_match"),
    ("math", "math:subject=algebra,level=1", "math_equiv"),
    ("math", "math:subject=algebra,level=1,use_chain_of_thought=True", "math_equiv_chain_of_thought"),
    ("legal_support", "legal_support", "exact_match"),
    ("legal_support", "legal_support:method=multiple_choice_separate_original", "exact_match"),
    ("decodingtrust", "decodingtrust_adv_robustness:task=rte", "quasi_exact_match"),
    ("decodingtrust", "decodingtrust_fairness:test_base_rate=0.5", "quasi_exact_match"),
    ("decodingtrust", "decodingtrust_ood_robustness:ood_type=knowledge,task=qa_2023,idk=1", "ood_knowledge_acc"),
    ("decodingtrust", "decodingtrust_ood_robustness:ood_type=style,task=shake_p0.6", "quasi_exact_match"),
    (
        "decodingtrust",
        "decodingtrust_adv_demonstration:perspective=counterfactual,data=main_verb,description=main_verb",
        "quasi_exact_match",
    ),
    ("decodingtrust", "decodingtrust_machine_ethics:data_name=jiminy", "quasi_exact_match"),
    ("lm_entry", "lm_entry:task=smaller_number", "quasi_exact_match"),
    ("lm_entry", "lm_entry:task=most_associated_word,method=multiple_choice_joint", "exact_match"),
    ("interactive_qa_mmlu", "interactive_qa_mmlu:subject=nutrition", "exact_match"),
    ("ewok", "ewok:domain=social_relations", "exact_match"),
    ("legal_summarization", "billsum_legal_summarization", "rouge_2"),
    ("legal_summarization", "multilexsum_legal_summarization", "rouge_l"),
    ("infinite_bench", "infinite_bench_en_qa:max_num_words=200", "f1_score"),
    ("infinite_bench", "infinite_bench_en_mc:max_num_words=200", "exact_match"),
    ("infinite_bench", "infinite_bench_en_sum:max_num_words=200", "rouge_l"),
    ("openai_mrcr", "openai_mrcr:needles=2,max_num_words=200", "openai_mrcr_accuracy"),
    ("longbench", "longbench:task=qasper", "longbench_qa_f1"),
    ("longbench", "longbench:task=gov_report", "longbench_rouge_l"),
    ("longbench", "longbench:task=trec", "longbench_classification"),
    ("longbench", "longbench:task=passage_retrieval_en", "longbench_retrieval"),
    ("longbench", "longbench:task=lcc", "longbench_code_similarity"),
    ("arabic", "alghafa:subset=mcq_exams_test_ar", "exact_match"),
    ("arabic", "arabic_exams:subject=Biology", "exact_match"),
    ("arabic", "arabic_mmlu:subset=Driving_Test", "exact_match"),
    ("arabic", "madinah_qa:subset=Arabic_Language_(General)", "exact_match"),
    ("arabic", "aratrust:category=all", "exact_match"),
    ("arabic", "mbzuai_human_translated_arabic_mmlu:subject=anatomy", "exact_match"),
    ("thai_exam", "thai_exam:exam=ic", "exact_match"),
    ("kmmlu", "kmmlu:subject=real_estate", "exact_match"),
    ("haerae", "haerae:task=loan_words", "stated_exact_match"),
    ("seahelm_questions", "tydiqa", "squad_f1_score"),
    ("seahelm_questions", "xquad:language=vi", "squad_f1_score"),
    ("seahelm_questions", "indicqa", "squad_exact_match_score"),
    ("seahelm_labels", "uitvsfc", "exact_match"),
    ("seahelm_labels", "wisesight", "exact_match"),
    ("seahelm_labels", "mlhsd", "exact_match"),
    ("seahelm_labels", "vihsd", "exact_match"),
    ("seahelm_labels", "thaitoxicitytweets", "exact_match"),
    ("seahelm_pairs", "xnli:language=th", "exact_match"),
    ("seahelm_pairs", "indicxnli", "exact_match"),
    ("seahelm_pairs", "xcopa:language=id", "exact_match"),
    ("musr", "musr:task=murder_mysteries", "exact_match"),
    ("musr", "musr:task=team_allocation,method=multiple_choice_separate_original", "exact_match"),
    ("musr", "musr:task=object_placements", "exact_match"),
    ("math_hard", "math_hard:subject=algebra", "math_equiv_chain_of_thought"),
    ("agieval", "agieval:task=logiqa-en", "exact_match"),
    ("agieval", "agieval:task=gaokao-history", "exact_match"),
    ("agieval", "agieval:task=gaokao-mathcloze", "math_equiv"),
    ("agieval", "agieval:task=math", "math_equiv"),
    ("legalbench", "legalbench:subset=hearsay", "quasi_exact_match"),
    ("legalbench", 'legalbench:subset="opp115_user_access,_edit_and_deletion"', "quasi_exact_match"),
    ("legalbench", "legalbench:subset=ssla_plaintiff", "f1_score"),
    ("big_bench", "big_bench:task=simple_sums", "quasi_exact_match"),
    ("big_bench", "big_bench:task=choices,subtask=easy", "exact_match"),
]
"""The same of rows that were made up in upstream's layout."""

OWN = LANGUAGES | {
    "infinite_bench": long_texts.infinite_bench,
    "openai_mrcr": long_texts.openai_mrcr,
    "longbench": long_texts.longbench,
    "musr": reasoning.musr,
    "math_hard": reasoning.math_hard,
    "agieval": reasoning.agieval,
    "legalbench": reasoning.legalbench,
    "big_bench": reasoning.big_bench,
}

PICTURED_ENTRIES = [
    ("gpqa", "gpqa:subset=diamond", "chain_of_thought_correctness"),
    ("gpqa", "gpqa:subset=diamond,use_few_shot=true", "chain_of_thought_correctness"),
    ("gpqa", "gpqa:subset=diamond,use_few_shot=true,use_chain_of_thought=false", "exact_match"),
    ("mmmu", "mmmu:subject=Art,question_type=multiple-choice", "quasi_prefix_exact_match"),
    ("mmmu", "mmmu:subject=Art,question_type=open", "quasi_prefix_exact_match"),
    ("math_vista", "math_vista:grade=high_school,question_type=multi_choice", "exact_match"),
    ("math_vista", "math_vista:grade=high_school,question_type=free_form", "exact_match"),
    ("vqa", "vqa", "quasi_prefix_exact_match"),
]

WRONG_IS_ABOVE = frozenset({"absolute_value_difference"})


@pytest.fixture(scope="module")
def known() -> Registry:
    return builtin()


def all_right(entry: str, metric: str, known: Registry, tmp_path: Path, data_dir: Path) -> None:
    for compat in (False, True):
        spec = resolved(entry, known, compat=compat)
        trials = gold_trials(spec, known, tmp_path, data_dir)
        right = 0.0 if metric in WRONG_IS_ABOVE else 1.0
        scores = gold_scores(spec, known, trials, metric)
        wrong = [(trial.instance.id, s) for trial, s in zip(trials, scores, strict=True) if s.value != right]
        assert not wrong, f"{entry}{' compat' * compat}: {wrong[:2]}"


@needs_data
@pytest.mark.parametrize(("entry", "metric"), REAL)
def test_gold_answers_of_real_rows_are_right(entry: str, metric: str, known: Registry, tmp_path: Path) -> None:
    all_right(entry, metric, known, tmp_path, DATA)


@pytest.mark.parametrize(("layout", "entry", "metric"), [*LAID_OUT, *PICTURED_ENTRIES])
def test_gold_answers_of_rows_in_upstreams_layout_are_right(
    layout: str, entry: str, metric: str, known: Registry, tmp_path: Path
) -> None:
    (OWN | LAYOUTS | PICTURED | {"gpqa": gpqa})[layout](tmp_path / "data")
    all_right(entry, metric, known, tmp_path, tmp_path / "data")
