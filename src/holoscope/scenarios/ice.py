"""ICE, the International Corpus of English: speech and writing from eight or more countries, each text scored.

The corpora are licensed to persons, so each is a folder that the user has unpacked, as it comes. Their mark-up is taken
out by HELM's rules, in HELM's order, speakers' marks apart. Some corpora name their writers' and speakers' gender: in
headers or, as a workbook, in a table that has to be saved as CSV beside it. HELM read files in the order in which one
machine listed them, which is a file of its own; without it they are in the order of their names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from holoscope.core import (
    TEST,
    DataError,
    Files,
    Instance,
    Json,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
    UsageError,
)
from holoscope.scenarios.adapters import LANGUAGE_MODELING, LIKELIHOOD
from holoscope.scenarios.ice_text import plain
from holoscope.scenarios.rows import read_headless_csv, read_json

Subset = Literal["can", "ja", "hk", "ind", "sin", "phi", "usa", "ea", "irl"]
Category = Literal["all", "S", "W", "S1", "S2", "W1", "W2"]
"""Speech and writing; dialogue and monologue; private and public writing."""
Gender = Literal["male", "female"]

_FOLDERS: Mapping[str, str] = {
    "can": "ICE-CAN",
    "ja": "ICE-JA",
    "hk": "ICE-HK",
    "ind": "ICE India",
    "sin": "ICE SINGAPORE",
    "phi": "ICE Philippines",
    "usa": "ICE-USA",
    "ea": "ICE-EA/corpus/retagged for wsmith",
    "irl": "ICE-IRL/ICE-Ireland version 1.2#6DAE.2/ICE-Ireland txt",
}
"""In the order in which they are read."""
_TEXTS = ("Corpus", "CORPUS", "corpus", "ICE combined running txt", "all east africa")
"""Names of the folder that holds a corpus' texts."""
_GENDERED = ("can", "hk", "ind", "usa")
_HEADERS = ("ind", "usa")
_TABLES: Mapping[str, Mapping[str, Sequence[int]]] = {
    "can": {"Spoken ICE-CAN metadata.csv": (12,), "Written ICE-CAN metadata.csv": (12, 19)},
    "hk": {"HKRecords.csv": (16,)},
}
"""Which columns of a table say a gender; the first column names a text."""
_SAID = {"male": {"M", "m", "Male", "male"}, "female": {"F", "f", "Female", "female"}}
_GENDER = re.compile(r"(?<=<gender>)\w+(?=</gender>)")
_EAST_AFRICAN = re.compile(r"[WS]\d[A-F]\d{3}[A-Z]*[KT]\n")
"""Begins each of the texts that share a file."""
_EAST_AFRICAN_CATEGORIES = {
    "S1": ("brdisc", "brint", "clless", "conv", "conv1", "conv2", "crossx", "parlia"),
    "S2": ("brnews", "brtalk", "schbr", "splect"),
    "W1": ("buslet", "essays", "exam", "judge", "soclet"),
    "W2": (
        *("column", "crea", "creat1", "creat2", "editor", "feat", "instruct", "ldhum", "ldnats", "ldsoc", "ldtech"),
        *("ppgen", "pphum", "ppnats", "ppsoc", "pptech", "splash"),
    ),
}
_ORDER = "ice_scenario_pinned_file_order.json"
_ORDER_URL = "https://worksheets.codalab.org/rest/bundles/0xdee5cea197f645219093954ac7324add/contents/blob/"
_GATED = "the corpora are licensed to persons, by https://www.ice-corpora.uzh.ch"


def sources(subset: str = "", category: str = "all", gender: str = "") -> tuple[Source, ...]:
    corpora = (Source(path=_FOLDERS[name], gated=_GATED, is_folder=True) for name in _subsets(subset, gender))
    return (*corpora, Source(path=_ORDER, url=_ORDER_URL, optional=True))


def load(files: Files, subset: str = "", category: str = "all", gender: str = "") -> Iterator[Instance]:
    orders = read_json(files.path(_ORDER)) if files.has(_ORDER) else {}
    for name in _subsets(subset, gender):
        corpus = files.path(_FOLDERS[name])
        folder = _texts(corpus)
        listed = orders.get(f"restricted/ice/{_FOLDERS[name]}/{folder.name}") if isinstance(orders, dict) else None
        names = [str(file) for file in listed] if isinstance(listed, list) else _names(folder)
        chosen = _by_gender(corpus, name, gender, names) if gender else names
        for file in chosen:
            if _is_of(name, file, category):
                for text in _divided(name, _read(folder / file)):
                    yield Instance(input=plain(text), split=TEST, groups={"region": name})


def _subsets(subset: str, gender: str) -> Sequence[str]:
    if subset:
        return (subset,)
    return tuple(name for name in _FOLDERS if not gender or name in _GENDERED)


def _texts(corpus: Path) -> Path:
    found = next((corpus / name for name in _TEXTS if name in {path.name for path in corpus.iterdir()}), None)
    if found is None:
        raise DataError(f"{corpus}: expected a folder {_TEXTS[0]} with the corpus' texts")
    return found


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return path.read_text(encoding="iso-8859-1")


def _divided(subset: str, text: str) -> list[str]:
    return [part for part in _EAST_AFRICAN.split(text) if part] if subset == "ea" else [text]


def _is_of(subset: str, file: str, category: str) -> bool:
    if category == "all":
        return True
    if subset != "ea":
        return file.upper().startswith(category)
    kind = file.replace("-", "")[:-5].lower()
    found = next((name for name, kinds in _EAST_AFRICAN_CATEGORIES.items() if kind in kinds), None)
    if found is None:
        raise DataError(f"ice: {file} is of no known kind of text")
    return found.startswith(category)


def _by_gender(corpus: Path, subset: str, gender: str, names: Sequence[str]) -> list[str]:
    """Texts all of whose writers or speakers are said to be of one gender, as far as the corpus says."""
    said, folder = _SAID[gender], corpus / "Headers"
    if subset in _HEADERS:
        headers = {path.stem: _GENDER.findall(_read(path)) for path in sorted(folder.glob("*hdr"))}
        codes = {code for code, found in headers.items() if found and said.issuperset(found)}
    else:
        codes = {code for name, columns in _TABLES[subset].items() for code in _coded(folder / name, columns, said)}
    patterns = [re.compile(code, re.IGNORECASE) for code in codes]
    return sorted(name for name in names if any(pattern.match(name) for pattern in patterns))


def _coded(path: Path, columns: Sequence[int], said: set[str]) -> Iterator[str]:
    if not path.is_file():
        raise DataError(f"ice: no {path}; save {path.with_suffix('.xls').name} as CSV under that name")
    for _, cells in read_headless_csv(path, skip=1):
        if cells[0] and any(cells[column] in said for column in columns if column < len(cells)):
            yield cells[0]


CARD = Scenario(
    name="ice",
    title="ICE",
    description="Speech and writing of English around the world.",
    licence="by the corpora's own licences, to persons",
    redistribution="no",
    citation="https://www.ice-corpora.uzh.ch",
    main_metric="bits_per_byte",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.ice_scenario.ICEScenario",
)


def ice(subset: Subset | None = None, category: Category | None = None, gender: Gender | None = None) -> Task:
    if gender and subset and subset not in _GENDERED:
        raise UsageError(f"ice:subset={subset} does not say the gender of its writers; {', '.join(_GENDERED)} do")
    given = {"category": category, "gender": gender, "subset": subset}
    args: dict[str, Json] = {key: value for key, value in given.items() if value is not None}
    shown = ",".join(f"{key}={value}" for key, value in args.items())
    return Task(
        name=f"ice:{shown}" if shown else "ice",
        scenario=ScenarioSpec("ice", args),
        adapter=LANGUAGE_MODELING,
        metrics=LIKELIHOOD,
        groups=("ice",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("ice")(ice)
