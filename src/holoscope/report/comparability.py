"""Are two runs about the same thing? What differs between them beside the model, in words.

A difference of two scores says something of the models only where both were asked the same, in the same words, and
scored by the same definitions. Settings and versions stand in the manifests; prompts are compared as they were sent,
by their hashes, so that long ones don't fill the memory.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from holoscope.core import AdapterSpec, StoreError
from holoscope.report.grid import status_reason
from holoscope.report.printable import printable
from holoscope.store import REQUESTS, Manifest, StoredRun, read_columns

_OF_THE_MODEL = frozenset({"model", "model_deployment", "max_eval_instances"})
"""Settings that may differ: who is asked, and of how many rows the shared ones are a part."""
_PLACE = ("instance_id", "perturbation_json", "train_trial_index", "reference_index", "request_mode")
_SENT = ("prompt", "messages_json", "params_json")
_ROWS = 1_024
"""Prompts in memory at once."""
_MOST_SHOWN = 24
"""Characters of a setting's value."""


class Prompts(NamedTuple):
    """How many instances both runs asked, and how many of them with other words or parameters."""

    shared: int
    differing: int
    first: str
    """Id of the first that differs."""


def warnings(a: StoredRun, b: StoredRun, metrics: tuple[str, ...]) -> tuple[str, ...]:
    """What makes the scores of two runs less than comparable, a line each; empty if nothing does."""
    return tuple(map(printable, (*_manifests(a.manifest, b.manifest, metrics), *_words(a, b))))


def prompts(a: StoredRun, b: StoredRun) -> Prompts:
    """Compare what was sent, the first time of each request."""
    sent = {place: text for _, place, text in _hashed(a)}
    shared: set[str] = set()
    differing: dict[str, None] = {}
    for identity, place, text in _hashed(b):
        if place in sent:
            shared.add(identity)
            if sent[place] != text:
                differing[identity] = None
    return Prompts(len(shared), len(differing), next(iter(differing), ""))


def _words(a: StoredRun, b: StoredRun) -> Iterator[str]:
    try:
        found = prompts(a, b)
    except StoreError as error:
        yield f"prompts were not compared: {error}"
        return
    if found.differing:
        yield (
            f"prompts or parameters differ on {found.differing:,} of {found.shared:,} shared instances "
            f"(the first is {found.first})"
        )


def _hashed(run: StoredRun) -> Iterator[tuple[str, int, int]]:
    """Each request's instance, place in the plan and text, the latter two as numbers; repetitions left out."""
    path = run.path / REQUESTS
    if not path.exists():
        return
    for batch in read_columns(path, (*_PLACE, "trial", *_SENT), rows=_ROWS):
        places = zip(*(batch[name] for name in _PLACE), strict=True)
        texts = zip(*(batch[name] for name in _SENT), strict=True)
        for place, trial, text in zip(places, batch["trial"], texts, strict=True):
            if trial == 0:
                yield place[0], hash(place), hash(text)  # both runs are read by this process


def _manifests(a: Manifest, b: Manifest, metrics: tuple[str, ...]) -> Iterator[str]:
    for side, manifest in (("A", a), ("B", b)):
        if reason := status_reason(manifest):
            yield f"{side} is {reason}"
    if a.scenario.name != b.scenario.name:
        yield f"other scenarios: {a.scenario.name} and {b.scenario.name}"
    yield from _versions(a, b, metrics)
    changed = [path for path, digest in a.data.items() if b.data.get(path, digest) != digest]
    if changed:
        yield f"the rows differ: {', '.join(changed)}; equal ids may stand for other instances"
    yield from _settings(a, b)


def _versions(a: Manifest, b: Manifest, metrics: tuple[str, ...]) -> Iterator[str]:
    if a.scenario.version != b.scenario.version:
        yield f"versions of the scenario differ: {a.scenario.version} and {b.scenario.version}"
    if a.versions.prompt != b.versions.prompt:
        yield f"versions of the prompt differ: {a.versions.prompt} and {b.versions.prompt}"
    for kind, first, second in (
        ("metric", a.versions.metrics, b.versions.metrics),
        ("perturbation", a.versions.perturbations, b.versions.perturbations),
    ):
        for name in first:
            relevant = kind == "perturbation" or name in metrics
            if relevant and name in second and first[name] != second[name]:
                yield f"versions of {kind} {name} differ: {first[name]} and {second[name]}"


def _settings(a: Manifest, b: Manifest) -> Iterator[str]:
    if a.scenario.name == b.scenario.name and a.spec.scenario.args != b.spec.scenario.args:
        yield "the scenario's arguments differ"
    for name, first, second in (
        ("trials", a.spec.trials, b.spec.trials),
        ("seed", a.spec.seed, b.spec.seed),
        ("compat", a.spec.compat or "none", b.spec.compat or "none"),
    ):
        if first != second:
            yield f"other {name}: {first} and {second}"
    adapters = a.spec.adapter, b.spec.adapter
    differing = [f for f in AdapterSpec.__struct_fields__ if f not in _OF_THE_MODEL and _unlike(f, *adapters)]
    if differing:
        yield "settings differ: " + "; ".join(_setting(name, *adapters) for name in differing)
    if a.spec.augmentation != b.spec.augmentation:
        yield "the perturbations asked for differ"


def _unlike(name: str, a: AdapterSpec, b: AdapterSpec) -> bool:
    return bool(getattr(a, name) != getattr(b, name))


def _setting(name: str, a: AdapterSpec, b: AdapterSpec) -> str:
    shown = [msgspec.json.encode(getattr(adapter, name)).decode() for adapter in (a, b)]
    return f"{name} {shown[0]} and {shown[1]}" if max(map(len, shown)) <= _MOST_SHOWN else name
