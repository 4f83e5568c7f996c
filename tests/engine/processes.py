"""Starting the processes of child.py, and looking at a ledger from outside."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

CHILD = Path(__file__).with_name("child.py")


def child(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(CHILD), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(CHILD.parents[1]), *sys.path])}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def output(process: subprocess.Popen[str]) -> str:
    """What a process prints until it ends well."""
    shown, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    return shown.strip()


def rows(path: Path) -> int:
    """How many answers another program finds in the file."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as other:
            (count,) = other.execute("SELECT count(*) FROM answers").fetchone()
            return int(count)
    except sqlite3.OperationalError:
        return 0
