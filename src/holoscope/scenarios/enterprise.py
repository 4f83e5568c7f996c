"""HELM's enterprise benchmarks that differ in little but where their rows are: a text, and a label or a title for it.

Where upstream has no split, rows are drawn as the library of HELM's loader would draw them. CaseHOLD's five holdings
are options; everything else is answered in a word or a line.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, NamedTuple

from holoscope.core import (
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
    DataError,
    Files,
    Instance,
    Json,
    MetricSpec,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT, generation, metrics, multiple_choice
from holoscope.scenarios.archives import read_members
from holoscope.scenarios.cells import EMPTY
from holoscope.scenarios.documents import read_sheet
from holoscope.scenarios.draws import table_sample
from holoscope.scenarios.fields import integer, text, texts
from holoscope.scenarios.finance import drawn_for_training
from holoscope.scenarios.references import right_answer, right_position
from holoscope.scenarios.rows import Row, read_csv, read_rows

Agreement = Literal[50, 66, 75, 100]
"""Percentage of the annotators who gave a sentence its label."""
Category = Literal[
    "price_or_not",
    "direction_up",
    "direction_constant",
    "direction_down",
    "past_price",
    "future_price",
    "past_news",
    "future_news",
    "assert_comparison",
]

_HUB = "https://huggingface.co/datasets"
_PHRASES_URL = (
    f"{_HUB}/takala/financial_phrasebank/resolve/598b6aad98f7c8d67be161b12a4b5f2497e07edd/data/"
    "FinancialPhraseBank-v1.0.zip"
)
_PHRASES_SEED = 121
_PHRASES_TRAIN = 0.7
_GOLD = "finalDataset_0208.csv"
_GOLD_URL = "https://www.kaggle.com/api/v1/datasets/download/daittan/gold-commodity-news-and-dimensions?dataset_version_number=1"
_OPINIONS = {TRAIN: ("train.xlsx", "hfn62", "Phrase", "Label"), TEST: ("test.xlsx", "q4adh", "sentence", "label")}
"""File, its name at the Open Science Framework, and its columns."""
_FEELINGS = ("positive", "negative", "neutral")
_SHOWN_FEELINGS = ("positive", "neutral", "negative")
_CASES = "ECHR_Dataset.zip"
_CASES_URL = "https://archive.org/download/ECHR-ACL2019/"
_CASE_SPLITS = {"EN_train": TRAIN, "EN_dev": VALID, "EN_test": TEST}
_CLAIMS = "climate_claims_raw.xlsx"
_CLAIMS_URL = "https://github.com/rahulOmishra/SUMO/raw/154a29ec9ebc7471c561c3d500b5b25d533742f6/"
_CLAIMS_TRAIN = 0.2
_HOLD_URL = f"{_HUB}/casehold/casehold/resolve/refs%2Fconvert%2Fparquet/all/"
_HOLDINGS = 5


class Headline(NamedTuple):
    """What a headline may be about: its column, and how the model is asked."""

    column: str
    about: str


_HEADLINES = {
    "price_or_not": Headline("Price or Not", "the gold price"),
    "direction_up": Headline("Direction Up", "the gold price heading up"),
    "direction_constant": Headline("Direction Constant", "the price remaining constant or stable"),
    "direction_down": Headline("Direction Down", "the gold price heading down"),
    "past_price": Headline("PastPrice", "any past information about gold prices"),
    "future_price": Headline("FuturePrice", "any future information about gold prices"),
    "past_news": Headline("PastNews", "any past information other than the gold prices"),
    "future_news": Headline("FutureNews", "any future information other than the gold prices"),
    "assert_comparison": Headline(
        "Asset Comparision", "a comparison purely in the context of the gold commodity with another asset"
    ),
}


def _phrases_file(agreement: int) -> str:
    return f"FinancialPhraseBank-v1.0/Sentences_{'All' if agreement == 100 else agreement}Agree.txt"


def _phrases_sources(agreement: int) -> tuple[Source, ...]:
    path = _phrases_file(agreement)
    return (Source(path=path, url=_PHRASES_URL, member=path),)


def _phrases(files: Files, agreement: int) -> Iterator[Instance]:
    path = files.path(_phrases_file(agreement))
    with path.open(encoding="iso-8859-1") as file:  # which ends lines at line feeds alone
        lines = list(file)
    random.Random(_PHRASES_SEED).shuffle(lines)
    for number, line in enumerate(lines):
        sentence, at, label = line.strip().rpartition("@")
        if not at:
            raise DataError(f"{path}: a line without @ and a label: {line!r}")
        split = TRAIN if number < int(len(lines) * _PHRASES_TRAIN) else TEST
        yield Instance(input=sentence, references=right_answer(label), split=split)


def _gold_sources(category: str) -> tuple[Source, ...]:
    return (Source(path=_GOLD, url=_GOLD_URL, member=_GOLD),)


def _gold(files: Files, category: str) -> Iterator[Instance]:
    column, found = _HEADLINES[category].column, []
    for row in read_csv(files.path(_GOLD)):
        answer = "Yes" if text(row, column) in ("1", "1.0") else "No"
        found.append(Instance(input=text(row, "News"), references=right_answer(answer), split=TEST))
    yield from drawn_for_training(found, len(found) // 10)


def _opinions_sources() -> tuple[Source, ...]:
    return tuple(Source(path=path, url=f"https://osf.io/download/{name}/") for path, name, _, _ in _OPINIONS.values())


def _opinions(files: Files) -> Iterator[Instance]:
    for split, (path, _, said, label) in _OPINIONS.items():
        for row in read_sheet(files.path(path)):
            feeling = _FEELINGS[integer(row, label)]
            yield Instance(input=text(row, said), references=right_answer(feeling), split=split)


def _cases_sources(filter_max_length: int | None) -> tuple[Source, ...]:
    return (Source(path=_CASES, url=_CASES_URL + _CASES),)


def _cases(files: Files, filter_max_length: int | None) -> Iterator[Instance]:
    path = files.path(_CASES)
    for folder, split in _CASE_SPLITS.items():
        for name, content in read_members(path, partial(_is_case, folder)):
            row = Row(f"{path}:{name}", json.loads(content))
            said = " ".join(texts(row, "TEXT"))
            if filter_max_length is None or len(re.split(r"\W+", said)) <= filter_max_length:
                answer = "Yes" if row.values.get("VIOLATED_ARTICLES") else "No"
                yield Instance(input=said, references=right_answer(answer), split=split)


def _is_case(folder: str, member: str) -> bool:
    *above, name = member.split("/")
    return above[-1:] == [folder] and name.endswith(".json")


def _claims_sources(**lengths: int) -> tuple[Source, ...]:
    return (Source(path=_CLAIMS, url=_CLAIMS_URL + _CLAIMS),)


def _claims(files: Files, test_filter_min_length: int, test_filter_max_length: int) -> Iterator[Instance]:
    rows = [
        row for row in read_sheet(files.path(_CLAIMS), skip=1) if _is_told(row, "Title") and _is_told(row, "Doc_text")
    ]
    train, others = table_sample(rows, _CLAIMS_TRAIN, seed=0)
    test, _ = table_sample(others, 1, seed=0)
    for split, members in ((TRAIN, train), (TEST, test)):
        for row in members:
            article, title = (_spaced(row, name) for name in ("Doc_text", "Title"))
            if split == TRAIN or test_filter_min_length <= len(article.split()) <= test_filter_max_length:
                yield Instance(input=article, references=right_answer(title), split=split)


def _is_told(row: Row, name: str) -> bool:
    value = row.values.get(name)
    return isinstance(value, str) and value not in EMPTY


def _spaced(row: Row, name: str) -> str:
    return " ".join(text(row, name).replace("_x000D_", "").split())


def _hold_sources() -> tuple[Source, ...]:
    return tuple(
        Source(
            path=f"all/{split}/0000.parquet", url=f"{_HOLD_URL}{split}/0000.parquet", stand_in=f"casehold/{split}.jsonl"
        )
        for split in (TRAIN, TEST)
    )


def _hold(files: Files) -> Iterator[Instance]:
    for split in (TRAIN, TEST):
        for row in read_rows(files.path(f"all/{split}/0000.parquet")):
            holdings = [text(row, f"holding_{number}") for number in range(_HOLDINGS)]
            yield Instance(
                id=f"id{integer(row, 'example_id')}",
                input=text(row, "citing_prompt"),
                references=right_position(holdings, int(text(row, "label"))),
                split=split,
            )


def _card(
    name: str,
    title: str,
    description: str,
    licence: str,
    citation: str,
    main_metric: str,
    load: Callable[..., Iterator[Instance]],
    sources: Callable[..., tuple[Source, ...]],
    helm_class: str,
) -> Scenario:
    free = licence.startswith(("MIT", "Apache", "CC-BY-SA-4.0", "CC-BY-4.0"))
    return Scenario(
        name=name,
        title=title,
        description=description,
        licence=licence,
        redistribution="yes" if free else "ids-only",
        citation=citation,
        main_metric=main_metric,
        main_split=TEST,
        load=load,
        sources=sources,
        helm_class=f"helm.benchmark.scenarios.{name}_scenario.{helm_class}",
    )


CARDS = (
    _card(
        "financial_phrasebank",
        "Financial PhraseBank",
        "Sentences of financial news: good news, bad news or neither.",
        "CC-BY-NC-SA-3.0",
        "https://arxiv.org/abs/1307.5336",
        "classification_weighted_f1",
        _phrases,
        _phrases_sources,
        "FinancialPhrasebankScenario",
    ),
    _card(
        "gold_commodity_news",
        "Gold commodity news",
        "Headlines about gold: are they about its price, and in which direction?",
        "CC-BY-SA-3.0 (by its page)",
        "https://arxiv.org/abs/2009.04202",
        "classification_weighted_f1",
        _gold,
        _gold_sources,
        "GoldCommodityNewsScenario",
    ),
    _card(
        "legal_opinion_sentiment_classification",
        "Sentiment of legal opinions",
        "Sentences of courts' opinions, positive, negative or neutral about a party.",
        "CC-BY-4.0",
        "https://osf.io/zwhm8/",
        "classification_weighted_f1",
        _opinions,
        _opinions_sources,
        "LegalOpinionSentimentClassificationScenario",
    ),
    _card(
        "echr_judgment_classification",
        "Judgments of the European Court of Human Rights",
        "Short cases of the court: was a right violated?",
        "none stated (judgments of the court)",
        "https://aclanthology.org/P19-1424",
        "classification_weighted_f1",
        _cases,
        _cases_sources,
        "EchrJudgeScenario",
    ),
    _card(
        "sumosum",
        "SUMO web claims",
        "Articles about the climate, each to be given its title.",
        "none stated (articles of the web)",
        "https://aclanthology.org/2021.ranlp-1.172",
        "rouge_l",
        _claims,
        _claims_sources,
        "SUMOSumScenario",
    ),
    _card(
        "casehold",
        "CaseHOLD",
        "Passages of American judgments, each with five holdings of which one is cited there.",
        "CC-BY-4.0",
        "https://arxiv.org/abs/2104.08671",
        "quasi_exact_match",
        _hold,
        _hold_sources,
        "CaseHOLDScenario",
    ),
)


def _labelled(name: str, args: dict[str, Json], adapter: AdapterSpec, labels: tuple[str, ...], shown: str = "") -> Task:
    """A run whose answers are one of few labels."""
    averages: dict[str, Json] = {"averages": ["weighted"], "scores": ["f1", "precision", "recall"], "labels": [*labels]}
    return Task(
        name=shown or name,
        scenario=ScenarioSpec(name, args),
        adapter=adapter,
        metrics=(*EXACT_MATCH, MetricSpec("classification", averages)),
        groups=(name,),
    )


def financial_phrasebank(agreement: Agreement = 50) -> Task:
    told = (
        "The dataset consists of sentences from English language financial news categorized by sentiment.\n"
        "Classify the sentences into one of the 3 sentiment categories.\n"
        "Possible labels:\n1. positive\n2. neutral\n3. negative"
    )
    adapter = generation(instructions=told, input_noun="Sentence", output_noun="Label", max_tokens=30)
    shown = f"financial_phrasebank:agreement={agreement}"
    return _labelled("financial_phrasebank", {"agreement": agreement}, adapter, _SHOWN_FEELINGS, shown)


def gold_commodity_news(category: Category) -> Task:
    told = (
        "The following are news headlines about the gold commodity. Classify whether the news headline discusses "
        f'{_HEADLINES[category].about}. Answer only "Yes" or "No".'
    )
    adapter = generation(instructions=told, input_noun="Headline", output_noun="Answer")
    shown = f"gold_commodity_news:category={category}"
    return _labelled("gold_commodity_news", {"category": category}, adapter, ("yes", "no"), shown)


def legal_opinion_sentiment_classification() -> Task:
    told = (
        "Classify the sentences into one of the 3 sentiment categories. Possible labels: positive, neutral, negative."
    )
    adapter = generation(instructions=told, output_noun="Label")
    return _labelled("legal_opinion_sentiment_classification", {}, adapter, _SHOWN_FEELINGS)


def echr_judgment_classification() -> Task:
    told = (
        "Is the following case a violation of human rights?\n\nCase: Human rights have not been violated.\nAnswer: No"
        "\n\nCase: Human rights have been violated.\nAnswer: Yes"
    )
    adapter = generation(instructions=told, input_noun="Case", output_noun="Answer", max_tokens=1)
    return _labelled("echr_judgment_classification", {"filter_max_length": 600}, adapter, ("yes", "no"))


def sumosum() -> Task:
    told = "Generate the title of the following article."
    return Task(
        name="sumosum",
        scenario=ScenarioSpec("sumosum", {"test_filter_min_length": 100, "test_filter_max_length": 3700}),
        adapter=generation(
            instructions=told, output_noun="Title", max_train_instances=0, max_tokens=100, stop_sequences=("\n\n",)
        ),
        metrics=metrics("rouge_1", "rouge_2", "rouge_l"),
        groups=("sumosum",),
    )


def casehold() -> Task:
    told = "Give a letter answer among A, B, C, D, or E."
    return Task(
        name="casehold",
        scenario=ScenarioSpec("casehold"),
        adapter=multiple_choice(JOINT, told, input_noun="Passage", max_train_instances=2),
        metrics=EXACT_MATCH,
        groups=("casehold",),
    )


_TASKS = (
    financial_phrasebank,
    gold_commodity_news,
    legal_opinion_sentiment_classification,
    echr_judgment_classification,
    sumosum,
    casehold,
)


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    for task in _TASKS:
        registry.task(task.__name__)(task)
