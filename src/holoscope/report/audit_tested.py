"""What was tested: scenarios in words, with their data and licences, and models with what identifies them."""

from collections.abc import Iterator, Sequence

from holoscope.core import Registry, RunSpec, counted
from holoscope.report.grid import Row
from holoscope.report.html_sources import table
from holoscope.report.markup import Markup, element
from holoscope.report.printable import number

_ASKED = {
    "generation": "the model writes its answer",
    "multiple_choice_joint": "the options are shown with letters, and the model names one",
    "multiple_choice_joint_chain_of_thought": "the options are shown with letters; the model reasons and names one",
    "multiple_choice_separate_original": "each option is judged by how likely the model finds it as the continuation",
    "multiple_choice_separate_calibrated": "each option is judged by how much likelier the question makes it",
    "ranking_binary": "the model says of each passage whether it answers the question",
    "language_modeling": "the model writes nothing: it is measured how likely it finds a given text",
    "chat": "the model answers in a conversation",
}
_PASSED_ON = {
    "yes": "texts may be passed on, and some are shown below",
    "ids-only": "only ids may be passed on: no texts are shown",
    "no": "texts may not be passed on: none are shown",
}


def scenarios_tested(rows: Sequence[Row], registry: Registry) -> Markup:
    """A paragraph for each scenario; runs of several models share it."""
    by_label: dict[str, Row] = {}
    for row in rows:
        by_label.setdefault(str(row.label), row)
    return element("dl", *(_scenario(row, registry) for row in by_label.values()), class_="scenarios")


def models_tested(rows: Sequence[Row]) -> Markup:
    """A table of what identifies each model."""
    lines = list(dict.fromkeys((row.model, *_identity(row)) for row in rows))
    return table("Models", ("model", "where it ran", "what identifies it"), lines)


def _scenario(row: Row, registry: Registry) -> Markup:
    title = row.manifest.scenario.title
    named = element("span", f" {title}", class_="note") if title and title != row.label.scenario else ""
    heading = element("dt", str(row.label), named)
    return element("div", heading, *(element("dd", sentence) for sentence in _sentences(row, registry)))


def _sentences(row: Row, registry: Registry) -> Iterator[str]:
    manifest = row.manifest
    card = registry.scenarios.get(manifest.scenario.name) if manifest.scenario.name in registry.scenarios else None
    if card is not None and card.description:
        yield card.description
    split = f"; the numbers are of the split '{manifest.scenario.main_split}'" if manifest.scenario.main_split else ""
    yield f"{_asked(manifest.spec)}. {counted(manifest.instances, 'instance')} asked{split}."
    if manifest.scenario.chance is not None:
        yield f"Guessing gets {number(manifest.scenario.chance)}."
    changed = [spec.name.replace("_", " ") for spec in manifest.spec.augmentation.perturbations]
    if changed:
        yield f"Asked again in altered forms: {', '.join(changed)}."
    licence = manifest.scenario.licence or "unknown"
    source = f", {card.citation}" if card is not None and card.citation else ""
    yield f"Licence {licence}{source}; {_PASSED_ON[manifest.scenario.redistribution]}."


def _asked(spec: RunSpec) -> str:
    how = _ASKED.get(spec.adapter.method, f"asked by the method {spec.adapter.method}")
    shots = spec.adapter.max_train_instances
    examples = f", after up to {counted(shots, 'worked example')}" if shots else ", without worked examples"
    return f"{how[:1].upper()}{how[1:]}{examples}"


def _identity(row: Row) -> tuple[str, str]:
    model, read = row.manifest.model, row.manifest.provenance.imported
    if read is not None:
        where = f"asked by {read.tool} through {model.deployment}"
    elif model.base_url:
        where = f"{model.base_url}, there called {model.served_model or model.deployment}"
    else:
        where = "on the machine of the test"
    known = "; ".join(f"{key} {value}" for key, value in model.identity.items() if value != model.base_url)
    return where, known or "its name alone"
