"""JSON documents as HELM writes them: indented by two, and here whole or absent, however large."""

import json
from collections.abc import Iterable
from pathlib import Path

from holoscope.core import Json, StoreError
from holoscope.store import replacing

Document = dict[str, Json]


def write_json(path: Path, value: object) -> None:
    """Write one JSON value."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        json.dump(value, file, indent=2)


def write_with_list(path: Path, head: Document, name: str, values: Iterable[Document]) -> None:
    """Write `head` with one more field, a list that is never whole in memory."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head, indent=2).removesuffix("\n}"))
        file.write(f',\n  "{name}": [')
        separator = "\n"
        for value in values:
            lines = json.dumps(value, indent=2).replace("\n", "\n    ")  # strings hold no bare line break in JSON
            file.write(f"{separator}    {lines}")
            separator = ",\n"
        file.write("\n  ]\n}")


def read_json(path: Path) -> Json:
    """Read one JSON value; StoreError names the file that has none."""
    try:
        value: Json = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot read {path}: {str(error).splitlines()[0]}") from error
    return value
