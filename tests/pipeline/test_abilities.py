"""What a model is known not to be able to do is not asked of it, and each cell says so."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from holoscope.core import Outcome, Settings, builtin
from holoscope.entries import Options, resolve
from holoscope.models import Capabilities, Model
from holoscope.models.echo import Echo, EchoOptions, open_echo
from holoscope.pipeline import Models, Planner, RunPlan, dry_run
from scenarios.pictured import mmmu
from scenarios.upstream import write_text


class Opened(Models):
    """Every name is one model."""

    model: Model

    def get(self, name: str) -> Model:
        return self.model


def planner(folder: Path, *lacking: str) -> Planner:
    registry = builtin()
    settings = Settings(folder / "cache", data_dir=folder, offline=True)
    models = Opened(settings, registry)
    able = replace(Capabilities(), **dict.fromkeys(lacking, False))
    models.model = Echo(replace(open_echo(EchoOptions()).card, name="org/m", capabilities=able))
    return Planner(registry, settings, models)


def planned(folder: Path, entry: str, *lacking: str) -> RunPlan:
    known = planner(folder, *lacking)
    (spec,) = resolve(entry, known.registry, models=["test/echo"], options=Options()).specs
    return known.plan(spec)


def tweets(folder: Path) -> None:
    write_text(folder / "twitter_aae/aa_tweets.csv", "we out\nso good\n")


@pytest.mark.parametrize(
    ("lacks", "reason"),
    [
        ("echo", "org/m does not score given text (no echo)"),
        ("completions", "org/m does not score given text (no echo)"),
        ("logprobs", "org/m gives no log-probabilities, so it can't score given text"),
    ],
)
def test_a_text_is_not_sent_to_a_model_that_scores_none(tmp_path: Path, lacks: str, reason: str) -> None:
    tweets(tmp_path)
    requests = list(planned(tmp_path, "twitter_aae:demographic=aa", lacks).requests())
    assert [(r.unsent, r.unsent_reason) for r in requests] == [(Outcome.NOT_SUPPORTED, reason)] * 2


def test_an_image_is_not_sent_to_a_model_that_takes_none(tmp_path: Path) -> None:
    mmmu(tmp_path)
    requests = list(planned(tmp_path, "mmmu:subject=Art,question_type=open", "images").requests())
    assert {r.unsent_reason for r in requests} == {"org/m takes no images"}


def test_passages_are_not_ranked_without_log_probabilities(tmp_path: Path) -> None:
    from scenarios.test_msmarco import collection

    collection(tmp_path)
    plan = planned(tmp_path, "msmarco:track=regular,valid_topk=12", "logprobs")
    assert {r.unsent_reason for r in plan.requests()} == {
        "org/m gives no log-probabilities, by which passages are ranked"
    }


def test_what_is_able_is_sent(tmp_path: Path) -> None:
    tweets(tmp_path)
    assert all(r.unsent is None for r in planned(tmp_path, "twitter_aae:demographic=aa").requests())


def test_a_dry_run_says_what_is_not_sent_and_why(tmp_path: Path) -> None:
    tweets(tmp_path)
    known = planner(tmp_path, "echo")
    specs = resolve("twitter_aae:demographic=aa", known.registry, models=["test/echo"], options=Options()).specs
    assert "0 requests" in (shown := str(dry_run(specs, known)[0]))
    assert shown.endswith("; 2 are not sent: org/m does not score given text (no echo)")
