"""A run whose perturbation is written by a model: asked beforehand, through the ledger, and part of the result."""

import json
from pathlib import Path

import msgspec
import pytest

from holoscope.core import AugmentationSpec, Completion, PerturbationSpec, Registry, Request, RunSpec, Settings, builtin
from holoscope.engine import Limits
from holoscope.entries import Options, resolve
from holoscope.models import Model
from holoscope.models.echo import Echo, EchoOptions, open_echo
from holoscope.pipeline import Models, Planner, RunResult, SuiteRun, dry_run
from holoscope.store import Manifest, read_manifest

QUESTIONS = ("Which of them barks at night?", "Which of them can fly very far?", "Which of them lives in water?")


class Rewriter(Echo):
    """Echo, but for what it is asked to rewrite; counts what it is asked."""

    def __init__(self, **fields: str) -> None:
        super().__init__(msgspec.structs.replace(open_echo(EchoOptions()).card, **fields))
        self.rewritten = self.answered = 0
        self.fails = False

    async def generate(self, request: Request) -> Completion:
        given = request.prompt or ""
        completion = await super().generate(request)
        if "<text>" not in given:
            self.answered += 1
            return completion
        self.rewritten += 1
        if self.fails:
            raise ValueError("a broken model")
        text = given.partition("<text>\n")[2].removesuffix("\n</text>")
        choice = msgspec.structs.replace(completion.choices[0], text=f"Tell me: {text}")
        return msgspec.structs.replace(completion, choices=(choice,))


class Opened(Models):
    """Every name is the one model, but `other/writer`."""

    def __init__(self, settings: Settings, registry: Registry, model: Model, writer: Model) -> None:
        super().__init__(settings, registry)
        self.model, self.writer = model, writer

    def get(self, name: str) -> Model:
        return self.writer if name == "other/writer" else self.model


class Stage:
    """A folder with a data file, and the planner of a suite."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        rows = [{"question": q, "choices": ["dog", "gull", "cod"], "answer": i % 3} for i, q in enumerate(QUESTIONS)]
        (folder / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        self.registry = builtin()
        self.model, self.writer = Rewriter(), Rewriter(name="other/writer")
        settings = Settings(folder / "cache", offline=True)
        self.planner = Planner(self.registry, settings, Opened(settings, self.registry, self.model, self.writer))

    def spec(self, **args: str) -> RunSpec:
        entry = str(self.folder / "q.jsonl")
        (spec,) = resolve(entry, self.registry, models=["test/echo"], options=Options()).specs
        wanted = (PerturbationSpec("paraphrase", {**args}),)
        augmentation = AugmentationSpec(
            perturbations=wanted, augment_eval=True, include_original=True, skip_unchanged=True
        )
        return msgspec.structs.replace(spec, augmentation=augmentation)

    async def run(self, spec: RunSpec) -> RunResult:
        (result,) = await SuiteRun([spec], self.planner, self.folder / "out", "s").run(Limits())
        return result

    def manifest(self) -> Manifest:
        (folder,) = (self.folder / "out" / "runs" / "s").iterdir()
        return read_manifest(folder)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


async def test_texts_are_written_once_and_then_asked(stage: Stage) -> None:
    first = await stage.run(stage.spec())
    assert (first.status, first.requests) == ("complete", 6)
    assert (stage.model.rewritten, stage.model.answered) == (3, 6)
    again = await stage.run(stage.spec())
    assert (again.status, again.cached) == ("complete", 6)
    assert (stage.model.rewritten, stage.model.answered) == (3, 6)


async def test_another_model_can_write_them(stage: Stage) -> None:
    await stage.run(stage.spec(model="other/writer"))
    assert (stage.model.rewritten, stage.writer.rewritten) == (0, 3)


async def test_the_manifest_names_the_list_and_the_version(stage: Stage) -> None:
    await stage.run(stage.spec(model="other/writer"))
    manifest = stage.manifest()
    assert manifest.data["lexicon/paraphrases:other/writer"].startswith(
        "other/writer, version 1, 3 of 3 texts (sha256 "
    )
    assert manifest.versions.perturbations == {"paraphrase": "1"}


async def test_the_texts_are_not_counted_as_requests_of_the_run(stage: Stage) -> None:
    suite = SuiteRun([stage.spec()], stage.planner, stage.folder / "out", "s")
    await suite.run(Limits())
    assert (suite.progress.runs[0].done, suite.progress.runs[0].total) == (6, 6)


async def test_a_writer_that_fails_fails_the_run_before_anything_is_asked(stage: Stage) -> None:
    stage.writer.fails = True
    result = await stage.run(stage.spec(model="other/writer"))
    assert result.status == "failed"
    assert "other/writer wrote no paraphrase" in result.reason
    assert stage.model.answered == 0


def test_a_dry_run_says_that_it_asks_none(stage: Stage) -> None:
    assert "a dry run asks none" in dry_run([stage.spec()], stage.planner)[0].reason


async def test_a_perturbation_that_can_not_be_had_is_known_before_anything_is_asked(stage: Stage) -> None:
    translated = AugmentationSpec(perturbations=(PerturbationSpec("translate"),), augment_eval=True)
    result = await stage.run(msgspec.structs.replace(stage.spec(), augmentation=translated))
    assert result.reason == (
        "the perturbation translate is not supported: HELM uses Google's paid translation service; there is none here"
    )
    assert stage.model.answered == 0
