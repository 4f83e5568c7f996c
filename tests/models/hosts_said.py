"""What each host says, in its own words: of a limit, a filter, a key, a model it hasn't, too much asked.

Data alone, a row a line of `hosts_said.jsonl`. The words are those of the page or thread named as the source, or, where
that gives only codes and shapes, of that shape; `measured` is what a real server of the kind said here.
"""

from pathlib import Path
from typing import Any

import msgspec


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One reply."""

    host: str
    meaning: str
    """An outcome; or `again`: send it again; `slower`: again, and fewer at once; `never`: stop asking this model;
    `not this`: this request can't be answered."""
    status: int
    source: str
    body: Any = None
    raw: str | None = None
    """The body where it is no JSON, or must come byte for byte."""
    headers: dict[str, str] = {}

    @property
    def said(self) -> Any:
        return self.body if self.raw is None else self.raw.encode()


_LINES = Path(__file__).with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
ROWS = tuple(msgspec.json.decode(line, type=Row) for line in _LINES)
