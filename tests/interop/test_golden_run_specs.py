import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import HELM_COMPAT, Registry, builtin
from holoscope.entries import Options, resolve
from holoscope.interop.helm_specs import run_spec
from paths import GOLDEN, needs_golden

FILES = sorted(GOLDEN.glob("*.json.gz"))


@pytest.fixture(scope="module")
def registry() -> Registry:
    return builtin()


@needs_golden
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_run_specs_are_written_as_helm_writes_them(path: Path, registry: Registry) -> None:
    golden: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    entry = golden["entry"]
    if entry.partition(":")[0] not in (*registry.tasks, *registry.aliases):
        pytest.skip(f"no scenario for {entry}")
    options = Options(compat=HELM_COMPAT, max_eval_instances=golden["max_eval_instances"])
    written = [run_spec(spec, registry) for spec in resolve(entry, registry, options=options).specs]
    expected = {run["run_spec"]["name"]: run["run_spec"] for run in golden["runs"]}
    assert {str(spec["name"]): spec for spec in written} == expected
