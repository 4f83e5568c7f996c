import pytest

from holoscope.core import AdapterSpec, UnknownNameError
from holoscope.prompts import plan
from prompts.made import asked, characters, planned

ONE, TWO = asked("one", "1", "2", id="id0"), asked("two", "1", "2", id="id1")
SEPARATE = AdapterSpec(method="multiple_choice_separate_original", max_train_instances=0, max_tokens=0)


def test_an_unknown_method_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'generation'"):
        plan(
            AdapterSpec(method="generetion"), [], [], characters(), compat=False, seed=0, trials=1, wants_logprobs=False
        )


def test_a_repetition_stands_after_all_requests_of_its_instance() -> None:
    order = [(r.instance.id, r.trial, r.reference_index) for r in planned(SEPARATE, ONE, TWO, trials=2)]
    assert order == [(i, t, r) for i in ("id0", "id1") for t in (0, 1) for r in (0, 1)]


def test_more_trials_repeat_the_same_requests() -> None:
    first, second = planned(AdapterSpec(), ONE, trials=2)
    assert first.request == second.request
    assert (first.trial, second.trial) == (0, 1)


def test_the_adapters_own_repetitions_differ_in_random() -> None:
    requests = planned(AdapterSpec(num_trials=3), ONE)
    assert [(r.trial, r.request.params.random) for r in requests] == [(0, None), (1, "1"), (2, "2")]


def test_each_train_trial_has_its_own_examples() -> None:
    train = tuple(asked(f"t{i}", "yes", split="train") for i in range(30))
    requests = planned(AdapterSpec(num_train_trials=2), ONE, train=train)
    assert [r.train_trial_index for r in requests] == [0, 1]
    assert requests[0].request.prompt != requests[1].request.prompt


def test_under_compat_the_seed_changes_nothing() -> None:
    train = tuple(asked(f"t{i}", "yes", split="train") for i in range(30))
    first, second = (planned(AdapterSpec(), ONE, train=train, compat=True, seed=seed) for seed in (0, 1))
    assert first == second


def test_logprobs_are_wanted_where_the_run_wants_them() -> None:
    requests = plan(AdapterSpec(), [], [ONE], characters(), compat=False, seed=0, trials=1, wants_logprobs=True)
    assert next(requests).request.wants_logprobs
