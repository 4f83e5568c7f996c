"""The Pile: documents of 22 kinds of text, of which HELM scores a tenth of the test part.

Which tenth is upstream's choice, in a file of positions for each kind; three kinds are too small to be divided. Line
ends are read as text files' are, on any system. The corpus holds books and other works whose owners had it taken down,
so its rows come from the user's own copy alone.
"""

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Literal

import msgspec

from holoscope.core import TEST, DataError, Files, Instance, Json, Registry, Scenario, ScenarioSpec, Source, Task
from holoscope.scenarios.adapters import LANGUAGE_MODELING, LIKELIHOOD
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_json, read_jsonl

Subset = Literal[
    "ArXiv",
    "BookCorpus2",
    "Books3",
    "DM Mathematics",
    "Enron Emails",
    "EuroParl",
    "FreeLaw",
    "Github",
    "Gutenberg (PG-19)",
    "HackerNews",
    "NIH ExPorter",
    "OpenSubtitles",
    "OpenWebText2",
    "PhilPapers",
    "Pile-CC",
    "PubMed Abstracts",
    "PubMed Central",
    "StackExchange",
    "USPTO Backgrounds",
    "Ubuntu IRC",
    "Wikipedia (en)",
    "YoutubeSubtitles",
]

_ROWS = "test.jsonl.zst"
_GATED = "the Pile was taken down at the request of its works' owners"
_INDICES = "https://raw.githubusercontent.com/EleutherAI/lm_perplexity/297996d2d041e5b6d3a3770b88b7d02ab3e37cf9/assets/"
_FOLDERS = {
    "ArXiv": "arxiv",
    "Books3": "bibliotik",
    "DM Mathematics": "dm-mathematics",
    "Enron Emails": "enron",
    "EuroParl": "europarl",
    "FreeLaw": "freelaw",
    "Github": "github",
    "Gutenberg (PG-19)": "gutenberg",
    "HackerNews": "hackernews",
    "NIH ExPorter": "nih-exporter",
    "OpenSubtitles": "opensubtitles",
    "OpenWebText2": "openwebtext2",
    "Pile-CC": "commoncrawl",
    "PubMed Abstracts": "pubmed-abstracts",
    "PubMed Central": "pubmed-central",
    "StackExchange": "stackexchange",
    "USPTO Backgrounds": "uspto",
    "Wikipedia (en)": "wikipedia",
    "YoutubeSubtitles": "youtubesubtitles",
}
"""Where the positions of a kind lie; the kinds that are not here are scored whole."""


def sources(subset: str) -> tuple[Source, ...]:
    rows = Source(path=_ROWS, gated=_GATED, stand_in="the_pile/test.jsonl")
    indices = _indices(subset)
    return (rows, Source(path=indices, url=_INDICES + indices)) if indices else (rows,)


def load(files: Files, subset: str) -> Iterator[Instance]:
    path, indices = files.path(_ROWS), _indices(subset)
    chosen = _positions(files.path(indices)) if indices else None
    position = -1
    for row in _read(path):
        if text(row, "meta.pile_set_name") == subset:
            position += 1
            if chosen is None or position in chosen:
                document = text(row, "text")
                yield Instance(input=document.replace("\r\n", "\n").replace("\r", "\n"), split=TEST)


def _indices(subset: str) -> str:
    return f"test_subsample_indices/{_FOLDERS[subset]}/group0.json" if subset in _FOLDERS else ""


def _positions(path: Path) -> set[int]:
    found = read_json(path)
    if not isinstance(found, list):
        raise DataError(f"{path}: expected a list of positions")
    return {value for value in found if isinstance(value, int)}


def _read(path: Path) -> Iterator[Row]:
    """Each document, from the compressed file a line at a time: unpacked it has gigabytes."""
    if path.suffix != ".zst":
        yield from read_jsonl(path)
        return
    import pyarrow as pa

    decoder = msgspec.json.Decoder(dict[str, Json])
    try:
        with pa.input_stream(str(path), compression="zstd", buffer_size=1 << 20) as stream:
            for number, line in enumerate(BufferedReader(stream), 1):
                yield Row(f"{path}:{number}", decoder.decode(line))
    except (msgspec.DecodeError, OSError) as error:
        raise DataError(f"{path}: not JSON Lines packed with zstd ({error})") from error


CARD = Scenario(
    name="the_pile",
    title="The Pile",
    description="Documents of 22 kinds: papers, code, law, web pages, books, mail and others.",
    licence="none for the whole; that of each document",
    redistribution="no",
    citation="https://arxiv.org/abs/2101.00027",
    main_metric="bits_per_byte",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.the_pile_scenario.ThePileScenario",
)


def the_pile(subset: Subset) -> Task:
    return Task(
        name=f"the_pile:subset={subset}",
        scenario=ScenarioSpec("the_pile", {"subset": subset}),
        adapter=LANGUAGE_MODELING,
        metrics=LIKELIHOOD,
        groups=("the_pile",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("the_pile")(the_pile)
