import pytest
from msgspec.structs import replace

from holoscope.core import Axis, builtin
from holoscope.report import Row, grid
from holoscope.report.scale import Ends, ends, position
from holoscope.store import ScenarioSummary
from report.grids import measures, registry, run

Scales = dict[str, tuple[float, float]]


def axis(*, chance: float | None = 0.0, ceiling: float | None = 1.0, scales: Scales | None = None) -> Axis:
    return Axis(
        name="accuracy",
        title="",
        lower_is_better=False,
        chance=chance,
        ceiling=ceiling,
        metrics=(),
        empty_reason="",
        scales=scales or {},
    )


def row(chance: float | None = None) -> Row:
    stored = run("gsm", "exact_match")
    card = ScenarioSummary(name="gsm", main_metric="exact_match", main_split="test", chance=chance)
    kept = stored._replace(manifest=replace(stored.manifest, scenario=card))
    return grid([kept], registry(), lambda _: measures("exact_match")).rows[0]


@pytest.mark.parametrize(
    ("value", "scale", "where"),
    [
        (0.5, Ends(0.0, 1.0), 0.5),
        (0.625, Ends(0.25, 1.0), 0.5),
        (0.1, Ends(0.25, 1.0), 0.0),
        (0.125, Ends(0.5, 0.0), 0.75),
        (0.9, Ends(0.5, 0.0), 0.0),
        (2.0, Ends(8.0, 0.0), 0.75),
        (None, Ends(0.0, 1.0), None),
        (0.5, None, None),
    ],
)
def test_a_value_lies_between_chance_and_ceiling_whichever_is_larger(
    value: float | None, scale: Ends | None, where: float | None
) -> None:
    assert position(value, scale) == where


def test_the_main_metric_starts_where_guessing_does() -> None:
    assert ends(axis(), "exact_match", row(0.25)) == Ends(0.25, 1.0)
    assert ends(axis(), "f1_score", row(0.25)) == Ends(0.0, 1.0)
    assert ends(axis(), "exact_match", row()) == Ends(0.0, 1.0)


def test_a_metric_in_other_units_has_its_own_scale() -> None:
    assert ends(axis(scales={"bits_per_byte": (8.0, 0.0)}), "bits_per_byte", row(0.25)) == Ends(8.0, 0.0)


def test_an_axis_without_ends_has_no_scale() -> None:
    assert ends(axis(ceiling=None), "exact_match", row(0.25)) is None
    assert ends(axis(chance=None), "f1_score", row(0.25)) is None


def test_the_seven_axes_have_ends_in_the_direction_they_state() -> None:
    for each in builtin().axes.values():
        metric = each.metrics[0]
        scale = ends(each, metric, row())
        assert scale is not None, each.name
        assert (scale.ceiling < scale.chance) is each.lower_is_better, each.name
