import subprocess
import sys

from holoscope import store


def test_all_names_what_is_exported() -> None:
    public = [name for name, value in vars(store).items() if not name.startswith("_") and _is_public(value)]
    assert sorted(store.__all__) == sorted(public)


def _is_public(value: object) -> bool:
    return type(value).__name__ != "module"


def test_importing_the_store_imports_no_heavy_library() -> None:
    code = "import sys, holoscope.store; print([m for m in ('pyarrow', 'numpy', 'duckdb', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
