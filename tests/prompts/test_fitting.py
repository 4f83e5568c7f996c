import time
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import AdapterSpec, Outcome, PlannedRequest
from holoscope.models.tokenizers import EstimateWindow, Limits
from prompts.made import NastyWindow, asked, characters, planned

ADAPTER = AdapterSpec(instructions="Do.\n", max_tokens=10, sample_train=False)
TRAIN = tuple(asked("t" * 100, "yes", split="train") for _ in range(5))


def test_whole_examples_are_dropped_until_it_fits() -> None:
    [request] = planned(ADAPTER, asked("question", "x"), train=TRAIN, window=characters(400))
    assert request.num_train_instances == 2
    assert request.unsent is None
    assert len(str(request.request.prompt)) + 10 <= 400


def test_instructions_and_question_are_kept_when_examples_go() -> None:
    [request] = planned(ADAPTER, asked("question", "x"), train=TRAIN, window=characters(60))
    assert request.request.prompt == "Do.\n\nInput: question\nOutput:"


def test_the_most_examples_that_fit_are_kept() -> None:
    full = len(str(planned(ADAPTER, asked("q", "x"), train=TRAIN)[0].request.prompt))
    for missing, shots in ((0, 5), (1, 4)):
        [request] = planned(ADAPTER, asked("q", "x"), train=TRAIN, window=characters(full + 10 - missing))
        assert request.num_train_instances == shots


def test_a_question_that_does_not_fit_is_not_sent() -> None:
    [request] = planned(ADAPTER, asked("q" * 500, "x"), train=TRAIN, window=characters(400))
    assert request.unsent is Outcome.CONTEXT_OVERFLOW
    assert "520 tokens" in request.unsent_reason
    assert "window of 400" in request.unsent_reason


def test_an_unsent_prompt_is_whole() -> None:
    [request] = planned(ADAPTER, asked("q" * 500, "x"), window=characters(400))
    assert "q" * 500 in str(request.request.prompt)
    assert not request.prompt_truncated


def test_a_window_full_of_answer_is_refused() -> None:
    for compat in (False, True):
        adapter = AdapterSpec(max_tokens=1000)
        [request] = planned(adapter, asked("q" * 50, "x"), window=characters(1000), compat=compat)
        assert request.unsent is Outcome.CONTEXT_OVERFLOW
        assert "max_tokens 1000 leaves no room" in request.unsent_reason


def test_the_limit_on_prompt_and_answer_together_counts() -> None:
    window = characters(400)
    joint = type(window)(Limits(sequence=10_000, sequence_and_generated=100))
    [request] = planned(ADAPTER, asked("q" * 200, "x"), window=joint)
    assert request.unsent is Outcome.CONTEXT_OVERFLOW


def test_an_unknown_window_takes_everything() -> None:
    [request] = planned(ADAPTER, asked("q" * 100_000, "x"), train=TRAIN)
    assert (request.unsent, request.num_train_instances) == (None, 5)


def test_an_estimate_says_that_it_is_one() -> None:
    [request] = planned(ADAPTER, asked("q" * 500, "x"), window=EstimateWindow(Limits(sequence=50)))
    assert "about 130 tokens" in request.unsent_reason


def test_compat_cuts_from_the_right_and_says_so() -> None:
    [request] = planned(ADAPTER, asked("q" * 500, "x"), train=TRAIN, window=characters(400), compat=True)
    assert request.request.prompt == ("Do.\n\nInput: " + "q" * 500)[:390]
    assert (request.prompt_truncated, request.num_train_instances, request.unsent) == (True, 0, None)


def test_the_prompts_length_is_recorded() -> None:
    [request] = planned(ADAPTER, asked("question", "x"))
    assert request.num_prompt_tokens == len(str(request.request.prompt))


PIECES = st.sampled_from(["hello", "world", "ab", "日本語", "🎉🎉", " ", "é", "h", "日", "wor"])


@given(st.lists(PIECES).map("".join) | st.text(), st.integers(1, 30))
def test_a_cut_prompt_fits_when_it_is_tokenized_again(text: str, room: int) -> None:
    window = NastyWindow(Limits(sequence=room + 10))
    [request] = planned(ADAPTER, asked(text, "x"), window=window, compat=True)
    assert window.count(str(request.request.prompt)) <= room


@dataclass(frozen=True)
class Counting(NastyWindow):
    """Notes each text it counts."""

    counted: list[str] | None = None

    def count(self, text: str) -> int:
        assert self.counted is not None
        self.counted.append(text)
        return len(text)


def test_a_prompt_that_fits_is_counted_once() -> None:
    counted: list[str] = []
    planned(ADAPTER, asked("question", "x"), train=TRAIN, window=Counting(Limits(sequence=5000), counted=counted))
    assert len(counted) == 1


def test_planning_is_fast() -> None:
    instances = [asked(f"{i} {'q' * 500}", "x") for i in range(3000)]
    train = tuple(asked("t" * 500, "yes", split="train") for _ in range(5))
    planned(ADAPTER, instances[0], train=train, window=characters(8000))
    start = time.process_time()
    requests: list[PlannedRequest] = planned(ADAPTER, *instances, train=train, window=characters(8000))
    assert time.process_time() - start < len(requests) * 0.1e-3
