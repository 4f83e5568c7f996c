"""An entry's arguments, checked against the task function that will take them.

The function's signature is the only description of its arguments there is: names, annotations and defaults say what an
entry may hold. An entry types its values before it knows the function, so `subject=7` arrives as a number and is text
again where the annotation says `str`; a `Literal` lists the values there are.
"""

import inspect
import re
from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from holoscope.core import Json, UnknownNameError, UsageError, nearest
from holoscope.core.registry import TaskFunction
from holoscope.entries.language import Entry, format_entry, format_value

_FEW = 8


def check_arguments(
    name: str, function: TaskFunction, args: Mapping[str, Json], expanders: Iterable[str]
) -> dict[str, Json]:
    """`args` as `function` wants them; an error says what is wrong and what to type.

    `expanders` are the arguments that every entry takes, for the suggestion.
    """
    parameters = inspect.signature(function).parameters
    named = {key: p for key, p in parameters.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    hints = get_type_hints(function)
    for key in args:
        if key not in named and not takes_any:
            takes = f"({name} takes {', '.join(named)})" if named else f"({name} takes none of its own)"
            raise UnknownNameError(f"argument of {name}", key, [*named, *expanders], takes)
    missing = [key for key, p in named.items() if p.default is p.empty and key not in args]
    if missing:
        shown = {**args, **{key: _specimen(key, hints.get(key)) for key in missing}}
        raise UsageError(f"{name} needs {' and '.join(missing)}: {format_entry(Entry(name, shown))}")
    return {key: _fitted(f"{key} in {name}", value, hints.get(key)) for key, value in args.items()}


def show_arguments(shown: str, function: TaskFunction, args: Mapping[str, Json]) -> str:
    """The task's name `shown`, with any argument that differs from its default and does not show in it.

    An argument shows by its name, or by its value under another name (`num_parenthesis_pairs=3` in `dyck_np=3`).
    """
    parameters = inspect.signature(function).parameters
    pairs = [part.partition("=") for part in re.split("[:,]", shown) if "=" in part]
    values = [value.lower() for key, _, value in pairs if key not in args]
    for key, value in args.items():
        text = format_value(value) if isinstance(value, list | dict) else str(value)
        if any(key == pair[0] for pair in pairs) or (key in parameters and value == parameters[key].default):
            continue
        if text.lower() in values:
            values.remove(text.lower())
        else:
            shown += f"{',' if ':' in shown else ':'}{key}={text}"
    return shown


def choose(what: str, found: Json, known: Iterable[str], hint: str = "") -> str:
    """`found` if it is one of `known`, the values of `what`; else an error that suggests the nearest, or lists them."""
    names = list(known)
    if isinstance(found, str) and found in names:
        return found
    text = found if isinstance(found, str) else format_value(found)
    if not hint and not nearest(text, names):
        hint = f"(known are {', '.join([*names[:_FEW], '...'][: len(names)])})"
    raise UnknownNameError(f"value of {what}", text, names, hint)


def _specimen(key: str, hint: object) -> Json:
    """A value to show for a missing argument."""
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    return str(choices[0]) if choices else {bool: "true", int: 1, float: 0.5}.get(hint, key.upper())  # type: ignore[call-overload]


def _fitted(place: str, value: Json, hint: Any) -> Json:
    """`value` under the annotation `hint`; an annotation this does not know takes anything."""
    if get_origin(hint) is Literal:
        by_text: dict[str, Json] = {str(choice): choice for choice in get_args(hint)}
        return by_text[choose(place, value if isinstance(value, list | dict) else str(value), by_text)]
    if get_origin(hint) in (Union, UnionType):
        return _fitted_to_any(place, value, [option for option in get_args(hint) if option is not NoneType])
    if hint is str and not isinstance(value, str | list | dict):
        return str(value)
    if hint is bool:
        return _as_bool(place, value)
    if hint is float and isinstance(value, int):
        return float(value)
    if hint in (str, int, float) and not isinstance(value, hint):
        kind = {str: "text", int: "a whole number", float: "a number"}[hint]
        raise UsageError(f"{place} is {kind}, found {format_value(value)}")
    return value


def _fitted_to_any(place: str, value: Json, options: list[Any]) -> Json:
    """`value` under the first of `options` that takes it."""
    for option in options[:-1]:
        try:
            return _fitted(place, value, option)
        except UsageError:
            continue
    return _fitted(place, value, options[-1])


def _as_bool(place: str, value: Json) -> bool:
    found = {"true": True, "1": True, "false": False, "0": False}.get(str(value).lower())
    if found is None:
        raise UsageError(f"{place} is true or false, found {format_value(value)}")
    return found
