"""Code blocks and JSON objects in an answer."""

import time

import pytest

from holoscope.metrics.extract import find_code, find_json

TWO = "```python\nx = 1\n```\nand\n```py\ny = 2\n```"


@pytest.mark.parametrize(
    ("text", "options", "code", "rule"),
    [
        (TWO, {}, "y = 2", "fenced"),
        (TWO, {"which": "first"}, "x = 1", "fenced"),
        (TWO, {"language": "python"}, "y = 2", "fenced_language"),
        ("```bash\nls\n```\n```\nz\n```", {"language": "python"}, "z", "fenced"),
        ("```python\nx = 1\n```\n```bash\nls\n```", {"language": "python"}, "x = 1", "fenced_language"),
        ("Sure:\n~~~python\nx = 1\n~~~", {}, "x = 1", "fenced"),
        ("```python\nx = 1", {}, "x = 1", "fenced"),
        ("````md\n~~~\na\n````", {"which": "first"}, "a", "fenced"),
        ("def f():\n    return 1", {"language": "python"}, "def f():\n    return 1", "whole_text"),
    ],
)
def test_code_and_its_rule(text: str, options: dict[str, str], code: str, rule: str) -> None:
    found = find_code(text, **options)  # type: ignore[arg-type]
    assert (found.answer, found.rule) == (code, rule)
    assert found.span is not None
    assert text[slice(*found.span)] == code


def test_a_block_of_another_language_is_not_taken() -> None:
    assert find_code("```bash\nls\n```", "python").reason == "there is no block of python, only of bash"


@pytest.mark.parametrize("text", ["", "  ", "```\n```"])
def test_no_code(text: str) -> None:
    assert find_code(text).answer is None


@pytest.mark.parametrize(
    ("text", "key", "answer"),
    [
        ('x {"a": 1} y {"b": 2} z', "", '{"b": 2}'),
        ('x {"a": 1} y {"b": "B"} z', "b", "B"),
        ('x {"a": 1} y {"b": "B"} z', "a", "1"),
        ('{"a": {"b": 2}}', "", '{"a": {"b": 2}}'),
        ('{"a": {"b": 2}}', "a", '{"b":2}'),
        ('{bad} {"a": 1} {bad}', "", '{"a": 1}'),
        ('```json\n{"a": "x}y"}\n```', "a", "x}y"),
        ('a stray " and {"a": "x}y"}', "a", "x}y"),
    ],
)
def test_the_last_valid_object(text: str, key: str, answer: str) -> None:
    assert find_json(text, key).answer == answer


@pytest.mark.parametrize("text", ["", "[1]", "{", "{'a': 1}"])
def test_no_object(text: str) -> None:
    assert find_json(text).reason == "there is no valid JSON object"


def test_an_object_without_the_key_says_so() -> None:
    assert find_json('{"a": 1}', "b").reason == "no object has the key 'b'"


@pytest.mark.parametrize("text", ["```\n" * 5_000, "{" * 20_000, '{"a":' * 5_000, '\\"' * 10_000])
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    start = time.perf_counter()
    find_code(text)
    find_json(text)
    assert time.perf_counter() - start < 4
