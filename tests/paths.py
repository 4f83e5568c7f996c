"""Where the shared benchmark rows and golden files lie, and marks that skip, saying so, where they are absent."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
DATA = SHARED / "data"
GOLDEN = SHARED / "golden"

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no benchmark rows at {DATA}")
needs_golden = pytest.mark.skipif(not GOLDEN.is_dir(), reason=f"no golden files at {GOLDEN}")
