"""From a run spec to the requests it needs.

A `RunPlan` is one run, ready to be asked: its scenario's rows are loaded and sampled, its perturbations applied, its
model opened. Its requests are planned while they are asked, so a suite of many runs holds only the prompts under way.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from holoscope.core import (
    HELM_COMPAT,
    TRAIN,
    DataError,
    ImageReader,
    Instance,
    Outcome,
    PlannedRequest,
    Registry,
    RunSpec,
    Scenario,
    Settings,
    canonical,
    no_images,
)
from holoscope.models import Model, lacking, resolve, unable
from holoscope.perturbations import Ask, Lexicons, augment, load_lexicons, write_lists, writers
from holoscope.prompts import choose_eval, plan
from holoscope.scenarios import (
    Lack,
    data_hashes,
    find_unreached,
    image_reader,
    instructed,
    lack,
    load_instances,
    open_files,
)

if TYPE_CHECKING:
    from holoscope.models.batches import BatchModel

NOTHING_WRITTEN = Lexicons({})


@dataclass
class Models:
    """The models of a suite, each opened once and closed at the end."""

    settings: Settings
    registry: Registry
    base_url: str = ""
    needs_key: bool = True
    """False: for planning alone, a missing credential is no obstacle."""
    batches: Path | None = None
    """The folder of the run's results, where the models are to be asked through their providers' batch APIs."""

    def __post_init__(self) -> None:
        self._open: dict[str, Model] = {}
        self._batched: dict[str, BatchModel] = {}

    def get(self, name: str) -> Model:
        """The model called `name`; raises UsageError or ModelError where it can't be opened."""
        if name not in self._open:
            model = resolve(
                name, self.settings, base_url=self.base_url, registry=self.registry, needs_key=self.needs_key
            )
            if self.batches is not None:
                from holoscope.models.batches import in_batches

                model = self._batched[name] = in_batches(model, self.batches, self.settings.batch_poll_s)
            self._open[name] = model
        return self._open[name]

    def add(self, model: Model) -> str:
        """Have an object answer, such as a `LocalModel`; gives the name by which specs ask it."""
        self._open[model.card.name] = model
        return model.card.name

    @property
    def batched(self) -> "tuple[BatchModel, ...]":
        """Those that are asked in batches."""
        return tuple(self._batched.values())

    async def aclose(self) -> None:
        for model in self._open.values():
            await model.aclose()


@dataclass(frozen=True)
class RunPlan:
    """One run, ready to be asked."""

    spec: RunSpec
    scenario: Scenario
    model: Model
    train: Sequence[Instance]
    instances: Sequence[Instance]
    """Evaluation instances: the originals and their perturbed forms."""
    data: dict[str, str]
    """sha256 of each file the rows came from."""
    lexicons: dict[str, str]
    """Which word lists the perturbations used, by kind."""
    images: ImageReader = no_images

    @property
    def originals(self) -> int:
        return sum(1 for instance in self.instances if instance.perturbation is None)

    def requests(self) -> Iterator[PlannedRequest]:
        """Every request of the run, in plan order; those that the model is known not to answer are not to be sent."""
        planned = plan(
            self.spec.adapter,
            self.train,
            self.instances,
            self.model.window(),
            compat=self.spec.compat == HELM_COMPAT,
            seed=self.spec.seed,
            trials=self.spec.trials,
            wants_logprobs=True,
            images=self.images,
        )
        return map(self._if_able, planned)

    def _if_able(self, planned: PlannedRequest) -> PlannedRequest:
        reason = unable(self.model.card, planned.request)
        if not reason and self.spec.adapter.method == "ranking_binary":
            reason = lacking(self.model.card, "ranking")
        if planned.unsent is not None or not reason:
            return planned
        return replace(planned, unsent=Outcome.NOT_SUPPORTED, unsent_reason=reason)


@dataclass(frozen=True)
class Planner:
    """Makes run plans out of run specs, from one registry and one machine's settings."""

    registry: Registry
    settings: Settings
    models: Models

    def open_model(self, spec: RunSpec) -> Model:
        """The run's model. Raises UsageError or ModelError with what to type."""
        return self.models.get(spec.adapter.model_deployment or spec.adapter.model)

    def writers(self, spec: RunSpec) -> dict[str, Model]:
        """The models that write texts before the run can be planned, by the names its perturbations give them."""
        names = writers(spec.augmentation, self.registry, compat=spec.compat == HELM_COMPAT)
        return {name: self.models.get(name) if name else self.open_model(spec) for name in names}

    async def write_lists(self, spec: RunSpec, asks: Mapping[str, Ask]) -> Lexicons:
        """What the run's `writers` make of its instances; `plan` takes it. Raises HoloscopeError."""
        loaded = load_instances(spec.scenario, self.registry, self.settings)
        return await write_lists(self._sampled(spec, loaded), asks)

    def look_for_hosts(self, specs: Iterable[RunSpec]) -> None:
        """Ask the hosts of all rows that are to be fetched, at once, so that none is waited for twice."""
        asked = {canonical(spec.scenario): spec.scenario for spec in specs}
        urls: list[str] = []
        for spec in asked.values():
            scenario = self.registry.scenarios.get(spec.name)
            if not scenario.unavailable:
                urls += open_files(scenario, spec.args, self.settings).to_ask()
        find_unreached(urls, self.settings)

    def obstacle(self, spec: RunSpec) -> str | None:
        """Fetch what the run needs; why it can't be had, in words, or None.

        Raises UsageError or ModelError where a model that is to write for it can't be opened.
        """
        found = self.lack(spec)
        return found.message if found else None

    def lack(self, spec: RunSpec) -> Lack | None:
        """The same, with the kind of what is missing."""
        scenario = self.registry.scenarios.get(spec.scenario.name)
        try:
            missing = lack(scenario, spec.scenario.args, self.settings)
            if missing is None:
                open_files(scenario, spec.scenario.args, self.settings).fetched()
                self._lexicons(spec)
                self.writers(spec)
        except DataError as error:
            return Lack("failed", str(error), str(error))
        return missing

    def plan(self, spec: RunSpec, written: Lexicons = NOTHING_WRITTEN) -> RunPlan:
        """Load, sample and perturb. Raises HoloscopeError with what is missing and what to type."""
        scenario = self.registry.scenarios.get(spec.scenario.name)
        model = self.open_model(spec)
        compat = spec.compat == HELM_COMPAT
        loaded = load_instances(spec.scenario, self.registry, self.settings)
        chosen = self._sampled(spec, loaded)
        lexicons = self._lexicons(spec) | written
        return RunPlan(
            spec=instructed(spec, self.registry, self.settings),
            scenario=scenario,
            model=model,
            train=[instance for instance in loaded if instance.split == TRAIN],
            instances=augment(
                chosen,
                spec.augmentation,
                self.registry,
                lexicons=lexicons,
                compat=compat,
                seed=spec.seed,
                helm_class=scenario.helm_class,
            ),
            data=data_hashes(spec.scenario, self.registry, self.settings),
            lexicons=lexicons.names,
            images=image_reader(spec.scenario, self.registry, self.settings),
        )

    def _sampled(self, spec: RunSpec, loaded: Sequence[Instance]) -> list[Instance]:
        split = self.registry.scenarios.get(spec.scenario.name).main_split
        compat = spec.compat == HELM_COMPAT
        return choose_eval(loaded, spec.adapter, compat=compat, main_split=split, seed=spec.seed)

    def _lexicons(self, spec: RunSpec) -> Lexicons:
        compat = spec.compat == HELM_COMPAT
        return load_lexicons(spec.augmentation, self.registry, self.settings, compat=compat)
