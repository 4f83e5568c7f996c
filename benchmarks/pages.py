"""How long the first pages of a large output folder take, from a cold library and from a warm one.

    python benchmarks/pages.py [--models 19] [--scenarios 30] [--out FOLDER]

Writes a suite of models x scenarios (570 runs by default) unless FOLDER holds it, then makes the home page and the
overview in a fresh process each, as a server would after its start, and again with everything read. CPU seconds are
printed beside wall seconds: on a busy machine only the former say what the code costs.
"""

import argparse
import gzip
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from generated import Shape, write_suite
from holoscope.core import builtin
from holoscope.report.library import Library
from holoscope.report.pages import ServerLinks
from holoscope.report.pages.home import home
from holoscope.report.pages.leaderboard import leaderboard
from holoscope.report.pages.model import model
from holoscope.report.pages.overview import overview

SUITE = "bench"


def main() -> None:
    flags = _flags()
    if flags.cold:
        _cold(flags.out, flags.cold)
        return
    with tempfile.TemporaryDirectory() as made:
        out = flags.out or Path(made)
        if not (out / "runs" / SUITE).is_dir():
            write_suite(out, Shape(models=flags.models, scenarios=flags.scenarios, instances=20, suite=SUITE))
        print(f"{flags.models} models x {flags.scenarios} scenarios")
        for page in ("home", "overview"):
            subprocess.run([sys.executable, __file__, "--out", str(out), "--cold", page], check=True)
        _warm(out)


def _flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=19)
    parser.add_argument("--scenarios", type=int, default=30)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--cold", choices=("home", "overview"), default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def _cold(out: Path, page: str) -> None:
    """The first page of a process: modules and templates are loaded, no run is read."""
    registry = builtin()
    with tempfile.TemporaryDirectory() as empty:
        write_suite(Path(empty), Shape(models=2, scenarios=2, instances=4, suite=SUITE))
        _made(Library(Path(empty), registry), page)
    _time(f"{page}, nothing read yet", Library(out, registry), page)


def _warm(out: Path) -> None:
    library = Library(out, builtin())
    first = library.suite(SUITE).grid.rows[0].model
    for page in ("home", "overview", "leaderboard", f"model {first}"):
        _made(library, page)
        _time(f"{page}, read before", library, page)


def _made(library: Library, page: str) -> str:
    links = ServerLinks()
    if page == "home":
        return home(library, links)
    if page == "leaderboard":
        return leaderboard(library, links, SUITE)
    if page.startswith("model "):
        return model(library, links, SUITE, page.removeprefix("model "))
    return overview(library, links, SUITE)


def _time(what: str, library: Library, page: str) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    made = _made(library, page).encode()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    packed = len(gzip.compress(made))
    print(f"{what:40} {1000 * cpu:6.0f} ms CPU  {1000 * wall:6.0f} ms  {len(made):>8,} bytes  {packed:>7,} gzipped")


if __name__ == "__main__":
    main()
