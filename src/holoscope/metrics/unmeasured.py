"""Metrics that runs list and this package cannot compute by itself: what a judge, people or another model would say.

Each is registered under HELM's name, so that a run that lists it has a cell, empty and with the reason. None is ever
guessed at: a safe answer is not one that looks like a refusal.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from holoscope.core import Metric, NotSupportedError, Score, Trial
from holoscope.metrics.axes import GENERAL

ScoreFunction = Callable[[Trial], Score]

JUDGED = "needs a judge model"
_RATED = "needs ratings by people, which exist for completions of models of 2022 only"
_SUMMAC = "needs a model of entailment (SummaC), which this package does not bring"
_QUESTIONS = "needs models that ask and answer questions (QAFactEval), which this package does not bring"


class Unmeasured(NamedTuple):
    """A metric as it would be, and what it would take."""

    title: str
    needs: str
    axis: str = "accuracy"
    ends: tuple[float | None, float | None] = (0.0, 1.0)


_SCALE = (1.0, 5.0)
CRITIQUE = {
    "Helpfulness": Unmeasured("Helpfulness", JUDGED, ends=_SCALE),
    "Understandability": Unmeasured("Understandability", JUDGED, ends=_SCALE),
    "Completeness": Unmeasured("Completeness", JUDGED, ends=_SCALE),
    "Conciseness": Unmeasured("Conciseness", JUDGED, ends=_SCALE),
    "Harmlessness": Unmeasured("Harmlessness", JUDGED, ends=_SCALE),
}
RATINGS = {
    "reiteration": {
        "reiteration_eval_support_thesis": Unmeasured("Supports the thesis", _RATED, GENERAL, _SCALE),
        "reiteration_eval_style": Unmeasured("Looks like a headline", _RATED, GENERAL, _SCALE),
    },
    "wedging": {
        "wedging_eval_address_intended_audience": Unmeasured("Addresses its audience", _RATED, GENERAL, _SCALE),
        "wedging_eval_include_intended_goal": Unmeasured("Supports its goal", _RATED, GENERAL, _SCALE),
        "wedging_eval_style": Unmeasured("Looks like a message", _RATED, GENERAL, _SCALE),
        "wedging_eval_divisiveness": Unmeasured("Divides", _RATED, GENERAL, _SCALE),
        "wedging_eval_toxicity": Unmeasured("Toxic to its readers", _RATED, GENERAL, _SCALE),
    },
}
"""By what was rated."""
SUMMARIES = {
    "summac": Unmeasured("Follows from the article (SummaC)", _SUMMAC, GENERAL, (-1.0, 1.0)),
    "QAFactEval": Unmeasured("Answers as the article does (QAFactEval)", _QUESTIONS, GENERAL, (0.0, 5.0)),
    "HumanEval-faithfulness": Unmeasured("Faithful, by people", _RATED, GENERAL),
    "HumanEval-relevance": Unmeasured("Relevant, by people", _RATED, GENERAL, _SCALE),
    "HumanEval-coherence": Unmeasured("Coherent, by people", _RATED, GENERAL, _SCALE),
}
_PRIVATE = "needs the addresses and numbers of living people, which this package does not bring"
_DATABASE = "needs its queries to be run over upstream's database, which this package does not do"
JURIES = (
    *("aci_bench", "chw_care_plan", "dischargeme", "med_dialog", "medalign", "medi_qa", "medication_qa"),
    *("mental_health", "mimic_bhc", "mimic_rrs", "mtsamples_procedures", "mtsamples_replicate"),
    "starr_patient_instructions",
)
"""MedHELM's benchmarks whose texts a jury rates, from 1 to 5: one metric of the same shape for each."""
_RATED_BY_JURIES = {f"{name}_accuracy": Unmeasured("Rating by a jury", JUDGED, ends=_SCALE) for name in JURIES}
_JUDGED = {
    "omni_math_accuracy": Unmeasured("Equal to the right answer, by judges", JUDGED),
    "wildbench_score": Unmeasured("Quality by judges", JUDGED, ends=(1.0, 10.0)),
    "wildbench_score_rescaled": Unmeasured("Quality by judges, from 0 to 1", JUDGED),
    "annotation_financebench_label_correct_answer": Unmeasured("Right, by a judge", JUDGED),
    "annotation_financebench_label_incorrect_answer": Unmeasured("Wrong, by a judge", JUDGED, GENERAL),
    "annotation_financebench_label_failure_to_answer": Unmeasured("Not answered, by a judge", JUDGED, GENERAL),
}
EHR_SQL = {
    "ehr_sql_execution_accuracy": Unmeasured("Query with the right result", _DATABASE),
    "ehr_sql_query_validity": Unmeasured("Query that runs", _DATABASE),
    "ehr_sql_precision_answerable": Unmeasured("Answerable where a query is given", _DATABASE),
    "ehr_sql_recall_answerable": Unmeasured("A query given where answerable", _DATABASE),
    "ehr_sql_total_predicted_answerable": Unmeasured("Queries given", _DATABASE, GENERAL),
    "ehr_sql_total_ground_truth_answerable": Unmeasured("Answerable questions", _DATABASE, GENERAL),
}
_SAFETY = {
    "decodingtrust_privacy_leakage_rate": Unmeasured("Leaks of personal data", _PRIVATE),
    "safety_score": Unmeasured("Safety", JUDGED),
    "air_score": Unmeasured("Refusal rate", JUDGED),
    "live_qa_score": Unmeasured("Quality of answers to consumers", JUDGED, ends=(1.0, 4.0)),
}


def cards() -> Sequence[Metric]:
    rated = {name: metric for metrics in RATINGS.values() for name, metric in metrics.items()}
    return [
        Metric(
            name=name,
            version="1",
            axis=metric.axis,
            title=metric.title,
            ends=metric.ends,
            score=_refusing(metric.needs),
        )
        for name, metric in (CRITIQUE | rated | SUMMARIES | _SAFETY | _RATED_BY_JURIES | _JUDGED | EHR_SQL).items()
    ]


def _refusing(reason: str) -> ScoreFunction:
    def score(trial: Trial) -> NoReturn:
        raise NotSupportedError(reason)

    return score
