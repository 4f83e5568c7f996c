"""`holoscope doctor`: what a model name means, and whether an entry's or a track's rows can be had.

Models are not asked; of rows that are not on this machine only the headers are, and only while nothing is paid for.
"""

from collections.abc import Sequence
from pathlib import Path

from holoscope.core import Registry, RunSpec, Settings, UsageError

Finding = dict[str, str]
"""What was looked at, what was found, and the problem with it, if any."""


def doctor(*tracks: str, model: str = "", base_url: str = "", data_dir: Path | None = None, json: bool = False) -> int:
    """Say which model a name means and why, and whether the data of entries or tracks can be had.

    Parameters
    ----------
    tracks
        Tracks or run entries.
    model
        A model name.
    base_url
        Address of an OpenAI-compatible server for the model.
    data_dir
        Folder of benchmark files as upstream publishes them.
    json
        Print JSON.
    """
    import msgspec

    from holoscope.cli.session import settings

    if not tracks and not model:
        raise UsageError(
            "doctor checks a model or a track: holoscope doctor --model openai/gpt-4o, or holoscope doctor mmlu-all"
        )
    machine = settings(data_dir)
    findings = _model(model, base_url, machine) if model else []
    if not json:
        _print(findings)
    if tracks:
        findings += _data(tracks, model or "test/echo", machine, quiet=json)
    if json:
        print(msgspec.json.encode({"findings": findings}).decode())  # noqa: T201
    return 1 if any(finding["problem"] for finding in findings) else 0


def _print(findings: Sequence[Finding]) -> None:
    from holoscope.cli.session import console

    for finding in findings:
        console().print(f"{finding['what']}: {finding['problem'] or finding['found']}", soft_wrap=True)


def _model(name: str, base_url: str, machine: Settings) -> list[Finding]:
    from holoscope.cli.session import registry
    from holoscope.models import describe

    found = describe(name, machine, base_url=base_url, registry=registry())
    card, can = found.card, found.card.capabilities
    window = card.limits.sequence
    abilities = [word for word in ("chat", "completions", "logprobs", "echo", "images") if getattr(can, word)]
    return [
        {"what": name, "found": "; ".join(found.why), "problem": found.problem},
        {"what": "endpoint", "found": f"{card.base_url or 'in-process'}, model {card.served_name}", "problem": ""},
        {"what": "key", "found": found.key or "missing", "problem": ""},
        {"what": "window", "found": f"{window:,} tokens" if window else "unknown: prompts are not cut", "problem": ""},
        {"what": "takes, as far as is known before asking", "found": ", ".join(abilities), "problem": ""},
        {"what": "price", "found": f"as of {card.price.date}" if card.price else "unknown, so cost is", "problem": ""},
    ]


def _data(tracks: tuple[str, ...], model: str, machine: Settings, *, quiet: bool) -> list[Finding]:
    from holoscope.cli.columns import print_columns
    from holoscope.cli.session import console, registry
    from holoscope.cli.sources_check import check_sources, summarised
    from holoscope.entries import resolve_all, split_entries

    things = registry()
    asked = resolve_all(split_entries(tracks), things, models=[model])
    found = check_sources(asked.specs, things, machine)
    sandbox = _sandbox(asked.specs, things, machine)
    if not quiet:
        absent = [(each.name, "missing", each.reason) for each in asked.missing]
        print_columns([*summarised(found), *absent], console())
        _print(sandbox)
        able = sum(each.runs for each in found if not each.problem)
        console().print(f"\nThe rows of {able} of {len(asked.specs)} runs can be had; nothing was fetched or asked.")
        if able < len(asked.specs):
            console().print("Your own copy is looked for first: --data-dir DIR; --json says which files.")
    rows = [{"what": each.what, "found": f"{each.found} ({each.licence})", "problem": each.problem} for each in found]
    absent_rows = [{"what": each.name, "found": each.title, "problem": each.reason} for each in asked.missing]
    return [*rows, *absent_rows, *sandbox]


def _sandbox(specs: Sequence[RunSpec], things: Registry, machine: Settings) -> list[Finding]:
    """Whether model-written code can be run, where a run has any."""
    from holoscope.metrics import expanded
    from holoscope.metrics.scoring import lookup
    from holoscope.sandbox import Sandbox

    names = {metric.name for spec in specs for metric in expanded(spec.metrics)}
    cards = [lookup(name, things, compat=False) for name in sorted(names)]
    if not any(card is not None and card.jobs is not None for card in cards):
        return []
    sandbox = Sandbox.of(machine)
    found = "; ".join(f"{key}: {value}" for key, value in sandbox.described.items())
    return [{"what": "model-written code", "found": found, "problem": sandbox.reason}]
