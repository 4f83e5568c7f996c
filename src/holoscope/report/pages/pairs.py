"""Instances of two runs side by side: the question once, both answers, and what differs between them word by word."""

from collections.abc import Mapping
from typing import NamedTuple, get_args

import msgspec

from holoscope.core import Score, UnknownNameError, UsageError
from holoscope.report.grid import Row
from holoscope.report.library import Library
from holoscope.report.pages.compare import KINDS
from holoscope.report.pages.evidence import changed, main_score, said
from holoscope.report.pages.instance import Which, chosen, key_of, link_to, row_of, trials_of
from holoscope.report.pages.links import Links
from holoscope.report.pages.passages import Passage, passage
from holoscope.report.pages.render import render
from holoscope.report.pages.words import Piece
from holoscope.store import Instances, PairFilter, StoredRun

ON_A_PAGE = 10
_KINDS = get_args(PairFilter.__annotations__["kind"])


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What an address of a list of pairs says."""

    a: str
    """Folders."""
    b: str
    wanted: PairFilter | None = None
    """None: one instance alone, or the main metric of A."""
    kind: str = ""
    """Of the main metric of A, where `wanted` names none."""
    instance_id: str = ""
    offset: int = 0


class Half(NamedTuple):
    """One run's side of a pair."""

    answer: Passage
    score: Score | None
    href: str


class Pair(NamedTuple):
    """An instance, twice."""

    instance_id: str
    question: Passage
    right: tuple[str, ...]
    """Right answers."""
    a: Half
    b: Half
    difference: tuple[Piece, ...]
    """From A's answer to B's; nothing where they are equal."""


def asked(query: Mapping[str, str]) -> Asked:
    """The list of pairs that an address asks for. UsageError names the parameter that can't be read."""
    kind, offset = query.get("kind", ""), query.get("offset", "") or "0"
    if kind not in _KINDS:
        raise UsageError(f"kind is one of {', '.join(filter(None, _KINDS))}, not {kind!r}")
    if not (offset.isascii() and offset.isdigit() and len(offset) < 12):
        raise UsageError(f"offset is a number from 0, not {offset!r}")
    if not query.get("a") or not query.get("b"):
        raise UsageError("name two runs: a and b are the names of their folders")
    wanted = None
    if query.get("metric"):
        cell = {name: query.get(name, "") for name in ("metric", "split")}
        wanted = msgspec.convert({**cell, "perturbation": query.get("perturbation") or None, "kind": kind}, PairFilter)
    return Asked(
        a=query["a"], b=query["b"], wanted=wanted, kind=kind, instance_id=query.get("id", ""), offset=int(offset)
    )


def pairs(library: Library, finder: Instances, links: Links, suite: str, question: Asked) -> str:
    """A page of shared instances."""
    a, b = library.run(suite, question.a), library.run(suite, question.b)
    found = library.suite(suite)
    rows = row_of(found, a), row_of(found, b)
    wanted = question.wanted or _usual(rows[0], question.kind)
    if question.instance_id:
        ids, total = [question.instance_id], 1
    else:
        listed, total = finder.pairs(a, b, wanted, offset=question.offset, limit=ON_A_PAGE)
        ids = [each.instance_id for each in listed]
    which = Which(wanted.perturbation or "")
    made = [_pair(finder, links, suite, (a, b), identity, which, wanted.metric) for identity in ids]
    query = _query(question, wanted)
    return render(
        "pairs.html",
        links=links,
        title=f"{rows[0].model} and {rows[1].model} side by side",
        suite=suite,
        here="compare",
        rows=rows,
        folders=(a.path.name, b.path.name),
        models=(rows[0].model, rows[1].model),
        pairs=made,
        wanted=wanted,
        kind=KINDS.get(wanted.kind, "all shared instances"),
        kinds={"": "all", **KINDS},
        query=query,
        one=question.instance_id,
        is_binary=wanted.metric in library.registry.metrics and library.registry.metrics.get(wanted.metric).binary,
        previous=_to(links, suite, query, question.offset - ON_A_PAGE) if question.offset else "",
        next=_to(links, suite, query, question.offset + ON_A_PAGE) if question.offset + len(made) < total else "",
        text=f"{question.offset + 1:,} to {question.offset + len(made):,} of {total:,}" if made else "none",
    )


def _usual(row: Row, kind: str) -> PairFilter:
    cell = {"metric": row.main_metric, "split": row.manifest.scenario.main_split}
    return msgspec.convert({**cell, "kind": kind}, PairFilter)


def _query(question: Asked, wanted: PairFilter) -> dict[str, str]:
    return {
        "a": question.a,
        "b": question.b,
        "metric": wanted.metric,
        "split": wanted.split,
        "perturbation": wanted.perturbation or "",
        "kind": wanted.kind,
    }


def _to(links: Links, suite: str, query: Mapping[str, str], offset: int) -> str:
    return links("pairs", suite=suite, **query, **({"offset": str(offset)} if offset > 0 else {}))


def _pair(
    finder: Instances,
    links: Links,
    suite: str,
    runs: tuple[StoredRun, StoredRun],
    instance_id: str,
    which: Which,
    metric: str,
) -> Pair:
    halves, trials = [], []
    for stored in runs:
        known, scores = trials_of(finder, stored, instance_id)
        try:
            trial = chosen(known, which, instance_id)
        except UnknownNameError:  # a measure over all forms has no form of its own
            trial = chosen(known, Which(), instance_id)
        score = main_score(scores.get(key_of(trial), []), metric)
        href = link_to(links, suite, stored.path.name, instance_id, trial)
        halves.append((said(trial, score), Half(passage(said(trial, score)), score, href)))
        trials.append(trial)
    (first, a), (second, b) = halves
    question = trials[0].instance
    return Pair(
        instance_id=instance_id,
        question=passage(question.input),
        right=tuple(reference.text[:400] for reference in question.correct_references[:5]),
        a=a,
        b=b,
        difference=changed(first, second) if first != second else (),
    )
