"""The user's own code: where it is, which version of it is meant, and where it failed, each in a line.

A file of the user's is run only because its path was typed. Its version is the hash of what decides its answers, as
far as that can be read: a function's source, or all of a file. Where more decides than can be read (a lambda, what a
closure or an object holds), none is guessed: an answer kept under the wrong version would be taken for another's.
"""

import inspect
import sys
import traceback
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NamedTuple

from holoscope.core import ConfigError, UnknownNameError, UsageError

_LONGEST = 300


class Loaded(NamedTuple):
    """An object, and the hash of the file it is from as it was run."""

    thing: object
    version: str


def load_object(path: Path, name: str) -> Loaded:
    """The object called `name` in a Python file, which is run. Raises UsageError."""
    try:
        source = path.read_bytes()  # what is hashed is what is run: Python's cache of compiled files may be behind
    except OSError:
        raise UsageError(f"there is no file {path}; write python/FILE.py:NAME") from None
    module = ModuleType(f"holoscope_python_{path.stem}_{sha256(str(path.resolve()).encode()).hexdigest()[:12]}")
    module.__file__ = str(path)
    if (folder := str(path.resolve().parent)) not in sys.path:
        sys.path.insert(0, folder)  # as `python FILE` does, for the modules beside it
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the user's file raises, it can't be used
        raise ConfigError(f"{path} can't be run: {fault_line(error)}") from None
    found = {key: value for key, value in vars(module).items() if not key.startswith("_")}
    if name not in found:
        own = [key for key, value in found.items() if getattr(value, "__module__", "") == module.__name__]
        raise UnknownNameError(f"object of {path}:", name, own, f"(it has {', '.join(own) or 'none of its own'})")
    return Loaded(found[name], sha256(source).hexdigest())


def version_of(thing: object, name: str) -> str:
    """Hash of the source of a function or class; UsageError where there is more to it, or none."""
    if isinstance(thing, FunctionType) and thing.__name__ != "<lambda>" and not thing.__closure__:
        return _hash([thing], name)
    if inspect.isclass(thing):
        return _hash([kind for kind in thing.__mro__ if kind.__module__ != "builtins"], name)
    what = "a lambda" if getattr(thing, "__name__", "") == "<lambda>" else "an object or closure"
    raise UsageError(
        f"{name}: {what} has more to it than its source; name its version, and another one when it changes: "
        'LocalModel(..., version="1")'
    )


def fault_line(error: BaseException) -> str:
    """What was raised and where, in one line."""
    said = " ".join(str(error).split())
    said = said if len(said) <= _LONGEST else said[:_LONGEST] + "..."
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{': ' if said else ''}{said}{where}"


def _hash(things: list[object], name: str) -> str:
    try:
        sources = [inspect.getsource(thing) for thing in things]  # type: ignore[arg-type]
    except (OSError, TypeError):
        raise UsageError(f'{name}: its source can\'t be read; name its version: LocalModel(..., version="1")') from None
    return sha256("\0".join(sources).encode()).hexdigest()
