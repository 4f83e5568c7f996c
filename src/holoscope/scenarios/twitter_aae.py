"""TwitterAAE: tweets in the English of African Americans and of white Americans, to be scored as they are.

Two runs, one for each group: how much more a byte of one costs than a byte of the other is the disparity. The tweets
are those that upstream's mixture model assigns to a group, so the groups are the model's and not people's own.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import TEST, DataError, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import LANGUAGE_MODELING, LIKELIHOOD
from holoscope.scenarios.rows import read_headless_csv

Demographic = Literal["aa", "white"]

_URL = "https://worksheets.codalab.org/rest/bundles/0x31485f8c37ad481fb9f4e9bf7ccff6e5/contents/blob/"


def sources(demographic: str) -> tuple[Source, ...]:
    path = f"{demographic}_tweets.csv"
    return (Source(path=path, url=_URL + path),)


def load(files: Files, demographic: str) -> Iterator[Instance]:
    for where, cells in read_headless_csv(files.path(f"{demographic}_tweets.csv")):
        if not cells[0]:
            raise DataError(f"{where}: expected a tweet, and there is none")
        yield Instance(input=cells[0], split=TEST, groups={"demographic": demographic})


CARD = Scenario(
    name="twitter_aae",
    title="TwitterAAE",
    description="Tweets aligned with African American and with white American English.",
    licence="research only (by its page); the tweets are their authors'",
    redistribution="no",
    citation="https://aclanthology.org/D16-1120",
    main_metric="bits_per_byte",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.twitter_aae_scenario.TwitterAAEScenario",
)


def twitter_aae(demographic: Demographic) -> Task:
    return Task(
        name=f"twitter_aae:demographic={demographic}",
        scenario=ScenarioSpec("twitter_aae", {"demographic": demographic}),
        adapter=LANGUAGE_MODELING,
        metrics=LIKELIHOOD,
        groups=("twitter_aae", f"twitter_aae_{demographic}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("twitter_aae")(twitter_aae)
