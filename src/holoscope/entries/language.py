"""The run-entry language: `mmlu:subject=philosophy,model=openai/gpt-4o`, as text and as a value.

A name to the first `:`, then arguments split at commas; a key to its first `=`. That is HELM's grammar, in which every
entry of its own parses to the same value. It lacked a way to write a comma, a quote, a list or a mapping, so a text may
also stand in double quotes (JSON's escapes), and `[1,2]` and `{temperature:0.6}` are a list and a mapping. Hence the
invariant `parse_entry(format_entry(entry)) == entry`, whatever the texts in it hold.
"""

import json
import math
import re

import msgspec

from holoscope.core import EntryError, Json

DATA_SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
_PATH_STARTS = ("./", "../", "/")

_CLOSER = {"{": "}", "[": "]"}
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SPECIAL = frozenset(',"{}[]')
_SPECIAL_IN_NAME = frozenset(':"')
_SPECIAL_IN_KEY = _SPECIAL | {":", "="}
_STRAY_QUOTE = r"unexpected double quote (quote the whole value, and write \" inside it)"
_DEEPEST = 32  # nesting beyond this is a slip of the keyboard, and must not become a RecursionError


class Entry(msgspec.Struct, frozen=True):
    """A run entry: what to run, and with which arguments."""

    name: str
    """A scenario, a track, or the path of a data file."""
    args: dict[str, Json] = {}
    """In the order they were written, which is the order in which they show in the run's name."""

    @property
    def is_file(self) -> bool:
        """True if the name is the path of a data file."""
        return self.name.startswith(_PATH_STARTS) or self.name.lower().endswith(DATA_SUFFIXES)


def parse_entry(text: str) -> Entry:
    """The entry that `text` writes; EntryError says at which character it goes wrong.

    >>> parse_entry('mmlu:subject=anatomy,model="replay/a.jsonl?window=2048"').args["model"]
    'replay/a.jsonl?window=2048'
    """
    scan = _Scanner(text)
    return Entry(scan.name(), scan.pairs("=", ""))


def format_entry(entry: Entry) -> str:
    """The text that parses to `entry`; what needs no quotes gets none.

    >>> format_entry(Entry("gsm", {"stop": ["a,b", 2]}))
    'gsm:stop=["a,b",2]'
    """
    name = entry.name if _is_bare(entry.name, _SPECIAL_IN_NAME) else _quote(entry.name)
    return f"{name}:{_format_pairs(entry.args, '=')}" if entry.args else name


def format_value(value: Json) -> str:
    """One argument's value, as an entry writes it."""
    match value:
        case str():
            return value if _is_bare(value, _SPECIAL) and _typed(value) == value else _quote(value)
        case list():
            return f"[{','.join(map(format_value, value))}]"
        case dict():
            return f"{{{_format_pairs(value, ':')}}}"
        case None | bool():
            raise EntryError(f"an entry cannot hold {value!r}; write it as text")
        case float() if not math.isfinite(value):
            raise EntryError(f"an entry cannot hold the number {value!r}; write it as text")
        case _:
            return repr(value)


def _format_pairs(pairs: dict[str, Json], mark: str) -> str:
    return ",".join(
        f"{key if _is_bare(key, _SPECIAL_IN_KEY) else _quote(key)}{mark}{format_value(value)}"
        for key, value in pairs.items()
    )


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_bare(text: str, special: frozenset[str]) -> bool:
    """True if `text` can stand without quotes where the characters `special` mean something."""
    return bool(text) and text.isprintable() and text == text.strip() and not special & set(text)


def _typed(text: str) -> str | int | float:
    """A number where `text` writes one, in Python's notation as HELM has it; `nan` and `inf` are words."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


class _Scanner:
    """Reads one entry from left to right; `at` is the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def fail(self, problem: str, at: int | None = None) -> EntryError:
        at = self.at if at is None else at
        shown = self.text if len(self.text) <= 80 else f"...{self.text[max(at - 40, 0) : at + 40]}..."
        return EntryError(f"entry {shown!r}: {problem} at character {at + 1}")

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def name(self) -> str:
        if self.peek() == '"':
            name = self.quoted()
            if self.peek() not in ("", ":"):
                raise self.fail("expected : after the quoted name")
        else:
            name = self.until(":")
        if not name:
            raise self.fail("expected a scenario, a track or a data file", 0)
        self.at += 1
        return name

    def pairs(self, mark: str, closer: str) -> dict[str, Json]:
        """`key MARK value` up to `closer`, which is empty for the end of the text."""
        pairs: dict[str, Json] = {}
        while self.peek() != closer:
            start = self.at
            key = self.key(mark, closer)
            value = self.value(closer)
            if pairs.setdefault(key, value) != value:  # a conf of HELM's own says stop=none,stop=none
                raise self.fail(f"{key!r} is given twice", start)
            self.separator(closer)
        self.at += 1
        return pairs

    def key(self, mark: str, closer: str) -> str:
        quoted, start = self.peek() == '"', self.at
        key = self.quoted() if quoted else self.until(mark, ",", closer)
        if self.peek() != mark or not (key or quoted):
            raise self.fail(f"expected key{mark}value, found {self.text[start:].split(',')[0].strip()!r}", start)
        self.at += 1
        return key

    def until(self, *marks: str) -> str:
        """The text before the first of `marks`, or all that is left, without the blanks around it."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in marks:
            if self.text[self.at] == '"':
                raise self.fail(_STRAY_QUOTE)
            self.at += 1
        return self.text[start : self.at].strip()

    def separator(self, closer: str) -> None:
        """Step over a comma; one before `closer` may be there or not."""
        if self.peek() == ",":
            self.at += 1
        elif self.peek() != closer:
            raise self.fail(f"expected a comma{f' or {closer}' if closer else ''}")

    def value(self, closer: str) -> Json:
        match self.peek():
            case '"':
                return self.quoted()
            case "{" | "[":
                return self.nested()
            case _:
                return _typed(self.bare(closer))

    def nested(self) -> Json:
        opening, start = self.text[self.at], self.at
        if self.depth == _DEEPEST:
            raise self.fail("nested too deeply")
        if self.matching(self.at) is None:
            raise self.fail(f"{opening} is never closed (a text that holds it goes in double quotes)")
        self.depth += 1
        self.at = start + 1
        value: Json = self.pairs(":", "}") if opening == "{" else self.items()
        self.depth -= 1
        return value

    def items(self) -> list[Json]:
        items: list[Json] = []
        while self.peek() != "]":
            if self.peek() == ",":
                raise self.fail("expected a value")
            items.append(self.value("]"))
            self.separator("]")
        self.at += 1
        return items

    def bare(self, closer: str) -> str:
        """Text without quotes, to the next comma or `closer` that is not inside balanced brackets."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in (",", closer):
            if self.text[self.at] == '"':
                raise self.fail(_STRAY_QUOTE)
            closing = self.matching(self.at) if self.text[self.at] in _CLOSER else None
            self.at = 1 + (self.at if closing is None else closing)
        found = self.text[start : self.at]
        if '"' in found:
            raise self.fail(_STRAY_QUOTE, start + found.index('"'))
        return found.strip()

    def quoted(self) -> str:
        literal = _QUOTED.match(self.text, self.at)
        if literal is None:
            raise self.fail("the double quote is never closed")
        try:
            text = json.loads(literal[0], strict=False)
        except json.JSONDecodeError as error:
            raise self.fail(r"expected \" \\ \n \t or \uXXXX after a backslash", self.at + error.pos) from None
        self.at = literal.end()
        return str(text)

    def matching(self, at: int) -> int | None:
        """Where the bracket at `at` is closed, if all between is balanced; brackets in quotes don't count."""
        expected: list[str] = []
        while at < len(self.text):
            char = self.text[at]
            if char == '"':
                literal = _QUOTED.match(self.text, at)
                at = literal.end() - 1 if literal else at
            elif char in _CLOSER:
                expected.append(_CLOSER[char])
            elif char in _CLOSER.values():
                if char != expected.pop():
                    return None
                if not expected:
                    return at
            at += 1
        return None
