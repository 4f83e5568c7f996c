"""`holoscope doctor`: what a model name means, and whether an entry's or a track's data is at hand. Asks nobody."""

from pathlib import Path

from holoscope.core import Settings, UsageError


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

    from holoscope.cli.session import console, settings

    if not tracks and not model:
        raise UsageError(
            "doctor checks a model or a track: holoscope doctor --model openai/gpt-4o, or holoscope doctor mmlu-all"
        )
    machine = settings(data_dir)
    findings = _model(model, base_url, machine) if model else []
    findings += _data(tracks, model or "test/echo", machine)
    if json:
        print(msgspec.json.encode({"findings": findings}).decode())  # noqa: T201
    else:
        for finding in findings:
            console().print(f"{finding['what']}: {finding['problem'] or finding['found']}", soft_wrap=True)
    return 1 if any(finding["problem"] for finding in findings) else 0


def _model(name: str, base_url: str, machine: Settings) -> list[dict[str, str]]:
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


def _data(tracks: tuple[str, ...], model: str, machine: Settings) -> list[dict[str, str]]:
    from holoscope.cli.session import registry
    from holoscope.entries import resolve_all, split_entries
    from holoscope.scenarios import check

    things = registry()
    specs = resolve_all(split_entries(tracks), things, models=[model]).specs
    findings = []
    for spec in {spec.scenario.name + str(spec.scenario.args): spec for spec in specs}.values():
        card = things.scenarios.get(spec.scenario.name)
        problem = check(card, spec.scenario.args, machine)
        found = f"its rows can be had ({card.licence})"
        findings.append({"what": spec.name, "found": found, "problem": problem or ""})
    return findings
