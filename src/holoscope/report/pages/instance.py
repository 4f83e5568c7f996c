"""One instance in one run: what was asked, what came back, how it was scored, and what others said of it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holoscope.core import PerturbationDescription, Registry, Score, Trial, UnknownNameError, canonical, group_trials
from holoscope.report.grid import Row
from holoscope.report.library import Library, Suite
from holoscope.report.pages.evidence import changed, main_score, option_tokens, said, shown
from holoscope.report.pages.links import Links
from holoscope.report.pages.passages import Passage, passage
from holoscope.report.pages.render import render
from holoscope.report.pages.words import Piece
from holoscope.store import RATINGS, Annotation, Instances, ScoreRow, StoredRun

_MOST_TWINS = 40
_MOST_OTHERS = 60
_SHORT = 300
"""Characters of a twin's answer."""

ScoreKey = tuple[bytes, int, int]
Scores = Mapping[ScoreKey, list[Score]]


class Which(NamedTuple):
    """Which trial of an instance."""

    perturbation: str = ""
    """Empty: the original."""
    trial: int = 0
    train: int = 0


class Around(NamedTuple):
    """Where the reader came from, and goes on to."""

    previous: str
    next: str
    text: str
    """`17 of 100 in the list`."""
    back: str
    """The list."""


class Twin(NamedTuple):
    """Another form or repetition of the instance."""

    name: str
    href: str
    change: tuple[Piece, ...]
    answer: Passage
    score: Score | None
    is_other: bool
    """True if its main score differs from that of the trial shown."""


class Other(NamedTuple):
    """The same instance, answered by another model."""

    model: str
    href: str
    beside: str
    """Where the two stand side by side; empty where that can't be shown."""


class Annotating(NamedTuple):
    """What lets a reader of the server rate and comment."""

    token: str
    """Of the form, so that no other site can send it."""
    said: Sequence[Annotation]
    """About this instance in this run, under any condition."""


def instance(
    library: Library,
    finder: Instances,
    links: Links,
    suite: str,
    folder: str,
    instance_id: str,
    which: Which = Which(),  # noqa: B008 an immutable value
    *,
    around: Around | None = None,
    annotating: Annotating | None = None,
) -> str:
    """The page of one trial of an instance. UnknownNameError if the run has none of that kind."""
    stored = library.run(suite, folder)
    found = library.suite(suite)
    row = row_of(found, stored)
    trials, scores = trials_of(finder, stored, instance_id)
    trial = chosen(trials, which, instance_id)
    main = row.main_metric
    own = scores.get(key_of(trial), [])
    name = stored.path.name
    return render(
        "instance.html",
        links=links,
        title=f"{instance_id} · {row.label}",
        suite=suite,
        here="instance",
        folder=name,
        row=row,
        instance_id=instance_id,
        trial=trial,
        perturbation=trial.instance.perturbation_name or "",
        shown=shown(trial, own, library.registry, main),
        own_tokens=option_tokens(trial),
        main=main_score(own, main),
        main_metric=main,
        is_binary=_is_binary(library.registry, main),
        twins=_twins(links, suite, name, trials, trial, scores, main),
        others=_others(found, row, links, name, instance_id),
        around=around or _neighbours(finder, links, suite, stored, instance_id),
        stable=link_to(links, suite, name, instance_id, trial),
        whole=links("api", path=f"suites/{suite}/runs/{name}/instances/{instance_id}") if links.is_served else "",
        annotating=annotating,
        ratings=RATINGS,
    )


def trials_of(finder: Instances, stored: StoredRun, instance_id: str) -> tuple[list[Trial], Scores]:
    """Every trial of an instance, and the scores of each. UnknownNameError if there are none."""
    trials = list(group_trials(finder.exchanges(stored, instance_id)))
    if not trials:
        raise UnknownNameError("instance", instance_id, [])
    scores: dict[ScoreKey, list[Score]] = {}
    for scored in finder.scores(stored, instance_id):
        scores.setdefault(_key(scored), []).append(scored.score)
    return trials, scores


def chosen(trials: Sequence[Trial], which: Which, instance_id: str) -> Trial:
    """The trial asked for; where the original is, and there is none, the first."""
    for trial in trials:
        if (trial.instance.perturbation_name or "", trial.index, trial.train_trial_index) == which:
            return trial
    if which == Which():
        return trials[0]
    known = {trial.instance.perturbation_name or "" for trial in trials}
    raise UnknownNameError(f"form of instance {instance_id}", " ".join(map(str, which)), known)


def row_of(suite: Suite, stored: StoredRun) -> Row:
    """The run's row of the grid."""
    return next(row for name, row in zip(suite.runs, suite.grid.rows, strict=True) if name == stored.path.name)


def link_to(links: Links, suite: str, folder: str, instance_id: str, trial: Trial) -> str:
    """The address of a trial, which holds nothing of how the reader came to it."""
    return links("instance", suite=suite, folder=folder, instance_id=instance_id, **parts_of(trial))


def parts_of(trial: Trial) -> dict[str, str]:
    """What tells a trial from its instance's others, as parts of an address; the usual is left out."""
    given = {
        "perturbation": trial.instance.perturbation_name or "",
        "trial": str(trial.index) if trial.index else "",
        "train": str(trial.train_trial_index) if trial.train_trial_index else "",
    }
    return {name: value for name, value in given.items() if value}


def key_of(trial: Trial) -> ScoreKey:
    """What the trial's scores are found by."""
    return canonical(trial.instance.perturbation), trial.train_trial_index, trial.index


def _key(scored: ScoreRow) -> ScoreKey:
    return canonical(scored.perturbation), scored.train_trial_index, scored.trial


def _is_binary(registry: Registry, metric: str) -> bool:
    if metric not in registry.metrics:
        return False
    card = registry.metrics.get(metric)
    return card.binary and not card.lower_is_better


def _twins(
    links: Links, suite: str, folder: str, trials: Sequence[Trial], one: Trial, scores: Scores, main: str
) -> list[Twin]:
    """The other trials of the instance, with what was changed in each."""
    own = main_score(scores.get(key_of(one), []), main)
    made = []
    for trial in [each for each in trials if each is not one][:_MOST_TWINS]:
        score = main_score(scores.get(key_of(trial), []), main)
        has_page = links.has("instance", suite=suite, folder=folder, instance_id=one.instance.id, **parts_of(trial))
        made.append(
            Twin(
                name=_name(trial),
                href=link_to(links, suite, folder, one.instance.id, trial) if has_page else "",
                change=_change(one, trial),
                answer=passage(said(trial, score)[:_SHORT]),
                score=score,
                is_other=bool(own and score and own.value != score.value),
            )
        )
    return made


def _change(one: Trial, other: Trial) -> tuple[Piece, ...]:
    """How the other's question differs from this one's."""
    if other.instance.input == one.instance.input:
        return ()
    return changed(one.instance.input, other.instance.input)


def _name(trial: Trial) -> str:
    described: PerturbationDescription | None = trial.instance.perturbation
    seed = f" (seed {described.seed})" if described and described.seed is not None else ""
    parts = [f"{described.name}{seed}" if described else "original"]
    if trial.index:
        parts.append(f"repetition {trial.index + 1}")
    if trial.train_trial_index:
        parts.append(f"examples drawn anew, {trial.train_trial_index + 1}")
    return ", ".join(parts)


def _others(suite: Suite, row: Row, links: Links, folder: str, instance_id: str) -> list[Other]:
    found = []
    for name, other in zip(suite.runs, suite.grid.rows, strict=True):
        if other.label != row.label or other.model == row.model or other.manifest.status == "failed":
            continue
        parts = {"suite": suite.name, "folder": name, "instance_id": instance_id}
        if links.has("instance", **parts):
            pair = {"suite": suite.name, "a": folder, "b": name, "id": instance_id}
            beside = links("pairs", **pair) if links.has("pairs", **pair) else ""
            found.append(Other(other.model, links("instance", **parts), beside))
    return found[:_MOST_OTHERS]


def _neighbours(finder: Instances, links: Links, suite: str, stored: StoredRun, instance_id: str) -> Around:
    """The instances before and after this one in the plan."""
    folder = stored.path.name
    found = finder.neighbours(stored, instance_id)

    def link(identity: str | None) -> str:
        parts = {"suite": suite, "folder": folder, "instance_id": identity or ""}
        return links("instance", **parts) if identity and links.has("instance", **parts) else ""

    back = links("instances", suite=suite, folder=folder)
    if found is None:
        return Around("", "", "", back)
    return Around(link(found.before), link(found.after), f"{found.position:,} of {found.total:,} in the run", back)
