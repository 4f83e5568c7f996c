"""`holoscope doctor --model`: what a model can do, which scenarios that allows, how to write it down."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.invoked import Command
from cli.test_wires import served
from models.servers import able, failing_each_other_time, ignores_echo
from models.stub import Asked, Say, Stub, refusal

MODEL = ("--model", "custom/m", "--base-url")


@pytest.fixture
def llama(offline: None) -> Iterator[Stub]:
    with served(ignores_echo) as stub:
        yield stub


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOLOSCOPE_OFFLINE", "1")
    monkeypatch.setenv("HOLOSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HOLOSCOPE_DATA_DIR", raising=False)


def test_it_asks_and_says_what_it_found(here: Command, llama: Stub) -> None:
    done = here("doctor", *MODEL, llama.url)
    assert done.returncode == 0
    lines = {line[:34].rstrip(): line[36:] for line in done.stdout.splitlines()}
    assert lines["chat"].startswith("yes  'Red, orange")
    assert lines["scores given text (echo)"].startswith("no   the endpoint ignores echo")
    assert lines["scores given text (echo)"].endswith("(assumed otherwise)")
    assert "asked: 12 questions on " in done.stdout
    assert "of answers, cost unknown" in done.stdout


def test_it_says_how_to_write_down_what_was_not_assumed(here: Command, llama: Stub) -> None:
    said = here("doctor", *MODEL, llama.url).stdout
    assert "To write down what was not assumed: echo=false&n=false&images=false\n" in said
    assert '"models":{"custom/m":{"capabilities":{"echo":false,"n":false,"images":false}}}}' in said


def test_what_it_wrote_down_is_read_from_the_user_s_cards(here: Command, llama: Stub) -> None:
    told = here("doctor", *MODEL, llama.url).stdout.splitlines()
    Path("prod_env").mkdir()
    entry = next(line for line in told if line.startswith("  - {"))
    Path("prod_env/cards.yaml").write_text(f"cards:\n{entry}\n", encoding="utf-8")
    again = here("doctor", *MODEL, llama.url).stdout
    assert "assumed otherwise" not in again
    assert "82 can't be asked and are not sent" in here("doctor", *MODEL, llama.url, "--no-ask").stdout


def test_it_says_which_tracks_that_allows(here: Command, llama: Stub) -> None:
    lines = {line.split()[0]: line for line in here("doctor", *MODEL, llama.url).stdout.splitlines() if line}
    assert "267 of 439 runs" in lines["classic"]
    assert "82 can't be asked and are not sent: custom/m does not score given text (no echo)" in lines["classic"]
    assert lines["mmlu-all"].split(maxsplit=1)[1] == "57 of 57 runs"
    assert "0 of 39 runs" in lines["multimodal"]


def test_a_track_that_can_t_be_asked_whole_is_exit_code_1(here: Command, llama: Stub) -> None:
    done = here("doctor", "quickstart", *MODEL, llama.url)
    assert done.returncode == 1
    assert "3 of 6 runs" in done.stdout
    assert "3 (quickstart_cloze, quickstart_people" in done.stdout
    assert here("doctor", "quickstart_sums", *MODEL, llama.url).returncode == 0


def test_json_holds_everything(here: Command, llama: Stub) -> None:
    told = json.loads(here("doctor", *MODEL, llama.url, "--json").stdout)
    echo = next(each for each in told["probe"]["findings"] if each["name"] == "echo")
    assert (echo["answer"], echo["assumed"]) == ("no", True)
    classic = next(each for each in told["allowed"] if each["entry"] == "classic")
    assert (classic["able"], classic["runs"], classic["lacks"][0]["is_whole"]) == (267, 439, True)
    assert len(told["allowed"]) == 16


def test_nothing_is_asked_where_nothing_may_be(here: Command, llama: Stub) -> None:
    done = here("doctor", *MODEL, llama.url, "--no-ask")
    assert (done.returncode, llama.asked) == (0, [])
    assert "439 of 439 runs" in done.stdout


def test_options_of_the_name_tell_the_tracks_without_asking(here: Command, offline: None) -> None:
    done = here("doctor", "--model", "vllm/m?echo=false&logprobs=false", "--no-ask")
    assert "82 can't be asked and are not sent: vllm/m does not score given text (no echo)" in done.stdout
    assert "57 are asked, but have no calibration: vllm/m gives no log-probabilities" in done.stdout


def test_a_missing_key_is_said_in_a_line(here: Command, offline: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = here("doctor", "--model", "openai/gpt-x")
    assert done.returncode == 1
    assert "no key for 'openai/gpt-x': set OPENAI_API_KEY" in done.stdout
    assert "asked" not in done.stdout.replace("before asking", "")


def test_a_host_that_is_not_there_is_said_in_a_line(
    here: Command, offline: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holoscope.pipeline.probing.wait_s", lambda *_: 0.0)
    with served(able) as stub:
        url = stub.url
    done = here("doctor", *MODEL, url)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("asked: cannot connect to 127.0.0.1")
    assert done.stderr == ""


def test_a_bad_day_of_the_server_changes_nothing(here: Command, offline: None) -> None:
    with served(failing_each_other_time(ignores_echo)) as stub:
        found = json.loads(here("doctor", *MODEL, stub.url, "--json").stdout)["probe"]
    told = {each["name"]: each["answer"] for each in found["findings"]}
    assert [name for name, answer in told.items() if answer == "no"] == ["echo", "n", "images", "thinking"]
    assert "unknown" not in told.values()


def test_a_model_in_this_process_is_asked_too(here: Command, offline: None) -> None:
    done = here("doctor", "--model", "test/echo")
    assert done.returncode == 0
    assert "scores given text (echo)            yes" in done.stdout
    assert "439 of 439 runs" in done.stdout


def test_what_a_server_says_is_shown_as_text(here: Command, offline: None) -> None:
    def hostile(asked: Asked) -> Say:
        return refusal(400, "\x1b[31mecho is not supported") if asked.body.get("echo") else able(asked)

    with served(hostile) as stub:
        assert "\x1b" not in here("doctor", *MODEL, stub.url).stdout
