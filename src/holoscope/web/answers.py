"""What the API answers, as the same structs that everything else is made of, and their JSON schemas.

The schemas in `/api/openapi.json` are made from these types, and the answers are encoded from values of them, so a
document cannot promise what is not sent.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from starlette.responses import Response

from holoscope.core import Completion, Instance, PlannedRequest, Score
from holoscope.report.comparison import Comparison
from holoscope.report.grid import Cell
from holoscope.store import Annotation, InstancePage, InstanceRow, Manifest, RunProgress

REFERENCE = "#/components/schemas/{name}"


class SuiteLine(msgspec.Struct, frozen=True, kw_only=True):
    """A suite in the list of suites."""

    name: str
    models: tuple[str, ...]
    scenarios: tuple[str, ...]
    runs: int
    complete: int
    failed: int
    requests: int
    finished: datetime | None
    warnings: tuple[str, ...]


class SuiteList(msgspec.Struct, frozen=True):
    suites: tuple[SuiteLine, ...]


class RunLine(msgspec.Struct, frozen=True, kw_only=True):
    """A run in the list of a suite's runs."""

    folder: str
    name: str
    model: str
    scenario: str
    status: str
    reason: str
    instances: int
    requests: int
    main_metric: str


class SuiteDetail(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    runs: tuple[RunLine, ...]
    under_way: dict[str, RunProgress]
    """Runs that are being made, by folder."""
    warnings: tuple[str, ...]


class CellList(msgspec.Struct, frozen=True):
    cells: tuple[Cell, ...]


class RunDetail(msgspec.Struct, frozen=True, kw_only=True):
    folder: str
    manifest: Manifest
    progress: RunProgress | None


class InstanceLine(msgspec.Struct, frozen=True, kw_only=True):
    """A trial in a list of instances, its texts cut."""

    folder: str
    trial_of: InstanceRow


class InstanceList(msgspec.Struct, frozen=True, kw_only=True):
    instances: tuple[InstanceLine, ...]
    total: int
    offset: int
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, page: InstancePage, folders: Sequence[str]) -> "InstanceList":
        lines = tuple(InstanceLine(folder=folders[row.run], trial_of=row) for row in page.rows)
        return cls(instances=lines, total=page.total, offset=page.offset, warnings=page.warnings)


class ExchangeDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A request and what came back; the instance stands beside it."""

    request: PlannedRequest
    completion: Completion


class TrialDetail(msgspec.Struct, frozen=True, kw_only=True):
    instance: Instance
    trial: int
    train_trial_index: int
    exchanges: tuple[ExchangeDetail, ...]
    scores: tuple[Score, ...]


class InstanceDetail(msgspec.Struct, frozen=True, kw_only=True):
    suite: str
    folder: str
    instance_id: str
    trials: tuple[TrialDetail, ...]
    annotations: tuple[Annotation, ...]


class AnnotationList(msgspec.Struct, frozen=True):
    annotations: tuple[Annotation, ...]


class Problem(msgspec.Struct, frozen=True):
    detail: str
    """One line that says what is wrong and what to do."""


ANSWERS: tuple[type, ...] = (
    *(SuiteList, SuiteDetail, CellList, RunDetail, InstanceList, InstanceDetail, Comparison),
    *(RunProgress, AnnotationList, Annotation, Problem),
)


def schemas() -> dict[str, Any]:
    """The JSON schema of every answer and of what they are made of, by name."""
    _, components = msgspec.json.schema_components(ANSWERS, ref_template=REFERENCE)
    return components


def described(answer: type, *problems: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that answers so, or with a problem."""
    said = {
        400: "the question makes no sense",
        404: "there is no such thing",
        409: "it can't be read now",
        422: "a parameter is not what it has to be",
    }
    found: dict[int | str, dict[str, Any]] = {200: _content(answer) | {"description": "as asked"}}
    for status in (*problems, 422):
        found[status] = _content(Problem) | {"description": said[status]}
    return found


def _content(answer: type) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": REFERENCE.format(name=answer.__name__)}}}}


def answered(value: object, status: int = 200) -> Response:
    """`value` as a JSON response."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")
