"""Lists of instances, of one run or of a suite, a page at a time; and the way through a list, one by one.

What is listed is decided by the address alone, so a list can be sent to somebody. The addresses of its instances carry
it along, which is what lets a reader go on to the next of them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, get_args
from urllib.parse import parse_qsl, urlencode

import msgspec

from holoscope.core import Outcome, Registry, UsageError
from holoscope.metrics import TIMED_METRICS
from holoscope.report.grid import Row
from holoscope.report.library import Library, Suite
from holoscope.report.pages.instance import Around
from holoscope.report.pages.links import Links
from holoscope.report.pages.render import render
from holoscope.store import InstanceFilter, InstanceRow, Instances, StoredRun

OF_RUN, OF_SUITE = 50, 25
"""Instances on a page. Those of a suite may lie in as many runs, each of which is opened."""
ORIGINALS = "none"
"""What an address says for no perturbation."""
_SCORES = get_args(InstanceFilter.__annotations__["score"])
_SORTS = get_args(InstanceFilter.__annotations__["sort"])


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """What an address of a list says."""

    wanted: InstanceFilter = InstanceFilter()
    model: str = ""
    scenario: str = ""
    offset: int = 0


class Listed(NamedTuple):
    """A run whose instances are listed."""

    run: StoredRun
    row: Row


class Line(NamedTuple):
    """A row of the list."""

    row: InstanceRow
    href: str
    label: str
    model: str
    is_binary: bool


class Choices(NamedTuple):
    """What a filter can be set to."""

    metrics: tuple[str, ...]
    outcomes: tuple[str, ...]
    perturbations: tuple[str, ...]
    splits: tuple[str, ...]
    models: tuple[str, ...]
    scenarios: tuple[str, ...]


def listing(query: Mapping[str, str]) -> Listing:
    """The list that an address asks for. UsageError names the parameter that can't be read."""
    perturbation = query.get("perturbation", "")
    wanted = {
        "metric": query.get("metric", ""),
        "score": _one_of(query, "score", _SCORES),
        "low": _number(query, "low"),
        "high": _number(query, "high"),
        "outcome": _one_of(query, "outcome", ("", *Outcome)),
        "perturbation": None if not perturbation else "" if perturbation == ORIGINALS else perturbation,
        "split": query.get("split", ""),
        "text": query.get("text", ""),
        "is_regex": query.get("regex", "") not in ("", "0"),
        "sort": _one_of(query, "sort", ("", *_SORTS)) or "plan",
    }
    return Listing(
        wanted=msgspec.convert(wanted, InstanceFilter),
        model=query.get("model", ""),
        scenario=query.get("scenario", ""),
        offset=int(_number(query, "offset") or 0),
    )


def query_of(asked: Listing) -> dict[str, str]:
    """The parameters that say the same; what is usual is left out."""
    wanted = asked.wanted
    given = {
        "model": asked.model,
        "scenario": asked.scenario,
        "metric": wanted.metric,
        "score": wanted.score,
        "low": "" if wanted.low is None else f"{wanted.low:.17g}",
        "high": "" if wanted.high is None else f"{wanted.high:.17g}",
        "outcome": wanted.outcome,
        "perturbation": "" if wanted.perturbation is None else wanted.perturbation or ORIGINALS,
        "split": wanted.split,
        "text": wanted.text,
        "regex": "1" if wanted.is_regex and wanted.text else "",
        "sort": "" if wanted.sort == "plan" else wanted.sort,
        "offset": str(asked.offset) if asked.offset else "",
    }
    return {name: value for name, value in given.items() if value}


def instances(
    library: Library,
    finder: Instances,
    links: Links,
    suite: str,
    folder: str = "",
    asked: Listing = Listing(),  # noqa: B008
    *,
    limit: int = 0,
) -> str:
    """A page of the list of a run's instances, or of those of a whole suite; `limit` of them, or the usual number."""
    found = library.suite(suite)
    runs = _runs(library, found, folder, asked)
    step = limit or (OF_RUN if folder else OF_SUITE)
    page = finder.page([each.run for each in runs], asked.wanted, offset=asked.offset, limit=step)
    address = _addresses(links, suite, runs, folder, asked)
    lines = [
        _line(each, runs[each.run].row, address(each, asked.offset + k), library.registry)
        for k, each in enumerate(page.rows)
    ]
    own = runs[0] if folder else None
    metrics = {line.row.metric for line in lines}
    return render(
        "instances.html",
        links=links,
        title=f"Instances · {own.row.label if own else suite}",
        suite=suite,
        here="instances" if folder else "suite_instances",
        folder=own.run.path.name if own else "",
        row=own.row if own else None,
        lines=lines,
        page=page,
        asked=asked,
        given=query_of(asked),
        choices=_choices(found, runs, library.registry, of_run=bool(folder)),
        withheld=_withheld(runs, links),
        pager=_pager(links, suite, folder, asked, page.total, len(lines)),
        has_perturbed=any(line.row.perturbation for line in lines),
        only_metric=metrics.pop() if len(metrics) == 1 else "",
        originals=ORIGINALS,
        pairs_of=lambda names: [(name, name) for name in names],
    )


def around(
    library: Library, finder: Instances, links: Links, suite: str, folder: str, kept: str, at: int
) -> Around | None:
    """What stands before and after place `at` of the list that an address kept; None if there is no such list."""
    asked = listing(dict(parse_qsl(kept, max_num_fields=20)))
    found = library.suite(suite)
    whole = "" if is_of_suite(kept) else folder
    runs = _runs(library, found, whole, asked)
    start = max(0, at - 1)
    page = finder.page([each.run for each in runs], asked.wanted, offset=start, limit=3, width=0)
    address = _addresses(links, suite, runs, whole, asked)
    places = {start + k: address(row, start + k) for k, row in enumerate(page.rows)}
    step = OF_RUN if whole else OF_SUITE
    back = msgspec.structs.replace(asked, offset=at // step * step)
    return Around(
        previous=places.get(at - 1, ""),
        next=places.get(at + 1, ""),
        text=f"{at + 1:,} of {page.total:,} in the list",
        back=_list_link(links, suite, whole, back),
    )


def is_of_suite(kept: str) -> bool:
    """True if a list that an address kept is one of a suite."""
    return ("of", "suite") in parse_qsl(kept, max_num_fields=20)


def runs_of(library: Library, suite: str, folder: str, asked: Listing) -> list[StoredRun]:
    """The runs whose instances a list holds, in the grid's order."""
    return [each.run for each in _runs(library, library.suite(suite), folder, asked)]


def _runs(library: Library, suite: Suite, folder: str, asked: Listing) -> list[Listed]:
    own = library.run(suite.name, folder).path.name if folder else ""
    return [
        Listed(stored, row)
        for (name, stored), row in zip(suite.runs.items(), suite.grid.rows, strict=True)
        if name == own or (not own and asked.model in ("", row.model) and asked.scenario in ("", str(row.label)))
    ]


def _addresses(
    links: Links, suite: str, runs: Sequence[Listed], folder: str, asked: Listing
) -> Callable[[InstanceRow, int], str]:
    """Gives the address of a listed row, with the list and the row's place in it."""
    folders = [each.run.path.name for each in runs]
    kept = query_of(msgspec.structs.replace(asked, offset=0)) | ({} if folder else {"of": "suite"})

    def address(row: InstanceRow, at: int) -> str:
        parts = {"suite": suite, "folder": folders[row.run], "instance_id": row.instance_id}
        twin = {
            "perturbation": row.perturbation or "",
            "trial": str(row.trial) if row.trial else "",
            "train": str(row.train_trial_index) if row.train_trial_index else "",
        }
        parts |= {name: value for name, value in twin.items() if value}
        if not links.has("instance", **parts):
            return ""
        place = {"list": urlencode(kept), "at": str(at)} if kept and links.is_served else {}
        return links("instance", **parts, **place)

    return address


def _line(row: InstanceRow, of: Row, href: str, registry: Registry) -> Line:
    card = registry.metrics.get(row.metric) if row.metric in registry.metrics else None
    return Line(row, href, str(of.label), of.model, bool(card and card.binary and not card.lower_is_better))


def _choices(suite: Suite, runs: Sequence[Listed], registry: Registry, *, of_run: bool) -> Choices:
    versions = [each.run.manifest.versions for each in runs]
    metrics = dict.fromkeys(
        name for each in versions for name in each.metrics if name in registry.metrics and name not in TIMED_METRICS
    )
    splits = dict.fromkeys(cell.split for each in runs for cell in each.row.headlines.values() if cell.split)
    return Choices(
        metrics=tuple(metrics),
        outcomes=tuple(map(str, Outcome)),
        perturbations=tuple(dict.fromkeys(name for each in versions for name in each.perturbations)),
        splits=tuple(splits) if len(splits) > 1 else (),
        models=() if of_run else tuple(dict.fromkeys(row.model for row in suite.grid.rows)),
        scenarios=() if of_run else tuple(sorted({str(row.label) for row in suite.grid.rows})),
    )


def _withheld(runs: Sequence[Listed], links: Links) -> str:
    """Why the texts of a list are not shown; empty where they are."""
    if links.is_served:
        return ""
    cards = {each.run.manifest.scenario.name: each.run.manifest.scenario for each in runs}
    closed = [f"{c.name} ({c.licence or 'unknown licence'})" for c in cards.values() if c.redistribution != "yes"]
    return f"Texts are left out: the licence does not allow passing them on: {', '.join(closed)}." if closed else ""


class _Pager(NamedTuple):
    previous: str
    next: str
    text: str


def _pager(links: Links, suite: str, folder: str, asked: Listing, total: int, shown: int) -> _Pager:
    step = OF_RUN if folder else OF_SUITE

    def to(offset: int) -> str:
        return _list_link(links, suite, folder, msgspec.structs.replace(asked, offset=offset))

    text = f"{asked.offset + 1:,} to {asked.offset + shown:,} of {total:,}" if shown else f"none of {total:,}"
    if not links.is_served:
        return _Pager("", "", text)
    before, after = max(0, asked.offset - step), asked.offset + step
    return _Pager(to(before) if asked.offset else "", to(after) if after < total else "", text)


def _list_link(links: Links, suite: str, folder: str, asked: Listing) -> str:
    if folder:
        return links("instances", suite=suite, folder=folder, **query_of(asked))
    return links("suite_instances", suite=suite, **query_of(asked))


def _one_of(query: Mapping[str, str], name: str, known: Sequence[str]) -> str:
    value = query.get(name, "")
    if value not in known:
        raise UsageError(f"{name} is one of {', '.join(filter(None, known))}, not {value!r}")
    return value


def _number(query: Mapping[str, str], name: str) -> float | None:
    from math import isfinite

    value = query.get(name, "").strip()
    if not value:
        return None
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or abs(number) > 1e15 or (name == "offset" and (number < 0 or number % 1)):
        raise UsageError(f"{name} is a number{' from 0' if name == 'offset' else ''}, not {value!r}")
    return number
