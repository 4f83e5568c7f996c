"""SEA-HELM's tasks in Indonesian, Vietnamese, Thai and Tamil: answers, sentiment, harm, inference, causes, translation.

A line of the table for each benchmark: where its rows are, who reads them, and how they are graded; how they are asked
is in `seahelm_shapes`. The linguistic diagnostics are in `lindsea`.
"""

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from msgspec.structs import replace

from holoscope.core import (
    TEST,
    AdapterSpec,
    Instance,
    Json,
    MetricSpec,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
    UsageError,
)
from holoscope.core.cards import Redistribution
from holoscope.scenarios import seahelm_rows as rows
from holoscope.scenarios.adapters import EXACT_MATCH, generation
from holoscope.scenarios.hub import converted
from holoscope.scenarios.seahelm_shapes import CAUSES, INFERENCE, LABELS, QUESTIONS, TRANSLATIONS, Shape

Code = Literal["en", "id", "vi", "th", "ta"]

_GITHUB = "https://raw.githubusercontent.com"
_HUB = "https://huggingface.co/datasets"
_DRIVE = "https://drive.google.com/uc?export=download&id="
_CLASSIFIED = (MetricSpec("classification"),)


class Benchmark(NamedTuple):
    title: str
    helm_class: str
    licence: str
    redistribution: Redistribution
    citation: str
    main_metric: str
    sources: Callable[..., tuple[Source, ...]]
    load: Callable[..., Iterable[Instance]]
    folder: str = ""


def _files(base: str, *paths: str, archive: str = "") -> Callable[[], tuple[Source, ...]]:
    """Files at an address, or members of the archive there."""
    found = (
        Source(path=p, url=f"{base}{archive}" if archive else base + p, member=p if archive else "") for p in paths
    )
    fixed = tuple(found)
    return lambda: fixed


def _hub(dataset: str, config: str, *splits: str) -> Callable[[], tuple[Source, ...]]:
    return lambda: converted(dataset, config, *splits)


def _students() -> tuple[Source, ...]:
    keys = {
        "train/sents.txt": "1nzak5OkrheRV1ltOGCXkT671bmjODLhP",
        "train/sentiments.txt": "1ye-gOZIBqXdKOoi_YxvpT6FeRNmViPPv",
        "test/sents.txt": "1aNMOeZZbNwSRkjyCWAGtNCMa3YrshR-n",
        "test/sentiments.txt": "1vkQS5gI0is4ACU58-AbWusnemw7KZNfO",
    }
    return tuple(Source(path=path, url=_DRIVE + key) for path, key in keys.items())


def _xquad(language: str) -> tuple[Source, ...]:
    path = f"xquad.{language}/validation-00000-of-00001.parquet"
    return (Source(path=path, url=f"{_HUB}/google/xquad/resolve/main/{path}"),)


def _xnli(language: str) -> tuple[Source, ...]:
    paths = [f"{language}/{split}-00000-of-00001.parquet" for split in ("validation", "test")]
    return tuple(Source(path=path, url=f"{_HUB}/facebook/xnli/resolve/main/{path}") for path in paths)


def _xcopa(language: str) -> tuple[Source, ...]:
    codes = dict.fromkeys((language, "ta"))
    paths = [f"data/{code}/{split}.{code}.jsonl" for code in codes for split in ("val", "test")]
    return tuple(Source(path=path, url=f"{_GITHUB}/cambridgeltl/xcopa/master/{path}") for path in paths)


def _flores(pair: str) -> tuple[Source, ...]:
    archive = "https://dl.fbaipublicfiles.com/nllb/flores200_dataset.tar.gz"
    names = [(part, rows.FLORES[code]) for part in ("dev", "devtest") for code in pair.split("_")]
    paths = [f"flores200_dataset/{part}/{name}.{part}" for part, name in names]
    return tuple(Source(path=path, url=archive, member=path) for path in paths)


_SQUAD_F1, _MACRO_F1 = "squad_f1_score", "classification_macro_f1"
_INDONLI = f"{_GITHUB}/ir-nlp-csui/indonli/7b55d8217cc8417a8268b2ee6ba07bbfb75a4c8b/data/indonli/"
_NUSAX = f"{_GITHUB}/IndoNLP/nusax/75b0be5d982348332509f296e10d9bf9cb66d60f/datasets/sentiment/indonesian/"
_WISESIGHT = "https://github.com/PyThaiNLP/wisesight-sentiment/raw/master/huggingface/"
_VIHSD = f"{_GITHUB}/sonlam1102/vihsd/70fe50c9c94145e3b9be5614a048cbd5b480fa54/data/"
_MLHSD = (
    f"{_GITHUB}/okkyibrohim/id-multi-label-hate-speech-and-abusive-language-detection/"
    "475b39955c456f92c0b9cd5008613f9198670b94/"
)
_INDICQA = f"{_HUB}/ai4bharat/IndicQA/resolve/78ee8d58e880c72f324e176c989dfefa55427af4/"
_INDICSENTIMENT = f"{_HUB}/ai4bharat/IndicSentiment/resolve/dc8f3f66886531c6897fedffca1e938a68fc5013/"

BENCHMARKS: dict[str, Benchmark] = {
    "tydiqa": Benchmark("TyDi QA, Indonesian", "TyDiQA", "Apache-2.0", "yes", "https://aclanthology.org/2020.tacl-1.30",
        _SQUAD_F1, _hub("khalidalt/tydiqa-goldp", "indonesian", "train", "validation"), rows.tydiqa),
    "xquad": Benchmark("XQuAD", "XQuAD", "CC-BY-SA-4.0", "yes", "https://arxiv.org/abs/1910.11856",
        _SQUAD_F1, _xquad, rows.xquad),
    "indicqa": Benchmark("IndicQA, Tamil", "IndicQA", "CC-BY-4.0", "yes", "https://aclanthology.org/2023.acl-long.693",
        _SQUAD_F1, _files(_INDICQA, "data/indicqa.ta.json"), rows.indicqa),
    "nusax": Benchmark("NusaX sentiment, Indonesian", "NusaX", "CC-BY-SA-4.0", "yes",
        "https://aclanthology.org/2023.eacl-main.57", _MACRO_F1, _files(_NUSAX, "train.csv", "test.csv"), rows.nusax,
        "seahelm_nusax"),
    "uitvsfc": Benchmark("UIT-VSFC", "UITVSFC", "not stated", "ids-only", "https://ieeexplore.ieee.org/document/8573337",
        _MACRO_F1, _students, rows.uitvsfc),
    "wisesight": Benchmark("Wisesight sentiment", "Wisesight", "CC0-1.0", "yes",
        "https://doi.org/10.5281/zenodo.3457447", _MACRO_F1,
        _files(_WISESIGHT, "data/train.jsonl", "data/test.jsonl", archive="data.zip"), rows.wisesight),
    "indicsentiment": Benchmark("IndicSentiment, Tamil", "IndicSentiment", "CC0-1.0", "yes",
        "https://aclanthology.org/2023.acl-long.693", _MACRO_F1,
        _files(_INDICSENTIMENT, "data/validation/ta.json", "data/test/ta.json"), rows.indicsentiment),
    "mlhsd": Benchmark("Hate speech, Indonesian", "MLHSD", "CC-BY-NC-SA-4.0", "ids-only",
        "https://aclanthology.org/W19-3506", _MACRO_F1, _files(_MLHSD, "re_dataset.csv"), rows.mlhsd),
    "vihsd": Benchmark("ViHSD", "ViHSD", "for research only (its README)", "ids-only",
        "https://doi.org/10.1007/978-3-030-79457-6_35", _MACRO_F1,
        _files(_VIHSD, "vihsd/train.csv", "vihsd/test.csv", archive="vihsd.zip"), rows.vihsd),
    "thaitoxicitytweets": Benchmark("Thai toxicity tweets", "ThaiToxicityTweets", "CC-BY-NC-3.0", "ids-only",
        "http://www.lrec-conf.org/workshops/lrec2018/W32/pdf/1_W32.pdf", _MACRO_F1,
        _hub("tmu-nlp/thai_toxicity_tweet", "thai_toxicity_tweet", "train"), rows.thaitoxicitytweets),
    "flores": Benchmark("FLORES-200", "Flores", "CC-BY-SA-4.0", "yes",
        "https://research.facebook.com/publications/no-language-left-behind/", "chr_f_plus_plus", _flores, rows.flores),
    "indonli": Benchmark("IndoNLI", "IndoNLI", "CC-BY-SA-4.0", "yes", "https://aclanthology.org/2021.emnlp-main.821",
        "exact_match", _files(_INDONLI, "train.jsonl", "test_lay.jsonl"), rows.indonli, "seahelm_indonli"),
    "xnli": Benchmark("XNLI", "XNLI", "CC-BY-NC-4.0", "ids-only", "https://aclanthology.org/D18-1269",
        "exact_match", _xnli, rows.xnli),
    "indicxnli": Benchmark("IndicXNLI, Tamil", "IndicXNLI", "CC0-1.0 (its card)", "ids-only",
        "https://aclanthology.org/2022.emnlp-main.755", "exact_match",
        _hub("Divyanshu/indicxnli", "ta", "validation", "test"), rows.indicxnli),
    "xcopa": Benchmark("XCOPA", "XCOPA", "CC-BY-4.0", "yes", "https://ducdauge.github.io/files/xcopa.pdf",
        "exact_match", _xcopa, rows.xcopa),
}  # fmt: skip


def _card(name: str) -> Scenario:
    row = BENCHMARKS[name]
    return Scenario(
        name=name,
        title=row.title,
        description="A task of SEA-HELM.",
        licence=row.licence,
        redistribution=row.redistribution,
        citation=row.citation,
        main_metric=row.main_metric,
        main_split=TEST,
        load=row.load,
        sources=row.sources,
        folder=row.folder,
        helm_class=f"helm.benchmark.scenarios.seahelm_scenario.{row.helm_class}Scenario",
    )


def _asked(shape: Shape, *, sample_train: bool = True) -> AdapterSpec:
    adapter = generation(instructions=shape.instructions, max_tokens=shape.max_tokens)
    return replace(
        adapter, input_prefix=shape.input_prefix, output_prefix=shape.output_prefix, sample_train=sample_train
    )


def _task(name: str, part: str, shape: Shape, group: str, measured: tuple[MetricSpec, ...], **args: Json) -> Task:
    shown = f"{name}_{part}" if part else name
    return Task(
        name=shown,
        scenario=ScenarioSpec(name, args),
        adapter=_asked(shape, sample_train=name != "flores"),
        metrics=measured,
        groups=(f"seahelm_{group}", shown),
    )


def _answered(language: str) -> tuple[MetricSpec, ...]:
    return (MetricSpec("seahelm_qa", {"language": language}),)


def tydiqa() -> Task:
    return _task("tydiqa", "", QUESTIONS["tydiqa"], "nlu", _answered("id"))


def xquad(language: Literal["th", "vi"] = "th") -> Task:
    return _task("xquad", language, QUESTIONS[f"xquad_{language}"], "nlu", _answered(language), language=language)


def indicqa() -> Task:
    return _task("indicqa", "", QUESTIONS["indicqa"], "nlu", _answered("ta"))


def xnli(language: Literal["vi", "th"] = "vi") -> Task:
    shape = INFERENCE[f"xnli_{language}"]
    return _task("xnli", language, shape, "nlr", (*EXACT_MATCH, *_CLASSIFIED), language=language)


def xcopa(language: Literal["id", "ta", "th", "vi"] = "id") -> Task:
    shape = CAUSES[language].shape
    return _task("xcopa", language, shape, "nlr", (*EXACT_MATCH, *_CLASSIFIED), language=language)


def flores(source: Code = "en", target: Code = "id") -> Task:
    pair = f"{source}_{target}"
    if pair not in TRANSLATIONS:
        raise UsageError(
            f"flores translates {', '.join(TRANSLATIONS).replace('_', ' to ')}; found {source} to {target}"
        )
    return _task("flores", pair, TRANSLATIONS[pair], "nlg", (MetricSpec("chr_f_plus_plus"),), pair=pair)


def _labelled(name: str) -> Callable[[], Task]:
    exact = () if name == "indicsentiment" else EXACT_MATCH

    def task() -> Task:
        return _task(name, "", LABELS[name], "nlu", (*exact, *_CLASSIFIED))

    return task


def _inferred(name: str) -> Callable[[], Task]:
    def task() -> Task:
        return _task(name, "", INFERENCE[name], "nlr", (*EXACT_MATCH, *_CLASSIFIED))

    return task


def register(registry: Registry) -> None:
    for name in BENCHMARKS:
        registry.scenario(_card(name))
    for task in (tydiqa, xquad, indicqa, xnli, xcopa, flores):
        registry.task(task.__name__)(task)
    for name in LABELS:
        registry.task(name)(_labelled(name))
    for name in ("indonli", "indicxnli"):
        registry.task(name)(_inferred(name))
