"""What is registered: scenario cards, axes, and what a run entry resolves to.

These are data plus a function. A built-in and a third-party package register the same cards through the same door
(`registry.py`).
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from holoscope.core.images import ImageReader
from holoscope.core.instance import Instance, PerturbationDescription
from holoscope.core.score import Score
from holoscope.core.spec import AdapterSpec, MetricSpec, ScenarioSpec

Redistribution = Literal["yes", "ids-only", "no"]


class Source(msgspec.Struct, frozen=True):
    """One file of a benchmark as upstream publishes it."""

    path: str
    """Under the scenario's folder of a data directory, e.g. `data/test/anatomy_test.csv`."""
    url: str = ""
    """Pinned address; empty where there is none to fetch from."""
    sha256: str = ""
    member: str = ""
    """Path within the archive at `url`, where that is a zip or tar."""
    optional: bool = False
    """True if the scenario works without this file (a missing validation split)."""
    gated: str = ""
    """Why this file is not fetched for the user (takedown, gate), in words."""
    stand_in: str = ""
    """Under a data directory: a file in another form that is read where it is there and `path` is not."""
    is_folder: bool = False
    """True for a folder with all files in it, which only the user can have."""


class Files(Protocol):
    """The files of one scenario; opening one finds, fetches and verifies it."""

    def path(self, name: str) -> Path:
        """The local file for `Source.path == name`. Raises DataError, which says where it was looked for."""
        ...

    def has(self, name: str) -> bool:
        """True if an optional file can be had."""
        ...


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark: where its rows are, how they become instances, and how it is usually run."""

    name: str
    title: str
    description: str
    licence: str
    redistribution: Redistribution
    citation: str
    """Paper or page that defines it."""
    main_metric: str
    """Empty: the first of the run's metrics."""
    main_split: str
    load: Callable[..., Iterable[Instance]]
    """`load(files, **args)` yields instances in upstream order, ids empty. `args` are the scenario spec's."""
    sources: Callable[..., tuple[Source, ...]]
    """`sources(**args)`: the files that `load` opens with these arguments."""
    folder: str = ""
    """Folder in a data directory; empty means `name`."""
    version: str = "1"
    chance: float | None = None
    """Score of guessing on the main metric, where it is the same for every instance."""
    helm_class: str = ""
    """Dotted name in crfm-helm, for result files in its format."""
    images: Callable[..., ImageReader] | None = None
    """`images(files, **args)`: reads the images whose marks stand in the instances' texts."""
    instructions: Callable[..., str] | None = None
    """`instructions(files, **args)`: what its adapter's mark for instructions stands for; they are upstream's words."""
    asking: Callable[..., tuple[AdapterSpec, tuple[MetricSpec, ...]]] | None = None
    """`asking(files, adapter, metrics, **args)`: both as its files say, where those say how their rows are asked."""
    unavailable: str = ""
    """Why it can't be run, in words, where it is known by name alone; empty if it can."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What a run entry resolves to, before its expanders and its model are applied."""

    name: str
    """HELM's run name without the model, e.g. `mmlu:subject=anatomy,method=multiple_choice_joint`."""
    scenario: ScenarioSpec
    adapter: AdapterSpec
    metrics: tuple[MetricSpec, ...]
    groups: tuple[str, ...]


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """A per-instance metric, as registered."""

    name: str
    version: str
    axis: str
    title: str
    lower_is_better: bool = False
    binary: bool = False
    """True if each value is 0, 1 or an expectation of one: an interval for a proportion applies."""
    ends: tuple[float | None, float | None] = (None, None)
    """What no value can go below or beyond, so that no interval does."""
    score: Callable[..., Score]
    """`score(trial, **args)`."""
    needs: tuple[str, ...] = ()
    """Of `references`, `logprobs`, `echo`, `usage`: what the trial must have, else not_supported."""
    jobs: Callable[..., Sequence[object]] | None = None
    """`jobs(trial, **args)`: what of the model's own code has to be run before `score`, which then takes `run=`.

    `run(job)` gives the result of one of them; it raises NotSupportedError where nothing may be run.
    """
    note: str = ""
    """What its values rest on, such as a classifier and how good that is: part of its measures' method."""


class Axis(msgspec.Struct, frozen=True, kw_only=True):
    """A column of the grid."""

    name: str
    title: str
    lower_is_better: bool
    chance: float | None
    """The value of knowing nothing: one end of the axis in a picture. A scenario may state its own."""
    ceiling: float | None
    """The best value there is: the other end."""
    metrics: tuple[str, ...]
    """Metric names that fill the axis, the first that a run has winning; accuracy uses the scenario's main metric."""
    empty_reason: str
    """What to type to fill it."""
    scales: dict[str, tuple[float, float]] = {}
    """Metric -> its own (chance, ceiling), where it has other units than the axis."""


class Perturbation(msgspec.Struct, frozen=True, kw_only=True):
    """A change to an instance that should not change the answer."""

    name: str
    version: str
    describe: Callable[..., PerturbationDescription]
    """`describe(**args)`."""
    apply: Callable[..., Instance]
    """`apply(instance, rng, **args) -> Instance`; equal input means unchanged."""
    lexicon: str = ""
    """Kind of word list (`misspellings`, `dialect`, `gender`, `names` ...) that `apply` takes as `lexicon=`."""
    unavailable: str = ""
    """Why it can't be applied, in words, where it is known by name alone; empty if it can."""
