"""Replays what crfm-helm 0.5.16 sent and computed: requests equal byte for byte, statistics to 1e-9.

Each golden file is run as its entry under `--compat helm`, with a model that answers each prompt as HELM's did, and
exported in HELM's format.
"""

import asyncio
import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import Settings, builtin
from holoscope.engine import Limits
from holoscope.entries import Options, format_value, parse_entry, resolve
from holoscope.interop import export_run
from holoscope.pipeline import Models, Planner, RunResult, SuiteRun
from holoscope.store import scan
from paths import DATA, GOLDEN, needs_data, needs_golden
from sandboxed import needs_sandbox

RUNS_PROGRAMS = frozenset({"code_dataset_humaneval"})
"""Files whose statistics take running what the model wrote."""
WINDOWS = {"golden/echo": 16000, "golden/short": 2048}
TOLERANCE = 1e-9

Run = dict[str, Any]


def files() -> list[Any]:
    found = sorted(GOLDEN.glob("*.json.gz")) if GOLDEN.is_dir() else []
    return [pytest.param(p, id=name(p), marks=[needs_sandbox] if name(p) in RUNS_PROGRAMS else []) for p in found]


def name(path: Path) -> str:
    return path.name.removesuffix(".json.gz")


@needs_golden
@needs_data
@pytest.mark.parametrize("path", files())
def test_holoscope_sends_and_computes_what_helm_did(path: Path, tmp_path: Path) -> None:
    golden = json.loads(gzip.decompress(path.read_bytes()))
    results, exported = replay(golden, tmp_path)
    runs, folders = sorted(golden["runs"], key=shots), sorted(exported, key=exported_shots)
    for run, folder in zip(runs, folders, strict=True):
        state = json.loads((folder / "scenario_state.json").read_bytes())
        assert [sent(s) for s in state["request_states"]] == [recorded(r) for r in run["requests"]]
    assert [r.status for r in results] == ["complete"] * len(runs), [r.reason for r in results]
    for run, folder in zip(runs, folders, strict=True):
        assert_same_stats(json.loads((folder / "stats.json").read_bytes()), run["stats"])
        ours = json.loads((folder / "per_instance_stats.json").read_bytes())
        assert_same_per_instance(ours, run["per_instance_stats"])


def shots(run: Run) -> str:
    spec = run["run_spec"]
    return json.dumps([spec["adapter_spec"]["max_train_instances"], spec["data_augmenter_spec"]["perturbation_specs"]])


def exported_shots(folder: Path) -> str:
    return shots({"run_spec": json.loads((folder / "run_spec.json").read_bytes())})


def replay(golden: Run, tmp: Path) -> tuple[list[RunResult], list[Path]]:
    """Run the golden entry against its own completions; what came of it, and the folders in HELM's format."""
    entry = parse_entry(golden["entry"])
    answers = tmp / "answers.jsonl"
    answers.write_text("".join(answer_lines(golden)), encoding="utf-8")
    model = f"replay/{answers}?window={WINDOWS[str(entry.args['model'])]}&tokenizer=characters"
    others = ",".join(f"{k}={format_value(v)}" for k, v in entry.args.items() if k != "model")
    text = f"{entry.name}:model={format_value(model)}" + (f",{others}" if others else "")
    registry = builtin()
    settings = Settings(cache_dir=tmp / "cache", data_dir=DATA, offline=True)
    options = Options(max_eval_instances=golden["max_eval_instances"], compat="helm")
    specs = resolve(text, registry, options=options).specs
    suite = SuiteRun(specs, Planner(registry, settings, Models(settings, registry)), tmp / "out", "golden")
    results = asyncio.run(suite.run(Limits()))
    stored = scan(tmp / "out", "golden").runs
    return results, [export_run(run, tmp / "helm", registry, own_use=True).path for run in stored]


def answer_lines(golden: Run) -> Iterator[str]:
    seen = set()
    for run in golden["runs"]:
        for request in run["requests"]:
            asked = {key: request[key] for key in ("prompt", "messages") if request.get(key)}
            line = json.dumps({**asked, "completions": request["completions"], "request_time": 0.25}) + "\n"
            if line not in seen:
                seen.add(line)
                yield line


def sent(state: Run) -> Run:
    """What one of our exported request states says that the golden file also says."""
    instance, request = state["instance"], state["request"]
    return without_none(
        {
            "instance_id": instance["id"],
            "split": instance["split"],
            "sub_split": instance.get("sub_split"),
            "perturbation": instance.get("perturbation"),
            "input": instance["input"].get("text"),
            "references": [
                {"text": r["output"]["text"], "tags": r.get("tags", [])} for r in instance.get("references", [])
            ],
            "reference_index": state.get("reference_index"),
            "request_mode": state.get("request_mode"),
            "train_trial_index": state["train_trial_index"],
            "output_mapping": state.get("output_mapping"),
            "num_train_instances": state["num_train_instances"],
            "prompt_truncated": state["prompt_truncated"],
            "num_conditioning_tokens": state["num_conditioning_tokens"],
            "prompt": request.get("prompt"),
            "temperature": request["temperature"],
            "max_tokens": request["max_tokens"],
            "stop_sequences": request["stop_sequences"],
            "num_completions": request["num_completions"],
            "top_k_per_token": request["top_k_per_token"],
            "echo_prompt": request["echo_prompt"],
        }
    )


def recorded(request: Run) -> Run:
    params = {k: v for k, v in request["params"].items() if k != "random"}
    left_out = ("params", "completions")
    return without_none({**{k: v for k, v in request.items() if k not in left_out}, **params})


def without_none(fields: Run) -> Run:
    return {k: v for k, v in fields.items() if v is not None}


def keyed(stats: list[Run]) -> dict[str, Run]:
    by_name = {json.dumps(stat["name"], sort_keys=True): stat for stat in stats}
    assert len(by_name) == len(stats)
    return by_name


def assert_same_stats(ours: list[Run], theirs: list[Run]) -> None:
    found, expected = keyed(ours), keyed(theirs)
    assert found.keys() == expected.keys()
    for key, stat in expected.items():
        for field, value in stat.items():
            if field != "name":
                other = found[key][field]
                same = math.isclose(other, value, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
                assert same, f"{key} {field}: {other} is not {value}"
        assert found[key].keys() == stat.keys()


def assert_same_per_instance(ours: list[Run], theirs: list[Run]) -> None:
    def place(row: Run) -> str:
        return json.dumps([row["instance_id"], row.get("perturbation"), row["train_trial_index"]], sort_keys=True)

    merged: dict[str, list[Run]] = {}
    for row in ours:
        merged.setdefault(place(row), []).extend(row["stats"])
    expected: dict[str, list[Run]] = {}
    for row in theirs:
        expected.setdefault(place(row), []).extend(row["stats"])
    assert merged.keys() == expected.keys()
    for key, stats in expected.items():
        assert_same_stats(merged[key], stats)
