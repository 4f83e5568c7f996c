"""`replay/FILE`: a model that answers from a recording, to score completions somebody already has.

FILE is JSON Lines, gzipped or not: `{prompt | messages | instance_id, completions: [{text, logprob?, tokens?,
finish_reason?, thinking?}], usage?, request_time?}`. A request is looked up by what it asks, and where rows name an
instance by that too. Repetition k takes the k-th completions; what is not in the file is not supported, never empty.
Stop sequences are not applied: what was recorded is what was answered.
"""

import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

from holoscope.core import (
    Completion,
    ConfigError,
    Json,
    NotSupportedError,
    Request,
    Token,
    Usage,
    canonical,
)
from holoscope.models.answer import Written, combine, read_answer
from holoscope.models.model import Capabilities, ModelCard
from holoscope.models.names import TypedName, read_options
from holoscope.models.thinking import read_tags
from holoscope.models.tokenizers import Limits, Window, WindowOption, open_window, require_tokenizer

_GZIP, _BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
_TRIAL = re.compile(r"[1-9]\d*")


class ReplayOptions(msgspec.Struct, frozen=True):
    """Options after `?`."""

    window: WindowOption | None = None
    tokenizer: str = ""
    think: str = ""


class Recorded(msgspec.Struct, frozen=True):
    """One completion of a row."""

    text: str
    logprob: float | None = None
    tokens: tuple[Token, ...] = ()
    finish_reason: str | None = None
    thinking: str | None = None


class Row(msgspec.Struct, frozen=True):
    """One line of the file."""

    completions: tuple[Recorded, ...]
    prompt: str | None = None
    messages: Json = None
    instance_id: str = ""
    usage: Usage | None = None
    request_time: float | None = None


class Asked(NamedTuple):
    """What a row is found by; an empty part matches anything."""

    question: bytes
    instance_id: str


class Line(NamedTuple):
    """A row and where it stands."""

    number: int
    row: Row


@dataclass(frozen=True)
class Recording:
    """A file, indexed."""

    name: str
    sha256: str
    lines: dict[Asked, Line] = field(repr=False)
    ambiguous: dict[Asked, tuple[int, int]] = field(repr=False)
    """Questions that several instances ask with different answers: their line numbers."""

    def find(self, request: Request) -> Line:
        """The line that answers a request; NotSupportedError if there is none, or no telling which."""
        question = _question(request.prompt, msgspec.to_builtins(request.messages))
        instance = request.place.instance_id if request.place else ""
        for asked in (Asked(question, instance), Asked(question, ""), Asked(b"", instance)):
            if asked in self.ambiguous:
                first, second = self.ambiguous[asked]
                raise NotSupportedError(
                    f"{self.name} answers this question differently in lines {first} and {second}, and neither is for "
                    f"instance {instance!r}"
                )
            if asked in self.lines:
                return self.lines[asked]
        shown = request.prompt if request.prompt is not None else "(a conversation)"
        raise NotSupportedError(f"{self.name} has no answer for the prompt ending in {shown[-60:]!r}")


class Replay:
    """The model."""

    def __init__(self, card: ModelCard, recording: Recording, think: str) -> None:
        self.card = card
        self.identity = {"deployment": "replay", "sha256": recording.sha256, **({"think": think} if think else {})}
        self._recording = recording
        self._think = read_tags(think)
        self._window = open_window(card.tokenizer, card.limits)

    def window(self) -> Window:
        return self._window

    async def generate(self, request: Request) -> Completion:
        line = self._recording.find(request)
        wanted, trial = request.params.num_completions, _trial(request)
        chosen = line.row.completions[trial * wanted : (trial + 1) * wanted]
        if len(chosen) < wanted:
            raise NotSupportedError(
                f"{self._recording.name}, line {line.number}: {len(line.row.completions)} completions recorded, "
                f"{(trial + 1) * wanted} needed for repetition {trial} of {wanted} each"
            )
        think = None if request.params.echo_prompt else self._think
        answers = combine([read_answer(_written(c, request), think=think) for c in chosen])
        return Completion(
            outcome=answers.outcome,
            choices=answers.choices,
            reason=answers.reason,
            usage=line.row.usage,
            request_time=line.row.request_time,
        )

    async def aclose(self) -> None:
        """Nothing to close."""


def open_replay(file: str, typed: TypedName) -> Replay:
    """Read and index a recording."""
    options = read_options(typed.options, ReplayOptions, typed.name)
    require_tokenizer(options.tokenizer)
    recording = read_recording(Path(file))
    card = ModelCard(
        name=typed.name,
        deployment="replay",
        provider="replay",
        served_name=file,
        limits=Limits(options.window),
        tokenizer=options.tokenizer,
        capabilities=Capabilities(),
        is_recording=True,
    )
    return Replay(card, recording, options.think)


def read_recording(path: Path) -> Recording:
    """Index a file; ConfigError names the line that can't be used."""
    try:
        data = path.read_bytes()
        text = gzip.decompress(data) if data.startswith(_GZIP) else data
    except (OSError, EOFError) as error:
        raise ConfigError(f"cannot read the recording {path}: {error}") from None
    recording = Recording(path.name, hashlib.sha256(data).hexdigest(), {}, {})
    for line in _lines(text.removeprefix(_BOM), path):
        for asked in _found_by(line.row, path, line.number):
            _add(recording, asked, line, path)
    return recording


def _lines(data: bytes, path: Path) -> Iterator[Line]:
    decoder = msgspec.json.Decoder(Row)
    for number, text in enumerate(data.split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            row = decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}, line {number}: {error}") from None
        if not row.completions:
            raise ConfigError(f"{path}, line {number}: expected at least one completion")
        yield Line(number, row)


def _found_by(row: Row, path: Path, number: int) -> Iterable[Asked]:
    question = _question(row.prompt, row.messages)
    if not question and not row.instance_id:
        raise ConfigError(f"{path}, line {number}: expected prompt, messages or instance_id")
    if question and row.instance_id:
        return Asked(question, row.instance_id), Asked(question, "")
    return (Asked(question, row.instance_id),)


def _add(recording: Recording, asked: Asked, line: Line, path: Path) -> None:
    """Enter a line; one without an instance answers for all instances that have none of their own."""
    known = recording.lines.setdefault(asked, line)
    if known.row.completions == line.row.completions:
        return
    known_is_general, line_is_general = (not n.row.instance_id for n in (known, line))
    if asked.instance_id or (known_is_general and line_is_general):
        raise ConfigError(
            f"{path}, line {line.number}: the same question as in line {known.number}, with other completions; put the "
            "repetitions of a question into one line, or tell them apart by instance_id"
        )
    if line_is_general:
        recording.lines[asked] = line
        recording.ambiguous.pop(asked, None)
    elif not known_is_general:
        recording.ambiguous.setdefault(asked, (known.number, line.number))


def _question(prompt: str | None, messages: Json) -> bytes:
    """Bytes that are equal for equal questions, images being equal by their hash; empty for none."""
    if prompt is not None:
        return b"p" + hashlib.sha256(prompt.encode(errors="surrogatepass")).digest()
    if messages is None:
        return b""
    return b"m" + hashlib.sha256(canonical(_without_image_data(messages))).digest()


def _without_image_data(value: Json) -> Json:
    if isinstance(value, list | tuple):
        return [_without_image_data(item) for item in value]
    if not isinstance(value, dict):
        return value
    hashed = value.get("type") == "image"
    return {key: _without_image_data(item) for key, item in value.items() if not (hashed and key == "data")}


def _trial(request: Request) -> int:
    """Which repetition asks: the plan's number, or that in `random`."""
    if request.place is not None:
        return request.place.trial
    random = request.params.random or ""
    return int(random) if _TRIAL.fullmatch(random) else 0


def _written(recorded: Recorded, request: Request) -> Written:
    finish = None if request.params.echo_prompt else recorded.finish_reason
    return Written(recorded.text, finish, recorded.tokens, recorded.thinking, logprob=recorded.logprob)
