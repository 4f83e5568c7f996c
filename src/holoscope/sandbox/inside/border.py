"""The examiner's side of the border: questions to a candidate, and its objects as far as a test may touch them."""

from __future__ import annotations

import builtins
import os

from holoscope.sandbox.inside.candidate import serve
from holoscope.sandbox.inside.processes import ended, fork, kill, receive, send
from holoscope.sandbox.inside.values import Opaque, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Gone(Exception):
    """The candidate ended, or was given up, before it answered."""


class Border:
    """A candidate process, and questions to it."""

    def __init__(self, limits: dict[str, int]) -> None:
        ask, self._asking = os.pipe()
        self._answers, answer = os.pipe()
        self._pid = fork(limits, lambda: serve(ask, answer), keep=(ask, answer))
        os.close(ask)
        os.close(answer)
        self.is_lost = False
        """True from a question on that was not answered in time: no later answer could be told from that one."""

    def ask(self, *message: object) -> Any:
        """What the candidate answers; the exception it raised is raised here, as the built-in one it extends."""
        if self.is_lost:
            raise Gone
        try:
            question = encode(message, _number)
        except Opaque as error:
            raise TypeError(f"a test passes a {error}, which cannot cross to the program") from None
        self.is_lost = True
        try:
            send(self._asking, question)
            kind, *rest = decode(receive(self._answers), lambda number: Handle(self, number))
        except Exception as error:
            raise Gone from error
        self.is_lost = False
        if kind == "v":
            return rest[0]
        raise _raised(*rest)

    def stop(self) -> None:
        """End the candidate, whatever it does."""
        kill(self._pid)

    def close(self) -> int:
        """Ask no more; the candidate's wait status."""
        os.close(self._asking)
        os.close(self._answers)
        return ended(self._pid)


class Handle:
    """An object of the candidate's, in the examiner: what is done to it is done over there.

    It equals nothing but itself, so no `__eq__` of the candidate's takes part in a test; nor does a `__contains__`,
    which would be shown what is expected.
    """

    def __init__(self, border: Border, number: int) -> None:
        object.__setattr__(self, "_at", (border, number))

    def __call__(self, *args: object, **named: object) -> object:
        return _do(self, "call", *args, **named)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__array"):  # numpy would follow an address of the candidate's memory in the examiner's
            raise AttributeError(name)
        return _do(self, "get", name)

    def __setattr__(self, name: str, value: object) -> None:
        _do(self, "set", name, value)

    def __iter__(self) -> Any:
        return _do(self, "iter")

    def __next__(self) -> object:
        return _do(self, "next")

    def __getitem__(self, key: object) -> object:
        return _do(self, "item", key)

    def __contains__(self, item: object) -> bool:
        return any(each is item or each == item for each in self)

    def __len__(self) -> int:
        size: int = _do(self, "len")
        return size

    def __bool__(self) -> bool:
        return True


def _do(handle: Handle, what: str, /, *args: object, **named: object) -> Any:
    border, number = object.__getattribute__(handle, "_at")
    try:
        return border.ask("do", what, number, args, named)
    except StopIteration as error:
        if what == "next":
            raise
        raise RuntimeError("the program raised StopIteration") from error  # it would end a test's `all(map(...))`


def _number(value: object) -> int:
    if type(value) is not Handle:
        raise Opaque(type(value).__name__)
    number: int = object.__getattribute__(value, "_at")[1]
    return number


def _raised(names: object, message: object) -> BaseException:
    for name in names if isinstance(names, list) else []:
        kind = getattr(builtins, name, None) if isinstance(name, str) else None
        if isinstance(kind, type) and issubclass(kind, BaseException):
            try:
                return kind(str(message))
            except TypeError:  # such as UnicodeDecodeError, which takes five arguments
                continue
    return Exception(str(message))
