import itertools
import re
import xml.etree.ElementTree as ET

import pytest

from holoscope.core import Axis
from holoscope.report import grid, profile
from holoscope.report.profiles import Spot, Trace, traces
from holoscope.report.radar import radar
from report.grids import measures, registry, run, whole_grid

SVG = "{http://www.w3.org/2000/svg}"


def axis(name: str, *, lower: bool = False) -> Axis:
    return Axis(
        name=name, title=name, lower_is_better=lower, chance=0.0, ceiling=1.0, metrics=(), empty_reason="not asked"
    )


AXES = [axis(name) for name in ("accuracy", "calibration", "robustness", "fairness", "bias")]


def spot(place: float | None, label: str = "0.50 [0.40, 0.60]") -> Spot:
    return Spot(0.5, label, place, None if place is None else (place - 0.1, place + 0.1))


def drawn(made: list[Trace], axes: list[Axis] | None = None) -> ET.Element:
    return ET.fromstring(radar(axes or AXES, made, "m"))


def of_kind(picture: ET.Element, kind: str) -> list[ET.Element]:
    return [e for e in picture.iter() if kind in e.get("class", "").split()]


def radius(mark: ET.Element) -> float:
    found = re.fullmatch(r"translate\((.*),(.*)\)", mark.get("transform", ""))
    assert found
    return float((float(found[1]) ** 2 + float(found[2]) ** 2) ** 0.5)


def test_a_missing_axis_is_a_gap_and_not_a_mark_at_the_centre() -> None:
    have = {"accuracy": spot(0.5), "calibration": spot(0.5), "fairness": spot(0.5)}
    picture = drawn([Trace("a", have)])
    assert len(of_kind(picture, "mark")) == 3
    assert len(of_kind(picture, "line")) == 1  # accuracy to calibration; fairness has no neighbour
    assert len(of_kind(picture, "empty")) == 2
    assert "".join(picture.itertext()).count("– no value") == 2


def test_a_value_at_chance_is_on_the_inner_ring_and_one_at_the_ceiling_on_the_outer() -> None:
    at_chance, best = of_kind(drawn([Trace("a", {"accuracy": spot(0.0), "bias": spot(1.0)})]), "mark")
    rings = sorted(float(ring.get("r", "")) for ring in of_kind(drawn([]), "end"))
    assert [radius(at_chance), radius(best)] == pytest.approx(rings, abs=0.1)


def test_the_raw_value_and_its_interval_are_in_the_label() -> None:
    texts = "".join(drawn([Trace("a", {"accuracy": spot(0.5, "0.78 [0.65, 0.87]")})]).itertext())
    assert "● 0.78 [0.65, 0.87]" in texts


def test_a_value_without_a_scale_is_named_and_not_placed() -> None:
    made = grid([run("gsm", "exact_match")], registry(), lambda _: measures("exact_match"))
    picture = profile(made, made.rows)  # these axes state no ends
    assert 'class="mark' not in picture
    assert "0.62 [0.51, 0.72] (no scale)" in picture


def test_nothing_is_averaged_over_scenarios() -> None:
    made = [Trace("a", {"accuracy": spot(0.2)}), Trace("b", {"accuracy": spot(0.8)})]
    assert len(of_kind(drawn(made), "mark")) == 2


def test_scenarios_too_many_to_tell_apart_are_dots_and_a_range() -> None:
    many = [Trace(f"s{i}", {"accuracy": Spot(i / 10, "", i / 10)}) for i in range(9)]
    picture = drawn(many)
    texts = "".join(picture.itertext())
    assert len(of_kind(picture, "mark")) == 9
    assert not of_kind(picture, "line")
    assert not of_kind(picture, "span")
    assert "9 from 0.00 to 0.80" in texts
    assert "Each dot is one of 9 scenarios." in texts


@pytest.mark.parametrize("count", [1, 2, 3, 7, 12])
def test_labels_lie_neither_over_one_another_nor_over_the_rings(count: int) -> None:
    axes = [axis(f"axis{i}") for i in range(count)]
    made = [Trace(f"s{i}", {each.name: spot(0.5) for each in axes}) for i in range(6)]
    boxes: dict[str, list[tuple[float, float]]] = {}
    picture = drawn(made, axes)
    for label in [text for text in picture.iter(f"{SVG}text") if of_kind(text, "axis")]:
        ys = [float(line.get("y", "")) for line in label.iter(f"{SVG}tspan") if line.get("y")]
        boxes.setdefault(label.get("text-anchor", ""), []).append((min(ys), max(ys)))
        x = float(label[0].get("x", ""))
        nearest = min(map(abs, ys)) if min(ys) * max(ys) > 0 else 0.0
        assert (x**2 + nearest**2) ** 0.5 > 150
    for side in boxes.values():
        ordered = sorted(side)
        assert all(above[1] < below[0] for above, below in itertools.pairwise(ordered))


def test_the_picture_lies_within_its_frame() -> None:
    made = [Trace(f"s{i}", {each.name: spot(1.0) for each in AXES}) for i in range(6)]
    picture = drawn(made)
    left, top, width, height = map(float, picture.get("viewBox", "").split())
    for line in picture.iter(f"{SVG}tspan"):
        if line.get("y"):
            assert top < float(line.get("y", "")) < top + height
            assert left < float(line.get("x", "")) < left + width


def test_a_hostile_name_is_text() -> None:
    picture = drawn([Trace("</title><script>alert(1)</script>", {"accuracy": spot(0.5)})])
    assert not list(picture.iter(f"{SVG}script"))


def test_who_cannot_see_it_is_told() -> None:
    described = drawn([Trace("a", {"accuracy": spot(0.5)})]).findtext(f"{SVG}desc")
    assert described is not None
    assert described.startswith("accuracy: a 0.50 [0.40, 0.60]. calibration: no value.")


def test_each_row_of_a_model_is_a_trace_with_its_measured_axes() -> None:
    made = whole_grid()
    first = traces(made, made.rows[:1])[0]
    assert first.name == "mmlu subject=college_computer_science"
    assert set(first.spots) == {"accuracy", "calibration", "robustness", "toxicity", "efficiency"}


def test_a_picture_is_a_file_of_its_own_and_shows_in_a_notebook() -> None:
    made = whole_grid()
    picture = profile(made, made.rows[:3])
    assert ET.fromstring(picture).tag == f"{SVG}svg"
    assert picture._repr_html_() == picture
