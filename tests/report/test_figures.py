"""What every figure has in common: plotly takes it, no text in it acts, it says what it shows, it fits any theme."""

import itertools
import json
from collections.abc import Iterator
from typing import Any, get_args

import plotly.graph_objects as go
import pytest

from holoscope.report import figures
from holoscope.report.figures import Figure, Theme, alternative, marks, show, template, themed
from holoscope.report.figures.look import PALETTE, SIGNS
from report.drawn import HOSTILE, every_figure

FIGURES = every_figure()
BACKGROUNDS = ("#ffffff", "#16191e")


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in ("meta", "legendgroup", "hovertemplate", "texttemplate"):
                yield from texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", FIGURES)
def test_plotly_takes_it_whole(name: str) -> None:
    go.Figure(FIGURES[name], skip_invalid=False)


@pytest.mark.parametrize("name", FIGURES)
def test_it_is_plain_json(name: str) -> None:
    assert json.loads(json.dumps(FIGURES[name], allow_nan=False)) == json.loads(json.dumps(FIGURES[name]))


@pytest.mark.parametrize("name", FIGURES)
def test_no_text_in_it_acts(name: str) -> None:
    for text in texts(FIGURES[name]):
        assert "<script" not in text
        assert "<b>x" not in text
        assert "$a$" not in text  # plotly would read a formula
        assert "\x1b" not in text
        assert "\u202e" not in text


@pytest.mark.parametrize("name", FIGURES)
def test_a_template_with_values_in_it_holds_no_foreign_text(name: str) -> None:
    for trace in FIGURES[name]["data"]:
        for key in ("hovertemplate", "texttemplate"):
            assert "alert" not in str(trace.get(key, ""))


@pytest.mark.parametrize("name", FIGURES)
def test_it_says_what_it_shows_in_plain_words(name: str) -> None:
    said = alternative(FIGURES[name])
    assert said.endswith(".")
    assert "&lt;" not in said  # a page escapes it once, as any text
    assert len(said) > 30


@pytest.mark.parametrize("name", FIGURES)
def test_its_colours_of_the_surroundings_are_all_in_the_template(name: str) -> None:
    figure = FIGURES[name]
    for theme in get_args(Theme):
        changed = themed(figure, theme)
        assert changed["data"] is figure["data"]
        assert changed["layout"]["template"] == template(theme)
    assert "paper_bgcolor" not in figure["layout"]
    assert "font" not in figure["layout"]


@pytest.mark.parametrize("name", FIGURES)
def test_a_page_knows_how_high_it_is_and_when_to_scroll(name: str) -> None:
    layout: dict[str, Any] = dict(FIGURES[name]["layout"])
    assert layout["height"] > 100
    assert 300 <= layout["meta"]["width"] <= 2000


def test_a_colour_shows_on_light_and_on_dark() -> None:
    assert min(contrast(colour, ground) for colour in PALETTE for ground in BACKGROUNDS) >= 3


@pytest.mark.parametrize("kind", ["all", "no red", "no green", "no blue"])
def test_colours_stay_apart_for_everybody(kind: str) -> None:
    apart = [distance(seen(one, kind), seen(other, kind)) for one, other in itertools.combinations(PALETTE, 2)]
    assert min(apart) > 0.07  # in Oklab, where 0.02 is just noticeable


def test_no_two_of_72_models_look_alike() -> None:
    found = marks(f"m{i}" for i in range(72)).values()
    assert len({(mark.colour, mark.sign) for mark in found}) == 72
    assert len(PALETTE) * len(SIGNS) == 72


def test_a_model_looks_the_same_in_every_figure() -> None:
    known = marks(["a", "b", "c"])
    values = {"s": {"c": figures.Value(0.5)}}
    strip = figures.strips(values, title="accuracy", chosen=["c"], known=known)["data"][0]
    sample = figures.distribution([figures.Sample("c", (0.1, 0.2))], title="t", kind="curve", known=known)["data"][0]
    slope = figures.Slope("c", *[figures.Value(0.5)] * 3)
    line = figures.robustness_slopes({"s": [slope]}, known=known)["data"][0]
    colours = [part["marker"]["color"] for part in (strip, line) if isinstance(part["marker"], dict)]
    assert {*colours, colour_of_line(sample)} == {known["c"].colour}


def colour_of_line(trace: dict[str, object]) -> object:
    line = trace["line"]
    return line["color"] if isinstance(line, dict) else None


def test_a_notebook_gets_plotlys_own_object() -> None:
    shown = show(FIGURES["radar"])
    assert isinstance(shown, go.Figure)
    assert len(shown.data) == len(FIGURES["radar"]["data"])


def test_numbers_are_no_longer_than_an_eye_can_see() -> None:
    made: Figure = figures.strips({"s": {"m": figures.Value(1 / 3)}}, title="accuracy")
    assert made["data"][0]["x"] == [0.33333]


def test_a_name_that_is_cut_keeps_both_its_ends_and_differs_from_others() -> None:
    from holoscope.report.figures.text import cut_apart

    names = [f"scenario of a very long name number {i} of the suite" for i in range(3)]
    assert len(set(cut_apart(names, 12))) == 3
    assert HOSTILE not in cut_apart([HOSTILE], 100)


_MATRICES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""What people who lack one kind of cone see, in linear RGB (Machado, Oliveira and Fernandes 2009)."""


def seen(colour: str, kind: str) -> tuple[float, ...]:
    """A colour in Oklab, as somebody sees it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    r, g, b = (min(1.0, max(0.0, sum(m * c for m, c in zip(row, linear, strict=True)))) for row in _MATRICES[kind])
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
    )


def distance(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)
