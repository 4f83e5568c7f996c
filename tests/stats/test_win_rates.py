"""HELM's mean win rate."""

from holoscope.stats import mean_win_rates, win_rates


def test_a_rate_is_the_share_of_the_others_that_are_beaten() -> None:
    assert win_rates([0.9, 0.7, 0.8]) == [1.0, 0.0, 0.5]


def test_a_tie_is_half_a_win() -> None:
    assert win_rates([0.5, 0.5, 0.1]) == [0.75, 0.75, 0.0]


def test_where_lower_is_better_the_lowest_wins() -> None:
    assert win_rates([0.1, 0.2], lower_is_better=True) == [1.0, 0.0]


def test_a_column_of_one_counts_for_nobody() -> None:
    assert win_rates([None, 0.7]) == [None, None]


def test_the_mean_is_over_the_columns_that_a_model_fills() -> None:
    found = mean_win_rates([[0.9, 0.1, None], [0.2, 0.1, 0.3], [None, None, 0.5]], [False, True, False])
    assert found == [0.75, 0.5, 0.0]


def test_a_model_without_columns_has_no_rate() -> None:
    assert mean_win_rates([[0.9, 0.1, None]], [False]) == [1.0, 0.0, None]
