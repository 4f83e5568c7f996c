"""A run spec in HELM's words: `run_spec.json`.

HELM names classes where we name definitions; the tables here say which is which. What HELM has no class for keeps our
own name under `holoscope.`, so that no reader takes it for something that HELM defines.
"""

from itertools import groupby

import msgspec

from holoscope.core import AdapterSpec, AugmentationSpec, Json, MetricSpec, PerturbationSpec, Registry, RunSpec
from holoscope.interop.documents import Document

_METRICS = "helm.benchmark.metrics"
_PERTURBATIONS = "helm.benchmark.augmentations"

_BY_NAME = f"{_METRICS}.basic_metrics.BasicGenerationMetric"

_OWN_CLASS = {
    "air_bench_2024": f"{_METRICS}.air_bench_metrics.AIRBench2024ScoreMetric",
    "annotation_label": f"{_METRICS}.annotation_metrics.AnnotationLabelMetric",
    "apps": f"{_METRICS}.code_metrics.APPSMetric",
    "bigcodebench_p@1": f"{_METRICS}.bigcodebench_metrics.BigCodeBenchMetric",
    "bbq": f"{_METRICS}.bbq_metrics.BBQMetric",
    "bias": f"{_METRICS}.bias_metrics.BiasMetric",
    "chain_of_thought_correctness": f"{_METRICS}.gpqa_chain_of_thought_metric.GPQAChainOfThoughtMetric",
    "chr_f_plus_plus": f"{_METRICS}.seahelm_metrics.SEAHELMMachineTranslationMetric",
    "classification": f"{_METRICS}.classification_metrics.ClassificationMetric",
    "copyright": f"{_METRICS}.copyright_metrics.BasicCopyrightMetric",
    "disinformation": f"{_METRICS}.disinformation_metrics.DisinformationMetric",
    "disinformation_ratings": f"{_METRICS}.disinformation_metrics.DisinformationHumanEvalMetrics",
    "ehr_sql": f"{_METRICS}.ehr_sql_metrics.EhrSqlMetric",
    "fin_qa": f"{_METRICS}.fin_qa_metrics.FinQAMetric",
    "float_equiv": f"{_METRICS}.conv_fin_qa_calc_metrics.ConvFinQACalcMetric",
    "ifeval": f"{_METRICS}.ifeval_metrics.IFEvalMetric",
    "instruction_following_critique": (
        f"{_METRICS}.instruction_following_critique_metrics.InstructionFollowingCritiqueMetric"
    ),
    "kpi_edgar": f"{_METRICS}.kpi_edgar_metrics.KPIEdgarMetric",
    "live_qa_score": f"{_METRICS}.live_qa_metrics.LiveQAScoreMetric",
    "llm_jury": f"{_METRICS}.llm_jury_metrics.LLMJuryMetric",
    "medcalc_bench_accuracy": f"{_METRICS}.medcalc_bench_metrics.MedCalcBenchMetric",
    "medec": f"{_METRICS}.medec_metrics.MedecMetric",
    "mimiciv_billing_code": f"{_METRICS}.mimiciv_billing_code_metrics.MIMICIVBillingCodeMetric",
    "multiple_choice_classification": f"{_METRICS}.classification_metrics.MultipleChoiceClassificationMetric",
    "omni_math": f"{_METRICS}.omni_math_metrics.OmniMATHMetric",
    "openai_mrcr_accuracy": f"{_METRICS}.openai_mrcr_metrics.OpenAIMRCRMetric",
    "ood_knowledge": f"{_METRICS}.decodingtrust_ood_knowledge_metrics.OODKnowledgeMetric",
    "parity": f"{_METRICS}.decodingtrust_fairness_metrics.FairnessMetric",
    "privacy_leakage": f"{_METRICS}.decodingtrust_privacy_metrics.PrivacyMetric",
    "ranking": f"{_METRICS}.ranking_metrics.RankingMetric",
    "ruler_string_match_part": f"{_METRICS}.ruler_qa_metrics.RulerQAMetric",
    "safety": f"{_METRICS}.safety_metrics.SafetyScoreMetric",
    "seahelm_qa": f"{_METRICS}.seahelm_metrics.SEAHELMQAMetric",
    "stereotypes": f"{_METRICS}.decodingtrust_stereotype_bias_metrics.StereotypeMetric",
    "summarization": f"{_METRICS}.summarization_metrics.SummarizationMetric",
    "toxicity": f"{_METRICS}.toxicity_metrics.ToxicityMetric",
    "wildbench": f"{_METRICS}.wildbench_metrics.WildBenchScoreMetric",
}
"""Metrics that are classes of their own there; every other per-instance metric is a name given to one class."""

_COUNTED = f"{_METRICS}.basic_metrics.InstancesPerSplitMetric"
_COMPANY: dict[str, tuple[str, ...]] = {
    "air_bench_2024": (f"{_METRICS}.air_bench_metrics.AIRBench2024BasicGenerationMetric", _COUNTED),
    "apps": (),
    "instruction_following_critique": (),
    "mimiciv_billing_code": (_COUNTED,),
    "ood_knowledge": (),
    "privacy_leakage": (),
    "chr_f_plus_plus": (),
    "ranking": (f"{_METRICS}.basic_metrics.BasicReferenceMetric", _COUNTED),
    "seahelm_qa": (),
    "safety": (f"{_METRICS}.safety_metrics.SafetyBasicGenerationMetric", _COUNTED),
    "stereotypes": (),
}
"""Metrics of judges, of contests and of DecodingTrust, and the classes that stand behind them, not the usual ones."""
_WITHOUT_REFERENCES = frozenset({"exact_match_indicator", "final_number_exact_match"})
"""With these HELM adds no metric over references."""

_PERTURBATION_CLASS = {
    "chinese_gender": "cleva_perturbation.ChineseGenderPerturbation",
    "chinese_person_name": "cleva_perturbation.ChinesePersonNamePerturbation",
    "chinese_synonym": "cleva_perturbation.ChineseSynonymPerturbation",
    "chinese_typos": "cleva_perturbation.ChineseTyposPerturbation",
    "cleva_mild_mix": "cleva_perturbation.CLEVAMildMixPerturbation",
    "contraction": "contraction_expansion_perturbation.ContractionPerturbation",
    "contrast_sets": "contrast_sets_perturbation.ContrastSetsPerturbation",
    "dialect": "dialect_perturbation.DialectPerturbation",
    "expansion": "contraction_expansion_perturbation.ExpansionPerturbation",
    "extra_space": "extra_space_perturbation.ExtraSpacePerturbation",
    "filler_words": "filler_words_perturbation.FillerWordsPerturbation",
    "gender": "gender_perturbation.GenderPerturbation",
    "lowercase": "lowercase_perturbation.LowerCasePerturbation",
    "mandarin_to_cantonese": "cleva_perturbation.MandarinToCantonesePerturbation",
    "mild_mix": "mild_mix_perturbation.MildMixPerturbation",
    "misspellings": "misspelling_perturbation.MisspellingPerturbation",
    "person_name": "person_name_perturbation.PersonNamePerturbation",
    "simplified_to_traditional": "cleva_perturbation.SimplifiedToTraditionalPerturbation",
    "space": "space_perturbation.SpacePerturbation",
    "style": "suffix_perturbation.SuffixPerturbation",
    "synonym": "synonym_perturbation.SynonymPerturbation",
    "translate": "translate_perturbation.TranslatePerturbation",
    "typos": "typos_perturbation.TyposPerturbation",
}

_PERTURBATION_DEFAULTS: dict[str, Document] = {
    "dialect": {"mapping_file_path": None},
    "gender": {"mapping_file_path": None, "mapping_file_genders": None, "bidirectional": False},
    "person_name": {"name_file_path": None},
}
"""Arguments that HELM writes out although nobody gave them."""


def run_spec(spec: RunSpec, registry: Registry) -> Document:
    """`run_spec.json`."""
    return {
        "name": folder_name(spec.name),
        "scenario_spec": {"class_name": scenario_class(spec, registry), "args": spec.scenario.args},
        "adapter_spec": adapter_spec(spec.adapter),
        "metric_specs": [*_metric_specs(spec, registry)],
        "data_augmenter_spec": _augmenter_spec(spec.augmentation),
        "groups": list(spec.groups),
    }


def folder_name(run: str) -> str:
    """HELM's folder for a run: its name, with `/` replaced."""
    return run.replace("/", "_")


def scenario_class(spec: RunSpec, registry: Registry) -> str:
    """Dotted name of the scenario's class in HELM, or our own name."""
    name = spec.scenario.name
    known = registry.scenarios.get(name).helm_class if name in registry.scenarios else ""
    return known or f"holoscope.scenarios.{name}"


def adapter_spec(adapter: AdapterSpec) -> Document:
    """`adapter_spec`, None left out."""
    return without_none(msgspec.json.decode(msgspec.json.encode(adapter)))


def own_metric_names() -> dict[str, str]:
    """Last name of a class that is a metric of its own in HELM -> our name for it."""
    return {name.rpartition(".")[2]: own for own, name in _OWN_CLASS.items()}


def own_perturbation_names() -> dict[str, str]:
    """Last name of a perturbation's class in HELM -> our name for it."""
    return {name.rpartition(".")[2]: own for own, name in _PERTURBATION_CLASS.items()}


def without_none(document: Document) -> Document:
    """`document` without the fields that are None, as HELM writes its objects."""
    return {name: value for name, value in document.items() if value is not None}


def _metric_specs(spec: RunSpec, registry: Registry) -> list[Document]:
    if spec.adapter.method == "language_modeling":
        return [_object(f"{_METRICS}.language_modeling_metrics.LanguageModelingMetric", {"names": []})]
    from holoscope.metrics import in_families

    found: list[Document] = []
    always = _always(spec)
    metrics = in_families(spec.metrics)
    if (alone := next((metric for metric in metrics if metric.name in _COMPANY), None)) is not None:
        behind = [_object(name, {}) for name in _COMPANY[alone.name]]
        return [_object(_OWN_CLASS[alone.name], alone.args), *behind]
    if all(_metric_class(metric, registry) != _BY_NAME for metric in metrics):
        found, always = [_object(_BY_NAME, {"names": []}), *always], []
    for class_name, group in groupby(metrics, lambda metric: _metric_class(metric, registry)):
        if class_name == _BY_NAME:
            names: list[Json] = [metric.name for metric in group]
            found += [_object(class_name, {"names": names}), *always]
            always = []
        else:
            found += [_object(class_name, metric.args) for metric in group]
    return found + always


def _metric_class(metric: MetricSpec, registry: Registry) -> str:
    if metric.name in _OWN_CLASS:
        return _OWN_CLASS[metric.name]
    return f"holoscope.metrics.{metric.name}" if metric.name in registry.set_metrics else _BY_NAME


def _always(spec: RunSpec) -> list[Document]:
    """What HELM adds behind the metrics that are asked for."""
    with_references = not any(metric.name in _WITHOUT_REFERENCES for metric in spec.metrics)
    names = ["BasicReferenceMetric"] * with_references + ["InstancesPerSplitMetric"]
    return [_object(f"{_METRICS}.basic_metrics.{name}", {}) for name in names]


def _augmenter_spec(augmentation: AugmentationSpec) -> Document:
    augmented = augmentation.augment_train or augmentation.augment_eval
    return {
        "perturbation_specs": [_perturbation_spec(spec) for spec in augmentation.perturbations],
        "should_augment_train_instances": augmentation.augment_train,
        "should_include_original_train": augmented and augmentation.include_original,
        "should_skip_unchanged_train": augmented and augmentation.skip_unchanged,
        "should_augment_eval_instances": augmentation.augment_eval,
        "should_include_original_eval": augmented and augmentation.include_original,
        "should_skip_unchanged_eval": augmented and augmentation.skip_unchanged,
        "seeds_per_instance": augmentation.seeds_per_instance,
    }


def _perturbation_spec(spec: PerturbationSpec) -> Document:
    name = _PERTURBATION_CLASS.get(spec.name)
    return _object(
        f"{_PERTURBATIONS}.{name}" if name else f"holoscope.perturbations.{spec.name}",
        _PERTURBATION_DEFAULTS.get(spec.name, {}) | spec.args,
    )


def _object(class_name: str, args: Document) -> Document:
    return {"class_name": class_name, "args": args}
