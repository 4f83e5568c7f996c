"""What a HELM summary shows: its metrics, the groups of metrics that are columns, the groups of runs that are tables.

The user's schema (HELM's YAML) is taken as it is; without one it is made from the runs themselves and the scenarios we
know. Either way every run is shown: those in no group of the schema come under `other`.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from holoscope.core import ConfigError, Json, Registry
from holoscope.interop.helm_runs import HelmRun

OTHER = "other"
MAIN_NAME, MAIN_SPLIT = "main_name", "main_split"
EVERYWHERE, HERE_ONLY, NOWHERE = "all_groups", "this_group_only", "no_groups"
"""Where a group's runs are shown: under each group they name, or under this one, or nowhere."""


class MetricField(msgspec.Struct, frozen=True, kw_only=True):
    """A metric and how it is called in a table."""

    name: str
    display_name: str | None = None
    short_display_name: str | None = None
    description: str | None = None
    lower_is_better: bool | None = None


class MetricMatcher(msgspec.Struct, frozen=True, kw_only=True):
    """Which statistic a column shows; `${main_name}` and `${main_split}` are the run group's."""

    name: str
    split: str
    sub_split: str | None = None
    perturbation_name: str | None = None


class MetricGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Columns that belong together."""

    name: str
    display_name: str | None = None
    metrics: tuple[MetricMatcher, ...] = ()
    hide_win_rates: bool | None = None


class RunGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Runs that belong together, or groups of them."""

    name: str
    display_name: str | None = None
    short_display_name: str | None = None
    description: str | None = None
    category: str = "All scenarios"
    metric_groups: tuple[str, ...] = ()
    subgroups: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    taxonomy: dict[str, Json] | None = None
    visibility: str = EVERYWHERE

    @property
    def title(self) -> str:
        return self.display_name or self.name


class Schema(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    metrics: tuple[MetricField, ...] = ()
    perturbations: tuple[MetricField, ...] = ()
    metric_groups: tuple[MetricGroup, ...] = ()
    run_groups: tuple[RunGroup, ...] = ()

    def metric(self, name: str) -> MetricField:
        return next((field for field in self.metrics if field.name == name), MetricField(name=name))

    def group(self, name: str) -> RunGroup | None:
        return next((group for group in self.run_groups if group.name == name), None)


_DEFAULT_GROUPS = (
    MetricGroup(
        name="accuracy",
        display_name="Accuracy",
        metrics=(MetricMatcher(name="${main_name}", split="${main_split}"),),
    ),
    MetricGroup(
        name="calibration",
        display_name="Calibration",
        metrics=(MetricMatcher(name="ece_10_bin", split="${main_split}"),),
    ),
    *(
        MetricGroup(
            name=name,
            display_name=name.capitalize(),
            metrics=(MetricMatcher(name="${main_name}", split="${main_split}", perturbation_name=name),),
        )
        for name in ("robustness", "fairness")
    ),
    MetricGroup(
        name="efficiency",
        display_name="Efficiency",
        metrics=(MetricMatcher(name="inference_runtime", split="${main_split}"),),
    ),
    MetricGroup(
        name="general_information",
        display_name="General information",
        metrics=tuple(
            MetricMatcher(name=name, split="${main_split}")
            for name in ("num_instances", "num_train_instances", "prompt_truncated", "num_prompt_tokens")
        ),
        hide_win_rates=True,
    ),
)
_LOWER_IS_BETTER = {"ece_10_bin": True, "inference_runtime": True, "bits_per_byte": True}


def load_schema(path: Path) -> Schema:
    """HELM's schema YAML; ConfigError says what is wrong with it."""
    import yaml

    try:
        given = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        return msgspec.convert(_said(given), Schema)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise ConfigError(f"cannot use the schema {path}: {' '.join(str(error).split())}") from error


def _said(value: object) -> object:
    """`value` without the fields that a file names and leaves empty."""
    if isinstance(value, dict):
        return {key: _said(inner) for key, inner in value.items() if inner is not None}
    return [_said(inner) for inner in value] if isinstance(value, list) else value


def automatic_schema(runs: Sequence[HelmRun], registry: Registry) -> Schema:
    """A schema with a table for each group that the runs name, and one over all of them."""
    names = dict.fromkeys(name for run in runs for name in run.groups)
    groups = [_group(name, [run for run in runs if name in run.groups], registry) for name in names]
    columns = tuple(group.name for group in _DEFAULT_GROUPS)
    everything = RunGroup(
        name="all_scenarios", display_name="All scenarios", subgroups=tuple(names), metric_groups=columns
    )
    mains = dict.fromkeys(group.environment[MAIN_NAME] for group in groups)
    shown = dict.fromkeys(m.name for group in _DEFAULT_GROUPS for m in group.metrics if "$" not in m.name)
    fields = tuple(_field(name, registry, is_main=name in mains) for name in {**mains, **shown})
    return Schema(metrics=fields, metric_groups=_DEFAULT_GROUPS, run_groups=(everything, *groups))


def with_other(schema: Schema, runs: Sequence[HelmRun], registry: Registry) -> tuple[Schema, list[str]]:
    """The schema with a group `other` for runs that no group of it shows, and a warning for each of them."""
    known = {group.name for group in schema.run_groups}
    strays = [run for run in runs if known.isdisjoint(run.groups)]
    if not strays:
        return schema, []
    other = msgspec.structs.replace(_group(OTHER, strays, registry), display_name="Other", category="Other")
    defined = {group.name for group in schema.metric_groups}
    added = tuple(group for group in _DEFAULT_GROUPS if group.name not in defined)
    warnings = [
        f"{run.name}: no group of the schema ({', '.join(run.groups) or 'the run names none'}); shown under '{OTHER}'"
        for run in strays
    ]
    groups = tuple(group for group in schema.run_groups if group.name != OTHER)
    full = msgspec.structs.replace(schema, run_groups=(*groups, other), metric_groups=(*schema.metric_groups, *added))
    return full, warnings


def _group(name: str, runs: Sequence[HelmRun], registry: Registry) -> RunGroup:
    class_name, _ = runs[0].scenario
    card = next((c for c in registry.scenarios.values() if class_name in (c.helm_class, _own_name(c.name))), None)
    main_name, main_split = (card.main_metric, card.main_split) if card else ("", "")
    return RunGroup(
        name=name,
        display_name=card.title if card and name == card.name else name,
        description=card.description if card else None,
        category="Scenarios",
        metric_groups=tuple(group.name for group in _DEFAULT_GROUPS),
        environment={
            MAIN_NAME: main_name or _first_metric(runs[0]),
            MAIN_SPLIT: main_split if main_split in _splits(runs) else next(iter(_splits(runs)), "test"),
        },
    )


def _own_name(scenario: str) -> str:
    return f"holoscope.scenarios.{scenario}"


def _first_metric(run: HelmRun) -> str:
    named = [name for spec in run.spec.get("metric_specs", []) for name in spec.get("args", {}).get("names", [])]
    return named[0] if named else "exact_match"


def _splits(runs: Sequence[HelmRun]) -> dict[str, None]:
    """The splits that the runs were evaluated on."""
    names = (stat["name"] for run in runs for stat in run.stats)
    return dict.fromkeys(split for name in names if (split := name.get("split")) is not None)


def _field(name: str, registry: Registry, *, is_main: bool) -> MetricField:
    if name in registry.metrics:
        card = registry.metrics.get(name)
        return MetricField(name=name, display_name=card.title, lower_is_better=card.lower_is_better)
    lower = _LOWER_IS_BETTER.get(name, False if is_main else None)
    return MetricField(name=name, display_name=name, lower_is_better=lower)
