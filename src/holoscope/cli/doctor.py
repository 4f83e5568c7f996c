"""`holoscope doctor`: what a model can do, which scenarios that allows, and whether rows can be had.

A model is asked a dozen short questions unless `--no-ask` says not to; of rows that are not on this machine only the
headers are looked at, and only while nothing is paid for.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from holoscope.core import HoloscopeError, Registry, RunSpec, Settings, UsageError

if TYPE_CHECKING:
    from holoscope.cli.allowed import Allowed
    from holoscope.models import Description, ModelCard, Price, Probe

Finding = dict[str, str]
"""What was looked at, what was found, and the problem with it, if any."""


def doctor(
    *tracks: str,
    model: str = "",
    base_url: str = "",
    no_ask: bool = False,
    data_dir: Path | None = None,
    json: bool = False,
) -> int:
    """Say what a model can do and which scenarios that allows, and whether the data of entries or tracks can be had.

    Parameters
    ----------
    tracks
        Tracks or run entries; with a model and none of these, all tracks are judged by what it can do.
    model
        A model name. It is asked a dozen short questions, a few hundred tokens.
    base_url
        Address of an OpenAI-compatible server for the model.
    no_ask
        Ask the model nothing: say what is known of it.
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
    checked = _Checked(tracks, machine, json)
    if model:
        checked.look_at_model(model, base_url, asks=not no_ask)
    if tracks:
        checked.look_at_rows(model or "test/echo")
    if json:
        print(msgspec.json.encode(checked.told).decode())  # noqa: T201
    return checked.code


class _Checked:
    """One call of the command: says what it finds, and remembers it for JSON and the exit code."""

    def __init__(self, entries: tuple[str, ...], machine: Settings, quiet: bool) -> None:
        self.entries, self.machine, self.quiet = entries, machine, quiet
        self.findings: list[Finding] = []
        self.probe: Probe | None = None
        self.allowed: list[Allowed] = []

    @property
    def told(self) -> dict[str, object]:
        record = {"options": self.probe.options, "card": self.probe.card_entry} if self.probe else None
        return {"findings": self.findings, "probe": self.probe, "record": record, "allowed": self.allowed}

    @property
    def code(self) -> int:
        """1 where something named can't be had: the model, rows, or runs of an entry that it can't be asked."""
        lost = self.entries and any(each.able < each.runs for each in self.allowed)
        return 1 if lost or any(finding["problem"] for finding in self.findings) else 0

    def look_at_model(self, name: str, base_url: str, *, asks: bool) -> None:
        """What the name means; where it can be asked, what it can do; and what that allows."""
        from holoscope.cli.session import registry
        from holoscope.models import describe

        things = registry()
        found = describe(name, self.machine, base_url=base_url, registry=things)
        self.say(_meaning(name, found))
        card = found.card
        if asks and not found.problem and card.base_url:
            self.say(_counting(name, base_url, self.machine, things))
        if asks and not found.problem:
            card = self.ask(name, base_url, things, card)
        if not asks or not any(finding["problem"] for finding in self.findings):
            self.judge(things, card)

    def ask(self, name: str, base_url: str, things: Registry, card: "ModelCard") -> "ModelCard":
        """Probe it; the card as it is known then."""
        from holoscope.cli.probed import print_probe
        from holoscope.cli.session import run_async
        from holoscope.pipeline import probe_model

        try:
            self.probe = run_async(probe_model(name, self.machine, things, base_url))
        except HoloscopeError as error:
            self.say([{"what": "asked", "found": "", "problem": str(error)}])
            return card
        if self.probe.problem:
            self.say([{"what": "asked", "found": "", "problem": self.probe.problem}])
        elif not self.quiet:
            print_probe(self.probe)
        return self.probe.corrected(card)

    def judge(self, things: Registry, card: "ModelCard") -> None:
        """Which of the entries named, or of all tracks, can be asked of it."""
        from holoscope.cli.allowed import allowed, rows_of
        from holoscope.cli.columns import print_columns
        from holoscope.cli.session import console
        from holoscope.entries import load_tracks, split_entries

        tracks = load_tracks()
        entries = split_entries(self.entries) if self.entries else sorted(tracks)
        self.allowed = allowed(entries, things, tracks, card)
        if not self.quiet:
            _print_line("\nWhat it can be asked:")
            print_columns(rows_of(self.allowed, in_full=bool(self.entries)), console())

    def look_at_rows(self, model: str) -> None:
        """Whether the rows of the entries named can be had."""
        if self.allowed and not self.quiet:
            _print_line("\nWhere their rows are:")
        self.findings += _data(self.entries, model, self.machine, quiet=self.quiet)

    def say(self, findings: list[Finding]) -> None:
        self.findings += findings
        if not self.quiet:
            _print(findings)


def _print_line(line: str) -> None:
    from holoscope.cli.session import console

    console().print(line, soft_wrap=True)


def _print(findings: Sequence[Finding]) -> None:
    for finding in findings:
        _print_line(f"{finding['what']}: {finding['problem'] or finding['found']}")


def _meaning(name: str, found: "Description") -> list[Finding]:
    """What a name means, before anybody is asked."""
    card, can = found.card, found.card.capabilities
    window = card.limits.sequence
    abilities = [word for word in ("chat", "completions", "logprobs", "echo", "images") if getattr(can, word)]
    return [
        {"what": name, "found": "; ".join(found.why), "problem": found.problem},
        {"what": "endpoint", "found": f"{card.base_url or 'in-process'}, model {card.served_name}", "problem": ""},
        {"what": "key", "found": found.key or ("missing" if card.base_url else "none needed"), "problem": ""},
        {"what": "window", "found": f"{window:,} tokens" if window else "unknown: prompts are not cut", "problem": ""},
        {"what": "takes, as far as is known before asking", "found": ", ".join(abilities), "problem": ""},
        {"what": "price", "found": _price(card.price), "problem": ""},
    ]


def _price(price: "Price | None") -> str:
    if price is None or None in (price.input, price.output):
        return "unknown, so cost is"
    return f"${price.input:g} in and ${price.output:g} out per million tokens, as of {price.date} ({price.source})"


def _counting(name: str, base_url: str, machine: Settings, things: Registry) -> list[Finding]:
    """What counts a served model's tokens, and its window as its own server states it, where nothing else does."""
    from holoscope.cli.session import run_async
    from holoscope.models import resolve

    try:
        model = resolve(name, machine, base_url=base_url, registry=things)
    except HoloscopeError:
        return []  # what is missing is said where the model is asked
    window = model.window()
    counts = window.source if window.exact else f"not counted but {window.source}"  # asks a server to count
    run_async(model.aclose())
    stated = window.max_request_length if model.card.limits.sequence is None else None
    length = (
        [{"what": "window, as the server states it", "found": f"{stated:,} tokens", "problem": ""}] if stated else []
    )
    return [*length, {"what": "tokens of prompts", "found": counts, "problem": ""}]


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
        console().print(f"\nThe rows of {able} of {len(asked.specs)} runs can be had; nothing was fetched.")
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
