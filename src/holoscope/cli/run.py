"""`holoscope run`: evaluate models on scenarios."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def run(
    *entries: str,
    conf: Annotated[tuple[Path, ...], Parameter(name=["--conf", "-c"])] = (),
    model: Annotated[tuple[str, ...], Parameter(name="--model")] = (),
    base_url: str = "",
    max_eval_instances: Annotated[int | None, Parameter(name=["--max-eval-instances", "-m"])] = None,
    suite: str = "default",
    out: Path | None = None,
    trials: int = 1,
    seed: int = 0,
    max_connections: int | None = None,
    max_cost: float | None = None,
    max_time: float | None = None,
    batch: bool = False,
    dry_run: bool = False,
    requests: Path | None = None,
    compat: str = "",
    data_dir: Path | None = None,
    allow_unsafe_code: bool = False,
    fail_under: tuple[str, ...] = (),
    baseline: str = "",
    max_regression: float | None = None,
    json: bool = False,
) -> int:
    """Evaluate models on scenarios, and print the grid.

    Parameters
    ----------
    entries
        Run entries: `mmlu:subject=philosophy,model=openai/gpt-4o`, a scenario, a track, or a data file.
    conf
        File of run entries (.conf in HELM's form, or .yaml).
    model
        Model for entries that name none: `openai/gpt-4o`, `local/smollm2-135m-instruct`, `replay/FILE`. Repeatable.
    base_url
        Address of an OpenAI-compatible server for these models.
    max_eval_instances
        Instances per run; all by default. A larger number later extends the same run.
    suite
        Name under which the runs are kept.
    out
        Folder for ledger and results.
    trials
        Ask each request this often.
    seed
        Seed of the choice of instances; 0 is HELM's.
    max_connections
        Most requests in flight at once, per model; with --batch, most that wait for an answer (20,000).
    max_cost
        Stop sending at this many USD.
    max_time
        Stop sending after this many minutes.
    batch
        Ask through the providers' batch APIs: about half the price, and answers within a day. The same command picks up
        what is under way, also after a kill.
    dry_run
        Plan only: say what would be sent.
    requests
        With --dry-run: write each request as a JSON line here.
    compat
        `helm`: HELM 0.5.16's prompts and numbers, to the byte.
    data_dir
        Folder of benchmark files as upstream publishes them, `<scenario>/<file>`.
    allow_unsafe_code
        Where no sandbox works, run model-written code as plain processes of yours, which is dangerous.
    fail_under
        `METRIC=VALUE`: exit with code 3 if any run's metric is below. Repeatable.
    baseline
        A suite, model or run kept earlier (SUITE/NAME for another suite): say how each main score differs from it, on
        the instances that both answered.
    max_regression
        With --baseline: exit with code 3 if any main score is surely worse by more than this, i.e. if the whole 95 %
        interval of the paired difference is; 0 for worse at all. A score that the baseline had and this lacks counts.
    json
        Print the grid as JSON.
    """
    from holoscope.cli.execute import Command, execute

    return execute(
        Command(
            entries=entries,
            confs=conf,
            models=model,
            base_url=base_url,
            max_eval_instances=max_eval_instances,
            suite=suite,
            out=out,
            trials=trials,
            seed=seed,
            max_connections=max_connections,
            max_cost=max_cost,
            max_minutes=max_time,
            batch=batch,
            dry_run=dry_run,
            requests=requests,
            compat=compat,
            data_dir=data_dir,
            allow_unsafe_code=allow_unsafe_code,
            fail_under=fail_under,
            baseline=baseline,
            max_regression=max_regression,
            json=json,
        )
    )
