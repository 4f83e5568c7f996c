"""The JSON API: what the pages show, for programs; and one address that adds an annotation.

Names in addresses are looked up as those of pages are. Answers are encoded from the structs that their schemas are made
of (`answers.py`); FastAPI reads the parameters and writes the OpenAPI document.
"""

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from holoscope.core import Trial, UnknownNameError
from holoscope.report.comparison import Comparison
from holoscope.report.library import Library
from holoscope.report.pages.instance import Scores, Which, key_of, trials_of
from holoscope.report.pages.instances import Listing, runs_of
from holoscope.store import (
    RATINGS,
    Annotation,
    InstanceFilter,
    RunProgress,
    read_progress,
    run_folders,
    under_way,
)
from holoscope.web.answers import (
    AnnotationList,
    CellList,
    ExchangeDetail,
    InstanceDetail,
    InstanceList,
    RunDetail,
    RunLine,
    SuiteDetail,
    SuiteLine,
    SuiteList,
    TrialDetail,
    answered,
    described,
)
from holoscope.web.state import State

_MOST_ROWS = 200
_WIDTH = 300

Short = Annotated[str, Query(max_length=200)]


class Filter(BaseModel):
    """The parameters of a list of instances."""

    metric: str = Field("", max_length=200, description="empty: each run's main metric")
    score: Literal["", "right", "wrong", "between", "none"] = Field("", description="of a metric that is 1 for right")
    low: float | None = Field(None, allow_inf_nan=False)
    high: float | None = Field(None, allow_inf_nan=False)
    outcome: str = Field("", max_length=40, description="of the score or of the completion")
    perturbation: str = Field("", max_length=200, description="`none`: the originals; empty: all")
    split: str = Field("", max_length=200)
    text: str = Field("", max_length=1000, description="searched for in ids, inputs, completions and thinking")
    regex: bool = Field(False, description="`text` is a pattern of RE2")
    sort: Literal["plan", "value", "-value"] = "plan"
    offset: int = Field(0, ge=0, le=10**9)
    limit: int = Field(50, ge=1, le=_MOST_ROWS)

    def wanted(self) -> InstanceFilter:
        """The same for the finder."""
        given = self.model_dump(exclude={"regex", "perturbation", "offset", "limit"})
        perturbation = None if not self.perturbation else "" if self.perturbation == "none" else self.perturbation
        return msgspec.convert({**given, "is_regex": self.regex, "perturbation": perturbation}, InstanceFilter)


class Said(BaseModel):
    """What somebody says of an instance."""

    instance_id: str = Field(max_length=500)
    perturbation: str = Field("", max_length=200)
    trial: int = Field(0, ge=0, le=10**6)
    train_trial_index: int = Field(0, ge=0, le=10**6)
    author: str = Field(min_length=1, max_length=100)
    rating: int | None = Field(None, ge=RATINGS[0], le=RATINGS[-1], description="of the answer: 1 bad, 5 good")
    comment: str = Field("", max_length=10_000)


def api(state: State) -> APIRouter:
    """The routes below `/api`."""
    routes = APIRouter(prefix="/api")
    _suites(routes, state)
    _runs(routes, state)
    _instances(routes, state)
    _annotations(routes, state)
    return routes


def _suites(routes: APIRouter, state: State) -> None:
    @routes.get("/suites", responses=described(SuiteList))
    def suites() -> Response:
        """Every suite, the one that ended last first."""
        shown = [each for each in state.library.suites() if state.only is None or each.name in state.only]
        return answered(SuiteList(tuple(SuiteLine(**each._asdict()) for each in shown)))

    @routes.get("/suites/{suite}", responses=described(SuiteDetail, 404))
    def suite(suite: str) -> Response:
        """A suite's runs, and those of them that are being made."""
        return answered(_detail(state.library, suite))

    @routes.get("/suites/{suite}/cells", responses=described(CellList, 404))
    def cells(
        suite: str, axis: Short = "", model: Short = "", scenario: Short = "", headlines: bool = False
    ) -> Response:
        """The cells of the grid: everything that was measured, or (`headlines`) what stands for each axis."""
        rows = [row for row in state.library.suite(suite).grid.rows if model in ("", row.model)]
        found = [
            cell
            for row in rows
            if scenario in ("", row.manifest.scenario.name, str(row.label))
            for cell in (row.headlines.values() if headlines else row.cells)
            if axis in ("", cell.axis)
        ]
        return answered(CellList(tuple(found)))

    @routes.get("/suites/{suite}/comparison", responses=described(Comparison, 400, 404))
    def comparison(suite: str, a: Short, b: Short, metric: Short = "") -> Response:
        """Two models, or two runs by their folders, on the instances that both answered."""
        return answered(state.compared(suite, a, b, metric)[2])


def _detail(library: Library, suite: str) -> SuiteDetail:
    found = library.suite(suite)
    lines = [
        RunLine(
            folder=folder,
            name=run.name,
            model=row.model,
            scenario=str(row.label),
            status=run.manifest.status,
            reason=run.manifest.reason,
            instances=run.manifest.instances,
            requests=run.manifest.requests,
            main_metric=row.main_metric,
        )
        for (folder, run), row in zip(found.runs.items(), found.grid.rows, strict=True)
    ]
    made = under_way(run_folders(library.out, suite)) if found.release is None else {}
    return SuiteDetail(name=suite, runs=tuple(lines), under_way=made, warnings=found.warnings)


def _runs(routes: APIRouter, state: State) -> None:
    @routes.get("/suites/{suite}/runs/{folder}", responses=described(RunDetail, 404, 409))
    def run(suite: str, folder: str) -> Response:
        """A run's manifest: spec, versions, data, software, how its requests ended."""
        stored = state.library.run(suite, folder)
        progress = read_progress(stored.path)
        return answered(RunDetail(folder=stored.path.name, manifest=stored.manifest, progress=progress))

    @routes.get("/suites/{suite}/runs/{folder}/progress", responses=described(RunProgress, 404))
    def progress(suite: str, folder: str) -> Response:
        """How far a run is that is being made; 404 once it is over."""
        found = read_progress(state.library.path(suite, folder))
        if found is None:
            raise UnknownNameError("progress of run", folder, [])
        return answered(found)


def _instances(routes: APIRouter, state: State) -> None:
    def listed(suite: str, folder: str, asked: Listing, given: Filter) -> Response:
        runs = runs_of(state.library, suite, folder, asked)
        page = state.finder.page(runs, asked.wanted, offset=given.offset, limit=given.limit, width=_WIDTH)
        return answered(InstanceList.of(page, [run.path.name for run in runs]))

    @routes.get("/suites/{suite}/instances", responses=described(InstanceList, 400, 404, 409))
    def of_suite(suite: str, given: Annotated[Filter, Query()], model: Short = "", scenario: Short = "") -> Response:
        """Instances of all of a suite's runs, a page at a time."""
        return listed(suite, "", Listing(wanted=given.wanted(), model=model, scenario=scenario), given)

    @routes.get("/suites/{suite}/runs/{folder}/instances", responses=described(InstanceList, 400, 404, 409))
    def of_run(suite: str, folder: str, given: Annotated[Filter, Query()]) -> Response:
        """Instances of a run, a page at a time."""
        return listed(suite, folder, Listing(wanted=given.wanted()), given)

    @routes.get(
        "/suites/{suite}/runs/{folder}/instances/{instance_id:path}", responses=described(InstanceDetail, 404, 409)
    )
    def instance(suite: str, folder: str, instance_id: str) -> Response:
        """An instance whole: every request, completion and score of it, under every condition."""
        stored = state.library.run(suite, folder)
        trials, scores = trials_of(state.finder, stored, instance_id)
        return answered(
            InstanceDetail(
                suite=suite,
                folder=stored.path.name,
                instance_id=instance_id,
                trials=tuple(_trial(trial, scores) for trial in trials),
                annotations=state.said_of(suite, stored.path.name, instance_id),
            )
        )


def _trial(trial: Trial, scores: Scores) -> TrialDetail:
    return TrialDetail(
        instance=trial.instance,
        trial=trial.index,
        train_trial_index=trial.train_trial_index,
        exchanges=tuple(ExchangeDetail(request=e.planned, completion=e.completion) for e in trial.exchanges),
        scores=tuple(scores.get(key_of(trial), ())),
    )


def _annotations(routes: APIRouter, state: State) -> None:
    @routes.get("/suites/{suite}/annotations", responses=described(AnnotationList, 404))
    def annotations(suite: str, folder: Short = "", instance_id: Short = "") -> Response:
        """What people said, of a suite, of one of its runs, or of one instance."""
        return answered(AnnotationList(state.said_of(suite, folder, instance_id)))

    @routes.post(
        "/suites/{suite}/runs/{folder}/annotations", status_code=201, responses=_created(Annotation, 400, 404, 409)
    )
    def say(suite: str, folder: str, said: Said) -> Response:
        """Rate or comment on an instance. It is kept with author and time, and changes nothing that was there."""
        which = Which(said.perturbation, said.trial, said.train_trial_index)
        own = said.model_dump(include={"author", "rating", "comment"})
        return answered(state.say(suite, folder, said.instance_id, which, **own), 201)


def _created(answer: type, *problems: int) -> dict[int | str, dict[str, Any]]:
    found = described(answer, *problems)
    return {201 if status == 200 else status: content for status, content in found.items()}
