"""`requests.parquet`: a row per request, with its instance, its prompt and what came back.

The round trip is lossless: what is read equals what was written, so that every score can be computed again without
a model. What analysts ask for (ids, splits, texts, tokens, times) has a column of its own; what only this package
reads is JSON. Rows keep plan order.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    Json,
    Message,
    Outcome,
    Params,
    PerturbationDescription,
    PlannedRequest,
    Reference,
    Request,
    Token,
    Usage,
)
from holoscope.store._parquet import Column, RowsWriter, read_rows
from holoscope.store._text import storable, to_json


def _json_or_none(value: object) -> str | None:
    return None if value is None else to_json(value)


def _reference_row(reference: Reference) -> dict[str, object]:
    return {"text": storable(reference.text), "tags": [storable(tag) for tag in reference.tags]}


def _choice_row(choice: Choice) -> dict[str, object]:
    return {
        "text": storable(choice.text),
        "logprob": choice.logprob,
        "finish_reason": choice.finish_reason,
        "thinking": None if choice.thinking is None else storable(choice.thinking),
        "tokens": [storable(token.text) for token in choice.tokens],
        "logprobs": [token.logprob for token in choice.tokens],
    }


def _usage_row(usage: Usage | None) -> dict[str, object] | None:
    return None if usage is None else msgspec.structs.asdict(usage)


_COLUMNS: tuple[Column[Exchange], ...] = (
    Column("instance_id", "text", lambda e: e.planned.instance.id),
    Column("split", "word", lambda e: e.planned.instance.split),
    Column("sub_split", "word", lambda e: e.planned.instance.sub_split),
    Column("cluster", "word", lambda e: e.planned.instance.cluster),
    Column("perturbation", "word", lambda e: e.planned.instance.perturbation_name),
    Column("perturbation_json", "word", lambda e: _json_or_none(e.planned.instance.perturbation)),
    Column("train_trial_index", "int", lambda e: e.planned.train_trial_index),
    Column("trial", "int", lambda e: e.planned.trial),
    Column("reference_index", "int", lambda e: e.planned.reference_index),
    Column("request_mode", "word", lambda e: e.planned.request_mode),
    Column("input", "text", lambda e: e.planned.instance.input),
    Column("original_input", "text", lambda e: e.planned.instance.original_input),
    Column("references", "references", lambda e: [_reference_row(r) for r in e.planned.instance.references]),
    Column("instance_messages_json", "text", lambda e: _json_or_none(e.planned.instance.messages)),
    Column("groups_json", "word", lambda e: to_json(e.planned.instance.groups)),
    Column("extra_json", "text", lambda e: to_json(e.planned.instance.extra)),
    Column("prompt", "text", lambda e: e.planned.request.prompt),
    Column("messages_json", "text", lambda e: _json_or_none(e.planned.request.messages)),
    Column("continuation", "text", lambda e: e.planned.request.continuation),
    Column("wants_logprobs", "bool", lambda e: e.planned.request.wants_logprobs),
    Column("params_json", "word", lambda e: to_json(e.planned.request.params)),
    Column("output_mapping_json", "text", lambda e: _json_or_none(e.planned.output_mapping)),
    Column("num_train_instances", "int", lambda e: e.planned.num_train_instances),
    Column("prompt_truncated", "bool", lambda e: e.planned.prompt_truncated),
    Column("num_conditioning_tokens", "int", lambda e: e.planned.num_conditioning_tokens),
    Column("num_prompt_tokens", "int", lambda e: e.planned.num_prompt_tokens),
    Column("continuation_tokens", "int", lambda e: e.planned.continuation_tokens),
    Column("unsent", "word", lambda e: e.planned.unsent),
    Column("unsent_reason", "word", lambda e: e.planned.unsent_reason),
    Column("outcome", "word", lambda e: e.completion.outcome),
    Column("reason", "word", lambda e: e.completion.reason),
    Column("choices", "choices", lambda e: [_choice_row(c) for c in e.completion.choices]),
    Column("usage", "usage", lambda e: _usage_row(e.completion.usage)),
    Column("request_time", "float", lambda e: e.completion.request_time),
    Column("time_to_first_token", "float", lambda e: e.completion.time_to_first_token),
    Column("created", "float", lambda e: e.completion.created),
    Column("served_model", "word", lambda e: e.completion.served_model),
    Column("dropped_params", "texts", lambda e: [storable(p) for p in e.completion.dropped_params]),
    Column("attempts", "int", lambda e: e.completion.attempts),
    Column("is_batched", "bool", lambda e: e.completion.is_batched),
)


class RequestsWriter(RowsWriter[Exchange]):
    """Writes `requests.parquet`, in plan order.

    >>> with RequestsWriter(folder / "requests.parquet") as writer:  # doctest: +SKIP
    ...     writer.write(exchanges)
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, _COLUMNS)

    def _size(self, row: Exchange) -> int:
        request = row.planned.request
        messages = sum(len(m.content) if isinstance(m.content, str) else 10_000 for m in request.messages or ())
        tokens = sum(len(choice.tokens) for choice in row.completion.choices)
        return len(row.planned.instance.input) + len(request.prompt or "") + messages + 100 * tokens


def read_exchanges(path: Path) -> Iterator[Exchange]:
    """What RequestsWriter wrote, in the same order, a few rows in memory at a time."""
    return read_rows(path, exchange_of)


def exchange_of(row: dict[str, Any]) -> Exchange:
    """An exchange from the columns of its row."""
    return Exchange(planned=_planned(row), completion=_completion(row))


_perturbation = msgspec.json.Decoder(PerturbationDescription).decode
_messages = msgspec.json.Decoder(tuple[Message, ...]).decode
_groups = msgspec.json.Decoder(dict[str, str]).decode
_extra = msgspec.json.Decoder(dict[str, Json]).decode
_params = msgspec.json.Decoder(Params).decode


def _planned(row: dict[str, Any]) -> PlannedRequest:
    mapping = row["output_mapping_json"]
    return PlannedRequest(
        instance=_instance(row),
        request=_request(row),
        reference_index=row["reference_index"],
        request_mode=row["request_mode"],
        train_trial_index=row["train_trial_index"],
        trial=row["trial"],
        output_mapping=None if mapping is None else _groups(mapping),
        num_train_instances=row["num_train_instances"],
        prompt_truncated=row["prompt_truncated"],
        num_conditioning_tokens=row["num_conditioning_tokens"],
        num_prompt_tokens=row["num_prompt_tokens"],
        continuation_tokens=row["continuation_tokens"],
        unsent=None if row["unsent"] is None else Outcome(row["unsent"]),
        unsent_reason=row["unsent_reason"],
    )


def _instance(row: dict[str, Any]) -> Instance:
    perturbation, messages = row["perturbation_json"], row["instance_messages_json"]
    return Instance(
        id=row["instance_id"],
        input=row["input"],
        references=tuple(Reference(r["text"], tuple(r["tags"])) for r in row["references"]),
        split=row["split"],
        sub_split=row["sub_split"],
        messages=None if messages is None else _messages(messages),
        cluster=row["cluster"],
        groups=_groups(row["groups_json"]),
        perturbation=None if perturbation is None else _perturbation(perturbation),
        original_input=row["original_input"],
        extra=_extra(row["extra_json"]),
    )


def _request(row: dict[str, Any]) -> Request:
    messages = row["messages_json"]
    return Request(
        params=_params(row["params_json"]),
        prompt=row["prompt"],
        messages=None if messages is None else _messages(messages),
        continuation=row["continuation"],
        wants_logprobs=row["wants_logprobs"],
    )


def _completion(row: dict[str, Any]) -> Completion:
    return Completion(
        outcome=Outcome(row["outcome"]),
        choices=tuple(_choice(choice) for choice in row["choices"]),
        reason=row["reason"],
        usage=None if row["usage"] is None else Usage(**row["usage"]),
        request_time=row["request_time"],
        time_to_first_token=row["time_to_first_token"],
        created=row["created"],
        served_model=row["served_model"],
        dropped_params=tuple(row["dropped_params"]),
        attempts=row["attempts"],
        is_batched=row.get("is_batched", False),  # files of before there were batches lack it
    )


def _choice(row: dict[str, Any]) -> Choice:
    return Choice(
        text=row["text"],
        logprob=row["logprob"],
        tokens=tuple(map(Token, row["tokens"], row["logprobs"])),
        finish_reason=row["finish_reason"],
        thinking=row["thinking"],
    )
