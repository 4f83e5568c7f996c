"""Arguments against a task function's signature."""

from typing import Any, Literal

import pytest

from holoscope.core import AdapterSpec, Json, ScenarioSpec, Task, UnknownNameError, UsageError
from holoscope.entries.arguments import check_arguments, choose, show_arguments

TASK = Task(name="t", scenario=ScenarioSpec("t"), adapter=AdapterSpec(), metrics=(), groups=())


def function(
    subject: Literal["anatomy", "astronomy"],
    text: str = "",
    count: int = 1,
    share: float = 0.5,
    is_new: bool = False,
    level: int | Literal["all"] | None = None,
    anything: Any = None,
) -> Task:
    return TASK


def anything_goes(**args: str) -> Task:
    return TASK


def checked(**args: Json) -> dict[str, Json]:
    found = check_arguments("t", function, {"subject": "anatomy", **args}, ["model", "max_eval_instances"])
    return {key: value for key, value in found.items() if key in args}


@pytest.mark.parametrize(
    ("name", "typed", "taken"),
    [
        ("text", 7, "7"),
        ("text", 0.5, "0.5"),
        ("text", "all", "all"),
        ("count", 3, 3),
        ("share", 1, 1.0),
        ("is_new", "True", True),
        ("is_new", "false", False),
        ("is_new", 1, True),
        ("level", 5, 5),
        ("level", "all", "all"),
        ("anything", [1, {"a": 2}], [1, {"a": 2}]),
    ],
)
def test_a_value_becomes_what_the_annotation_says(name: str, typed: Json, taken: Json) -> None:
    found = checked(**{name: typed})[name]
    assert (found, type(found)) == (taken, type(taken))


@pytest.mark.parametrize(
    ("name", "typed", "problem"),
    [
        ("subject", "anatmy", "unknown value of subject in t 'anatmy'; did you mean 'anatomy'?"),
        ("subject", "zzz", "unknown value of subject in t 'zzz' (known are anatomy, astronomy)"),
        ("subject", ["anatomy"], "unknown value of subject in t '[anatomy]'; did you mean 'anatomy'?"),
        ("text", [1], "text in t is text, found [1]"),
        ("count", 1.5, "count in t is a whole number, found 1.5"),
        ("count", "two", "count in t is a whole number, found two"),
        ("share", "half", "share in t is a number, found half"),
        ("is_new", "maybe", "is_new in t is true or false, found maybe"),
        ("level", "al", "unknown value of level in t 'al'; did you mean 'all'?"),
    ],
)
def test_a_value_of_another_kind_is_refused(name: str, typed: Json, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked(**{name: typed})
    assert str(caught.value) == problem


def test_an_unknown_argument_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="argument of t 'cuont'; did you mean 'count'"):
        checked(cuont=1)


def test_an_unknown_argument_may_be_a_misspelt_expander() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'max_eval_instances'"):
        checked(max_eval_instance=1)


def test_an_argument_without_annotation_is_taken_as_typed() -> None:
    def untyped(flag=False):  # type: ignore[no-untyped-def]
        return TASK

    assert check_arguments("t", untyped, {"flag": "True"}, []) == {"flag": "True"}


def test_a_missing_argument_is_shown_with_a_value() -> None:
    with pytest.raises(UsageError, match=r"^t needs subject: t:text=a,subject=anatomy$"):
        check_arguments("t", function, {"text": "a"}, [])


def test_a_function_that_takes_any_argument_gets_it_as_typed() -> None:
    assert check_arguments("t", anything_goes, {"card": "x", "n": 3}, []) == {"card": "x", "n": 3}


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        ({"subject": "anatomy"}, "t:subject=anatomy"),
        ({"subject": "anatomy", "count": 1}, "t:subject=anatomy"),
        ({"subject": "anatomy", "count": 2}, "t:subject=anatomy,count=2"),
        ({"subject": "anatomy", "anything": ["a", 1]}, "t:subject=anatomy,anything=[a,1]"),
    ],
)
def test_an_argument_that_makes_a_difference_shows_in_the_name(args: dict[str, Json], shown: str) -> None:
    assert show_arguments("t:subject=anatomy", function, args) == shown


def test_an_argument_shows_by_its_value_under_another_name() -> None:
    assert show_arguments("t_np=3", function, {"count": 3}) == "t_np=3"


def test_a_value_under_another_name_shows_one_argument_only() -> None:
    assert show_arguments("t_np=3", function, {"count": 3, "level": 3}) == "t_np=3:level=3"


def test_a_long_list_of_known_values_is_cut() -> None:
    with pytest.raises(UnknownNameError, match=r"\(known are a, b, c, d, e, f, g, h, \.\.\.\)$"):
        choose("letter", "zzz", "abcdefghij")
