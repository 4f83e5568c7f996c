"""The nouns: names that are not there suggest the nearest, hashes and draws depend on nothing else."""

from pathlib import Path

import pytest

from holoscope.core import (
    HoloscopeError,
    Outcome,
    Registry,
    Scenario,
    Settings,
    Task,
    UnknownNameError,
    UsageError,
    canonical,
    digest,
    nearest,
    rng,
)


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown scenario 'mmul'; did you mean 'mmlu'"):
        registry_with("mmlu", "gsm").scenarios.get("mmul")


def test_nothing_near_suggests_nothing() -> None:
    assert nearest("zzz", ["mmlu"]) is None


def registry_with(*names: str) -> Registry:
    registry = Registry()
    for name in names:
        registry.scenario(card(name))
    return registry


def card(name: str) -> Scenario:
    return Scenario(
        name=name,
        title=name,
        description="",
        licence="MIT",
        redistribution="yes",
        citation="",
        main_metric="exact_match",
        main_split="test",
        load=lambda files: (),
        sources=lambda: (),
    )


def test_two_things_of_one_name_are_refused() -> None:
    registry = registry_with("mmlu")
    with pytest.raises(UsageError, match="name 'mmlu' is registered twice"):
        registry.scenario(card("mmlu"))


def test_task_arguments_are_those_of_its_function() -> None:
    registry = Registry()

    @registry.task("gsm", "gsm8k")
    def gsm(level: str = "1") -> Task:
        raise NotImplementedError

    assert list(registry.task_arguments("gsm")) == ["level"]
    assert registry.aliases == {"gsm8k": "gsm"}


def test_canonical_json_does_not_depend_on_order() -> None:
    assert canonical({"b": 1, "a": 2}) == canonical({"a": 2, "b": 1}) == b'{"a":2,"b":1}'
    assert digest({"a": 1}) != digest({"a": 2})


def test_draws_depend_on_seed_purpose_and_key_only() -> None:
    first = rng(1, "fewshot", "id3").random()
    rng(1, "fewshot", "id4").random()
    assert rng(1, "fewshot", "id3").random() == first
    assert len({rng(s, p, k).random() for s in (1, 2) for p in ("a", "b") for k in ("x", "y")}) == 8


def test_each_outcome_is_graded_or_has_no_text() -> None:
    graded = {o for o in Outcome if o.has_text}
    assert graded == {Outcome.OK, Outcome.TRUNCATED, Outcome.TRUNCATED_IN_REASONING, Outcome.REFUSED}
    assert not Outcome.TRANSPORT_ERROR.is_final
    assert not Outcome.NOT_SUPPORTED.is_final


def test_settings_never_show_the_environment() -> None:
    settings = Settings.from_environment({"OPENAI_API_KEY": "sk-secret", "HOLOSCOPE_CACHE": "/c"}, Path("/home/x"))
    assert "sk-secret" not in repr(settings)
    assert settings.cache_dir == Path("/c")


def test_usage_errors_end_with_code_2() -> None:
    assert UsageError("x").exit_code == 2
    assert HoloscopeError("x").exit_code == 1
