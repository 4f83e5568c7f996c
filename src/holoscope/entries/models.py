"""Which model an entry is asked of: the one it names, or those that were asked for beside it.

A model is `provider/name`, or anything else with a `/` in it, taken as it stands. HELM's confs name groups of models
(`model=text`) and leave the choice to `--models-to-run`; a group stands for each model asked for, in its place in the
entry, since that is its place in the run's name.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from holoscope.core import HELM_COMPAT, AdapterSpec, Json, UsageError, nearest
from holoscope.entries.language import format_value

_GROUPS = (
    "all",
    "text",
    "text_code",
    "code",
    "instruction_following",
    "full_functionality_text",
    "limited_functionality_text",
    "summarization_zs",
    "biomedical",
    "interactive_qa",
    "opinions_qa_openai",
    "opinions_qa_ai21",
    "text_to_image",
    "vlm",
    "audiolm",
)
MODEL_GROUPS = frozenset({*_GROUPS, *(f"ablation_{group}" for group in _GROUPS[1:]), "ablation"})
"""HELM's names for groups of models. Which models those were is of no use today: each run says which it wants."""


class Asked(NamedTuple):
    """An entry's arguments for each model, and what the user should know."""

    args: list[dict[str, Json]]
    notes: tuple[str, ...] = ()


def with_models(name: str, args: dict[str, Json], models: Sequence[str], compat: str) -> Asked:
    """`args` once for each model they are to be asked of."""
    for model in models:
        _check(model)
    found = args.get("model", args.get("model_deployment", ""))
    if not isinstance(found, str):
        raise UsageError(f"{name}: a model is provider/model, found {format_value(found)}")
    if "/" in found:
        if compat == HELM_COMPAT and models and found not in models:
            return Asked([], (f"{name}: left out, its model {found} is not among those to run",))
        return Asked([args])
    if found and found not in MODEL_GROUPS and not (compat == HELM_COMPAT and models):
        _check(found)
    if not models:
        flag = "--models-to-run" if compat == HELM_COMPAT else "--model"
        why = f"model={found} is a group of models" if found else "no model is named"
        raise UsageError(f"{name}: {why}; say which with {flag} provider/model (test/echo needs no key)")
    return Asked([{**args, "model": model} for model in dict.fromkeys(models)])


def _check(model: str) -> None:
    if "/" not in model:
        close = nearest(model, MODEL_GROUPS)
        hint = f"or did you mean the group {close!r}?" if close else "e.g. openai/gpt-4o or test/echo"
        raise UsageError(f"model {model!r} has no provider; write provider/model, {hint}")


def filled(adapter: AdapterSpec, compat: str) -> AdapterSpec:
    """`adapter` with both its model and its deployment, each from the other where only one is given.

    HELM's `host/creator/model` names a deployment, of the model `creator/model`.
    """
    model = adapter.model or adapter.model_deployment
    deployment = adapter.model_deployment or adapter.model
    if compat == HELM_COMPAT and model == deployment and model.count("/") > 1:
        model = model.split("/", 1)[1]
    return replace(adapter, model=model, model_deployment=deployment)
