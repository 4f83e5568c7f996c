"""Reading texts out of a Python file without running it: instructions that upstream keeps in its code.

Only literals are read: a name's value at the top of the file, or a keyword argument of a call within a function.
"""

import ast
from pathlib import Path
from typing import Any

from holoscope.core import DataError


def constant(path: Path, name: str) -> Any:
    """The literal that is given to `name` at the top of the file."""
    for node in _tree(path).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return _literal(path, name, node.value)
    raise DataError(f"{path}: gives {name} no value")


def argument(path: Path, function: str, keyword: str) -> Any:
    """The first literal that `function` hands on as `keyword`."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            for inner in ast.walk(node):
                if isinstance(inner, ast.keyword) and inner.arg == keyword:
                    return _literal(path, f"{keyword} in {function}", inner.value)
    raise DataError(f"{path}: no function {function} that gives {keyword}")


def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, RecursionError) as error:
        raise DataError(f"{path}: not Python that can be read ({error})") from error


def _literal(path: Path, what: str, node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise DataError(f"{path}: {what} is not a literal") from error
