"""The run folders of a suite in HELM's format, read for its summary: specs and statistics, no texts.

A folder that can't be read is passed over with a warning: a summary of what there is beats none.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from holoscope.core import StoreError
from holoscope.interop.documents import read_json
from holoscope.store import suite_folder

ALL_SPLITS = "__all__"
_FALLBACK = {"quasi_exact_match": "exact_match"}
"""Read in its place where a run doesn't have the former."""


class HelmRun(NamedTuple):
    """A run as its files tell it."""

    path: Path
    suite: str
    spec: dict[str, Any]
    stats: list[dict[str, Any]]

    @property
    def name(self) -> str:
        return str(self.spec["name"])

    @property
    def deployment(self) -> str:
        adapter = self.spec["adapter_spec"]
        return str(adapter.get("model_deployment") or adapter.get("model") or "unknown")

    @property
    def model(self) -> str:
        return str(self.spec["adapter_spec"].get("model") or self.deployment)

    @property
    def groups(self) -> list[str]:
        return list(self.spec.get("groups", []))

    @property
    def scenario(self) -> tuple[str, str]:
        """Class and arguments: what makes two runs comparable."""
        scenario = self.spec["scenario_spec"]
        arguments = ", ".join(f"{name}: {value}" for name, value in scenario.get("args", {}).items())
        return str(scenario["class_name"]), arguments


class Mean(NamedTuple):
    """Merged statistics."""

    trials: int
    total: float

    @property
    def value(self) -> float | None:
        return self.total / self.trials if self.trials else None


def read_helm_runs(out: Path, suite: str) -> tuple[list[HelmRun], list[str]]:
    """The suite's runs by name, and a warning for each folder that was passed over."""
    runs: list[HelmRun] = []
    warnings: list[str] = []
    folder = suite_folder(out, suite)
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if not (path / "run_spec.json").exists():
            continue
        try:
            runs.append(_run(path, suite))
        except StoreError as error:
            warnings.append(f"passed over: {error}")
    return runs, warnings


def helm_suites(out: Path) -> list[str]:
    """Suites under `out` that hold runs in HELM's format."""
    return sorted({path.parent.parent.name for path in (out / "runs").glob("*/*/run_spec.json")})


def find(run: HelmRun, metric: str, split: str, perturbation: str | None = None, sub_split: str | None = None) -> Mean:
    """The statistic of a run, its sub-splits merged unless one is named; no trials where there is none."""
    found = [s for s in run.stats if _matches(s["name"], metric, split, perturbation, sub_split)]
    if not found and metric in _FALLBACK:
        return find(run, _FALLBACK[metric], split, perturbation, sub_split)
    return merge(Mean(int(stat["count"]), float(stat.get("sum", 0.0))) for stat in found)


def merge(means: Iterable[Mean]) -> Mean:
    """One mean over all of them."""
    listed = list(means)
    return Mean(sum(mean.trials for mean in listed), sum(mean.total for mean in listed))


def _matches(name: dict[str, Any], metric: str, split: str, perturbation: str | None, sub_split: str | None) -> bool:
    if name["name"] != metric or split not in (ALL_SPLITS, name.get("split")):
        return False
    if sub_split is not None and name.get("sub_split") != sub_split:
        return False
    made = name.get("perturbation")
    if perturbation is None:
        return made is None
    return made is not None and made.get("name") == perturbation and made.get("computed_on") == "worst"


def _run(path: Path, suite: str) -> HelmRun:
    spec, stats = read_json(path / "run_spec.json"), read_json(path / "stats.json")
    run = HelmRun(path, suite, spec, stats)  # type: ignore[arg-type]
    try:
        _ = run.name, run.deployment, run.groups, run.scenario, [(s["name"]["name"], s["count"]) for s in run.stats]
    except (KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"cannot read {path}: not as HELM writes it ({error!r})") from error
    return run
