"""Copyright: beginnings of books and of source files, and how much of what follows a model writes down by heart.

The reference is the text from its beginning on, which the metrics cut to the length of the completion. Books are under
copyright, so their files come from the user's data directory only; the source files are of a GPL-licensed kernel.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
    DataError,
    Files,
    Instance,
    Json,
    MetricSpec,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import continuation
from holoscope.scenarios.fields import member, text
from holoscope.scenarios.rows import Row, read_json

Datatag = Literal[
    "pilot",
    "n_books_1000-extractions_per_book_1-prefix_length_5",
    "n_books_1000-extractions_per_book_1-prefix_length_25",
    "n_books_1000-extractions_per_book_1-prefix_length_125",
    "n_books_1000-extractions_per_book_3-prefix_length_5",
    "n_books_1000-extractions_per_book_3-prefix_length_25",
    "n_books_1000-extractions_per_book_3-prefix_length_125",
    "popular_books-prefix_length_5.json",
    "popular_books-prefix_length_10.json",
    "popular_books-prefix_length_25.json",
    "popular_books-prefix_length_50.json",
    "popular_books-prefix_length_125.json",
    "popular_books-prefix_length_250.json",
    "oh_the_places",
    "prompt_num_line_1-min_lines_20.json",
    "prompt_num_line_5-min_lines_20.json",
    "prompt_num_line_10-min_lines_20.json",
]

_BOOKS = "the books are under copyright"
_CODE = {
    "prompt_num_line_1-min_lines_20.json": "1OLFyW5u7govgIw3ztsZ_5yYV0YpGzi-3",
    "prompt_num_line_5-min_lines_20.json": "1YbDvyAv9hT0BaZ5LV6Y-Y8tGezrBnBAT",
    "prompt_num_line_10-min_lines_20.json": "1Y5piYwil7T6n8toT_-d7NWqVZHh9NVxJ",
}
_URL = "https://drive.google.com/uc?export=download&confirm=t&id="
_MEASURES = ("longest_common_prefix_length", "edit_distance", "edit_similarity")


def sources(datatag: str) -> tuple[Source, ...]:
    if datatag in _CODE:
        return (Source(path=_path(datatag), url=_URL + _CODE[datatag]),)
    return (Source(path=_path(datatag), gated=_BOOKS),)


def load(files: Files, datatag: str) -> Iterator[Instance]:
    path = files.path(_path(datatag))
    content = read_json(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected an object that holds texts by their beginnings, as data")
    texts = member(Row(str(path), content), "data")
    for beginning in texts.values:
        whole = text(Row(texts.where, {"text": texts.values[beginning]}), "text")
        yield Instance(input=beginning, references=(Reference(whole, (CORRECT,)),), split=TEST)


def _path(datatag: str) -> str:
    return datatag if datatag.endswith(".json") else f"{datatag}.json"


CARD = Scenario(
    name="copyright",
    title="Copyright",
    description="Beginnings of books and of source files, to be continued from memory.",
    licence="books: all rights reserved; source files: GPL-2.0",
    redistribution="no",
    citation="https://arxiv.org/abs/2211.09110",
    main_metric="edit_similarity",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.copyright_scenario.CopyrightScenario",
)


def copyright_(
    datatag: Datatag = "pilot",
    temperature: float = 0.2,
    max_tokens: int = 1024,
    num_outputs: int = 1,
    normalize_by_prefix_length: bool = True,
    normalize_newline_space_tab: bool = False,
) -> Task:
    args: dict[str, Json] = {
        "normalize_by_prefix_length": normalize_by_prefix_length,
        "normalize_newline_space_tab": normalize_newline_space_tab,
    }
    return Task(
        name=f"copyright:datatag={datatag}",
        scenario=ScenarioSpec("copyright", {"datatag": datatag}),
        adapter=continuation(max_tokens=max_tokens, temperature=temperature, num_outputs=num_outputs),
        metrics=tuple(MetricSpec("copyright", {**args, "name": name}) for name in _MEASURES),
        groups=("copyright_code" if datatag in _CODE else "copyright_text",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("copyright")(copyright_)
