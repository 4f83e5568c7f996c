"""Taking typed values out of a row: what is there, or an error that names the row and the column."""

from holoscope.core import DataError, Json
from holoscope.scenarios.rows import Row


def text(row: Row, name: str) -> str:
    value = _get(row, name)
    if not isinstance(value, str):
        raise DataError(f"{row.where}: {name} should be text, and is {value!r}")
    return value


def integer(row: Row, name: str) -> int:
    value = _get(row, name)
    if not isinstance(value, int):
        raise DataError(f"{row.where}: {name} should be a whole number, and is {value!r}")
    return value


def number(row: Row, name: str) -> float | None:
    """A number; None where the row says null."""
    value = _get(row, name)
    if value is not None and not isinstance(value, int | float):
        raise DataError(f"{row.where}: {name} should be a number, and is {value!r}")
    return value


def member(row: Row, name: str) -> Row:
    value = _get(row, name)
    if not isinstance(value, dict):
        raise DataError(f"{row.where}: {name} should be an object, and is {value!r}")
    return Row(row.where, value)


def boolean(row: Row, name: str) -> bool:
    value = _get(row, name)
    if not isinstance(value, bool):
        raise DataError(f"{row.where}: {name} should be true or false, and is {value!r}")
    return value


def texts(row: Row, name: str) -> list[str]:
    value = _get(row, name)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [item for item in value if isinstance(item, str)]
    raise DataError(f"{row.where}: {name} should be a list of texts, and is {value!r}")


def objects(row: Row, name: str) -> list[Row]:
    value = _get(row, name)
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return [Row(row.where, item) for item in value if isinstance(item, dict)]
    raise DataError(f"{row.where}: {name} should be a list of objects, and is {value!r}")


def _get(row: Row, name: str) -> Json:
    """`a.b` is b within a."""
    value: Json = row.values
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            raise DataError(f"{row.where}: no {name}; it has {', '.join(row.values)}")
        value = value[part]
    return value
