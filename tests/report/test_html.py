import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from holoscope.core import Measure, Outcome, Registry
from holoscope.report import Grid, grid, html_page, write_html
from holoscope.report.blocks import blocks
from holoscope.store import ModelSummary, ScenarioSummary, StoredRun, Versions
from report.grids import AUGMENT, measures, registry, run, whole_grid
from report.reading import Node, cells, parsed
from store.made import exchange, manifest, spec, store_run

HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[31m\u202e"


def page(made: Grid, runs: tuple[StoredRun, ...] = ()) -> Node:
    return parsed(html_page(made, runs))


def stored(out: Path, answer: str = "yes", *, prompt: str = "Is it?", **fields: Any) -> StoredRun:
    asked = [exchange(f"id{i}", f"{prompt} {i}", answer) for i in range(9)]
    return store_run(out, manifest(**fields), asked)


def page_of(kept: StoredRun) -> str:
    return html_page(grid([kept], registry(), lambda _: measures("exact_match")), [kept])


def card(redistribution: Any, licence: str = "") -> ScenarioSummary:
    return ScenarioSummary(
        name="mmlu", main_metric="exact_match", main_split="test", redistribution=redistribution, licence=licence
    )


def test_a_cell_has_its_value_its_interval_and_how_it_was_made() -> None:
    cell = cells(page(whole_grid()))["narrative_qa"]["accuracy"]
    assert cell.text == "0.62 [0.51, 0.72]"
    assert cell.attributes["title"] == (
        "f1_score (version 1), split test: 0.62; 95 % interval 0.51 to 0.72 (wilson); n = 20; "
        "outcomes: 18 ok, 2 truncated"
    )


def test_an_empty_cell_has_its_reason_in_the_text_and_on_hover() -> None:
    made = page(whole_grid())
    cell = cells(made)["mmlu"]["fairness"]
    assert cell.attributes["class"] == "empty"
    assert cell.attributes["title"] == AUGMENT
    [link] = cell.all("a")
    listed = {f"#{node.attributes['id']}": node.text for node in made.of_class("reasons").all("li")}
    assert listed[link.attributes["href"] or ""] == AUGMENT


def test_the_page_shows_the_numbers_that_the_terminal_shows() -> None:
    made = whole_grid()
    shown = [[" ".join(td.text.split()) for td in line.values()] for line in cells(page(made)).values()]
    lines = blocks(made)[0].lines
    assert len(shown) == len(lines)
    for texts, line in zip(shown, lines, strict=True):
        for text, entry in zip(texts, line.entries, strict=True):
            expected = entry.value if entry.value != "–" else "– no value"
            assert text == f"{expected} {entry.interval}"


def test_a_cell_is_tinted_by_its_place_and_an_empty_one_is_not() -> None:
    known = Registry()
    for name, ceiling in (("accuracy", 1.0), ("calibration", None), ("bias", 1.0)):
        known.axes.add(name, replace(registry().axes.get(name), chance=0.0, ceiling=ceiling))
    made = cells(page(grid([run("gsm", "exact_match")], known, lambda _: measures("exact_match"))))["gsm"]
    assert made["accuracy"].attributes["style"] == "--place:0.620"
    assert "style" not in made["calibration"].attributes  # a value without a scale
    assert "style" not in made["bias"].attributes


def test_each_column_says_which_direction_is_better() -> None:
    heads = list(page(whole_grid()).of_class("matrix").all("th"))
    texts = [head.text for head in heads if head.attributes.get("scope") == "col"]
    assert texts[1:3] == ["accuracy ↑ (higher is better)", "calibration ↓ (lower is better)"]


def test_every_head_of_a_table_says_what_it_heads() -> None:
    made = page(whole_grid())
    assert all(head.attributes.get("scope") in ("row", "col") for head in made.all("th"))
    assert all(next(table.all("caption"), None) for table in made.all("table"))


def test_each_model_has_a_matrix_and_a_picture() -> None:
    made = page(whole_grid())
    assert [h2.text for h2 in made.all("h2")][:2] == ["mine · local/smollm2-135m-instruct", "mine · test/echo"]
    assert len(list(made.all("svg"))) == 2


def test_every_link_leads_somewhere_and_no_two_places_share_a_name() -> None:
    made = page(whole_grid())
    names = [str(node.attributes["id"]) for node in made.every() if "id" in node.attributes]
    assert len(names) == len(set(names))
    assert {str(a.attributes["href"]).removeprefix("#") for a in made.all("a")} <= set(names)


def test_the_file_needs_nothing_but_itself(tmp_path: Path) -> None:
    text = page_of(stored(tmp_path))
    assert re.findall(r"https?://[^\s\"'<]+", text) == ["http://www.w3.org/2000/svg"]  # a name, not an address
    made = parsed(text)
    assert not {node.name for node in made.every()} & {"script", "link", "img", "iframe", "object", "base"}
    assert not re.search(r"@import|url\(", text)
    [policy] = [m for m in made.all("meta") if m.attributes.get("http-equiv") == "Content-Security-Policy"]
    assert str(policy.attributes["content"]).startswith("default-src 'none'")


def test_it_follows_light_and_dark_and_prints() -> None:
    text = html_page(whole_grid())
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


@pytest.mark.parametrize("place", ["answer", "prompt", "model", "reason", "entry", "licence"])
def test_what_others_wrote_is_text(place: str, tmp_path: Path) -> None:
    fields: dict[str, Any] = {}
    if place == "model":
        fields["model"] = ModelSummary(name=HOSTILE, served_model=HOSTILE, identity={HOSTILE: HOSTILE})
    if place == "reason":
        fields |= {"status": "incomplete", "reason": HOSTILE, "notes": (HOSTILE,)}
    if place == "entry":
        fields["run"] = spec(HOSTILE, entry=HOSTILE)
    if place == "licence":
        fields |= {"scenario": card("no", HOSTILE), "data": {HOSTILE: HOSTILE}, "versions": Versions(prompt=HOSTILE)}
    answer = HOSTILE if place == "answer" else "yes"
    text = page_of(stored(tmp_path, answer, prompt=HOSTILE if place == "prompt" else "?", **fields))
    made = parsed(text)
    assert not list(made.all("script"))
    assert not any(name.startswith("on") for node in made.every() for name in node.attributes)
    assert not set("\x1b\u202e") & set(text)
    assert "alert(1)" in text


def test_instances_are_shown_where_the_licence_allows(tmp_path: Path) -> None:
    text = page_of(stored(tmp_path, "no", prompt="Is it so?", scenario=card("yes")))
    [table] = [t for t in parsed(text).all("table") if next(t.all("caption")).text == "The first 4 instances"]
    first = list(table.all("tr"))[1]
    assert [part.text for part in first.children if isinstance(part, Node)] == ["id0", "Is it so? 0", "no", "yes", "0"]


@pytest.mark.parametrize("redistribution", ["no", "ids-only"])
def test_instances_are_not_shown_where_it_does_not(redistribution: str, tmp_path: Path) -> None:
    text = page_of(stored(tmp_path, "no", prompt="Is it so?", scenario=card(redistribution, "CC BY-NC 4.0")))
    assert "Is it so?" not in text
    assert "the licence (CC BY-NC 4.0) does not allow" in text


def test_a_long_text_is_cut_and_says_so(tmp_path: Path) -> None:
    text = page_of(stored(tmp_path, "y" * 5000, scenario=card("yes")))
    assert "y" * 1200 + " […]" in text
    assert "y" * 1201 not in text


def test_a_run_whose_files_are_gone_keeps_its_numbers(tmp_path: Path) -> None:
    kept = stored(tmp_path, scenario=card("yes"))
    (kept.path / "requests.parquet").unlink()
    text = page_of(kept)
    assert "No instances can be shown" in text
    assert cells(parsed(text))["mmlu"]["accuracy"].text == "0.62 [0.51, 0.72]"


def test_sources_and_versions_are_named(tmp_path: Path) -> None:
    kept = stored(
        tmp_path,
        scenario=card("yes", "MIT"),
        data={"test.csv": "ab" * 32},
        model=ModelSummary(name="local/m", identity={"weights": "cd" * 32}),
        versions=Versions(metrics={"exact_match": "3"}, perturbations={"typos": "2"}),
    )
    rows = [[td.text for td in tr.all("td")] for tr in parsed(page_of(kept)).of_class("sources").all("tr")]
    for expected in (
        ["mmlu", "1", "MIT", "yes"],
        ["mmlu", "test.csv", "ab" * 32],
        ["local/m", "weights", "cd" * 32],
        ["metric", "exact_match", "3"],
        ["perturbation", "typos", "2"],
        ["holoscope", "0.1.0"],
        ["Python", "3.11.7"],
    ):
        assert expected in rows


def test_the_numbers_under_each_condition_are_listed() -> None:
    given = [*measures("exact_match"), Measure("exact_match", "accuracy", 0.4, 7, "test", perturbation="typos")]
    made = page(grid([run("gsm", "exact_match")], registry(), lambda _: given))
    rows = [[td.text for td in tr.all("td")] for tr in made.of_class("runs").all("tr")]
    assert ["accuracy", "exact_ match", "typos", "0.40", "", "7", ""] in rows


def test_a_run_that_is_not_complete_says_so_in_the_matrix() -> None:
    made = page(whole_grid())
    label = next(th for th in made.all("th") if th.text.startswith("synthetic_"))
    assert "incomplete" in label.text
    assert "2 of 6" not in made.text
    assert "4 of 6 runs complete" in made.text


def test_how_trials_ended_stands_beside_the_score() -> None:
    ended = {Outcome.OK: 15, Outcome.REFUSED: 5}
    made = page(grid([run("gsm", "exact_match", outcomes=ended)], registry(), lambda _: []))
    assert "25% refused" in made.of_class("matrix").text


def test_an_empty_suite_makes_a_page() -> None:
    assert "No runs" in page(grid([], registry())).text


def test_the_file_is_whole_or_absent(tmp_path: Path) -> None:
    write_html(tmp_path / "new" / "report.html", whole_grid())
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["report.html"]
    assert (tmp_path / "new" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
