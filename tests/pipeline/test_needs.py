"""What a run needs of its model is told from its spec, and is what its requests would be refused for."""

import pytest
from msgspec.structs import replace

from holoscope.core import AdapterSpec, Image, Message, MetricSpec, Request, RunSpec, ScenarioSpec, builtin, image_mark
from holoscope.entries import load_tracks, resolve
from holoscope.models import Capabilities, Limits, ModelCard, unable
from holoscope.pipeline import needs_of, shortfalls, tell_shortfalls
from holoscope.prompts import plan
from holoscope.prompts.plan import METHODS
from prompts.made import asked, characters

CAPABILITIES = ("echo", "completions", "logprobs", "chat", "images", "n")
PICTURE = Image("sha", "image/png", "AAAA")


def card(*lacking: str, window: int | None = None) -> ModelCard:
    able = replace(Capabilities(), **dict.fromkeys(lacking, False))
    return ModelCard(
        name="org/m", deployment="org/m", provider="org", served_name="m", capabilities=able, limits=Limits(window)
    )


def spec(method: str, outputs: int = 1, metric: str = "exact_match", **args: int) -> RunSpec:
    adapter = AdapterSpec(method=method, num_outputs=outputs, max_tokens=5)
    scenario = ScenarioSpec("s", dict(args))
    return RunSpec(name="r", entry="r", scenario=scenario, adapter=adapter, metrics=(MetricSpec(metric),))


def requests(asking: AdapterSpec) -> list[Request]:
    instance = replace(asked(f"{image_mark('cat')}Which?", "a", "b"), messages=(Message("user", "Which?"),))
    adapter = replace(asking, max_train_instances=0)
    found = plan(
        adapter,
        (),
        [instance],
        characters(),
        compat=False,
        seed=0,
        trials=1,
        wants_logprobs=True,
        images={"cat": PICTURE}.get,
    )
    return [planned.request for planned in found]


@pytest.mark.parametrize("lacks", CAPABILITIES)
@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_a_run_lacks_what_its_requests_would_be_refused_for(method: str, outputs: int, lacks: str) -> None:
    asking = spec(method, outputs)
    refused = {unable(card(lacks), request) for request in requests(asking.adapter)}
    if method == "ranking_binary" and lacks == "logprobs":
        refused = {"org/m gives no log-probabilities, by which passages are ranked"}
    whole = {lack.reason for lack in shortfalls(asking, card(lacks)) if lack.is_whole}
    assert (whole or {""}) == refused


@pytest.mark.parametrize(
    ("method", "needs"),
    [
        ("generation", {"confidence"}),
        ("multiple_choice_joint", {"confidence"}),
        ("multiple_choice_separate_original", {"scoring"}),
        ("language_modeling", {"scoring"}),
        ("generation_multimodal", {"conversation", "images", "confidence"}),
    ],
)
def test_needs_by_method(method: str, needs: set[str]) -> None:
    assert needs_of(spec(method)) == needs


def test_without_log_probabilities_a_run_is_asked_and_its_calibration_stays_empty() -> None:
    (lack,) = shortfalls(spec("multiple_choice_joint"), card("logprobs"))
    assert (lack.reason, lack.is_whole) == ("org/m gives no log-probabilities", False)


def test_no_calibration_is_missed_where_nothing_is_right_or_wrong() -> None:
    assert shortfalls(spec("generation", metric="rouge_l"), card("logprobs")) == ()


def test_a_length_that_is_asked_for_is_held_against_the_window() -> None:
    asking = spec("generation", max_num_words=131072)
    assert shortfalls(asking, card(window=200_000)) == ()
    (lack,) = shortfalls(asking, card(window=32_768))
    assert lack.reason == "texts of up to 131,072 words don't fit into the 32,768 tokens of org/m"


def test_a_suite_is_told_a_line_for_each_reason() -> None:
    asks = [spec("language_modeling"), spec("multiple_choice_separate_original"), spec("generation"), spec("chat")]
    lacks = card("echo", "logprobs", "chat")
    assert tell_shortfalls((each, lacks) for each in asks) == [
        "2 of 4 runs can't be asked and are not sent: org/m does not score given text (no echo)",
        "1 of 4 runs is asked, but has no calibration: org/m gives no log-probabilities",
        "1 of 4 runs can't be asked and is not sent: org/m has no chat API, which a conversation needs",
    ]


def test_a_whole_track_is_judged_from_its_specs() -> None:
    specs = resolve("classic", builtin(), models=["org/m"], tracks=load_tracks()).specs
    told = tell_shortfalls((each, card("echo")) for each in specs)
    assert told == ["82 of 439 runs can't be asked and are not sent: org/m does not score given text (no echo)"]
