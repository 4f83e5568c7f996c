from holoscope.engine.pace import START, Pace


def play(pace: Pace, *, refused: int = 0, answered: int = 0, seconds: float = 0.05) -> None:
    pace.pressed = True
    for _ in range(refused):
        pace.overloaded(pace.limit)
    for _ in range(answered):
        pace.answered(seconds)


def test_128_connections_are_reached_in_three_round_trips() -> None:
    pace = Pace(128)
    for _ in range(3):
        play(pace, answered=pace.limit)
    assert pace.limit == 128


def test_a_ceiling_that_is_no_power_of_two_is_reached_and_never_passed() -> None:
    assert Pace(1000).limit == START
    pace = Pace(20)
    for _ in range(5):
        play(pace, answered=pace.limit)
    assert pace.limit == 20


def test_a_ceiling_of_one_stays_one() -> None:
    pace = Pace(1)
    play(pace, answered=10)
    play(pace, refused=10)
    assert pace.limit == 1


def test_without_need_it_does_not_grow() -> None:
    pace = Pace(128)
    for _ in range(10 * START):
        pace.answered(0.05)
    assert pace.limit == START


def test_refusals_shrink_it_to_what_the_server_took() -> None:
    pace = Pace(128)
    play(pace, refused=9)
    assert pace.limit == 8


def test_all_refusals_of_one_wave_together_tell_the_room() -> None:
    pace = Pace(128)
    play(pace, answered=16)
    for at_once in [32, 31, 30, 29, 25, 21, 22, 27, 24]:
        pace.overloaded(at_once)
    assert pace.limit == 20


def test_a_refusal_at_most_halves_it() -> None:
    pace = Pace(128)
    play(pace, answered=15)
    pace.overloaded(1)
    assert pace.limit == 16
    pace.overloaded(1)
    assert pace.limit == 8


def test_a_server_that_refuses_all_is_asked_one_at_a_time() -> None:
    pace = Pace(128)
    play(pace, refused=40)
    assert pace.limit == 1


def test_after_refusals_it_grows_by_steps_that_double() -> None:
    pace, grown = Pace(128), []
    play(pace, refused=16, answered=1)
    for _ in range(8):
        play(pace, answered=pace.limit)
        grown.append(pace.limit)
    assert grown == [1, 2, 2, 4, 8, 16, 32, 64]


def test_the_more_often_growing_ends_badly_the_rarer_it_is_tried() -> None:
    pace, tries = Pace(128), []
    play(pace, refused=9, answered=8)
    for _ in range(6):
        rounds = 0
        while pace.limit == 8:
            play(pace, answered=8)
            rounds += 1
        tries.append(rounds)
        play(pace, refused=1, answered=8)
    assert tries == [2, 4, 8, 16, 16, 16]


def test_where_growing_ends_well_the_ceiling_is_reached_again() -> None:
    pace = Pace(128)
    for _ in range(10):
        play(pace, refused=pace.limit, answered=1)
    for _ in range(60):
        play(pace, answered=pace.limit)
    assert pace.limit == 128


def test_a_few_refusals_among_many_answers_are_left_alone() -> None:
    pace = Pace(64)
    for _ in range(6):
        play(pace, refused=1, answered=pace.limit)
    assert pace.limit == 64


def test_answers_that_take_much_longer_hold_it() -> None:
    pace = Pace(128)
    play(pace, answered=16, seconds=0.05)
    play(pace, answered=32, seconds=0.5)
    assert pace.limit == 32


def test_it_grows_again_where_longer_answers_have_become_the_rule() -> None:
    pace = Pace(128)
    play(pace, answered=16, seconds=0.05)
    for _ in range(30):
        play(pace, answered=pace.limit, seconds=0.5)
    assert pace.limit == 128
