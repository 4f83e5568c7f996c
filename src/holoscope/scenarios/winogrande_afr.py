"""WinoGrande's small set in eleven African languages, translated by people: which of two names fills a gap."""

from collections.abc import Iterator

from holoscope.core import (
    TEST,
    TRAIN,
    VALID,
    DataError,
    Files,
    Instance,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, ChoiceMethod, multiple_choice
from holoscope.scenarios.mmlu_clinical_afr import LANGUAGES, URL, Language
from holoscope.scenarios.references import right_text
from holoscope.scenarios.rows import read_headless_csv

_SPLITS = {"dev": TRAIN, "train_s": VALID, "test": TEST}
"""By what upstream calls them; they are read in this order."""


def sources(lang: str) -> tuple[Source, ...]:
    return (Source(path=_path(lang), url=URL, member=_path(lang)),)


def load(files: Files, lang: str) -> Iterator[Instance]:
    _, *rows = read_headless_csv(files.path(_path(lang)))
    for name, split in _SPLITS.items():
        for where, cells in rows:
            if len(cells) < 5 or cells[-2] not in ("1", "2"):
                raise DataError(f"{where}: expected a sentence, two options, 1 or 2, and a split at the end of the row")
            sentence, *options, right, own = cells[-5:]
            if own == name:
                yield Instance(input=sentence, references=right_text(options, int(right) - 1), split=split)


def _path(lang: str) -> str:
    return f"evaluation_benchmarks_afr_release/winogrande_s/winogrande_{lang}.csv"


CARD = Scenario(
    name="winogrande_afr",
    title="WinoGrande, African languages",
    description="Which of two names fills a gap, in eleven African languages.",
    licence="Apache-2.0",
    redistribution="yes",
    citation="https://github.com/InstituteforDiseaseModeling/Bridging-the-Gap-Low-Resource-African-Languages",
    main_metric="exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    chance=0.5,
    helm_class="helm.benchmark.scenarios.winogrande_afr_scenario.Winogrande_Afr_Scenario",
)


def winogrande_afr(lang: Language, method: ChoiceMethod = "multiple_choice_joint") -> Task:
    instructions = (
        "The following are binary choice fill-in-the-blank sentences (with answers), requiring common sense reasoning "
        f"in {LANGUAGES[lang]}."
    )
    return Task(
        name=f"winogrande_afr:lang={lang},method={method}",
        scenario=ScenarioSpec("winogrande_afr", {"lang": lang}),
        adapter=multiple_choice(method, instructions),
        metrics=EXACT_MATCH,
        groups=("winogrande_afr", f"winogrande_afr_{lang}"),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("winogrande_afr")(winogrande_afr)
