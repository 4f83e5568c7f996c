"""Which runs belong together."""

from pathlib import Path

from holoscope.core import ScenarioSpec
from holoscope.report.conditions import condition, matched
from holoscope.store import StoredRun
from store.made import manifest, spec


def run(name: str, scenario: str = "mmlu", **args: str) -> StoredRun:
    return StoredRun(Path(name), manifest(run=spec(name, scenario=ScenarioSpec(scenario, dict(args)))))


def names(runs: tuple[StoredRun, ...]) -> list[str]:
    return [each.name for each in runs]


def test_a_condition_is_the_name_without_the_model() -> None:
    assert condition(spec("mmlu:subject=anatomy,model=openai_gpt-4o,x=1")) == "mmlu:subject=anatomy,x=1"
    assert condition(spec("gsm:model=m")) == "gsm"
    assert condition(spec("gsm:model=m", compat="helm")) == "gsm:compat=helm"


def test_runs_of_one_condition_are_paired_in_the_order_of_the_first() -> None:
    found = matched([run("b:model=x"), run("a:model=x")], [run("a:model=y"), run("b:model=y")])
    assert [(p.name, q.name) for p, q in found.pairs] == [("b:model=x", "b:model=y"), ("a:model=x", "a:model=y")]


def test_what_is_left_is_paired_where_it_is_the_only_run_of_its_scenario() -> None:
    found = matched([run("gsm:k=5,model=x", "gsm")], [run("gsm:k=0,model=y", "gsm"), run("law:model=y", "law")])
    assert [(p.name, q.name) for p, q in found.pairs] == [("gsm:k=5,model=x", "gsm:k=0,model=y")]
    assert names(found.only_b) == ["law:model=y"]


def test_which_of_several_is_not_guessed() -> None:
    found = matched([run("gsm:k=5,model=x", "gsm")], [run("gsm:k=0,model=y", "gsm"), run("gsm:k=1,model=y", "gsm")])
    assert found.pairs == ()
    assert names(found.only_a) == ["gsm:k=5,model=x"]
    assert len(found.only_b) == 2


def test_subjects_are_not_mixed() -> None:
    found = matched([run("mmlu:subject=a,model=x", subject="a")], [run("mmlu:subject=b,model=y", subject="b")])
    assert found.pairs == ()
