"""What the sandbox costs: HumanEval's own solutions with their tests, in it and as bare `python FILE`, two at a time.

python benchmarks/sandbox.py [HumanEval.jsonl.gz]
"""

import gzip
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from holoscope.sandbox import Assertions, Sandbox

DATA = Path(__file__).resolve().parents[2] / "shared/data/code_humaneval/HumanEval.jsonl.gz"
WORKERS = 2
PROBLEMS = 164


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    rows = [rows[number % len(rows)] for number in range(PROBLEMS)]
    sandbox = Sandbox(workers=WORKERS)
    print(sandbox.described or sandbox.reason)
    for _ in range(3):
        bare, contained = _bare(rows), _contained(sandbox, rows)
        print(f"{len(rows)} programs: bare {bare:.2f} s, sandbox {contained:.2f} s = {contained / bare:.2f} x")


def _contained(sandbox: Sandbox, rows: list[dict[str, str]]) -> float:
    jobs = [
        Assertions(
            readings=(row["prompt"] + row["canonical_solution"],),
            context=row["prompt"],
            names=(row["entry_point"],),
            tests=f"{row['test']}\ncheck({row['entry_point']})",
        )
        for row in rows
    ]
    start = time.perf_counter()
    results = sandbox.run(jobs)
    taken = time.perf_counter() - start
    assert all(result.verdicts[0].outcome == "passed" for result in results)
    return taken


def _bare(rows: list[dict[str, str]]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.py" for number in range(len(rows))]
        for file, row in zip(files, rows, strict=True):
            program = f"{row['prompt']}{row['canonical_solution']}\n{row['test']}\ncheck({row['entry_point']})\n"
            file.write_text(program, encoding="utf-8")
        start = time.perf_counter()
        with ThreadPoolExecutor(WORKERS) as pool:
            codes = list(
                pool.map(lambda file: subprocess.run(["/usr/bin/python3", file], check=False).returncode, files)
            )
        taken = time.perf_counter() - start
    assert not any(codes)
    return taken


if __name__ == "__main__":
    main()
