import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holoscope.core import AdapterSpec, Outcome, StoreError
from holoscope.interop import read_helm_run
from holoscope.interop.helm_specs import adapter_spec
from holoscope.interop.helm_state import request_state
from paths import DATA, needs_data

RUNS = DATA / "helm_outputs" / "benchmark_output" / "runs"
FOLDERS = sorted(path.parent for path in RUNS.rglob("scenario_state.json")) if RUNS.is_dir() else []


@needs_data
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name[:30])
def test_helms_own_request_states_are_read_and_written_again_unchanged(folder: Path) -> None:
    state: dict[str, Any] = json.loads((folder / "scenario_state.json").read_text(encoding="utf-8"))
    adapter = msgspec.convert(state["adapter_spec"], AdapterSpec)
    for exchange, original in zip(read_helm_run(folder), state["request_states"], strict=True):
        original.pop("annotations", None)  # a judge's words are not part of an exchange
        assert json.loads(json.dumps(request_state(exchange, adapter, with_text=True))) == original


@needs_data
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name[:30])
def test_helms_adapter_specs_are_written_with_every_field_they_had(folder: Path) -> None:
    spec = json.loads((folder / "run_spec.json").read_text(encoding="utf-8"))["adapter_spec"]
    written = adapter_spec(msgspec.convert(spec, AdapterSpec))
    assert written | spec == written


def write_state(folder: Path, **result: object) -> None:
    whole = {"success": True, "completions": [], "embedding": [], "cached": False, **result}
    state = {
        "instance": {"input": {"text": "2+2?"}, "references": [], "split": "test", "id": "id0"},
        "train_trial_index": 0,
        "request": {"prompt": "2+2?", "temperature": 0, "stop_sequences": [], "max_tokens": 1},
        "result": whole,
        "num_train_instances": 0,
        "prompt_truncated": False,
        "num_conditioning_tokens": 0,
    }
    content = json.dumps({"adapter_spec": {}, "request_states": [state]})
    (folder / "scenario_state.json").write_text(content, encoding="utf-8")


def test_log_probabilities_that_helm_did_not_have_are_unknown(tmp_path: Path) -> None:
    tokens = [{"text": "4", "logprob": 0.0}]
    write_state(tmp_path, completions=[{"text": "4", "logprob": 0.0, "tokens": tokens}])
    (choice,) = read_helm_run(tmp_path)[0].completion.choices
    assert (choice.logprob, choice.tokens[0].logprob) == (None, None)


def test_an_image_is_known_by_its_name(tmp_path: Path) -> None:
    parts = [
        {"content_type": "text/plain", "text": "What is "},
        {"content_type": "image/png", "location": "/data/my cat.png"},
        {"content_type": "text/plain", "text": "?"},
    ]
    write_state(tmp_path, completions=[{"text": "4", "logprob": 0.0, "tokens": []}])
    path = tmp_path / "scenario_state.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    (only,) = state["request_states"]
    only["instance"]["input"] = {"text": "", "multimedia_content": {"media_objects": parts}}
    only["request"] |= {"prompt": "", "multimodal_prompt": {"media_objects": parts}}
    path.write_text(json.dumps(state), encoding="utf-8")
    (exchange,) = read_helm_run(tmp_path)
    assert exchange.planned.instance.input == "What is <image my-cat.png>?"
    assert exchange.planned.request.prompt == "What is <image my-cat.png>?"


@pytest.mark.parametrize(
    ("reason", "text", "thinking", "outcome"),
    [
        ("length", "some", None, Outcome.TRUNCATED),
        ("length", "", "hm", Outcome.TRUNCATED_IN_REASONING),
        ("stop", "some", None, Outcome.OK),
        (None, "some", None, Outcome.OK),
    ],
)
def test_an_answer_that_ended_at_the_limit_is_truncated(
    tmp_path: Path, reason: str | None, text: str, thinking: str | None, outcome: Outcome
) -> None:
    made = {"text": text, "logprob": 0.0, "tokens": []}
    made |= {"finish_reason": {"reason": reason}} if reason else {}
    made |= {"thinking": {"text": thinking}} if thinking else {}
    write_state(tmp_path, completions=[made])
    assert read_helm_run(tmp_path)[0].completion.outcome is outcome


def test_a_failure_that_this_package_exported_is_the_same_failure(tmp_path: Path) -> None:
    write_state(tmp_path, success=False, error="context_overflow: 3000 tokens, window 2048")
    completion = read_helm_run(tmp_path)[0].completion
    assert (completion.outcome, completion.reason) == (Outcome.CONTEXT_OVERFLOW, "3000 tokens, window 2048")


def test_a_request_that_helm_could_not_answer_is_no_empty_answer(tmp_path: Path) -> None:
    write_state(tmp_path, success=False, error="quota")
    completion = read_helm_run(tmp_path)[0].completion
    assert (completion.outcome, completion.reason) == (Outcome.TRANSPORT_ERROR, "quota")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"request_states": [{}]}', '{"request_states": 3}'])
def test_a_file_that_helm_did_not_write_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "scenario_state.json").write_text(content, encoding="utf-8")
    with pytest.raises(StoreError, match=r"scenario_state\.json") as caught:
        read_helm_run(tmp_path)
    assert "\n" not in str(caught.value)
