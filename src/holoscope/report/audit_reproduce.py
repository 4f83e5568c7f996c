"""The commands that make the runs of a suite again, as a shell takes them.

Answers that are in the ledger are not asked for again; without it the same commands ask the model anew, and a model
that draws its answers, or that its host has changed, need not give the same.
"""

import shlex
from collections.abc import Iterator, Sequence

from holoscope.store import Manifest

_LONG = 100
"""Entries of a command are broken over lines from this many characters on."""


def commands(manifests: Sequence[Manifest], suite: str) -> list[str]:
    """What to type, in order; runs with the same settings are one command."""
    entries: dict[tuple[str, ...], dict[str, None]] = {}
    for manifest in manifests:
        if manifest.provenance.imported is None:
            entries.setdefault(_flags(manifest), {})[manifest.spec.entry] = None
    found = [_command(["holoscope", "run"], [*asked], [*flags, "--suite", suite]) for flags, asked in entries.items()]
    folders = dict.fromkeys(m.provenance.imported.run for m in manifests if m.provenance.imported is not None)
    return [*found, *(_command(["holoscope", "import"], [folder], ["--suite", suite]) for folder in folders)]


def _flags(manifest: Manifest) -> tuple[str, ...]:
    return tuple(_each(manifest))


def _each(manifest: Manifest) -> Iterator[str]:
    spec, model = manifest.spec, manifest.model
    if "model=" not in spec.entry:
        yield from ("--model", model.name)
    if model.base_url:
        yield from ("--base-url", model.base_url)
    if spec.adapter.max_eval_instances is not None and "max_eval_instances=" not in spec.entry:
        yield from ("-m", str(spec.adapter.max_eval_instances))
    if spec.trials != 1:
        yield from ("--trials", str(spec.trials))
    if spec.seed:
        yield from ("--seed", str(spec.seed))
    if spec.compat:
        yield from ("--compat", spec.compat)


def _command(verb: Sequence[str], entries: Sequence[str], flags: Sequence[str]) -> str:
    shown = [shlex.quote(part) for part in (*entries, *flags)]
    line = " ".join([*verb, *shown])
    if len(line) <= _LONG:
        return line
    quoted = [shlex.quote(entry) for entry in entries]
    return " \\\n    ".join([" ".join(verb), *quoted, " ".join(map(shlex.quote, flags))])
