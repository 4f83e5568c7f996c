"""The run-entry language: what parses to what, what fails where, and that writing and reading are inverse."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import EntryError, Json
from holoscope.entries import Entry, format_entry, parse_entry

TEXTS = st.text() | st.text(alphabet=',"{}[]:=\\ abc1.\n')
SCALARS = TEXTS | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(["True", "False"])
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=8
)


@given(st.builds(Entry, TEXTS.filter(bool), st.dictionaries(TEXTS, VALUES, max_size=4)))
def test_what_is_written_reads_back(entry: Entry) -> None:
    assert parse_entry(format_entry(entry)) == entry


@given(st.text(alphabet='ab1:=,"{}[]\\ ./'))
def test_any_text_parses_or_is_refused(text: str) -> None:
    with suppress(EntryError):
        parse_entry(text)


@given(st.text(max_size=40).filter(lambda text: not text.endswith("\\")))
def test_a_refusal_is_one_line(text: str) -> None:
    with pytest.raises(EntryError) as caught:
        parse_entry(f'x:a="{text}"b"')
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "name", "args"),
    [
        ("boolq", "boolq", {}),
        ("boolq:", "boolq", {}),
        (
            "mmlu:subject=anatomy,method=multiple_choice_joint",
            "mmlu",
            {"subject": "anatomy", "method": "multiple_choice_joint"},
        ),
        ("babi_qa:task=3", "babi_qa", {"task": 3}),
        ("x:tpr=0.5,b=1e3,c=-2", "x", {"tpr": 0.5, "b": 1000.0, "c": -2}),
        ("x:a=True,b=None", "x", {"a": "True", "b": "None"}),
        ("x:a=nan,b=inf,c=1e999", "x", {"a": "nan", "b": "inf", "c": "1e999"}),
        ('x:a="3"', "x", {"a": "3"}),
        ("big_bench:task=strategyqa,subtask=", "big_bench", {"task": "strategyqa", "subtask": ""}),
        ("the_pile:subset=Gutenberg (PG-19)", "the_pile", {"subset": "Gutenberg (PG-19)"}),
        (r'x:a="say \"a,b\"\n\u00e9"', "x", {"a": 'say "a,b"\né'}),
        ("gsm:stop=none,stop=none", "gsm", {"stop": "none"}),
        ("x: a = 1 , b = c d ,", "x", {"a": 1, "b": "c d"}),
        ("x:a=[1,2.5,b,[c]],d=[]", "x", {"a": [1, 2.5, "b", ["c"]], "d": []}),
        ('x:a={b:{c:1},"d:e":[]},f={}', "x", {"a": {"b": {"c": 1}, "d:e": []}, "f": {}}),
        ("x:a=p{1,2},b=q[3", "x", {"a": "p{1,2}", "b": "q[3"}),
        (
            'x:model="replay/a.jsonl?window=2048&tokenizer=characters"',
            "x",
            {"model": "replay/a.jsonl?window=2048&tokenizer=characters"},
        ),
    ],
)
def test_an_entry_parses(text: str, name: str, args: dict[str, Json]) -> None:
    assert parse_entry(text) == Entry(name, args)


@pytest.mark.parametrize(
    ("text", "value"),
    [('limits="image=50"', "image=50"), ("limits=a==b", "a==b"), ("limits=Zm9vYg==", "Zm9vYg==")],
)
def test_t109_a_key_ends_at_the_first_equals_sign(text: str, value: str) -> None:
    assert parse_entry(f"x:model=m,{text}").args == {"model": "m", "limits": value}


def test_t110_commas_in_a_mapping_do_not_end_it() -> None:
    args = parse_entry("x:gen={temperature:0.6,top_p:0.95},dtype=bf16").args
    assert args == {"gen": {"temperature": 0.6, "top_p": 0.95}, "dtype": "bf16"}


def test_t114_a_model_keeps_its_slashes_and_colons() -> None:
    entry = parse_entry("mmlu:subject=anatomy,model=org/sub/name:v1")
    assert entry == Entry("mmlu", {"subject": "anatomy", "model": "org/sub/name:v1"})


def test_t114_a_stray_quote_is_refused_with_its_position() -> None:
    with pytest.raises(EntryError, match=r"unexpected double quote .* at character 19$"):
        parse_entry('mmlu:subject=anato"my')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected a scenario, a track or a data file at character 1"),
        (":a=b", "expected a scenario, a track or a data file at character 1"),
        ('"":a=b', "expected a scenario, a track or a data file at character 1"),
        ("mmlu:anatomy", "expected key=value, found 'anatomy' at character 6"),
        ("x:a=1,,b=2", "expected key=value, found '' at character 7"),
        ("x:=1", "expected key=value, found '=1' at character 3"),
        ("x:a=1,a=2", "'a' is given twice at character 7"),
        ('x:a="b', "the double quote is never closed at character 5"),
        ('x:a="b"c', "expected a comma at character 8"),
        (r'x:a="\d"', r"expected \" \\ \n \t or \uXXXX after a backslash at character 6"),
        ("x:a=[1,2", "[ is never closed (a text that holds it goes in double quotes) at character 5"),
        ("x:a={b}", "expected key:value, found 'b}' at character 6"),
        ("x:a=[,]", "expected a value at character 6"),
        ('"x y" z:a=1', "expected : after the quoted name at character 7"),
        (f"x:a={'[' * 40}{']' * 40}", "nested too deeply at character 37"),
    ],
)
def test_a_malformed_entry_says_where(text: str, problem: str) -> None:
    with pytest.raises(EntryError) as caught:
        parse_entry(text)
    assert str(caught.value).endswith(f": {problem}")


@pytest.mark.parametrize("value", [True, None, float("nan"), float("inf")])
def test_what_an_entry_cannot_hold_is_not_written(value: Json) -> None:
    with pytest.raises(EntryError, match="write it as text"):
        format_entry(Entry("x", {"a": value}))


def test_what_needs_no_quotes_gets_none() -> None:
    text = "mmlu:subject=anatomy,model=org/sub/name:v1,k=5,t=0.5,limits=a==b"
    assert format_entry(parse_entry(text)) == text


@pytest.mark.parametrize(
    "name", ["./questions", "../q.jsonl", "/data/q", "q.jsonl", "Q.CSV", "a.tsv", "a.json", "b.parquet"]
)
def test_a_data_file_is_told_by_its_name(name: str) -> None:
    entry = parse_entry(f"{name}:input=question")
    assert (entry.name, entry.is_file) == (name, True)


def test_a_scenario_is_no_data_file() -> None:
    assert not parse_entry("mmlu:train=x.jsonl").is_file


def test_a_path_with_a_colon_goes_in_quotes() -> None:
    assert parse_entry('"./a:b.jsonl":input=q') == Entry("./a:b.jsonl", {"input": "q"})
