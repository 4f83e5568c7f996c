"""A function to be completed, with other names inside and its description set otherwise: the task stays the same.

After the variable renaming and docstring edits of ReCode (Wang et al. 2022, arXiv:2212.10264). What others call by name
stays: the functions themselves, imports, and arguments that a call, an example or a test names. Only what Python
itself parses is changed, and only where the result parses too; any other text comes back as it is.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from random import Random

from msgspec.structs import replace

from holoscope.core import Instance
from holoscope.perturbations.rewriting import rewrite

Function = ast.FunctionDef | ast.AsyncFunctionDef
Edit = tuple[int, int, str]
"""Start and end in the text, and what comes there."""

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp)
_DOCSTRING = re.compile(r"([rRuU]?)(\"{3}|'{3})(.*)\2", re.DOTALL)
_WORDS_TOO = frozenset({"a", "i", "A", "I"})


def code_rename(instance: Instance, rng: Random, *, prob: float) -> Instance:
    """Arguments and variables of the functions become `var_1`, `var_2` ..., in the solution too."""
    tests = _parsed(str(instance.extra.get("test", "")))
    kept = _named_in_calls(tests) if tests else frozenset()
    wholes = [instance.input + reference.text for reference in instance.references]
    common = [set(_renameable(whole)) for whole in wholes if _functions(whole)]
    given = [n for n in _renameable(instance.input) if n not in kept and all(n in names for names in common)]
    chosen = [name for name in given if rng.random() < prob]
    fresh = (name for i in range(1, len(chosen) + 99) if (name := f"var_{i}") not in instance.input)
    names = dict(zip(chosen, fresh, strict=False))
    changed = rewrite(instance, lambda text: _renamed(text, names), references=False)
    return changed if not names else _with_solutions(changed, instance, names)


def _with_solutions(changed: Instance, instance: Instance, names: Mapping[str, str]) -> Instance:
    """The references too, which go on where the input ends."""

    def solution(text: str) -> str:
        whole = _renamed(instance.input + text, names)
        return whole.removeprefix(changed.input) if whole.startswith(changed.input) else text

    return replace(changed, references=tuple(replace(r, text=solution(r.text)) for r in changed.references))


def code_docstring(text: str, rng: Random) -> str:
    """The other quotes around a function's description, which begins on a line of its own."""
    edits = [edit for function in _functions(text) for edit in _docstring_edits(text, function)]
    return _edited(text, edits)


def _docstring_edits(text: str, function: Function) -> Iterator[Edit]:
    node = _docstring(function)
    if node is None:
        return
    start, end = _span(text, node)
    match = _DOCSTRING.fullmatch(text[start:end])
    if match is None:
        return
    kind, quotes, body = match[1], match[2], match[3]
    other = "'''" if quotes == '"""' else '"""'
    if other in body or body.endswith(("\\", other[0])):
        return
    if body.strip() and body.lstrip(" ")[0] != "\n":
        body = f"\n{' ' * node.col_offset}{body.lstrip(' ')}"
    yield start, end, f"{kind}{other}{body}{other}"


def _parsed(text: str) -> ast.Module | None:
    """The text as a module; None if it is none, or if its lines can't be counted as Python counts them."""
    if not text or "\r" in text or "\f" in text:
        return None
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _functions(text: str) -> list[Function]:
    """The functions at the text's top level."""
    module = _parsed(text) if "def " in text else None
    return [node for node in module.body if isinstance(node, Function)] if module else []


def _renameable(text: str) -> list[str]:
    """What the functions call their own arguments and variables, in order of appearance."""
    functions = _functions(text)
    module = _parsed(text) if functions else None
    kept = _named_in_calls(module) if module else frozenset()
    names = dict.fromkeys(name for function in functions for name in _own_names(function))
    spoken = [text[slice(*_span(text, node))] for function in functions if (node := _docstring(function))]
    return [
        name
        for name in names
        if name not in kept and not any(re.search(rf"\b{re.escape(name)}\s*=(?!=)", doc) for doc in spoken)
    ]


def _named_in_calls(tree: ast.AST) -> frozenset[str]:
    return frozenset(node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg)


def _own_names(function: Function) -> Iterator[str]:
    """Arguments and variables of a function that appear in it as nothing else."""
    elsewhere = frozenset(_other_mentions(function))
    arguments = function.args
    bound = [
        *(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)),
        *(a.arg for a in (arguments.vararg, arguments.kwarg) if a),
        *_stored(function.body),
    ]
    for name in dict.fromkeys(bound):
        if name not in elsewhere and not name.startswith("_") and name not in ("self", "cls") and name.isascii():
            yield name


def _stored(nodes: list[ast.stmt]) -> Iterator[str]:
    """Names that a function's own statements bind, those of functions and comprehensions within left out."""
    waiting: list[ast.AST] = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if not isinstance(node, (*_SCOPES, ast.GeneratorExp, ast.ClassDef)):
            waiting += reversed(list(ast.iter_child_nodes(node)))


def _other_mentions(function: Function) -> Iterator[str]:
    """Names that stand in a function otherwise than as its own plain names: renaming those would go wrong."""
    arguments = function.args
    given = (a.annotation for a in ast.walk(arguments) if isinstance(a, ast.arg))
    outside = (*function.decorator_list, *arguments.defaults, *arguments.kw_defaults, function.returns, *given)
    yield from (name.id for part in outside if part for name in ast.walk(part) if isinstance(name, ast.Name))
    for node in ast.walk(function):
        match node:
            case ast.JoinedStr():
                yield from (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))
            case ast.Global() | ast.Nonlocal():
                yield from node.names
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0]
            case ast.ClassDef():
                yield node.name
                yield from (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
                yield node.name or ""
            case ast.MatchMapping():
                yield node.rest or ""


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """The text with these names replaced, in the functions to which they belong and in their descriptions."""
    edits: list[Edit] = []
    for function in _functions(text):
        own = {name: new for name, new in names.items() if name in set(_own_names(function))}
        for node in ast.walk(function):
            if not isinstance(node, ast.Name | ast.arg):
                continue
            name = node.id if isinstance(node, ast.Name) else node.arg
            if name in own:
                start, _ = _span(text, node)
                edits.append((start, start + len(name), own[name]))
        edits += _mentions(text, function, own)
    return _edited(text, edits)


def _mentions(text: str, function: Function, names: Mapping[str, str]) -> Iterator[Edit]:
    """Where the description speaks of a name: in backquotes, or where it can be no word of English."""
    node = _docstring(function)
    if node is None:
        return
    start, end = _span(text, node)
    for name, new in names.items():
        no_word = "_" in name or any(map(str.isdigit, name)) or (len(name) == 1 and name not in _WORDS_TOO)
        around = (r"(?<![\w.'\"])", r"(?![\w'\"(])") if no_word else ("(?<=`)", "(?=`)")
        for match in re.finditer(around[0] + re.escape(name) + around[1], text[start:end]):
            yield start + match.start(), start + match.end(), new


def _docstring(function: Function) -> ast.Constant | None:
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value
    return None


def _span(text: str, node: ast.expr | ast.arg) -> tuple[int, int]:
    """Where a node starts and ends in the text; Python counts columns in bytes of UTF-8."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return _offset(text, node.lineno, node.col_offset), _offset(text, node.end_lineno, node.end_col_offset)


def _offset(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    within = lines[line - 1].encode("utf-8")[:column].decode("utf-8")
    return sum(len(before) + 1 for before in lines[: line - 1]) + len(within)


def _edited(text: str, edits: list[Edit]) -> str:
    """The text with all edits made; as it was, if Python no longer parses it."""
    changed = text
    for start, end, new in sorted(set(edits), reverse=True):
        changed = changed[:start] + new + changed[end:]
    return changed if _parsed(changed) else text
