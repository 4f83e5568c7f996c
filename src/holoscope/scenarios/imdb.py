"""IMDb: is a film review positive or negative?

Some reviews have a contrast set: the same review edited so that it says the opposite, kept beside it for the
perturbation of that name. They are upstream's training rows, and are asked as well. HELM read the reviews in the order
in which one machine listed them, which is a file of its own; without it they follow their numbers, with other ids.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from holoscope.core import (
    CORRECT,
    TRAIN,
    VALID,
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
from holoscope.scenarios.adapters import EXACT_MATCH, generation
from holoscope.scenarios.archives import read_members
from holoscope.scenarios.fields import member, texts
from holoscope.scenarios.rows import Row, read_json, read_lines

_ARCHIVE = "aclImdb_v1.tar.gz"
_ORDER = "imdb_scenario_pinned_file_order.json"
_URL = "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz"
_ORDER_URL = "https://worksheets.codalab.org/rest/bundles/0xa75fa6eb8dc24e23a73d3a5ecb674b32/contents/blob/"
_CONTRAST_URL = "https://raw.githubusercontent.com/allenai/contrast-sets/main/IMDb/data/"
_CONTRAST = {f"{part}_original.tsv": f"{part}_contrast.tsv" for part in ("test", "dev")}
_FOLDERS = {TRAIN: "train", VALID: "test"}
_LABELS = {"pos": "Positive", "neg": "Negative"}

Reviews = Mapping[str, Mapping[str, str]]
"""By folder (`train/pos`), then by file name."""


class Contrast(NamedTuple):
    """A review that was edited, and what it says then."""

    text: str
    label: str


def sources(only_contrast: bool = False) -> tuple[Source, ...]:
    names = (name for pair in _CONTRAST.items() for name in pair)
    return (
        Source(path=_ARCHIVE, url=_URL),
        Source(path=_ORDER, url=_ORDER_URL, optional=True),
        *(Source(path=name, url=_CONTRAST_URL + name, optional=not only_contrast) for name in names),
    )


def load(files: Files, only_contrast: bool = False) -> Iterator[Instance]:
    contrasts = _contrasts(files, needed=only_contrast)
    reviews = _reviews(files.path(_ARCHIVE))
    order = _order(files.path(_ORDER)) if files.has(_ORDER) else None
    for split, folder in _FOLDERS.items():
        for short, label in _LABELS.items():
            found = reviews[f"{folder}/{short}"]
            for name in texts(member(order, split), short) if order else sorted(found, key=_number):
                contrast = contrasts.get(found[name])
                if contrast or not only_contrast or split == TRAIN:
                    yield _instance(found[name], label, VALID if contrast else split, contrast)


def _instance(review: str, label: str, split: str, contrast: Contrast | None) -> Instance:
    turned: Json = [[{"text": contrast.label, "tags": [CORRECT]}]] if contrast else []
    return Instance(
        input=review,
        references=(Reference(label, (CORRECT,)),),
        split=split,
        extra={"contrast_inputs": [contrast.text], "contrast_references": turned} if contrast else {},
    )


def _reviews(archive: Path) -> Reviews:
    found: dict[str, dict[str, str]] = {f"{folder}/{short}": {} for folder in _FOLDERS.values() for short in _LABELS}
    for path, content in read_members(archive, lambda name: name.endswith(".txt") and _folder(name) in found):
        found[_folder(path)][path.rsplit("/", 1)[1]] = content.strip()
    if not all(found.values()):
        raise DataError(f"{archive}: expected reviews in {', '.join(found)}")
    return found


def _folder(path: str) -> str:
    """`train/pos` of `aclImdb/train/pos/0_9.txt`."""
    return "/".join(path.split("/")[-3:-1])


def _order(path: Path) -> Row:
    content = read_json(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected an object of splits")
    return Row(str(path), content)


def _number(name: str) -> int:
    """What a file is counted by: `12_9.txt` is the twelfth."""
    return int(name.split("_")[0])


def _contrasts(files: Files, *, needed: bool) -> Mapping[str, Contrast]:
    """The edited reviews by the review as it was."""
    found: dict[str, Contrast] = {}
    for original, edited in _CONTRAST.items():
        if not needed and not (files.has(original) and files.has(edited)):
            continue
        for before, after in zip(_labelled(files.path(original)), _labelled(files.path(edited)), strict=True):
            found[before.text] = after
    return found


def _labelled(path: Path) -> list[Contrast]:
    """Label and review of each line but the heading."""
    found = []
    for number, line in enumerate(read_lines(path)[1:], 2):
        label, _, review = line.strip().partition("\t")
        if label not in _LABELS.values():
            raise DataError(f"{path}:{number}: expected Positive or Negative, a tab and a review")
        found.append(Contrast(review, label))
    return found


CARD = Scenario(
    name="imdb",
    title="IMDb",
    description="Film reviews, positive or negative.",
    licence="none stated (reviews by users of IMDb)",
    redistribution="no",
    citation="https://aclanthology.org/P11-1015",
    main_metric="quasi_exact_match",
    main_split=VALID,
    load=load,
    sources=sources,
    chance=0.5,
    helm_class="helm.benchmark.scenarios.imdb_scenario.IMDBScenario",
)


def imdb(only_contrast: bool = False) -> Task:
    return Task(
        name="imdb:only_contrast=True" if only_contrast else "imdb",
        scenario=ScenarioSpec("imdb", {"only_contrast": only_contrast}),
        adapter=generation(input_noun="Passage", output_noun="Sentiment"),
        metrics=(*EXACT_MATCH, MetricSpec("classification")),
        groups=("imdb",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("imdb")(imdb)
