"""How a suite is laid out for a reader: which groups in which order, under which titles, and what stands for each.

A layout says nothing about values. It comes from a track or from a schema file that the user brings, and every view
takes it as data, so that a terminal, a page and a table group alike.
"""

import msgspec

from holoscope.core.spec import RunSpec


class DisplayMetric(msgspec.Struct, frozen=True, kw_only=True):
    """What a metric is called."""

    name: str
    title: str = ""
    """Empty: the name."""
    short_title: str = ""
    """For the head of a column; empty: the title."""
    description: str = ""
    lower_is_better: bool | None = None
    """None: nobody said."""


class DisplayGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Runs that are shown together: those that name the group, or whose scenario it is."""

    name: str
    title: str
    description: str = ""
    category: str = ""
    main_metric: str = ""
    """What the accuracy column shows; empty: the scenario's own."""
    main_split: str = ""
    """Empty: the scenario's own."""
    taxonomy: dict[str, str] = {}
    """Such as `task`, `language`."""
    is_exclusive: bool = False
    """True if its runs are shown under no other group that they name: an ablation beside the run itself."""


class DisplaySection(msgspec.Struct, frozen=True, kw_only=True):
    """Groups under one heading."""

    name: str
    title: str
    description: str = ""
    groups: tuple[str, ...] = ()
    """Names of groups, in order; a group may stand in several sections."""


class Display(msgspec.Struct, frozen=True, kw_only=True):
    """A layout."""

    groups: tuple[DisplayGroup, ...]
    """In the order in which they are shown."""
    sections: tuple[DisplaySection, ...] = ()
    metrics: tuple[DisplayMetric, ...] = ()
    """In the order in which they are shown."""
    perturbations: dict[str, str] = {}
    """Name -> title."""

    def group_of(self, spec: RunSpec) -> DisplayGroup | None:
        """The group that a run is shown under: an exclusive one before others; None if it is in none."""
        known = {group.name: group for group in self.groups}
        named = [known[name] for name in (*spec.groups, spec.scenario.name) if name in known]
        return next((group for group in named if group.is_exclusive), named[0] if named else None)

    def position(self, spec: RunSpec) -> int:
        """A run's place in the order; those in no group come last."""
        group = self.group_of(spec)
        return len(self.groups) if group is None else self.groups.index(group)

    def metric(self, name: str) -> DisplayMetric:
        """What is said of a metric; its bare name where nothing is."""
        return next((metric for metric in self.metrics if metric.name == name), DisplayMetric(name=name))


NO_LAYOUT = Display(groups=())
"""Nothing is said: runs stand by name, each with its scenario's own main metric."""
