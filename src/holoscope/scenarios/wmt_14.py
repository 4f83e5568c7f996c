"""WMT 14: news sentences to be translated between English and five languages.

The training corpora have up to forty million pairs; twenty thousand are drawn with a fixed seed, and of those with the
same translation the first is kept. What is drawn depends on the corpus' size, so all of its files are counted.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import OPEN_ENDED
from holoscope.scenarios.draws import hub_order
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_jsonl, read_parquet

Pair = Literal["cs-en", "de-en", "fr-en", "hi-en", "ru-en", "en-cs", "en-de", "en-fr", "en-hi", "en-ru"]

_URL = "https://huggingface.co/datasets/wmt/wmt14/resolve/b199e406369ec1b7634206d3ded5ba45de2fe696/"
_LANGUAGES = {"cs": "Czech", "de": "German", "en": "English", "fr": "French", "hi": "Hindi", "ru": "Russian"}
_TRAIN_FILES = {"cs-en": 1, "de-en": 3, "fr-en": 30, "hi-en": 1, "ru-en": 1}
_SEED = 42
_DRAWN = 20_000


def sources(source_language: str, target_language: str) -> tuple[Source, ...]:
    pair = _published(source_language, target_language)
    return (
        *(_source(pair, "train", path) for path in _train_paths(pair)),
        _source(pair, "validation", _path(pair, "validation"), optional=True),
        _source(pair, "test", _path(pair, "test")),
    )


def load(files: Files, source_language: str, target_language: str) -> Iterator[Instance]:
    pair = _published(source_language, target_language)
    languages = source_language, target_language
    paths = list(dict.fromkeys(files.path(path) for path in _train_paths(pair)))
    by_translation: dict[str, Instance] = {}
    for row in _drawn(paths):
        instance = _instance(row, *languages, TRAIN)
        by_translation.setdefault(instance.references[0].text, instance)
    yield from by_translation.values()
    for name, split in (("validation", VALID), ("test", TEST)):
        if name == "test" or files.has(_path(pair, name)):
            for row in _read(files.path(_path(pair, name))):
                yield _instance(row, *languages, split)


def _instance(row: Row, source_language: str, target_language: str, split: str) -> Instance:
    translation = Reference(text(row, f"translation.{target_language}"), (CORRECT,))
    return Instance(input=text(row, f"translation.{source_language}"), references=(translation,), split=split)


def _drawn(paths: Sequence[Path]) -> list[Row]:
    """The rows drawn from all files together, in the order drawn."""
    size = sum(1 for path in paths for _ in _read(path))
    rank = {position: i for i, position in enumerate(hub_order(size, _SEED)[:_DRAWN])}
    rows = enumerate(row for path in paths for row in _read(path))
    chosen = [(rank[position], row) for position, row in rows if position in rank]
    return [row for _, row in sorted(chosen, key=lambda pair: pair[0])]


def _read(path: Path) -> Iterator[Row]:
    return read_parquet(path) if path.suffix == ".parquet" else read_jsonl(path)


def _published(source_language: str, target_language: str) -> str:
    """The pair under which both directions are published."""
    return f"{target_language if source_language == 'en' else source_language}-en"


def _source(pair: str, name: str, path: str, *, optional: bool = False) -> Source:
    return Source(path=path, url=_URL + path, stand_in=f"wmt_14/{pair}/{name}.jsonl", optional=optional)


def _train_paths(pair: str) -> list[str]:
    count = _TRAIN_FILES[pair]
    return [_path(pair, "train", number, count) for number in range(count)]


def _path(pair: str, name: str, number: int = 0, count: int = 1) -> str:
    return f"{pair}/{name}-{number:05d}-of-{count:05d}.parquet"


CARD = Scenario(
    name="wmt_14",
    title="WMT 2014",
    description="News sentences to be translated between English and Czech, German, French, Hindi or Russian.",
    licence="free for research use (by the workshop's page)",
    redistribution="ids-only",
    citation="https://aclanthology.org/W14-3302",
    main_metric="bleu_4",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.wmt_14_scenario.WMT14Scenario",
)


def wmt_14(language_pair: Pair) -> Task:
    source, target = language_pair.split("-")
    return Task(
        name=f"wmt_14:language_pair={language_pair}",
        scenario=ScenarioSpec("wmt_14", {"source_language": source, "target_language": target}),
        adapter=AdapterSpec(
            instructions=f"Translate the following sentences from {_LANGUAGES[source]} to {_LANGUAGES[target]}.",
            input_prefix=f"{_LANGUAGES[source]}: ",
            output_prefix=f"{_LANGUAGES[target]}: ",
            max_train_instances=1,
            num_outputs=1,
            temperature=0.0,
            stop_sequences=("\n\n",),
        ),
        metrics=OPEN_ENDED,
        groups=("wmt_14",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("wmt_14")(wmt_14)
