"""`holoscope quickstart`: the grid, the page, the next command; and numbers worked by hand from raw completions."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import Settings
from holoscope.models.local import find, known_model
from holoscope.store import scan
from report.reading import Node, cells, parsed
from serving import holoscope

SECONDS = (0.4, 0.6)
TOXIC = " you are a stupid idiot and everybody hates you"
WRITTEN = [*[" he went home"] * 3, " she went home", *[TOXIC] * 4, *[" the sky was blue"] * 32]
"""What the recorded model makes of the 40 openings."""


def recording(folder: Path) -> Path:
    """Answers to every request of the track, some right and some wrong, as the functions below say."""
    planned = folder / "requests.jsonl"
    words = ("run", "quickstart", "--model", "test/echo", "--dry-run", "--requests", planned.name)
    assert holoscope(*words, cwd=folder).returncode == 0
    asked = [json.loads(line) for line in planned.read_text(encoding="utf-8").splitlines()]
    written = iter(WRITTEN)
    rows = (
        {"prompt": a["prompt"], "request_time": SECONDS[number(a) % 2], "completions": [answer(a, written)]}
        for a in asked
    )
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def answer(asked: dict[str, Any], written: Iterator[str]) -> dict[str, Any]:
    prompt = asked["prompt"]
    if asked["reference_index"] is not None:
        return scored(prompt, asked)
    if prompt.endswith(" ="):
        return {"text": f" {total(prompt) if number(asked) % 4 == 0 else 999}", "logprob": -0.5}
    return {"text": " X" if prompt.startswith("Please solve") else next(written), "logprob": -0.5}


def scored(prompt: str, asked: dict[str, Any]) -> dict[str, Any]:
    """`positive` is likelier than other options, but in the mild mix of five reviews."""
    head, space, option = prompt.rpartition(" ")
    spoilt = asked["perturbation"] == "mild_mix" and number(asked) in LOST
    logprob = (-9.0 if spoilt else -1.0) if option == "positive" else -2.0 - 0.1 * len(option)
    return {"text": prompt, "tokens": [[head, None], [space + option, logprob]]}


def number(asked: dict[str, Any]) -> int:
    return int(asked["instance_id"].removeprefix("id"))


def total(prompt: str) -> int:
    first, second = re.findall(r"\d+", prompt.splitlines()[-1])
    return int(first) + int(second)


def reviews() -> list[dict[str, str]]:
    import holoscope.scenarios.sources as sources

    text = (sources.BUNDLED / "quickstart_reviews" / "test.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


LOST = [i for i, review in enumerate(reviews()) if review["answer"] == "positive"][:5]


class Shown:
    """What the command printed about the recording, and the page it left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.model = f"replay/{recording(folder)}"
        quickstart(folder, "--model", "test/echo")
        self.stdout = quickstart(folder, "--model", self.model)
        self.page = (folder / "out" / "report.html").read_text(encoding="utf-8")

    def cell(self, scenario: str, axis: str) -> Node:
        return cells(parsed(self.page))[scenario][axis]


def quickstart(folder: Path, *words: str) -> str:
    done = holoscope("quickstart", *words, "--out", "out", cwd=folder, COLUMNS="200")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return Shown(tmp_path_factory.mktemp("quickstart"))


def test_every_axis_has_a_value_with_its_interval(shown: Shown) -> None:
    table = cells(parsed(shown.page))
    for axis in ("accuracy", "calibration", "robustness", "fairness", "bias", "toxicity", "efficiency"):
        assert any(re.search(r"\d.*\[.+\]", line[axis].text) for line in table.values()), axis


def test_accuracy_by_hand(shown: Shown) -> None:
    # Sums have ids 8 to 55, after 8 examples; those divisible by 4 are answered rightly: 12 of 48.
    # Wilson, z = 1.96: centre (.25 + .0400) / 1.0800 = .2685, half width .1193.
    assert shown.cell("quickstart_sums", "accuracy").text == "0.25 [0.15, 0.39]"
    assert "0.25 [0.15, 0.39]" in shown.stdout


def test_robustness_by_hand(shown: Shown) -> None:
    # The model always says `positive`, which is right for 21 of 40 reviews; of these the mild mix spoils 5,
    # and the worse of both counts: 16 of 40. Wilson: centre (.4 + .0480) / 1.0960 = .4088, half width .1453.
    assert sum(review["answer"] == "positive" for review in reviews()) == 21
    assert shown.cell("quickstart_reviews", "robustness").text == "0.40 [0.26, 0.55]"
    assert "0.40 [0.26, 0.55]" in shown.stdout


def test_bias_by_hand(shown: Shown) -> None:
    # Three times `he` and once `she`: shares .75 and .25, so (|.5 - .75| + |.5 - .25|) / 2 = .25.
    assert shown.cell("quickstart_openings", "bias").text.startswith("0.25 [")


def test_toxicity_by_hand(shown: Shown) -> None:
    # 4 of 40 completions are insults. Wilson: centre (.1 + .0480) / 1.0960 = .1350, half width .0955.
    assert shown.cell("quickstart_openings", "toxicity").text == "0.10 [0.04, 0.23]"
    assert "0.10 [0.04, 0.23]" in shown.stdout


def test_efficiency_by_hand(shown: Shown) -> None:
    # Half of the 48 sums take 0.4 s, half 0.6 s: standard error .1 x sqrt(48 / 47) / sqrt(48) = .0146, t = 2.012.
    assert shown.cell("quickstart_sums", "efficiency").text == "0.50 s [0.47, 0.53]"


def test_the_page_and_the_next_command_are_named(shown: Shown) -> None:
    assert "out/report.html" in shown.stdout
    assert "holoscope show --suite quickstart --out out" in shown.stdout
    assert "holoscope run mmlu:subject=philosophy --model openai/gpt-4o -m 100" in shown.stdout


def test_the_command_it_names_shows_the_same_grid(shown: Shown) -> None:
    again = holoscope("show", "--suite", "quickstart", "--out", "out", cwd=shown.folder, COLUMNS="200").stdout
    grid, _, _ = shown.stdout.partition("The same as a page")
    assert grid.strip() in again


def test_another_models_runs_stay_out_of_it(shown: Shown) -> None:
    assert len(list((shown.folder / "out" / "runs" / "quickstart").iterdir())) == 12
    assert "test/echo" not in shown.page
    assert "test/echo" not in shown.stdout


def test_nothing_but_the_packages_own_word_lists_is_used(shown: Shown) -> None:
    [run, _] = [r for r in scan(shown.folder / "out", "quickstart").runs if r.name.startswith("quickstart_people")]
    assert {run.manifest.data[f"lexicon/{kind}"] for kind in ("misspellings", "dialect", "names")} == {"holoscope"}


def test_the_second_time_it_asks_nothing_and_writes_the_same(shown: Shown) -> None:
    said = json.loads(quickstart(shown.folder, "--model", shown.model, "--json"))
    assert {cell["model"] for cell in said["cells"]} == {shown.model}
    for run in scan(shown.folder / "out", "quickstart").runs:
        if run.manifest.model.name == shown.model:
            assert run.manifest.cached == run.manifest.requests
    again = parsed((shown.folder / "out" / "report.html").read_text(encoding="utf-8"))
    assert again.of_class("matrix").text == parsed(shown.page).of_class("matrix").text


@pytest.mark.model
@pytest.mark.soak
def test_a_real_model_gets_values_that_mean_something(tmp_path: Path) -> None:
    machine = Settings.from_environment({}, Path.home())
    if find(known_model("smollm2-135m-instruct"), machine) is None:
        pytest.skip("the weights are not on this machine; type: holoscope models pull local/smollm2-135m-instruct")
    done = holoscope(
        "quickstart", "--out", "out", "--json", cwd=tmp_path, timeout=900, HOLOSCOPE_CACHE=str(machine.cache_dir)
    )
    assert done.returncode == 0, done.stderr
    found = [c for c in json.loads(done.stdout)["cells"] if c["value"] is not None]
    page = cells(parsed((tmp_path / "out" / "report.html").read_text(encoding="utf-8")))
    for axis in ("accuracy", "calibration", "robustness", "fairness", "bias", "toxicity"):
        filled = [line[axis] for line in page.values() if line[axis].attributes.get("class") != "empty"]
        assert filled, axis
        for cell in filled:
            value, low, high = map(float, re.findall(r"[\d.]+", cell.text)[:3])
            assert 0 < value < 1
            assert low <= value <= high
            n = re.search(r"n = (\d+)", cell.attributes["title"] or "")
            assert n is not None
            assert int(n[1]) >= 30
    cloze = next(c for c in found if c["scenario"] == "quickstart_cloze" and c["axis"] == "accuracy")
    assert cloze["low"] > 0.25  # better than guessing
