"""Code: names change together, what others call by name stays, and what is not Python is left."""

import json
from typing import Any

import pytest

from holoscope.core import Instance, Reference
from paths import DATA, needs_data
from perturbations.perturbing import perturb, perturb_instance

PROMPT = '''from typing import List


def nearest(xs: List[float], max_gap: float) -> int:
    """ Give the place in xs nearest to `max_gap`, e.g. where x is 3.
    >>> nearest([1.0], 0.5)
    0
    """
'''
SOLUTION = (
    "    best = 0\n    for i, x in enumerate(xs):\n        if x < max_gap:\n            best = i\n    return best\n"
)


def renamed(text: str, **extra: Any) -> str:
    return perturb_instance(Instance(id="id0", input=text, extra=extra), "code_rename", prob=1.0).input


def test_arguments_get_other_names_and_the_function_keeps_its_own() -> None:
    assert "def nearest(var_1: List[float], var_2: float) -> int:" in renamed(PROMPT)


def test_the_description_follows_where_it_names_an_argument() -> None:
    assert "place in xs nearest to `var_2`, e.g. where x is 3" in renamed(PROMPT)


def test_a_word_of_english_is_no_name() -> None:
    assert renamed('def f(string, n):\n    """A string of n words."""\n') == (
        'def f(var_1, var_2):\n    """A string of var_2 words."""\n'
    )


def test_the_solution_follows() -> None:
    given = Instance(id="id0", input=PROMPT, references=(Reference(SOLUTION, ("correct",)),))
    changed = perturb_instance(given, "code_rename", prob=1.0).references[0]
    assert changed.text == SOLUTION.replace("xs", "var_1").replace("max_gap", "var_2")
    assert changed.tags == ("correct",)


def test_a_helper_and_its_variables_are_renamed_consistently() -> None:
    text = "def f(a):\n    total = a + 1\n    return [total for _ in range(a)]\n"
    assert renamed(text) == "def f(var_1):\n    var_2 = var_1 + 1\n    return [var_2 for _ in range(var_1)]\n"


def test_a_new_name_is_none_that_is_there() -> None:
    assert renamed("def f(x, var_1):\n    return x\n") == "def f(var_2, var_3):\n    return var_2\n"


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return g(x=x)\n",
        'def f(x):\n    """\n    >>> f(x=2)\n    """\n',
        "def f(x):\n    return f'{x}'\n",
        "def f(self):\n    return self\n",
        "def f():\n    global x\n    x = 1\n",
        "def f():\n    import os as x\n    x = 1\n",
        "def f():\n    try:\n        pass\n    except E as x:\n        x = 1\n",
        "class C:\n    def f(self, x):\n        return x\n",
        "def f(x=[x for x in y]):\n    return x\n",
        "x = 1\nprint(x)\n",
        "def f(x:\n",
        "def f(x):\r\n    return x\r\n",
        "Define a function, if you can.",
        "",
    ],
)
def test_what_renaming_could_break_is_left(text: str) -> None:
    assert renamed(text) == text


def test_an_argument_that_the_tests_name_keeps_its_name() -> None:
    assert "def f(x, var_1)" in renamed("def f(x, y):\n    return x\n", test="assert candidate(x=1, *[2]) == 1\n")


def test_letters_beyond_ascii_do_not_shift_the_places() -> None:
    assert renamed('def f(x):\n    y = "äöü日本"; return x + y\n') == (
        'def f(var_1):\n    var_2 = "äöü日本"; return var_1 + var_2\n'
    )


def test_a_description_gets_the_other_quotes_and_a_line_of_its_own() -> None:
    assert perturb('def f(x):\n    """ Add one.\n    More.\n    """\n', "code_docstring") == (
        "def f(x):\n    '''\n    Add one.\n    More.\n    '''\n"
    )
    assert perturb("def f(x):\n    '''\n    Add one.'''\n", "code_docstring") == (
        'def f(x):\n    """\n    Add one."""\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        'def f(x):\n    "Add one."\n',
        'def f(x):\n    """Say \'\'\'."""\n',
        "def f(x):\n    return 1\n",
        '"""A module."""\n',
        "not code",
    ],
)
def test_a_description_that_can_not_take_other_quotes_is_left(text: str) -> None:
    assert perturb(text, "code_docstring") == text


@needs_data
@pytest.mark.parametrize("name", ["code_rename", "code_docstring"])
def test_solutions_of_humaneval_still_pass_its_tests(name: str) -> None:
    import gzip

    with gzip.open(DATA / "code_humaneval" / "HumanEval.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    changed = 0
    for row in rows[:100]:
        references = (Reference(row["canonical_solution"]),)
        given = Instance(id=row["task_id"], input=row["prompt"], references=references, extra={"test": row["test"]})
        made = perturb_instance(given, name, **({"prob": 1.0} if name == "code_rename" else {}))
        changed += made.input != given.input
        space: dict[str, Any] = {}
        exec(f"{made.input}{made.references[0].text}\n{row['test']}", space)
        space["check"](space[row["entry_point"]])
    assert changed >= 85
