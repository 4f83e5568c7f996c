"""What the folder offers, and that reaching it costs little."""

import subprocess
import sys

from holoscope import entries

HEAVY = ("yaml", "pyhocon", "numpy", "pyarrow", "rich")


def test_all_names_what_is_exported() -> None:
    public = [name for name, value in vars(entries).items() if not name.startswith("_") and not _is_module(value)]
    assert sorted(entries.__all__) == sorted(public)


def _is_module(value: object) -> bool:
    return type(value).__name__ == "module"


def test_importing_the_entries_imports_no_heavy_library() -> None:
    code = f"import sys, holoscope.entries; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
