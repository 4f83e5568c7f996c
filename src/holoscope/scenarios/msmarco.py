"""MS MARCO: passages of a web search, to be ranked by whether they answer the query.

A query's passages are those that people judged and, of a list that BM25 made, the first `valid_topk`. Two tracks: the
*regular* one has its development queries, mostly with one passage judged right; *trec* the queries of TREC 2019, whose
many passages were graded from 0 to 3 (2 and 3 are right). An in-context example is a right passage and the best of the
list's wrong ones below its tenth place, near enough to be mistaken.

The order of queries and passages is drawn over everything there is, so that no place gives an answer away. There are
nine million passages: what is kept of a file is counted first and read again for the queries that are asked.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from holoscope.core import (
    CORRECT,
    TRAIN,
    VALID,
    AdapterSpec,
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
    UsageError,
)
from holoscope.scenarios.rows import read_headless_csv

Track = Literal["regular", "trec"]
Relevance = Mapping[int, int]
"""Of a query's judged passages, by passage."""
Ranks = Mapping[int, int]
"""Places of a query's passages in its list, by passage."""


class Paths(NamedTuple):
    """The files of one set of queries."""

    queries: str
    judgements: str
    lists: str


_CODALAB = "https://worksheets.codalab.org/rest/bundles/"
_MICROSOFT = "https://msmarco.blob.core.windows.net/msmarcoranking/"
_DOCUMENTS = "data/documents.tsv"
_TRAIN = Paths("data/queries.train.tsv", "data/qrels.train.tsv", "data/topk.train.tsv")
_VALID = {
    "regular": Paths("data/queries.dev.tsv", "data/qrels.dev.small.tsv", "data/topk.dev.tsv"),
    "trec": Paths("data/msmarco-test2019-queries.tsv.gz", "data/2019qrels-pass.txt", "data/topk.trec.tsv"),
}
_URLS = {
    _DOCUMENTS: f"{_CODALAB}0x50d32fc56ad04dd89510bf86f9c1c9d3/contents/blob/",
    "data/queries.train.tsv": f"{_MICROSOFT}queries.train.tsv",
    "data/qrels.train.tsv": f"{_MICROSOFT}qrels.train.tsv",
    "data/topk.train.tsv": f"{_CODALAB}0x8c43d4ec02ea48d6a727683a9676b77b/contents/blob/",
    "data/queries.dev.tsv": f"{_CODALAB}0xf5ccf54707b548f9a4c43502c6f15719/contents/blob/",
    "data/qrels.dev.small.tsv": f"{_MICROSOFT}qrels.dev.small.tsv",
    "data/topk.dev.tsv": f"{_CODALAB}0xbc3dfacb2b7746809e582ee01fa5fe70/contents/blob/",
    "data/msmarco-test2019-queries.tsv.gz": f"{_MICROSOFT}msmarco-test2019-queries.tsv.gz",
    "data/2019qrels-pass.txt": "https://trec.nist.gov/data/deep/2019qrels-pass.txt",
    "data/topk.trec.tsv": f"{_CODALAB}0x2e80572f93b748d594b817249013bdac/contents/blob/",
}
_STAND_INS = {
    "data/msmarco-test2019-queries.tsv.gz": "msmarco/data/queries.dev.tsv",
    "data/topk.trec.tsv": "msmarco/data/topk.dev.tsv",
}
"""A data directory may hold the queries and lists of both tracks in one file: judgements say which are whose."""

_SEED = 1885
_TRAIN_QUERIES = 1000
_TRAIN_DEPTH = 20
_SHALLOWEST = 11
"""The first place in a list from which a wrong passage is taken, and the smallest `valid_topk`."""
_DEEPEST = 1000
_RIGHT = {"train": (1,), "regular": (1,), "trec": (2, 3)}
"""Judgements that make a passage right."""


class Queries(NamedTuple):
    """A set of queries, by query."""

    texts: dict[int, str]
    judged: dict[int, Relevance]
    lists: dict[int, Ranks]


def sources(track: str, valid_topk: int | None = None) -> tuple[Source, ...]:
    paths = (_DOCUMENTS, *_TRAIN, *_VALID[track])
    return tuple(Source(path=path, url=_URLS[path], stand_in=_STAND_INS.get(path, "")) for path in paths)


def load(files: Files, track: str, valid_topk: int | None = None) -> Iterator[Instance]:
    draw = random.Random(_SEED)
    passages = [int(cells[0]) for _, cells in _table(files.path(_DOCUMENTS), 2)]
    draw.shuffle(passages)
    order = {passage: place for place, passage in enumerate(passages)}
    train = _queries(files, _TRAIN, draw, _RIGHT["train"], _TRAIN_DEPTH, _TRAIN_QUERIES)
    valid = _queries(files, _VALID[track], draw, _RIGHT[track], valid_topk, None)
    shown = {query: _example(query, train, order) for query in train.texts}
    asked = {query: _asked(query, valid, valid_topk, order) for query in valid.texts}
    wanted = {passage for chosen in (*shown.values(), *asked.values()) for passage in chosen}
    texts = {int(c[0]): c[1] for _, c in _table(files.path(_DOCUMENTS), 2) if int(c[0]) in wanted}
    for split, queries, right, by_query in (
        (TRAIN, train, _RIGHT["train"], shown),
        (VALID, valid, _RIGHT[track], asked),
    ):
        for query, chosen in by_query.items():
            references = tuple(_reference(passage, texts, query, queries, right) for passage in chosen)
            yield Instance(input=queries.texts[query], references=references, split=split)


def _queries(
    files: Files, paths: Paths, draw: random.Random, right: Sequence[int], depth: int | None, limit: int | None
) -> Queries:
    """The first `limit` queries in drawn order that have a right passage and, with `depth`, a list as long."""
    texts = {int(cells[0]): cells[1] for _, cells in _table(files.path(paths.queries), 2)}
    order = list(texts)
    draw.shuffle(order)
    judged = _by_query(_judgements(files.path(paths.judgements)))
    lengths = Counter(int(cells[0]) for _, cells in _table(files.path(paths.lists), 3))
    chosen = [
        query
        for query in order
        if any(value in right for value in judged.get(query, {}).values())
        and (depth is None or lengths[query] >= depth)
    ][:limit]
    wanted = set(chosen)
    ranked = ((int(c[0]), int(c[1]), int(c[2])) for _, c in _table(files.path(paths.lists), 3) if int(c[0]) in wanted)
    if not chosen:
        deep = f" and a list of {depth} passages (the longest has {max(lengths.values(), default=0)})" if depth else ""
        raise DataError(f"{files.path(paths.lists)}: no query of {paths.queries} has a right passage{deep}")
    return Queries({query: texts[query] for query in chosen}, judged, _by_query(ranked))


def _judgements(path: Path) -> Iterator[tuple[int, int, int]]:
    """Query, passage and relevance; TREC's files are divided by spaces."""
    delimiter = " " if path.suffix == ".txt" else "\t"
    for _, (query, _, passage, relevance) in _table(path, 4, delimiter):
        yield int(query), int(passage), int(relevance)


def _by_query(rows: Iterable[tuple[int, int, int]]) -> dict[int, Relevance]:
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for query, passage, value in rows:
        found[query][passage] = value
    return dict(found)


def _example(query: int, queries: Queries, order: Mapping[int, int]) -> list[int]:
    """The most relevant passage, and the first wrong one of the list's lower places."""
    judged, ranks = queries.judged[query], queries.lists[query]
    best = max(judged, key=judged.__getitem__)
    lower = (passage for passage, rank in ranks.items() if _SHALLOWEST <= rank <= _TRAIN_DEPTH)
    wrong = next((passage for passage in lower if judged.get(passage) not in _RIGHT["train"]), None)
    if wrong is None:
        raise DataError(f"msmarco: the list of query {query} holds no wrong passage from place {_SHALLOWEST} on")
    return sorted((best, wrong), key=order.__getitem__)


def _asked(query: int, queries: Queries, depth: int | None, order: Mapping[int, int]) -> list[int]:
    listed = () if depth is None else (p for p, rank in queries.lists[query].items() if rank <= depth)
    return sorted({*queries.judged[query], *listed}, key=order.__getitem__)


def _reference(passage: int, texts: Mapping[int, str], query: int, queries: Queries, right: Sequence[int]) -> Reference:
    relevance, rank = queries.judged[query].get(passage), queries.lists.get(query, {}).get(passage)
    tags = [f"docid={passage}"]
    tags += [CORRECT] if relevance in right else []
    tags += [f"relevance={relevance}"] if relevance else []
    tags += [f"rank={rank}"] if rank else []
    return Reference(texts[passage], tuple(tags))


def _table(path: Path, columns: int, delimiter: str = "\t") -> Iterator[tuple[str, list[str]]]:
    for where, cells in read_headless_csv(path, delimiter=delimiter):
        if len(cells) != columns:
            raise DataError(f"{where}: expected {columns} cells, and there are {len(cells)}")
        yield where, cells


def _card(track: Track, title: str, description: str, main_metric: str) -> Scenario:
    return Scenario(
        name=f"msmarco_{track}",
        title=title,
        description=description,
        licence="non-commercial research (Microsoft's terms)",
        redistribution="no",
        citation="https://arxiv.org/abs/1611.09268",
        main_metric=main_metric,
        main_split=VALID,
        load=load,
        sources=sources,
        folder="msmarco",
        helm_class="helm.benchmark.scenarios.msmarco_scenario.MSMARCOScenario",
    )


CARDS = (
    _card("regular", "MS MARCO", "Passages of a web search, one of them judged to answer the query.", "RR@10"),
    _card("trec", "MS MARCO (TREC)", "Passages of a web search, graded by how well they answer the query.", "NDCG@10"),
)
_MEASURES = (
    *(f"success.{k}" for k in (1, 2, 3, 5, 10, 20)),
    *(f"recall.{k}" for k in (1, 2, 3, 5, 10, 20)),
    *(f"recip_rank.{k}" for k in (5, 10, 20)),
)
_GRADED = tuple(f"ndcg_cut.{k}" for k in (5, 10, 20))


def msmarco(track: Track, valid_topk: int | None = None) -> Task:
    if valid_topk is not None and not _SHALLOWEST <= valid_topk <= _DEEPEST:
        raise UsageError(f"valid_topk is a whole number from {_SHALLOWEST} to {_DEEPEST}, found {valid_topk}")
    measures: list[Json] = [*_MEASURES, *(_GRADED if track == "trec" else ())]
    ranking: dict[str, Json] = {
        "method": "ranking_binary",
        "measure_names": measures,
        "correct_output": "Yes",
        "wrong_output": "No",
        "rank": valid_topk,
        "multiple_relevance_values": track == "trec",
    }
    return Task(
        name=f"msmarco:track={track},valid_topk={valid_topk}",
        scenario=ScenarioSpec(f"msmarco_{track}", {"track": track, "valid_topk": valid_topk}),
        adapter=AdapterSpec(
            method="ranking_binary",
            input_prefix="Query: ",
            reference_prefix="Passage: ",
            output_prefix="Does the passage answer the query?\nAnswer: ",
            max_train_instances=2,
            num_outputs=1,
            max_tokens=5,
            temperature=0.0,
            stop_sequences=("\n",),
        ),
        metrics=(MetricSpec("ranking", ranking),),
        groups=(f"msmarco_{track}",),
    )


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    registry.task("msmarco")(msmarco)
