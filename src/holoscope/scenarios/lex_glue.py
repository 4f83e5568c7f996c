"""LexGLUE: court cases, contracts, laws and terms of service to be classified, by one label or by several.

Several labels are numbers; one label is the name that the hub's file gives its number. Of the labels that are wrong up
to thirty are references, drawn as HELM draws them.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

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
from holoscope.scenarios.adapters import generation
from holoscope.scenarios.fields import integer, text, texts
from holoscope.scenarios.rows import Row, class_names, read_parquet

Subset = Literal["ecthr_a", "ecthr_b", "scotus", "eurlex", "ledgar", "unfair_tos", "case_hold"]


class Shape(NamedTuple):
    """How a subset is asked."""

    instructions: str
    examples: int
    max_tokens: int
    several: bool = False
    """True if a text has any number of labels."""


_URL = "https://huggingface.co/datasets/coastalcph/lex_glue/resolve/9c205f32915297e23b9922ab44df1a931823d7fd/"
_SPLITS = {"train": TRAIN, "validation": VALID, "test": TEST}
_MOST_WRONG = 30
_SEED = 42
_ANY_NUMBER = "If there is no label reply n/a, if there are multiple labels specify all of them separated by a comma."
_ARTICLES = (
    "0: Article 2, 1: Article 3, 2: Article 5, 3: Article 6, 4: Article 8, 5: Article 9, 6: Article 10, "
    "7: Article 11, 8: Article 14, 9: Article 1 of Protocol 1. "
)
_HEARD = "In this task, you are given the facts from a case heard at the European Court of Human Rights (ECtHR). "
_SHAPES: dict[Subset, Shape] = {
    "ecthr_a": Shape(
        f"{_HEARD}Predict the articles of the ECtHR that were violated (if any) out of the following: "
        f"{_ARTICLES}{_ANY_NUMBER}",
        1,
        20,
        several=True,
    ),
    "ecthr_b": Shape(
        f"{_HEARD}Predict the articles of ECtHR that were allegedly violated (considered by the court) out of the "
        f"following:{_ARTICLES}{_ANY_NUMBER}",
        1,
        20,
        several=True,
    ),
    "scotus": Shape(
        "In this task, you are given a case heard at the Supreme Court of the United States (SCOTUS). "
        "Predict the relevant issue area out of the following: 0: Criminal Procedure, 1: Civil Rights, "
        "2: First Amendment, 3: Due Process, 4: Privacy, 5: Attorneys, 6: Unions, 7: Economic Activity, "
        "8: Judicial Power, 9: Federalism, 10: Interstate Relations, 11: Federal Taxation, 12: Miscellaneous, "
        "13: Private Action.",
        1,
        5,
    ),
    "eurlex": Shape(
        "In this task, you are given an EU law document published in the EUR-Lex portal. "
        f"Predict the relevant EuroVoc concepts. {_ANY_NUMBER}",
        5,
        20,
        several=True,
    ),
    "ledgar": Shape(
        "In this task, you are given a contract provision from contracts obtained from US Securities and Exchange "
        "Commission (SEC) filings.Predict the main topic. ",
        5,
        20,
    ),
    "unfair_tos": Shape(
        "In this task, you are given a sentence from a Terms of Service (ToS) document from online platforms. "
        "Predict the types of unfair contractual terms out of the following: 0: Limitation of liability, "
        "1: Unilateral termination, 2: Unilateral change, 3: Content removal, 4: Contract by using, "
        f"5: Choice of law, 6: Jurisdiction, 7: Arbitration. {_ANY_NUMBER}",
        5,
        20,
        several=True,
    ),
    "case_hold": Shape(
        "In this task, you are given an excerpt from a court decision, containing a reference to a particular case, "
        "while the holding statement is masked out. Predict the index of the holding statement fitting in the context "
        "at <HOLDING> from a selection of five choices.",
        5,
        5,
    ),
}


def sources(subset: str) -> tuple[Source, ...]:
    paths = [f"{subset}/{name}-00000-of-00001.parquet" for name in _SPLITS]
    return tuple(Source(path=path, url=_URL + path) for path in paths)


def load(files: Files, subset: Subset) -> Iterator[Instance]:
    draw = random.Random(_SEED)
    paths = [files.path(source.path) for source in sources(subset)]
    several = _SHAPES[subset].several
    if several:
        found = {label for path in paths for row in read_parquet(path) for label in _labels(row)}
        names = sorted(map(str, found))
    else:
        names = list(class_names(paths[0], "label"))
    for path, split in zip(paths, _SPLITS.values(), strict=True):
        for row in read_parquet(path):
            right = [str(label) for label in _labels(row)] if several else [_named(row, names)]
            wrong = [name for name in names if name not in right]
            draw.shuffle(wrong)
            references = (*map(Reference, wrong[:_MOST_WRONG]), *(Reference(label, (CORRECT,)) for label in right))
            yield Instance(input=_asked(row, subset), references=references, split=split)


def _asked(row: Row, subset: Subset) -> str:
    if subset == "case_hold":
        holdings = " ".join(f"{number}: {holding}" for number, holding in enumerate(texts(row, "endings")))
        return f"{text(row, 'context')} Holdings: {holdings}"
    return " ".join(texts(row, "text")) if subset in ("ecthr_a", "ecthr_b") else text(row, "text")


def _named(row: Row, names: Sequence[str]) -> str:
    label = integer(row, "label")
    if not 0 <= label < len(names):
        raise DataError(f"{row.where}: label should be a number below {len(names)}, and is {label}")
    return names[label]


def _labels(row: Row) -> list[int]:
    value = row.values.get("labels")
    if isinstance(value, list) and all(isinstance(label, int) for label in value):
        return [label for label in value if isinstance(label, int)]
    raise DataError(f"{row.where}: labels should be a list of whole numbers, and is {value!r}")


CARD = Scenario(
    name="lex_glue",
    title="LexGLUE",
    description="Court cases, contracts, laws and terms of service to be classified.",
    licence="CC-BY-4.0",
    redistribution="yes",
    citation="https://arxiv.org/abs/2110.00976",
    main_metric="classification_macro_f1",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.lex_glue_scenario.LexGLUEScenario",
)


def lex_glue(subset: Subset) -> Task:
    shape = _SHAPES[subset]
    adapter = generation(
        instructions=shape.instructions,
        input_noun="Passage",
        output_noun="Answer",
        max_train_instances=shape.examples,
        max_tokens=shape.max_tokens,
    )
    several = MetricSpec("classification", {"delimiter": ", "})
    return Task(
        name=f"lex_glue:subset={subset}",
        scenario=ScenarioSpec("lex_glue", {"subset": subset}),
        adapter=replace(adapter, multi_label=shape.several),
        metrics=() if subset == "case_hold" else (several if shape.several else MetricSpec("classification"),),
        groups=("lex_glue",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("lex_glue", "lexglue")(lex_glue)
