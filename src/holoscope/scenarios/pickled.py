"""Reading a pickle that holds nothing but plain values: lists, mappings, texts and numbers.

A pickle may name any function of any installed package and have it called. A benchmark's rows need none, so a file that
names one is refused before anything is called.
"""

import pickle
from pathlib import Path
from typing import NoReturn, cast

from holoscope.core import DataError, Json


class _Plain(pickle.Unpickler):
    """Knows no names."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"it names {module}.{name}, and only plain values are read")


def read_plain_pickle(path: Path) -> Json:
    """What the pickle holds; DataError where it holds more than values."""
    try:
        with path.open("rb") as file:
            return cast(Json, _Plain(file).load())
    except (pickle.UnpicklingError, EOFError, ValueError, IndexError, KeyError, AttributeError, TypeError) as error:
        raise DataError(f"{path}: not a pickle of plain rows ({error})") from error
