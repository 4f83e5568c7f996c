"""Windows over a text: each token is scored once, and no window is longer than the model's."""

import pytest
from msgspec.structs import replace

from holoscope.core import AdapterSpec, Instance, Outcome, Params, PlannedRequest
from holoscope.models.tokenizers import CharacterWindow, EstimateWindow, Limits, Window
from prompts.made import NastyWindow, planned

LM = AdapterSpec(method="language_modeling", max_train_instances=0, max_tokens=0, temperature=0.0)
TEXT = "abcdefghijklmnopqrstuvwxy"


def windows(text: str, window: Window, *, compat: bool = False) -> list[PlannedRequest]:
    return planned(LM, Instance(id="id0", input=text), window=window, compat=compat)


def shown(requests: list[PlannedRequest]) -> list[tuple[str | None, int]]:
    return [(r.request.prompt, r.num_conditioning_tokens) for r in requests]


def characters(limit: int | None, prefix: str = "<s>") -> CharacterWindow:
    return CharacterWindow(Limits(sequence=limit), prefix)


def test_a_text_that_fits_is_scored_whole_after_the_prefix_token() -> None:
    [request] = windows(TEXT, characters(100))
    assert request.request.prompt == f"<s>{TEXT}"
    assert request.request.continuation == TEXT
    assert request.num_conditioning_tokens == 3
    assert request.request.params == Params(temperature=0.0, max_tokens=0, echo_prompt=True)
    assert request.request.wants_logprobs


def test_a_later_window_has_one_token_before_it_and_the_last_one_more() -> None:
    requests = windows(TEXT, characters(10))
    assert [(r.request.prompt, r.request.continuation) for r in requests] == [
        ("<s>abcdefg", "abcdefg"),
        ("ghijklmnop", "hijklmnop"),
        ("pqrstuvwxy", "qrstuvwxy"),
    ]


@pytest.mark.parametrize("limit", range(5, 40))
def test_every_token_is_scored_once_and_no_window_is_too_long(limit: int) -> None:
    for window in (characters(limit), characters(limit, ""), NastyWindow(Limits(sequence=limit))):
        text = "hello world, ab 日本語 hello ab 🎉🎉 worldly ab"
        requests = windows(text, window)
        assert "".join(r.request.continuation for r in requests) == text
        assert all(window.count(r.request.prompt or "") <= limit for r in requests)
        assert all((r.request.prompt or "").endswith(r.request.continuation) for r in requests)
        assert all(r.num_conditioning_tokens for r in requests[1:])


def test_without_a_known_window_a_text_is_one() -> None:
    assert [r.request.continuation for r in windows(TEXT, characters(None))] == [TEXT]


def test_a_window_that_is_only_estimated_is_used_by_half() -> None:
    requests = windows("word " * 40, EstimateWindow(Limits(sequence=40)))
    assert [r.num_prompt_tokens for r in requests] == [20, 20, 20]


def test_half_a_character_conditions_nothing() -> None:
    class Halves(CharacterWindow):
        """A character of two tokens belongs to the second."""

        def pieces(self, text: str) -> list[str]:
            return [part for character in text for part in ("", character)]

        def count(self, text: str) -> int:
            return 2 * len(text)

    requests = windows("äöüß", Halves(Limits(sequence=5), ""))
    assert all(r.request.prompt != r.request.continuation for r in requests[1:])
    assert "".join(r.request.continuation for r in requests) == "äöüß"


def test_the_last_tokens_are_left_for_the_answer() -> None:
    window = CharacterWindow(Limits(sequence=10, sequence_and_generated=10), "")
    adapter = replace(LM, max_tokens=4)
    requests = planned(adapter, Instance(id="id0", input=TEXT), window=window)
    assert max(r.num_prompt_tokens for r in requests) == 6


def test_an_empty_text_is_not_sent() -> None:
    [request] = windows("", characters(10))
    assert (request.unsent, request.unsent_reason) == (Outcome.UNGRADABLE, "the text is empty")


def test_a_window_without_room_says_so() -> None:
    [request] = windows(TEXT, characters(4))
    assert request.unsent is Outcome.CONTEXT_OVERFLOW
    assert request.unsent_reason == "a window of 4 tokens leaves no room for a text to score"


def test_under_compat_what_does_not_fit_is_lost_and_the_prefix_is_one_token() -> None:
    assert shown(windows(TEXT, characters(10), compat=True)) == [
        ("<s>abcdefg", 1),
        ("jklmnopqrs", 1),
        ("pqrstuvwxy", 4),
    ]


def test_under_compat_a_longer_request_than_sequence_holds_the_prefix() -> None:
    window = CharacterWindow(Limits(sequence=10, request=13), "<s>")
    assert shown(windows(TEXT, window, compat=True)) == [
        ("<s>abcdefghij", 1),
        ("jklmnopqrstuv", 1),
        ("mnopqrstuvwxy", 10),
    ]


def test_under_compat_a_window_of_no_room_ends() -> None:
    assert windows("abcdef", characters(1), compat=True)
