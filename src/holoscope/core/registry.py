"""The one door through which scenarios, entries, metrics, axes, perturbations and providers come in.

A `Registry` is a value that is handed around; `builtin()` fills one from this package's own modules and from
installed packages that declare the entry-point group `holoscope`. Looking a name up that is not there raises an
error that suggests the nearest.
"""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from holoscope.core.cards import Axis, Metric, Perturbation, Scenario, Task
from holoscope.core.errors import UnknownNameError, UsageError
from holoscope.core.score import SetMetric

T = TypeVar("T")
TaskFunction = Callable[..., Task]
ProviderFunction = Callable[..., object]
"""Opens a model: `open(name, settings)`, with all of the name that follows its first slash."""


class Shelf(Generic[T]):
    """Named things of one kind, in order of registration."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._items: dict[str, T] = {}

    def add(self, name: str, item: T) -> None:
        if name in self._items and self._items[name] is not item:
            raise UsageError(f"the {self.kind} name {name!r} is registered twice; rename one of them")
        self._items[name] = item

    def get(self, name: str, hint: str = "") -> T:
        """The item called `name`; UnknownNameError suggests the nearest."""
        if name not in self._items:
            raise UnknownNameError(self.kind, name, self._items, hint)
        return self._items[name]

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def values(self) -> list[T]:
        return list(self._items.values())


class Registry:
    """Everything that can be named in an entry, a spec or a command."""

    def __init__(self) -> None:
        self.scenarios: Shelf[Scenario] = Shelf("scenario")
        self.tasks: Shelf[TaskFunction] = Shelf("scenario")
        """Run-entry name -> function whose typed keyword parameters are the entry's arguments."""
        self.aliases: dict[str, str] = {}
        """Other common names of run entries."""
        self.metrics: Shelf[Metric] = Shelf("metric")
        """By name; HELM's definition, where it differs from ours, by `name@helm`."""
        self.set_metrics: Shelf[SetMetric] = Shelf("metric")
        self.axes: Shelf[Axis] = Shelf("axis")
        self.perturbations: Shelf[Perturbation] = Shelf("perturbation")
        self.providers: Shelf[ProviderFunction] = Shelf("provider")
        """First part of a model's name -> function that opens the model."""

    def scenario(self, card: Scenario) -> Scenario:
        self.scenarios.add(card.name, card)
        return card

    def task(self, name: str, *aliases: str) -> Callable[[TaskFunction], TaskFunction]:
        """Register a run entry: `@registry.task("gsm", "gsm8k")` above `def gsm() -> Task`."""

        def register(function: TaskFunction) -> TaskFunction:
            self.tasks.add(name, function)
            self.aliases.update(dict.fromkeys(aliases, name))
            return function

        return register

    def task_arguments(self, name: str) -> dict[str, inspect.Parameter]:
        """The arguments a run entry takes, by name."""
        return dict(inspect.signature(self.tasks.get(name)).parameters)


Plugin = Callable[[Registry], None]

_BUILTIN = ("holoscope.scenarios", "holoscope.perturbations", "holoscope.metrics")


def builtin() -> Registry:
    """A registry with this package's own things and those of installed plug-ins.

    Each module of `_BUILTIN`, and each object of the entry-point group `holoscope`, offers `register(registry)`.
    """
    registry = Registry()
    for module in _BUILTIN:
        import_module(module).register(registry)
    for point in entry_points(group="holoscope"):
        point.load()(registry)
    return registry
