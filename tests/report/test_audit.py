import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from holoscope.core import AdapterSpec, Measure, Outcome, Registry, builtin
from holoscope.report import Grid, grid
from holoscope.report.audit import audit_page, write_audit
from holoscope.report.audit_limits import NotTested, empty_cells, limits, outcomes, unfinished
from holoscope.report.audit_reproduce import commands
from holoscope.store import Imported, Manifest, ModelSummary, Provenance, ScenarioSummary, StoredRun
from report.grids import measures, registry, whole_grid
from report.reading import Node, parsed
from store.made import exchange, manifest, spec, store_run

HOSTILE = "</p><script>alert(1)</script>\x1b[31m\u202e"


@pytest.fixture(scope="module")
def known() -> Registry:
    return builtin()


def page(made: Grid, known: Registry, runs: tuple[StoredRun, ...] = (), absent: tuple[NotTested, ...] = ()) -> Node:
    return parsed(audit_page(made, runs, known, absent))


def chapter(made: Node, anchor: str) -> Node:
    return next(node for node in made.every() if node.attributes.get("id") == anchor)


def stored(out: Path, text: str = "yes", **fields: Any) -> StoredRun:
    return store_run(out, manifest(**fields), [exchange(f"id{i}", f"Is it? {text}", text) for i in range(3)])


def test_every_axis_has_a_chapter_and_each_is_in_the_contents(known: Registry) -> None:
    made = page(whole_grid(), known)
    ids = [node.attributes["id"] for node in made.all("section") if "id" in node.attributes]
    assert {f"axis-{name}" for name in known.axes} <= set(ids)
    linked = [link.attributes["href"] for link in made.of_class("contents").all("a")]
    assert linked == [f"#{name}" for name in ids]


def test_every_number_of_an_axis_stands_with_its_interval_and_n(known: Registry) -> None:
    table = next(chapter(page(whole_grid(), known), "axis-accuracy").all("table"))
    lines = [[cell.text for cell in row.all("td")] for row in table.all("tr")][1:]
    assert ["narrative_qa", "test/echo", "f1_ score", "0.62", "[0.51, 0.72]", "20", "0", "wilson"] in lines
    assert len(lines) == 6


def test_an_axis_that_nothing_measures_says_so(known: Registry) -> None:
    told = chapter(page(whole_grid(), known), "axis-bias").text
    assert "No scenario of this suite measures it" in told


def of(*kept: Manifest) -> Grid:
    """A grid of runs that have the usual measures."""
    return grid([StoredRun(Path("nowhere"), each) for each in kept], registry(), lambda r: measures("exact_match"))


def card(**fields: Any) -> ScenarioSummary:
    given = {"name": "mmlu", "main_metric": "exact_match", "main_split": "test", "redistribution": "yes", **fields}
    return ScenarioSummary(**given)


def test_what_was_tested_is_told_in_words_with_its_licence(known: Registry) -> None:
    model = ModelSummary(name="test/echo", base_url="https://example.org/v1", served_model="echo-2")
    told = chapter(page(of(manifest(scenario=card(licence="MIT", chance=0.25), model=model)), known), "tested").text
    assert "Multiple-choice exam questions in 57 subjects." in told
    assert "2 instances asked; the numbers are of the split 'test'." in told
    assert "Guessing gets 0.25." in told
    assert "Licence MIT, https://arxiv.org/abs/2009.03300; texts may be passed on" in told
    assert "https://example.org/v1, there called echo-2" in told


def test_data_hashes_and_versions_are_among_the_sources(known: Registry) -> None:
    told = chapter(page(of(manifest(data={"test.csv": "ab" * 32})), known), "sources").text
    assert "ab" * 32 in told
    assert "0.1.0" in told
    assert "Wilson's score interval for a share" in told


@pytest.mark.parametrize("redistribution", ["no", "ids-only"])
def test_texts_that_may_not_be_passed_on_are_not_in_it(tmp_path: Path, known: Registry, redistribution: Any) -> None:
    kept = stored(tmp_path, "Sphinx of black quartz", scenario=card(redistribution=redistribution))
    made = audit_page(grid([kept], registry()), [kept], known)
    assert "Sphinx" not in made
    assert "No texts are shown" in made


def test_texts_that_may_be_passed_on_are_shown(tmp_path: Path, known: Registry) -> None:
    kept = stored(tmp_path, "Sphinx of black quartz", scenario=card())
    assert "Sphinx" in audit_page(grid([kept], registry()), [kept], known)


def test_a_hostile_text_is_text(tmp_path: Path, known: Registry) -> None:
    kept = stored(tmp_path, HOSTILE, scenario=card(title=HOSTILE), reason=HOSTILE, status="incomplete")
    made = audit_page(grid([kept], registry()), [kept], known, [NotTested(HOSTILE, HOSTILE)])
    assert "<script" not in made
    assert "\x1b" not in made
    assert "\u202e" not in made


def test_the_page_needs_nothing_but_itself(known: Registry) -> None:
    made = audit_page(whole_grid(), [], known)
    (policy,) = [m.attributes["content"] for m in parsed(made).all("meta") if "http-equiv" in m.attributes]
    assert (policy or "").startswith("default-src 'none'")
    assert not re.search(r"<(script|link|img|iframe)|src=|@import|url\(", made)


def test_the_same_runs_give_the_same_file(tmp_path: Path, known: Registry) -> None:
    kept = stored(tmp_path / "out")
    for name in ("a.html", "b.html"):
        write_audit(tmp_path / name, grid([kept], registry()), [kept], known)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_grid_without_runs_is_a_page(known: Registry) -> None:
    assert "No runs" in page(grid([], registry()), known).text


def test_empty_cells_are_listed_by_reason() -> None:
    found = dict(empty_cells(of(manifest(scenario=card()))))
    assert found["fairness: mmlu subject=anatomy"] == "add data_augmentation=canonical to the entry"
    assert found["bias: mmlu subject=anatomy"] == "add metric=bias to the entry"


def test_runs_that_are_not_complete_and_what_was_never_run_are_said(known: Registry) -> None:
    made = of(manifest(status="incomplete", reason="stopped by Ctrl-C", scenario=card()))
    assert unfinished(made) == [("mmlu subject=anatomy", "incomplete: stopped by Ctrl-C")]
    told = chapter(page(made, known, absent=(NotTested("GPQA (gpqa)", "gated"),)), "not-tested").text
    assert "GPQA (gpqa) gated" in told
    assert "incomplete: stopped by Ctrl-C" in told


def test_answers_that_ended_otherwise_are_counted() -> None:
    (row,) = [each for each in whole_grid().rows if each.manifest.scenario.name == "narrative_qa"][:1]
    (found,) = outcomes(Grid((row,), whole_grid().axes, frozenset()))
    assert found.reason == "2 of 20 answers (10%) ended at the token limit; what there is of them is graded"


def test_every_outcome_has_words() -> None:
    for outcome in set(Outcome) - {Outcome.OK}:
        made = grid(
            [StoredRun(Path("nowhere"), manifest(outcomes={outcome: 1, Outcome.OK: 1}))], registry(), lambda r: []
        )
        (found,) = outcomes(made)
        assert found.reason.startswith("1 of 2 answers (50%) ")
        assert outcome.value not in found.reason


def told_limits(**fields: Any) -> str:
    return " ".join(limits(of(manifest(scenario=card(), **fields))))


def test_limits_name_what_applies() -> None:
    plain = told_limits()
    assert "The fewest instances behind a number of this report are 20" in plain
    assert "The widest interval of a main score reaches from 0.51 to 0.72" in plain
    assert "Each request was asked once" in plain
    assert "Nobody checked whether the model was trained on these questions" in plain
    assert "HELM" not in plain
    assert "address" not in plain


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"run": spec(adapter=AdapterSpec(temperature=0.7))}, "Some answers were drawn at random"),
        ({"run": spec(compat="helm")}, "Some runs use HELM's definitions"),
        ({"model": ModelSummary(name="m", base_url="https://example.org")}, "the host may have changed it"),
        (
            {"provenance": Provenance(holoscope="0", python="", platform="", imported=Imported("HELM"))},
            "Some runs were made by another tool",
        ),
    ],
)
def test_limits_of_how_it_was_asked(fields: dict[str, Any], says: str) -> None:
    assert says in told_limits(**fields)
    assert says not in told_limits(run=spec(adapter=AdapterSpec(temperature=0.0)))


def test_a_classifiers_quality_is_a_limit() -> None:
    note = "wilson; classifier 1.0: AUC 0.94 [0.90, 0.96] on n=199"
    found = Measure("toxic_frac", "toxicity", 0.1, 40, "test", low=0.0, high=0.2, method=note)
    told = " ".join(
        limits(grid([StoredRun(Path("nowhere"), manifest(scenario=card()))], registry(), lambda r: [found]))
    )
    assert "as good as that: classifier 1.0: AUC 0.94 [0.90, 0.96] on n=199." in told


def test_many_intervals_are_said_to_miss_now_and_then() -> None:
    told = " ".join(limits(whole_grid()))
    assert "30 intervals are shown for the axes, each at 95 %: about 2 of them can be expected to miss" in told


def test_commands_name_everything_that_decided_the_runs() -> None:
    asked = spec(
        entry='mmlu:subject="a b"',
        adapter=AdapterSpec(max_eval_instances=50, model="m"),
        trials=3,
        seed=7,
        compat="helm",
    )
    model = ModelSummary(name="openai/gpt-4o", base_url="https://example.org/v1")
    (command,) = commands([manifest(run=asked, model=model)], "mine")
    assert shlex.split(command.replace("\\\n", " ")) == [
        *("holoscope", "run", 'mmlu:subject="a b"', "--model", "openai/gpt-4o", "--base-url", "https://example.org/v1"),
        *("-m", "50", "--trials", "3", "--seed", "7", "--compat", "helm", "--suite", "mine"),
    ]


def test_runs_with_the_same_settings_are_one_command() -> None:
    names = [manifest(run=spec(f"{name}:model=m", entry=name)) for name in ("gsm", "boolq")]
    (command,) = commands(names, "mine")
    assert shlex.split(command)[2:4] == ["gsm", "boolq"]


def test_a_model_in_the_entry_is_not_named_twice() -> None:
    (command,) = commands([manifest()], "mine")
    assert "--model" not in command
    assert "'mmlu:subject=anatomy,model=test/echo'" in command or "mmlu:subject=anatomy,model=test/echo" in command


def test_an_imported_run_is_imported_again() -> None:
    origin = Imported("HELM", run="mmlu:subject=anatomy,model=openai_gpt2")
    kept = manifest(provenance=Provenance(holoscope="0", python="", platform="", imported=origin))
    (command,) = commands([kept], "mine")
    assert shlex.split(command) == ["holoscope", "import", origin.run, "--suite", "mine"]


def test_dates_are_those_of_the_runs(known: Registry) -> None:
    days = [datetime(2026, 6, day, tzinfo=UTC) for day in (1, 3)]
    made = of(*(replace(manifest(run=spec(f"r{d.day}")), scenario=card(), started=d, finished=d) for d in days))
    assert "from 2026-06-01 to 2026-06-03" in next(page(made, known).all("header")).text
