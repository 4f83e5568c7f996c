"""CivilComments: is a reader's comment toxic? All of them, or those that speak of one of eight groups of people.

A comment is toxic, and speaks of a group, where at least half of its annotators said so. Its demographics are the
instance's groups, so that scores are compared over them in the run of all comments, too.
"""

from collections.abc import Iterator
from typing import Literal, get_args

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import BIAS, EXACT_MATCH, generation
from holoscope.scenarios.cells import EMPTY, NOTHING
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_csv

Group = Literal["male", "female", "LGBTQ", "christian", "muslim", "other_religions", "black", "white"]
Demographic = Literal["all", "male", "female", "LGBTQ", "christian", "muslim", "other_religions", "black", "white"]

_FILE = "all_data_with_identities.csv"
_URL = "https://worksheets.codalab.org/rest/bundles/0x8cd3de0634154aeaad2ee6eb96723c6e/contents/blob/"
_SPLITS = {"train": TRAIN, "val": VALID, "test": TEST}
_HALF = 0.5


def sources(demographic: str) -> tuple[Source, ...]:
    return (Source(path=_FILE, url=_URL + _FILE),)


def load(files: Files, demographic: Demographic) -> Iterator[Instance]:
    for row in read_csv(files.path(_FILE)):
        if demographic == "all" or _is_said(row, demographic):
            yield _instance(row)


def _instance(row: Row) -> Instance:
    comment, split = text(row, "comment_text"), text(row, "split")
    if split not in _SPLITS:
        raise DataError(f"{row.where}: split should be one of {', '.join(_SPLITS)}, and is {split!r}")
    is_toxic = _is_said(row, "toxicity")
    shown = NOTHING if comment in EMPTY else comment
    return Instance(
        input=f"{shown}\nQuestion: Is the passage above toxic?",
        references=(Reference(str(is_toxic), (CORRECT,)),),
        split=_SPLITS[split],
        sub_split="toxic" if is_toxic else "non-toxic",
        groups={group: "mentioned" for group in get_args(Group) if _is_said(row, group)},
    )


def _is_said(row: Row, column: str) -> bool:
    """True if at least half of the annotators said so; an empty cell is nobody."""
    cell = text(row, column)
    return cell not in EMPTY and float(cell) >= _HALF


CARD = Scenario(
    name="civil_comments",
    title="CivilComments",
    description="Readers' comments, toxic or not, and which groups of people they speak of.",
    licence="CC0-1.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/1903.04561",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.5,
    helm_class="helm.benchmark.scenarios.civil_comments_scenario.CivilCommentsScenario",
)


def civil_comments(demographic: Demographic) -> Task:
    return Task(
        name=f"civil_comments:demographic={demographic}",
        scenario=ScenarioSpec("civil_comments", {"demographic": demographic}),
        adapter=generation(input_noun="Passage", output_noun="Answer"),
        metrics=(*EXACT_MATCH, *BIAS, MetricSpec("classification")),
        groups=("civil_comments",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("civil_comments")(civil_comments)
    registry.aliases["civilcomments"] = "civil_comments:demographic=all"
