"""What each kind of figure shows, and what it must not pass off as something else."""

from typing import Any

import pytest

from holoscope.metrics.axes import AXES
from holoscope.report import figures
from holoscope.report.figures import Difference, Figure, FourWay, Sample, Shaded, Slope, Value, alternative
from holoscope.report.profiles import Spot, Trace
from report.drawn import curve, profile

Drawn = dict[str, Any]


def traces(figure: Figure, **having: object) -> list[Drawn]:
    return [dict(t) for t in figure["data"] if all(t.get(key) == value for key, value in having.items())]


def layout(figure: Figure) -> Drawn:
    return dict(figure["layout"])


def test_a_radar_has_a_gap_where_an_axis_was_not_measured() -> None:
    made = figures.radar(AXES, [profile("m", skip=("bias",))])
    line = traces(made, mode="lines", showlegend=False)[1]
    assert line["r"] == [0.5, 0.5, 0.5, 0.5, None, 0.5, 0.5, 0.5]
    assert line["connectgaps"] is False
    assert "bias not measured" in alternative(made)


def test_a_band_is_not_drawn_over_a_gap() -> None:
    whole = figures.radar(AXES, [profile("m")])
    torn = figures.radar(AXES, [profile("m", skip=("bias", "fairness"))])
    (band,) = traces(whole, fill="toself")
    assert len(band["theta"]) == 2 * (len(AXES) + 1)  # closed
    (band,) = traces(torn, fill="toself")
    assert len(band["theta"]) == 2 * 5


def test_a_value_without_a_scale_is_not_at_the_centre() -> None:
    lost = Trace("m", {"accuracy": Spot(3.0, "3.0 (no scale)", None), "bias": Spot(0.1, "0.1", 0.8)})
    (marks,) = traces(figures.radar(AXES, [lost]), mode="markers")
    assert marks["r"] == [0.8]


def test_the_rings_are_named_by_their_values_where_all_share_them() -> None:
    from holoscope.report.scale import Ends

    spots = {"accuracy": Spot(0.5, "0.50", 0.5, None, Ends(0.25, 1.0))}
    polar = layout(figures.radar(AXES, [Trace("m", spots)]))["polar"]
    heads = polar["angularaxis"]["ticktext"]
    assert "0.25 to 1" in heads[0]
    assert "not measured" in heads[1]
    assert polar["radialaxis"]["range"] == [0, 1]


def test_a_missing_cell_is_hatched_and_says_why() -> None:
    cells = [[Shaded(0.5, "0.50", "0.50"), Shaded(None, "", "the model gives no log-probabilities")]]
    made = figures.heatmap(["m"], ["a", "b"], cells)
    (heat,) = traces(made, type="heatmap")
    (hatch,) = traces(made, type="bar")
    assert heat["z"] == [[0.5, None]]
    assert hatch["x"] == [1]
    assert hatch["marker"]["pattern"]["shape"] == "/"
    assert "the model gives no log-probabilities" in hatch["hovertext"][0]


def test_a_heatmap_of_many_columns_has_no_numbers_and_upright_names() -> None:
    cells = [[Shaded(0.5, "0.50", "0.50")] * 40]
    made = figures.heatmap(["m"], [f"s{i}" for i in range(40)], cells)
    assert "text" not in traces(made, type="heatmap")[0]
    assert layout(made)["xaxis"]["tickangle"] == -90


def test_shades_come_from_the_theme() -> None:
    (heat,) = traces(figures.heatmap(["m"], ["a"], [[Shaded(0.5, "", "")]]), type="heatmap")
    assert heat["autocolorscale"] is True
    assert "colorscale" not in heat


def test_a_reliability_diagram_has_the_band_the_points_and_the_counts() -> None:
    made = figures.reliability([curve("m")])
    (band,) = traces(made, fill="toself")
    (points,) = traces(made, mode="lines+markers")
    (bars,) = traces(made, type="bar")
    assert band["y"] == [0.5, 0.8, 1.1, 0.7, 0.4, 0.1]
    assert points["y"] == [0.09, 0.36, 0.81]
    assert points["error_y"]["array"] == [0.1, 0.1, 0.1]
    assert bars["y"] == [0, 10, 20]
    assert "calibration error 0.080; calibrated answers would show 0.050 [0.020, 0.100], p = 0.2" in alternative(made)


def test_only_miscalibration_beyond_chance_is_named() -> None:
    within, beyond = curve("in"), curve("out")._replace(error=0.2)
    made = figures.reliability_panels({"gsm": [within, beyond]})
    assert alternative(made).endswith("beyond chance miscalibrated: out on gsm.")


def slope(name: str, *values: float) -> Slope:
    return Slope(name, *(Value(v) for v in values))


def test_a_slope_goes_from_the_original_over_the_perturbed_to_the_worst() -> None:
    (line,) = traces(figures.robustness_slopes({"gsm": [slope("m", 0.8, 0.7, 0.5)]}))
    assert line["y"] == [0.8, 0.7, 0.5]
    assert line["x"] == [0, 1, 2]


def test_of_many_slopes_the_steepest_are_told_apart() -> None:
    many = [slope(f"s{i}", 0.9, 0.8, 0.9 - i / 50) for i in range(20)]
    made = figures.robustness_slopes({"m": many})
    assert [t["name"] for t in traces(made, showlegend=True)] == ["s15", "s16", "s17", "s18", "s19"]
    assert len(made["data"]) == 20


def test_a_slope_without_a_value_is_broken_and_not_at_zero() -> None:
    (line,) = traces(figures.robustness_slopes({"gsm": [Slope("m", Value(0.8), Value(None), Value(0.5))]}))
    assert line["y"] == [0.8, None, 0.5]


def test_groups_are_drawn_with_their_counts_and_the_mean() -> None:
    groups = [figures.Group(f"sex={g}", "m", Value(0.5, 0.4, 0.6, n)) for g, n in (("f", 30), ("m", 5))]
    made = figures.group_forest({"sex": groups}, means={"sex": 0.55})
    (dots,) = traces(made, mode="markers")
    assert dots["x"] == [0.5, 0.5]
    assert dots["error_x"]["arrayminus"] == pytest.approx([0.1, 0.1])
    assert layout(made)["yaxis"]["ticktext"] == ["f", "m"]
    assert {"n = 30", "n = 5"} <= {note["text"] for note in layout(made)["annotations"]}
    assert layout(made)["shapes"][0]["x0"] == 0.55


def test_a_change_stands_over_the_margin_that_counts_as_none() -> None:
    change = figures.Change("dialect", "m", Value(0.8), Value(0.6), Value(-0.2, -0.3, -0.1, 40), 0.9)
    made = figures.gaps([change], margin=0.05)
    band = layout(made)["shapes"][0]
    assert (band["x0"], band["x1"], band["type"]) == (-0.05, 0.05, "rect")
    assert traces(made, mode="markers")[0]["x"] == [-0.2]
    assert traces(made, mode="lines+markers")[0]["marker"]["symbol"] == ["circle-open", "circle"]


def test_a_difference_that_is_not_resolved_is_faint_and_hollow() -> None:
    sure, unsure = Difference("a", Value(0.2, 0.1, 0.3, 90), 0.1), Difference("b", Value(0.1, -0.1, 0.3, 20), 0.25)
    made = figures.paired_forest([sure, unsure], "one", "two")
    (strong,) = traces(made, name="resolved")
    (faint,) = traces(made, name="not resolved")
    assert strong["x"] == [0.2]
    assert faint["marker"]["symbol"] == "circle-open"
    (band,) = traces(made, type="bar")
    assert band["base"] == [-0.1, -0.25]
    assert band["x"] == [0.2, 0.5]
    assert {"n = 90", "n = 20"} <= {note["text"] for note in layout(made)["annotations"]}


@pytest.mark.parametrize(("lower_is_better", "left"), [(False, "two"), (True, "one")])
def test_the_sides_say_who_is_better(lower_is_better: bool, left: str) -> None:
    difference = [Difference("a", Value(0.2, 0.1, 0.3, 90))]
    made = figures.paired_forest(difference, "one", "two", lower_is_better=lower_is_better)
    sides = [note["text"] for note in layout(made)["annotations"] if "better" in note["text"]]
    assert sides[0] == f"◀ {left} better"


def test_the_four_outcomes_add_up_and_each_leads_to_its_instances() -> None:
    row = FourWay("gsm", 5, 3, 2, 10, ("/both", "/one", "/two", "/none"))
    made = figures.outcome_bars([row], "one", "two")
    assert [t["name"] for t in made["data"]] == ["both right", "only one", "only two", "both wrong"]
    assert sum(t["x"][0] for t in traces(made)) == pytest.approx(1)
    assert [t["customdata"] for t in traces(made)] == [["/both"], ["/one"], ["/two"], ["/none"]]
    assert "only one on 3, only two on 2, neither on 10" in alternative(made)


def test_a_curve_of_a_distribution_is_the_share_at_or_above() -> None:
    made = figures.distribution([Sample("m", (0.5, 0.1, 0.9, 0.1))], title="toxicity", kind="curve", threshold=0.5)
    (line,) = made["data"]
    assert line["x"] == [0.1, 0.1, 0.5, 0.9]
    assert line["y"] == [1.0, 0.75, 0.5, 0.25]
    assert "50.0% at or above 0.5" in alternative(made)


def test_a_logarithmic_scale_says_what_it_leaves_out() -> None:
    made = figures.distribution([Sample("m", (0.0, 0.1, 1.0))], title="seconds", logarithmic=True)
    assert made["data"][0]["x"] == [0.1, 1.0]
    assert "1 values of 0 have no place" in alternative(made)


def test_a_large_sample_is_drawn_from_evenly_spaced_ranks() -> None:
    made = figures.distribution([Sample("m", tuple(i / 20_000 for i in range(20_000)))], title="seconds")
    x = traces(made)[0]["x"]
    assert len(x) == 4000
    assert (x[0], x[-1]) == (0.0, 0.99995)


def test_lines_show_where_the_parts_would_end_if_all_were_named_alike() -> None:
    shares = figures.Shares("m", {"a": 1, "b": 3}, {"a": 0.4, "b": 0.6})
    made = figures.named_shares([shares])
    assert [t["x"] for t in traces(made)] == [[0.25], [0.75]]
    assert {shape["x0"] for shape in layout(made)["shapes"]} == {0.4}


def test_a_rank_is_drawn_over_its_interval_and_a_model_without_one_is_a_dash() -> None:
    ranks = [figures.Rank("a", Value(0.9), 1, 1, 2), figures.Rank("b", Value(None, reason="not run"), None)]
    made = figures.leaderboard({"accuracy": ranks})
    line, dots, missing = traces(made)
    assert line["x"] == [1, 2, None]
    assert dots["x"] == [1]
    assert missing["hovertext"] == ["not run"]


def test_a_front_is_a_staircase_through_its_models_from_cheap_to_dear() -> None:
    points = [
        figures.Point(m, Value(x, x / 2, 2 * x), Value(y), on)
        for m, x, y, on in (("a", 2.0, 0.9, True), ("b", 1.0, 0.5, True), ("c", 3.0, 0.4, False))
    ]
    made = figures.pareto(points, x_title="USD", y_title="accuracy")
    (front,) = traces(made, name="front")
    assert front["x"] == [1.0, 2.0]
    assert front["line"]["shape"] == "hv"
    (dot,) = traces(made, name="a")
    assert dot["error_x"]["array"] == [2.0]


def test_models_of_one_price_stand_in_the_middle_of_an_axis_from_zero() -> None:
    points = [figures.Point(m, Value(0.00005), Value(0.5)) for m in "ab"]
    axis = figures.pareto(points, x_title="USD", y_title="accuracy")["layout"]["xaxis"]
    assert isinstance(axis, dict)
    assert axis["range"] == [0, 0.0001]
    apart = [figures.Point(m, Value(x), Value(0.5)) for m, x in (("a", 1.0), ("b", 2.0))]
    axis = figures.pareto(apart, x_title="USD", y_title="accuracy")["layout"]["xaxis"]
    assert isinstance(axis, dict)
    assert "range" not in axis


def test_a_model_of_unknown_cost_is_counted_and_not_at_zero() -> None:
    points = [
        figures.Point("a", Value(None, reason="no price"), Value(0.9)),
        figures.Point("b", Value(1.0), Value(0.5)),
    ]
    made = figures.pareto(points, x_title="USD", y_title="accuracy")
    assert [t["name"] for t in traces(made, mode="markers")] == ["b"]
    assert "1 have no place" in alternative(made)


def test_bars_are_sorted() -> None:
    made = figures.ranked_bars({"accuracy": {"a": Value(0.2), "b": Value(0.9), "c": Value(None)}}, title="wins")
    assert made["data"][0]["x"] == [0.9, 0.2]
    assert layout(made)["yaxis"]["ticktext"] == ["b", "a"]


def test_small_multiples_say_where_there_is_no_value() -> None:
    dots = [figures.Dot("bias", None, None, "no value", "m"), figures.Dot("accuracy", 0.5, (0.4, 0.6), "0.5", "m")]
    made = figures.small_multiples({"gsm": dots})
    (text,) = traces(made, mode="text")
    (dot,) = traces(made, mode="markers")
    assert text["text"] == ["– no value"]
    assert dot["x"] == [0.5]


def test_chosen_models_stand_out_of_fifty() -> None:
    values = {f"s{i}": {f"m{k}": Value(k / 50, 0.0, 1.0) for k in range(50)} for i in range(40)}
    made = figures.strips(values, title="accuracy", chosen=["m7"])
    others, chosen = traces(made)
    assert len(others["x"]) == 40 * 49
    assert "error_x" not in others
    assert len(chosen["error_x"]["array"]) == 40
