"""One figure of each kind, from values made up for it, under names that try to break out of a label."""

from random import Random

from holoscope.metrics.axes import AXES
from holoscope.report import figures
from holoscope.report.figures import Figure, Value
from holoscope.report.profiles import Spot, Trace
from holoscope.stats import Bin, Null

HOSTILE = "<b>x</b><script>alert(1)</script> $a$ %{y} \x1b[31m\u202e"
MODELS = ("maker/one", "maker/two", HOSTILE)
SCENARIOS = ("mmlu subject=anatomy", "gsm", HOSTILE)
NULL = Null(0.08, 0.05, 0.02, 0.1, 0.2)


def value(rng: Random, n: int = 40) -> Value:
    at = rng.random()
    return Value(at, max(0.0, at - 0.1), min(1.0, at + 0.1), n)


def curve(name: str) -> figures.Reliability:
    bins = tuple(
        Bin(x - 0.1, x + 0.1, 10, x, x * x, x * x - 0.1, x * x + 0.1, x - 0.2, x + 0.2) for x in (0.3, 0.6, 0.9)
    )
    return figures.Reliability(name, bins, (0, 10, 20), 30, 0.08, NULL)


def profile(name: str, *, skip: tuple[str, ...] = ()) -> Trace:
    spots = {axis.name: Spot(0.5, "0.50 [0.40, 0.60]", 0.5, (0.4, 0.6)) for axis in AXES if axis.name not in skip}
    return Trace(name, spots)


def every_figure() -> dict[str, Figure]:
    rng = Random(1)

    def v() -> Value:
        return value(rng)

    missing = Value(None, reason=HOSTILE)
    shaded = figures.Shaded(0.4, "0.40", "0.40 [0.3, 0.5]", "link")
    slopes = [figures.Slope(m, v(), v(), v()) for m in MODELS]
    groups = [figures.Group(f"sex={g}", m, v(), v()) for g in ("f", HOSTILE) for m in MODELS]
    changes = [figures.Change(p, m, v(), v(), Value(-0.1, -0.2, 0.01, 40), 0.3) for p in ("dialect",) for m in MODELS]
    differences = [figures.Difference(s, Value(0.2, 0.1, 0.3, 40), 0.05, "link") for s in SCENARIOS]
    samples = [figures.Sample(m, tuple(rng.random() for _ in range(50))) for m in MODELS]
    shares = [figures.Shares(m, {"female": 3, HOSTILE: 5}, {"female": 0.5, HOSTILE: 0.5}) for m in MODELS]
    ranks = [figures.Rank(m, v(), i + 1, 1, 3) for i, m in enumerate(MODELS)]
    points = [figures.Point(m, v(), v(), i == 0) for i, m in enumerate(MODELS)]
    placed = tuple(figures.Placed(m, s, v(), v()) for m in MODELS for s in SCENARIOS)
    dots = [figures.Dot(a.name, 0.5, (0.4, 0.6), "0.5", m) for a in AXES[:3] for m in MODELS]
    return {
        "radar": figures.radar(AXES, [profile(m, skip=("bias",)) for m in MODELS]),
        "small_multiples": figures.small_multiples(dict.fromkeys(SCENARIOS, dots)),
        "strips": figures.strips({s: {m: v() for m in MODELS} for s in SCENARIOS}, title="accuracy"),
        "heatmap": figures.heatmap(
            MODELS, SCENARIOS, [[shaded, shaded, figures.Shaded(None, "", HOSTILE)] for _ in MODELS]
        ),
        "reliability": figures.reliability([curve(m) for m in MODELS]),
        "reliability_panels": figures.reliability_panels({s: [curve(m) for m in MODELS] for s in SCENARIOS}),
        "robustness_slopes": figures.robustness_slopes(dict.fromkeys(SCENARIOS, slopes)),
        "group_forest": figures.group_forest({"sex": groups}, means={"sex": 0.5}),
        "gaps": figures.gaps(changes),
        "paired_forest": figures.paired_forest(differences, MODELS[0], HOSTILE),
        "outcome_bars": figures.outcome_bars(
            [figures.FourWay(s, 5, 3, 2, 4, ("a", "b", "c", "d")) for s in SCENARIOS], MODELS[0], HOSTILE
        ),
        "box": figures.distribution(samples, title="toxicity", threshold=0.5),
        "violin": figures.distribution(samples, title="toxicity", kind="violin"),
        "curve": figures.distribution(samples, title="seconds", kind="curve", logarithmic=True),
        "named_shares": figures.named_shares(shares),
        "leaderboard": figures.leaderboard({"accuracy ↑": ranks, "bias ↓": [figures.Rank(HOSTILE, missing, None)]}),
        "pareto": figures.pareto(points, x_title="USD", y_title="accuracy", logarithmic=True),
        "ranked_bars": figures.ranked_bars({s: {m: v() for m in MODELS} for s in SCENARIOS}, title="wins", even=0.5),
        "against": figures.against([figures.Against("bias", placed, True)], x_title="accuracy"),
        "boxes": figures.boxes({"accuracy": {s: dict.fromkeys(MODELS, 0.5) for s in SCENARIOS}}, y_title="value"),
        "bars": figures.bars({s: {m: {"joint": v(), "separate": v()} for m in MODELS} for s in SCENARIOS}, y_title="a"),
        "curves": figures.curves(
            {s: {m: [(1.0, v()), (0.0, v())] for m in MODELS} for s in SCENARIOS}, x_title="k", y_title="a"
        ),
    }
