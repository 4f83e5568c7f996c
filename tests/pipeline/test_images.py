"""Images reach the model as data and nothing else: the ledger and the run's files know them by their hash."""

import asyncio
import base64
import hashlib
from pathlib import Path

from holoscope.core import Completion, Exchange, Image, Request, Settings, builtin
from holoscope.engine import Limits
from holoscope.entries import Options, resolve
from holoscope.models import Model
from holoscope.models.echo import Echo, EchoOptions, open_echo
from holoscope.pipeline import Models, Planner, RunResult, SuiteRun
from holoscope.store import scan
from scenarios.pictured import PNG, mmmu

SENT = base64.b64encode(PNG + bytes([3, 1])).decode()
"""The image of the third row, as it is sent."""


class Seeing(Echo):
    """Echo; remembers the images it was shown."""

    def __init__(self) -> None:
        super().__init__(open_echo(EchoOptions()).card)
        self.shown: list[Image] = []

    async def generate(self, request: Request) -> Completion:
        contents = (message.content for message in request.messages or ())
        self.shown += [part for content in contents for part in content if isinstance(part, Image)]
        return await super().generate(request)


class Opened(Models):
    """Every name is one model."""

    model: Model

    def get(self, name: str) -> Model:
        return self.model


def run(folder: Path, entry: str, model: Model) -> list[RunResult]:
    registry = builtin()
    settings = Settings(folder / "cache", data_dir=folder, offline=True)
    models = Opened(settings, registry)
    models.model = model
    specs = resolve(entry, registry, models=["test/echo"], options=Options()).specs
    return asyncio.run(SuiteRun(specs, Planner(registry, settings, models), folder / "out", "s").run(Limits()))


def stored(folder: Path) -> list[Exchange]:
    return [exchange for run in scan(folder / "out", "s").runs for exchange in run.exchanges()]


def test_an_image_is_sent_whole_and_kept_by_its_hash(tmp_path: Path) -> None:
    mmmu(tmp_path)
    model = Seeing()
    [result] = run(tmp_path, "mmmu:subject=Art,question_type=open", model)
    assert result.status == "complete", result.reason
    assert SENT in {image.data for image in model.shown}
    kept = [
        part
        for exchange in stored(tmp_path)
        for message in exchange.planned.request.messages or ()
        for part in message.content
        if isinstance(part, Image)
    ]
    assert {(image.sha256, image.data) for image in kept} == {(image.sha256, "") for image in model.shown}
    assert all(SENT.encode() not in path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())


def test_the_same_images_are_not_asked_about_again(tmp_path: Path) -> None:
    mmmu(tmp_path)
    first, second = Seeing(), Seeing()
    run(tmp_path, "mmmu:subject=Art,question_type=open", first)
    run(tmp_path, "mmmu:subject=Art,question_type=open", second)
    assert (len(first.shown), len(second.shown)) == (2, 0)


def test_another_image_under_the_same_name_is_asked_about(tmp_path: Path) -> None:
    mmmu(tmp_path)
    first, second = Seeing(), Seeing()
    run(tmp_path, "mmmu:subject=Art,question_type=multiple-choice", first)
    path = tmp_path / "mmmu/Art/validation-00000-of-00001.parquet"
    from scenarios.pictured import mmmu_row, write_parquet

    changed = mmmu_row(1, "Who drew <image 1> and <image 2>?", "['Dürer', 'Rubens']", "B", "multiple-choice", 2)
    changed["image_1"] = {"bytes": PNG + b"other", "path": "1.png"}
    write_parquet(path, [changed])
    run(tmp_path, "mmmu:subject=Art,question_type=multiple-choice", second)
    assert hashlib.sha256(PNG + b"other").hexdigest() in {image.sha256 for image in second.shown}
