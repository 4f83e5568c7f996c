"""`holoscope import`: HELM's result folders as runs of ours."""

from pathlib import Path


def import_command(path: Path, /, *, suite: str = "", out: Path | None = None, json: bool = False) -> int:
    """Read HELM's result folders, completions included, so that they can be shown, compared and scored again.

    Parameters
    ----------
    path
        A `benchmark_output`, one of its `runs/<suite>`, or one run.
    suite
        Name under which the runs are kept; HELM's own by default.
    out
        Folder of ledger and results.
    json
        Say what was read as JSON.
    """
    import msgspec

    from holoscope.cli.session import DEFAULT_OUT, console, registry
    from holoscope.core import StoreError
    from holoscope.interop import ImportedRun, find_helm_runs, import_run

    folder, things = out or DEFAULT_OUT, registry()
    read: list[ImportedRun] = []
    problems: list[str] = []
    for found in find_helm_runs(path, suite):
        try:
            made = import_run(found, folder, things)
        except StoreError as error:
            problems.append(str(error))
            continue
        if any(made.path == other.path for other in read):
            made = made._replace(notes=(*made.notes, "replaces the run of this name of the suite before"))
        read.append(made)
        problems += made.problems
        if not json:
            console().print(f"{made.suite}  {made.run}", soft_wrap=True)
            for note in made.notes:
                console().print(f"    {note}", soft_wrap=True)
    if json:
        listed = [{**made._asdict(), "path": str(made.path)} for made in read]
        print(msgspec.json.encode({"imported": listed, "problems": problems}).decode())  # noqa: T201
    for problem in problems:
        console(stderr=True).print(f"note: {problem}", soft_wrap=True)
    if read and not json:
        counted = f"{len(read)} {'run' if len(read) == 1 else 'runs'}"
        where = f" --out {out}" if out else ""
        commands = [f"holoscope show --suite {name}{where}" for name in dict.fromkeys(m.suite for m in read)]
        console().print(f"{counted} in {folder}. The grid:  {', '.join(commands)}", soft_wrap=True)
    return 1 if problems else 0
