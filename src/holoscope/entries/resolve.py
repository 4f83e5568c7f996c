"""From run entries to run specs: names looked up, arguments checked, expanders applied.

What comes out is a value that decides everything about a run, under a name that HELM would give it. Nothing is fetched
and no model is looked at, so that a suite of thousands of entries is checked to the last one before anything is paid
for. Each error is one line and says what to type.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import msgspec
from msgspec.structs import replace

from holoscope.core import HELM_COMPAT, AdapterSpec, Json, Registry, RunSpec, UnknownNameError, UsageError
from holoscope.entries.absent import absent_scenarios
from holoscope.entries.arguments import check_arguments, choose, show_arguments
from holoscope.entries.conf import ConfEntry
from holoscope.entries.expanders import EXPANDERS, expand
from holoscope.entries.language import Entry, format_entry, parse_entry
from holoscope.entries.models import filled, with_models
from holoscope.entries.tracks import MissingScenario, Track, load_tracks

FILE_TASK = "file"
"""The task that runs a user's own data file, its argument `path`."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line decides about every run."""

    max_eval_instances: int | None = None
    """At most so many rows; None is all. An entry's own number wins."""
    num_train_trials: int | None = None
    """How often in-context examples are drawn; None leaves it to the entry."""
    trials: int = 1
    seed: int = 0
    compat: str = ""
    """`helm` for HELM 0.5.16's definitions."""


class Resolved(msgspec.Struct, frozen=True):
    """What entries resolve to."""

    specs: tuple[RunSpec, ...]
    notes: tuple[str, ...] = ()
    """What the user should know: another name that was followed, an entry that was left out."""
    missing: tuple[MissingScenario, ...] = ()
    """What was named, or belongs to a track that was, and can't be run."""


def resolve(
    entry: str | ConfEntry,
    registry: Registry,
    *,
    models: Sequence[str] = (),
    options: Options | None = None,
    tracks: Mapping[str, Track] | None = None,
) -> Resolved:
    """The runs of one entry, which names a task, a track or a data file.

    `models` are asked where the entry names none; `tracks` are the built-in ones unless given.
    """
    return resolve_all([entry], registry, models=models, options=options, tracks=tracks)


def resolve_all(
    entries: Iterable[str | ConfEntry],
    registry: Registry,
    *,
    models: Sequence[str] = (),
    options: Options | None = None,
    tracks: Mapping[str, Track] | None = None,
) -> Resolved:
    """The runs of several entries, in their order; equal ones once."""
    resolver = _Resolver(registry, models, options or Options(), tracks)
    specs: list[RunSpec] = []
    for entry in entries:
        specs += resolver.runs(entry if isinstance(entry, ConfEntry) else ConfEntry(entry))
    if resolver.missing and not specs:
        raise UsageError(str(resolver.missing[0]))
    return Resolved(
        tuple(check_distinct(specs)), tuple(dict.fromkeys(resolver.notes)), tuple(dict.fromkeys(resolver.missing))
    )


def check_distinct(specs: Iterable[RunSpec]) -> list[RunSpec]:
    """`specs` without repetitions; an error where two that differ share a name, and so a folder."""
    by_name: dict[str, RunSpec] = {}
    for spec in specs:
        first = by_name.setdefault(spec.name, spec)
        if replace(first, entry=spec.entry) != spec:
            raise UsageError(
                f"two different runs are called {spec.name!r}, from {first.entry!r} and {spec.entry!r}; "
                "put them in different suites"
            )
    return list(by_name.values())


def by_groups(specs: Iterable[RunSpec], groups: Sequence[str]) -> list[RunSpec]:
    """The runs that belong to one of `groups`; all of them where none is named."""
    return [spec for spec in specs if not groups or set(groups) & set(spec.groups)]


class _Resolver:
    """One call's registry, models, options and tracks; collects notes."""

    def __init__(
        self, registry: Registry, models: Sequence[str], options: Options, tracks: Mapping[str, Track] | None
    ) -> None:
        if options.compat:
            choose("compat", options.compat, [HELM_COMPAT])
        self.registry = registry
        self.models = models
        self.options = options
        self.notes: list[str] = []
        self.missing: list[MissingScenario] = []
        self._given_tracks = tracks

    @cached_property
    def tracks(self) -> Mapping[str, Track]:
        """Read only when a name is no task's."""
        tracks = load_tracks() if self._given_tracks is None else self._given_tracks
        for name in tracks:
            if name in self.registry.tasks or name in self.registry.aliases:
                raise UsageError(f"the track {name!r} has the name of a scenario; rename the track")
        return tracks

    @cached_property
    def absent(self) -> Mapping[str, MissingScenario]:
        """HELM's names that are not here, read only when a name is none of ours."""
        return absent_scenarios()

    def runs(self, conf: ConfEntry) -> list[RunSpec]:
        entry = parse_entry(conf.description)
        if self.is_task(entry):
            return self.of_task(entry, conf)
        if entry.name not in self.tracks:
            if entry.name in self.absent:
                self.missing.append(self.absent[entry.name])
                return []
            return self.of_task(entry, conf)
        track = self.tracks[entry.name]
        self.missing += track.missing
        return [run for child in track.entries for run in self.of_task(*_overridden(child, entry.args))]

    def is_task(self, entry: Entry) -> bool:
        return entry.is_file or entry.name in self.registry.tasks or entry.name in self.registry.aliases

    def of_task(self, entry: Entry, conf: ConfEntry) -> list[RunSpec]:
        name, args = self.target(entry)
        function = self.registry.tasks.get(name)
        expanders = {key: value for key, value in args.items() if key in EXPANDERS}
        own = {key: value for key, value in args.items() if key not in EXPANDERS}
        own = check_arguments(name, function, own, EXPANDERS)
        asked = with_models(name, expanders, self.models, self.options.compat)
        self.notes += asked.notes
        task = function(**own)
        shown = task.name if self.options.compat == HELM_COMPAT else show_arguments(task.name, function, own)
        start = RunSpec(
            name=shown,
            entry=conf.description,
            scenario=task.scenario,
            adapter=task.adapter,
            metrics=task.metrics,
            groups=(*task.groups, *conf.groups),
            seed=self.options.seed,
            trials=self.options.trials,
            compat=self.options.compat,
        )
        return [self.finished(run, conf) for args in asked.args for run in self.expanded(start, args)]

    def target(self, entry: Entry) -> tuple[str, dict[str, Json]]:
        """The task that `entry` names, perhaps by another name, and its arguments."""
        if entry.is_file:
            if "path" in entry.args:
                raise UsageError(f"{entry.name} is the path already; leave out path=")
            return FILE_TASK, {"path": entry.name, **entry.args}
        if entry.name in self.registry.tasks:
            return entry.name, entry.args
        if entry.name in self.registry.aliases:
            meant = parse_entry(self.registry.aliases[entry.name])
            self.notes.append(f"{entry.name} is called {format_entry(meant)} here")
            return meant.name, {**meant.args, **entry.args}
        known = {*self.registry.tasks, *self.registry.aliases, *self.tracks}
        raise UnknownNameError("scenario or track", entry.name, sorted(known), "(holoscope list scenarios)")

    def expanded(self, start: RunSpec, args: Mapping[str, Json]) -> list[RunSpec]:
        runs = [start]
        for key, value in args.items():
            runs = [child for run in runs for child in expand(run, key, value, self.options.compat)]
            if key == "follow_format_instructions" and value == "instruct":
                self.notes.append(f"{key}=instruct: every model is taken to follow instructions")
        for run in runs:
            for perturbation in run.augmentation.perturbations:
                self.registry.perturbations.get(perturbation.name, f"(data_augmentation={args['data_augmentation']})")
        return runs

    def finished(self, run: RunSpec, conf: ConfEntry) -> RunSpec:
        """With both names of its model, and with what the command line and the conf file add."""
        groups = f",groups={'-'.join(sorted(conf.groups))}" if conf.groups else ""
        seed = f",seed={run.seed}" if run.seed and run.compat != HELM_COMPAT else ""
        adapter = _limited(filled(run.adapter, run.compat), self.options)
        return replace(run, name=f"{run.name}{groups}{seed}".replace("/", "_"), adapter=adapter)


def _overridden(child: ConfEntry, args: Mapping[str, Json]) -> tuple[Entry, ConfEntry]:
    """A track's entry, with the arguments that were given for the whole track."""
    entry = parse_entry(child.description)
    if not args:
        return entry, child
    entry = Entry(entry.name, {**entry.args, **args})
    return entry, replace(child, description=format_entry(entry))


def _limited(adapter: AdapterSpec, options: Options) -> AdapterSpec:
    """As helm-run has it: the entry's own row limit wins, and without in-context examples there is one draw of them."""
    if adapter.max_eval_instances is None:
        adapter = replace(adapter, max_eval_instances=options.max_eval_instances)
    if adapter.max_train_instances == 0:
        return replace(adapter, num_train_trials=1)
    if options.num_train_trials is not None:
        return replace(adapter, num_train_trials=options.num_train_trials)
    return adapter
