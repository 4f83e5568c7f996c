"""The candidate's side of the border: a process that runs a model's program and answers what the examiner asks.

It may be taken over by the program altogether. All it can do then is to answer calls with other values, before it knows
what is expected.
"""

from __future__ import annotations

import builtins
import os
import sys

from holoscope.sandbox.inside.processes import LONGEST_FRAME, receive, send
from holoscope.sandbox.inside.values import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

_LONGEST_MESSAGE = 200
NOT_PYTHON = 3
"""Exit status of a script that could not be compiled."""


def serve(ask: int, answer: int) -> NoReturn:
    """Answer questions until there are no more."""
    objects: list[object] = []
    module = _module("candidate")

    def number(value: object) -> int:
        objects.append(value)
        return len(objects) - 1

    while True:
        try:
            verb, *rest = decode(receive(ask), objects.__getitem__)
        except EOFError:
            os._exit(0)
        try:
            reply = encode(("v", _VERBS[verb](module, objects, *rest)), number)
            if len(reply) > LONGEST_FRAME:
                raise MemoryError("the program returns more than can be handed over")
        except BaseException as error:
            reply = encode(("x", [each.__name__ for each in type(error).__mro__], message(error)))
        send(answer, reply)


def as_script(name: str, readings: tuple[str, ...]) -> NoReturn:
    """Run the first reading that is Python as a script; its exit status is 1 where it fails."""
    status = 0
    try:
        _load(_module(name), [], readings)
    except SystemExit:
        pass
    except SyntaxError:
        status = NOT_PYTHON
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {message(error)}".encode("utf-8", "replace"))
        status = 1
    try:
        sys.stdout.flush()
    except BaseException:
        status = status or 1
    os._exit(status)


def message(error: BaseException) -> str:
    """An exception's own words, which the program may have written."""
    try:
        return str(error)[:_LONGEST_MESSAGE]
    except BaseException:
        return ""


def _module(name: str) -> Any:
    """An empty module that the program takes for its own."""
    module = type(sys)(name)
    sys.modules[name] = module
    module.__dict__["__builtins__"] = builtins
    builtins.exit = builtins.quit = sys.exit  # type: ignore[assignment]
    return module


def _load(module: Any, objects: list[object], readings: tuple[str, ...]) -> int:
    """Run the first reading that is Python; which it was."""
    for index, source in enumerate(readings):
        try:
            code = compile(source, "<program>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            if index == len(readings) - 1:
                raise
            continue
        exec(code, module.__dict__)
        return index
    raise SyntaxError("there is no program")


def _find(module: Any, objects: list[object], name: str) -> object:
    """A function of the program, or of its class `Solution`."""
    if name in module.__dict__:
        return module.__dict__[name]
    if "Solution" in module.__dict__ and hasattr(module.Solution, name):
        return getattr(module.Solution(), name)
    raise NameError(f"the program defines no {name}")


def _call(module: Any, objects: list[object], name: str, args: tuple[object, ...]) -> object:
    found: Any = _find(module, objects, name)
    return found(*args)


def _unit_tests(module: Any, objects: list[object], tests: str, name: str) -> tuple[int, int, str]:
    """Run a class of unit tests in the program's own namespace: how many ran, how many failed, and one's words."""
    import unittest

    exec(compile(tests, "<tests>", "exec", dont_inherit=True), module.__dict__)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(module.__dict__[name])
    result = unittest.TestResult()
    suite.run(result)
    bad = [*result.failures, *result.errors, *((test, "unexpected success") for test in result.unexpectedSuccesses)]
    return result.testsRun - len(result.skipped), len(bad), bad[0][1].strip().rpartition("\n")[2] if bad else ""


_OPERATIONS: dict[str, Callable[..., object]] = {
    "call": lambda target, *args, **named: target(*args, **named),
    "get": getattr,
    "set": setattr,
    "iter": iter,
    "next": next,
    "item": lambda target, key: target[key],
    "len": len,
}
_VERBS: dict[Any, Callable[..., object]] = {
    "load": _load,
    "find": _find,
    "call": _call,
    "unit tests": _unit_tests,
    "do": lambda module, objects, what, target, args, named: _OPERATIONS[what](objects[target], *args, **named),
}
