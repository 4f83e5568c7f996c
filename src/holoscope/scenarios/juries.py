"""How MedHELM asks for a text that a jury of models then rates: the shared shape of a dozen of its benchmarks.

Beside the jury's rating such a run measures what the text has in common with its reference (ROUGE, coverage, density).
"""

from typing import Final

from holoscope.core import AdapterSpec, Json, MetricSpec, ScenarioSpec, Task

_SUMMARIZATION: Final[dict[str, Json]] = {
    "device": "cpu",
    "bertscore_model": "distilbert-base-uncased",
    "rescale_with_baseline": False,
}
_LENIENT = 1.0
"""HELM's score of a text that no juror could rate."""


def written(
    instructions: str,
    *,
    before: str = "",
    ask: str = "",
    max_tokens: int,
    max_train_instances: int = 0,
) -> AdapterSpec:
    """`<before><input>` and `<ask>`, answered at length."""
    return AdapterSpec(
        method="generation",
        instructions=f"{instructions}\n" if instructions else "",
        input_prefix=before,
        output_prefix=ask,
        max_train_instances=max_train_instances,
        num_outputs=1,
        max_tokens=max_tokens,
        temperature=0.0,
    )


def rated(
    name: str,
    adapter: AdapterSpec,
    args: dict[str, Json] | None = None,
    *,
    jury_config_path: str | None = None,
    shown: str = "",
    groups: tuple[str, ...] = (),
) -> Task:
    """A run of scenario `name` whose completions a jury rates; `jury_config_path` is HELM's file of jurors."""
    jurors: dict[str, Json] = {} if jury_config_path is None else {"jury_config_path": jury_config_path}
    jury: dict[str, Json] = {"metric_name": rating(name), "scenario_name": name, "default_score": _LENIENT, **jurors}
    return Task(
        name=shown or name,
        scenario=ScenarioSpec(name, args or {}),
        adapter=adapter,
        metrics=(MetricSpec("summarization", {"task": name, **_SUMMARIZATION}), MetricSpec("llm_jury", jury)),
        groups=groups or (name,),
    )


def rating(name: str) -> str:
    """The name of the jury's rating in HELM."""
    return f"{name}_accuracy"
