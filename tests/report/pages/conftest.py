"""Output folders to make pages of: one measured by the package's own metrics, one with everything that can be wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from generated import Shape, write_suite
from holoscope.core import builtin
from holoscope.report.library import Library

HOSTILE = "<script>alert(1)</script> \x1b[31mred\x1b[0m \u202eright to left\u202c </td>"
FORBIDDEN = "sums_river"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`measured` has every axis that its answers can fill; `mixed` has gaps, failures and hostile texts."""
    out = tmp_path_factory.mktemp("pages") / "out"
    write_suite(out, Shape(models=2, scenarios=2, instances=12, suite="measured"), builtin())
    mixed = Shape(models=5, scenarios=6, instances=8, seed=1, suite="mixed", missing=0.1, failed=0.1)
    write_suite(out, replace(mixed, forbidden=(FORBIDDEN,), hostile=HOSTILE, first=HOSTILE))
    write_suite(out, Shape(models=1, scenarios=3, instances=8, suite="single"))
    return out


@pytest.fixture(scope="session")
def library(folder: Path) -> Library:
    return Library(folder, builtin())
