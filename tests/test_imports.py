"""The package reads as one sentence: each folder imports only from the rows above its own, and stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "holoscope"

ALLOWED = {
    "core": set(),
    "stats": {"core"},
    "entries": {"core"},
    "scenarios": {"core"},
    "models": {"core"},
    "prompts": {"core", "models.tokenizers"},
    "perturbations": {"core"},
    "engine": {"core", "models"},
    "sandbox": {"core"},
    "judges": {"core", "stats"},
    "metrics": {"core", "stats", "sandbox", "judges"},
    "store": {"core"},
    "pipeline": {
        *("core", "stats", "entries", "scenarios", "models", "prompts", "perturbations", "engine"),
        *("sandbox", "judges", "metrics", "store"),
    },
    "report": {"core", "store", "stats", "metrics"},
    "interop": {"core", "store", "stats", "metrics"},
    "web": {"core", "report", "store", "stats"},
}


def imports_of(path: Path) -> set[str]:
    """Dotted names below `holoscope` that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name.removeprefix("holoscope.") for name in found if name.startswith("holoscope.")}


@pytest.mark.parametrize("folder", sorted(ALLOWED))
def test_a_folder_imports_only_from_rows_above(folder: str) -> None:
    allowed = ALLOWED[folder] | {folder}
    for path in (PACKAGE / folder).rglob("*.py"):
        for name in imports_of(path):
            assert any(name == a or name.startswith(a + ".") for a in allowed), f"{path} imports holoscope.{name}"


def test_every_folder_is_in_the_table() -> None:
    folders = {p.name for p in PACKAGE.iterdir() if (p / "__init__.py").exists()}
    assert folders - {"cli", "tracks"} <= set(ALLOWED)


def test_every_folder_says_what_it_is() -> None:
    for init in PACKAGE.glob("*/__init__.py"):
        text = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
        assert len(text) > 120, f"{init} has no paragraph about its folder"


def test_exported_names_are_what_is_visible() -> None:
    for init in PACKAGE.glob("*/__init__.py"):
        tree = ast.parse(init.read_text(encoding="utf-8"))
        assigned = [n.value for n in tree.body if isinstance(n, ast.Assign) and _is_all(n)]
        if not assigned:
            continue
        exported = ast.literal_eval(assigned[0])
        visible = {a.asname or a.name for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names}
        visible |= {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
        public = {name for name in visible if not name.startswith("_")}
        assert set(exported) == public | {e for e in exported if e.isupper()}, init
        assert len(exported) == len(set(exported)), init


def _is_all(node: ast.Assign) -> bool:
    return any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)


def test_open_states_its_encoding() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _opens_text(node):
                assert any(k.arg == "encoding" for k in node.keywords), f"{path}:{node.lineno} has no encoding"


def _opens_text(node: ast.Call) -> bool:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name in ("read_text", "write_text"):
        return isinstance(node.func, ast.Attribute)
    modes = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    modes += [str(k.value.value) for k in node.keywords if k.arg == "mode" and isinstance(k.value, ast.Constant)]
    return name == "open" and not _opens_no_text(node.func) and not any("b" in mode for mode in modes[:2])


def _opens_no_text(function: ast.expr) -> bool:
    """`Ledger.open`, `os.open` and (as a rule) `gzip.open` give no text."""
    owner = function.value if isinstance(function, ast.Attribute) else None
    return isinstance(owner, ast.Name) and (owner.id[0].isupper() or owner.id in ("os", "gzip"))


def test_only_the_command_line_reads_the_environment() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name != "cli":
            text = path.read_text(encoding="utf-8")
            assert "os.environ.get" not in text, f"{path} reads the environment"
            assert "getenv" not in text, f"{path} reads the environment"


def test_importing_holoscope_pulls_nothing_heavy() -> None:
    code = "import sys, holoscope, holoscope.cli; print([m for m in ('torch', 'pandas', 'numpy') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
