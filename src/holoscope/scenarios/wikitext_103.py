"""WikiText-103: the articles of its test part, each scored as a whole.

The file is one text; an article begins at a title of one equals sign between two empty lines, which are part of it.
"""

import re
from collections.abc import Iterator, Sequence

from holoscope.core import TEST, Files, Instance, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import LANGUAGE_MODELING, LIKELIHOOD
from holoscope.scenarios.rows import read_lines

_URL = "https://wikitext.smerity.com/wikitext-103-raw-v1.zip"
"""Its author's own copy; the first address is gone."""
_PATH = "wikitext-103-raw/wiki.test.raw"
_EMPTY = " \n"
_TITLE = re.compile(r" = .+ = \n")
_SECTION = re.compile(r" = = .+ = = \n")


def sources() -> tuple[Source, ...]:
    return (Source(path=_PATH, url=_URL, member=_PATH),)


def load(files: Files) -> Iterator[Instance]:
    for article in articles([f"{line}\n" for line in read_lines(files.path(_PATH))]):
        yield Instance(input=article, split=TEST)


def articles(lines: Sequence[str]) -> Iterator[str]:
    """The articles among the lines of the file."""
    starts = [i for i in range(len(lines) - 2) if _begins(*lines[i : i + 3])]
    for start, end in zip([0, *starts], [*starts, len(lines)], strict=True):
        if end > start:
            yield "".join(lines[start:end])


def _begins(before: str, title: str, after: str) -> bool:
    is_title = _TITLE.fullmatch(title) and not _SECTION.fullmatch(title)
    return before == after == _EMPTY and bool(is_title)


CARD = Scenario(
    name="wikitext_103",
    title="WikiText-103",
    description="Good and featured articles of the English Wikipedia.",
    licence="CC-BY-SA-3.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/1609.07843",
    main_metric="bits_per_byte",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.wikitext_103_scenario.Wikitext103Scenario",
)


def wikitext_103() -> Task:
    return Task(
        name="wikitext_103",
        scenario=ScenarioSpec("wikitext_103"),
        adapter=LANGUAGE_MODELING,
        metrics=LIKELIHOOD,
        groups=("wikitext_103",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("wikitext_103", "wikitext103")(wikitext_103)
