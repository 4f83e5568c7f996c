"""Text into documents."""

import json
from typing import Any, cast

import pytest
from jinja2 import UndefinedError

from holoscope.report.figures.look import Settings
from holoscope.report.pages import ServerLinks, data_block, render
from holoscope.report.pages.render import _bare, environment


def made(template: str, **values: object) -> str:
    return environment().from_string(template).render(**values)


def test_values_are_escaped() -> None:
    assert made('<a title="{{ x }}">{{ x }}</a>', x='"><script>') == (
        '<a title="&#34;&gt;&lt;script&gt;">&#34;&gt;&lt;script&gt;</a>'
    )


def test_what_acts_is_shown_as_a_mark() -> None:
    assert made("{{ x }}", x="a\x1b[31m\u202eb\u2066") == "a\ufffd[31m\ufffdb\ufffd"


def test_lines_and_other_scripts_stay() -> None:
    assert made("{{ x }}", x="a\n\tב\u00a0é") == "a\n\tב\u00a0é"


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        made("{{ nobody }}")


def test_a_name_may_be_broken_after_its_marks_and_is_escaped() -> None:
    assert made("{{ x|breakable }}", x="a_b/<c>") == "a_<wbr>b/&lt;c&gt;"


def test_counts_have_their_noun() -> None:
    assert made("{{ 1|count('run') }}, {{ 1200|count('run') }}") == "1 run, 1,200 runs"


def test_a_data_block_cannot_end_its_element() -> None:
    hostile = {"</script><!--": ["<script>", "a&b"]}
    block = data_block(hostile)
    assert "<" not in block
    assert json.loads(block) == hostile


def test_texts_in_a_data_block_are_what_the_page_shows() -> None:
    name = "a\x1b\u202eb"
    assert json.loads(data_block({name: [name]})) == {"a\ufffd\ufffdb": ["a\ufffd\ufffdb"]}


def test_a_figure_is_data_with_both_themes_beside_it() -> None:
    figure = {"data": [{"x": [0.123456789]}], "layout": {"template": {}, "meta": {"text": "words", "width": 300}}}
    page = render("base.html", links=ServerLinks(), title="t", figures={"one": figure})  # type: ignore[dict-item]
    assert '<script type="application/json" id="one">{"data":[{"x":[0.12346]}],"layout":{"meta":{"width":300}}}' in page
    assert '"dark":' in page


def test_the_long_name_of_a_metric_is_in_words_with_the_name_on_hover() -> None:
    name = "bias_metric:mode=representation,demographic_category=gender"
    shown = f'<abbr title="{name}">gender named</abbr>'
    assert made("{{ x|metrics }}", x=f"bias: {name}, toxic_frac") == f"bias: {shown}, toxic_<wbr>frac"
    assert made("{{ x|metrics }}", x=f"{name} · n=5") == f"{shown} · n=5".replace(" n=5", " n=<wbr>5")
    assert made("{{ x|metrics }}", x="<b>") == "&lt;b&gt;"


def test_a_page_does_not_carry_what_a_figure_does_not_draw() -> None:
    hidden: Settings = {"tickvals": [0], "ticktext": ["a"], "showticklabels": False}
    dot: Settings = {"x": [1.0], "error_x": {"array": [0.0]}, "error_y": {"array": [0.5]}}
    made = _bare({"data": [{"x": []}, dot], "layout": {"yaxis": hidden, "xaxis": {"ticktext": ["b"]}}})
    assert made["data"] == [{"x": [1.0], "error_y": {"array": [0.5]}}]
    assert made["layout"]["yaxis"] == {"tickvals": [0], "showticklabels": False}
    assert made["layout"]["xaxis"] == {"ticktext": ["b"]}


def test_what_the_texts_of_a_trace_have_in_common_stands_there_once() -> None:
    texts = ["<b>one</b><br>3 of 20", "<b>two</b><br>4 of 20", "<b>three</b><br>5 of 20", "<b>four</b><br>15 of 20"]
    (trace,) = _bare({"data": [{"x": [1], "hovertext": texts, "customdata": ["a", "b", "", "d"]}], "layout": {}})[
        "data"
    ]
    folded = cast("Any", trace["folded"])["hovertext"]
    whole = ["<br>".join(start + part[row] + end for start, end, part in folded) for row in range(len(texts))]
    assert whole == texts
    assert folded[0][:2] == ("<b>", "</b>")
    assert trace["customdata"] == ["a", "b", "", "d"]
    assert "hovertext" not in trace


def test_notes_that_differ_in_height_and_text_alone_hold_the_rest_once() -> None:
    notes: list[Settings] = [{"x": 1, "font": {"size": 11}, "y": row, "text": f"n = {row}"} for row in range(5)]
    made = _bare({"data": [], "layout": {"annotations": notes}})["layout"]
    assert made["folded"] == [[{"x": 1, "font": {"size": 11}}, *([row, f"n = {row}"] for row in range(5))]]
    assert "annotations" not in made
