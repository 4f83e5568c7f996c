"""T030: every task's extractor finds the answers that its own prompts show as examples, as models go on from them."""

from pathlib import Path

import pytest

from holoscope.core import Choice, Completion, Exchange, Outcome, PlannedRequest, Settings, Trial, builtin
from holoscope.entries import Options, resolve
from holoscope.metrics import applicable, score
from holoscope.pipeline.plan import Models, Planner
from paths import DATA, needs_data

ENTRIES = (
    "mmlu:subject=anatomy",
    "mmlu_pro:subject=all,use_chain_of_thought=false,use_few_shot=true",
    "mmlu_clinical_afr:subject=clinical_knowledge,lang=af",
    "commonsense:dataset=openbookqa,method=multiple_choice_joint",
    "commonsense:dataset=hellaswag,method=multiple_choice_joint",
    "truthful_qa:task=mc_single,method=multiple_choice_joint",
    "lsat_qa:task=all",
    "med_qa",
    "pubmed_qa",
    "bbq:subject=Age",
)
FORMS = (
    " {label}",
    "{label}.\n",
    "({label})",
    "... therefore the answer is ({label}).\n",
    "... therefore the answer is ({label}). One more sentence.",
    "**Answer: {label}**",
    r"\boxed{{{label}}}",
    "{label}. {text}",
)


def planned(entry: str) -> list[PlannedRequest]:
    registry = builtin()
    settings = Settings(cache_dir=Path("nowhere"), data_dir=DATA, offline=True)
    (spec,) = resolve(entry, registry, models=("test/echo",), options=Options(max_eval_instances=8)).specs
    planner = Planner(registry, settings, Models(settings, registry, needs_key=False))
    return list(planner.plan(spec).requests())


def answered(request: PlannedRequest, text: str) -> Trial:
    return Trial(request.instance, (Exchange(request, Completion(Outcome.OK, (Choice(text),))),))


@needs_data
@pytest.mark.parametrize("entry", ENTRIES)
def test_t030_every_label_of_every_task_is_found(entry: str) -> None:
    registry = builtin()
    (spec,) = resolve(entry, registry, models=("test/echo",)).specs
    metric = [m for m in applicable(spec) if m.name in ("exact_match", "bbq_accuracy", spec.metrics[0].name)][:1]
    requests = planned(entry)
    assert requests
    for request in requests:
        assert request.output_mapping
        golds = {r.text for r in request.instance.references if r.is_correct}
        for form in FORMS:
            trials = [answered(request, form.format(label=k, text=t)) for k, t in request.output_mapping.items()]
            found = [row[0] for row in score(metric, trials, registry)]
            assert [s.answer for s in found] == list(request.output_mapping), (form, request.output_mapping)
            assert [s.value for s in found] == [float(t in golds) for t in request.output_mapping.values()]


@needs_data
def test_t030_every_worked_solution_of_gsm_ends_in_a_number_that_is_found() -> None:
    registry = builtin()
    (spec,) = resolve("gsm", registry, models=("test/echo",)).specs
    metric = [m for m in applicable(spec) if m.name == "final_number_exact_match"]
    for request in planned("gsm"):
        gold = next(r.text for r in request.instance.references if r.is_correct)
        (found,) = score(metric, [answered(request, f" {gold}\n")], registry)[0]
        assert (found.value, found.rule) == (1.0, "stated_number"), gold
