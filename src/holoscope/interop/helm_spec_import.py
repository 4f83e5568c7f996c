"""HELM's `run_spec.json` read back into a run spec of ours, under HELM's definitions.

The tables of `helm_specs` are read the other way round, by a class's last name, because modules moved between HELM's
versions. A scenario or metric that has no definition here keeps a name of its own, so that the run can be shown; what
cannot be computed again is then a cell with a reason.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from holoscope.core import (
    HELM_COMPAT,
    AdapterSpec,
    AugmentationSpec,
    Json,
    MetricSpec,
    PerturbationSpec,
    Registry,
    RunSpec,
    ScenarioSpec,
)
from holoscope.interop.helm_specs import own_metric_names, own_perturbation_names, without_none

_OURS = "holoscope."
_ALWAYS = frozenset({"BasicReferenceMetric", "InstancesPerSplitMetric", "LanguageModelingMetric"})
"""What HELM adds to every run, or to every one of its method."""
_BY_DATASET = {"CodeScenario": "code_", "CommonSenseScenario": ""}
"""Classes of several scenarios, and what our names of these have before the argument `dataset`."""


class _Object(msgspec.Struct, frozen=True):
    """What HELM makes of a class and its arguments."""

    class_name: str
    args: dict[str, Json] | None = None

    @property
    def last_name(self) -> str:
        return self.class_name.rpartition(".")[2]


class _Augmenter(msgspec.Struct, frozen=True):
    perturbation_specs: tuple[_Object, ...] = ()
    should_augment_train_instances: bool = False
    should_augment_eval_instances: bool = False
    should_include_original_eval: bool = False
    should_skip_unchanged_eval: bool = False
    seeds_per_instance: int = 1


class _RunSpec(msgspec.Struct, frozen=True, kw_only=True):
    """`run_spec.json`, under the names that its fields had in 2022 and have today."""

    name: str
    adapter_spec: dict[str, Json]
    scenario_spec: _Object | None = None
    scenario: _Object | None = None
    metric_specs: tuple[_Object, ...] | None = None
    metrics: tuple[_Object, ...] | None = None
    data_augmenter_spec: _Augmenter | None = None
    groups: tuple[str, ...] | None = None


def read_run_spec(content: object, registry: Registry, scenario: str = "") -> RunSpec:
    """The run spec; `scenario` is HELM's name for the scenario, where its class is not known here.

    Raises ValueError for what HELM did not write.
    """
    given = msgspec.convert(content, _RunSpec)
    named = given.scenario_spec or given.scenario
    if named is None:
        raise ValueError("no scenario_spec")
    args = dict(named.args or {})
    return RunSpec(
        name=given.name,
        entry=given.name,
        scenario=ScenarioSpec(_scenario(named, args, scenario, registry), args),
        adapter=read_adapter_spec(given.adapter_spec),
        metrics=tuple(_metrics(given.metric_specs or given.metrics or ())),
        augmentation=_augmentation(given.data_augmenter_spec or _Augmenter()),
        groups=given.groups or (),
        compat=HELM_COMPAT,
    )


def read_adapter_spec(given: dict[str, Json]) -> AdapterSpec:
    """The adapter spec; fields of other versions of HELM are left out, and what it lacks has HELM's default."""
    return msgspec.convert(without_none(given), AdapterSpec)


def named_spec(name: str, adapter: AdapterSpec, scenario: str) -> RunSpec:
    """A run of which only its name and its adapter are known."""
    return RunSpec(
        name=name, entry=name, scenario=ScenarioSpec(scenario), adapter=adapter, metrics=(), compat=HELM_COMPAT
    )


def model_name(adapter: AdapterSpec) -> str:
    """The model, as HELM's tables call it."""
    return adapter.model or adapter.model_deployment or "unknown"


def _scenario(given: _Object, args: dict[str, Json], named: str, registry: Registry) -> str:
    """Our name for a scenario of HELM, else HELM's."""
    last, own = given.last_name, given.class_name.removeprefix(f"{_OURS}scenarios.")
    if last in _BY_DATASET:
        return f"{_BY_DATASET[last]}{args.get('dataset', '')}"
    known = {card.helm_class.rpartition(".")[2]: card.name for card in registry.scenarios.values() if card.helm_class}
    return known.get(last) or (own if own in registry.scenarios else named or _plain(last.removesuffix("Scenario")))


def _plain(name: str) -> str:
    """A name made of a class's.

    >>> _plain("AIRBench2024")
    'air_bench2024'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _metrics(specs: Iterable[_Object]) -> Iterator[MetricSpec]:
    own = own_metric_names()
    for spec in specs:
        args = dict(spec.args or {})
        names = args.get("names")
        if spec.class_name.startswith(f"{_OURS}metrics."):
            yield MetricSpec(spec.class_name.removeprefix(f"{_OURS}metrics."), args)
        elif spec.last_name in own:
            yield MetricSpec(own[spec.last_name], args)
        elif spec.last_name not in _ALWAYS and isinstance(names, list):
            yield from (MetricSpec(str(name)) for name in names)


def _augmentation(given: _Augmenter) -> AugmentationSpec:
    own = own_perturbation_names()
    return AugmentationSpec(
        perturbations=tuple(
            PerturbationSpec(
                own.get(spec.last_name) or _plain(spec.last_name.removesuffix("Perturbation")),
                without_none(spec.args or {}),
            )
            for spec in given.perturbation_specs
        ),
        augment_train=given.should_augment_train_instances,
        augment_eval=given.should_augment_eval_instances,
        include_original=given.should_include_original_eval,
        skip_unchanged=given.should_skip_unchanged_eval,
        seeds_per_instance=given.seeds_per_instance,
    )
