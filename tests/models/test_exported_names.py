"""What the package shows is what it says it shows, and it is light."""

import subprocess
import sys
from types import ModuleType

import holoscope.models as models


def test_all_is_sorted_and_complete() -> None:
    visible = {name for name, value in vars(models).items() if name[0] != "_" and not isinstance(value, ModuleType)}
    assert list(models.__all__) == sorted(models.__all__)
    assert visible - {"annotations"} == set(models.__all__)


def test_importing_it_brings_no_network_client_and_no_parser() -> None:
    heavy = ("aiohttp", "yaml", "pyhocon", "numpy", "tokenizers", "xllamacpp")
    code = f"import sys, holoscope.models; print([m for m in {heavy!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
