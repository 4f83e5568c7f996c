"""What of a scored text counts: its own tokens, each once, and only those that have something before them."""

import math

import pytest

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    Measure,
    MetricSpec,
    Outcome,
    Params,
    PlannedRequest,
    Request,
    Token,
    Trial,
)
from holoscope.metrics import measure, score
from metrics.made import generated, one, registry

PARAMS = Params(temperature=0.0, max_tokens=0, echo_prompt=True)


def window(*tokens: Token, scored: str, conditioning: int = 0) -> Exchange:
    """A window whose prompt is spelled by `tokens` and of which `scored` is to be scored."""
    prompt = "".join(token.text for token in tokens)
    planned = PlannedRequest(
        instance=Instance(id="id0", input=prompt),
        request=Request(PARAMS, prompt=prompt, continuation=scored),
        num_conditioning_tokens=conditioning,
        num_prompt_tokens=len(tokens),
    )
    return Exchange(planned, Completion(Outcome.OK, (Choice(prompt, None, tokens),)))


def text(*windows: Exchange, id: str = "id0") -> Trial:
    return Trial(Instance(id=id, input="?"), windows)


def counted(trial: Trial) -> tuple[float | None, ...]:
    return tuple(one(name, trial).value for name in ("logprob", "num_perplexity_tokens", "num_bytes"))


def test_only_what_was_to_be_scored_counts() -> None:
    read, said = (Token("<s>", -9.0), Token("Once", -9.0)), (Token(" upon", -2.0), Token(" é", -1.0))
    assert counted(text(window(*read, *said, scored=" upon é"))) == (-3.0, 2.0, 8.0)


def test_the_windows_of_a_text_are_added_up() -> None:
    first = window(Token("ab", -1.0), scored="ab")
    second = window(Token("ab", -5.0), Token("cd", -2.0), scored="cd", conditioning=1)
    assert counted(text(first, second)) == (-3.0, 2.0, 4.0)


def test_the_first_token_of_a_text_does_not_count_where_nothing_stands_before_it() -> None:
    assert counted(text(window(Token("Once"), Token(" upon", -2.0), scored="Once upon"))) == (-2.0, 1.0, 5.0)


def test_a_token_within_a_text_must_have_a_log_probability() -> None:
    found = one("logprob", text(window(Token("a", -1.0), Token("b"), scored="ab")))
    assert (found.value, found.outcome) == (None, Outcome.NOT_SUPPORTED)


def test_where_tokens_do_not_spell_the_text_its_own_bytes_count() -> None:
    tokens = (Token("<s>", -9.0), Token("\ufffd", -1.0), Token("\ufffd", -1.0), Token("n", -1.0))
    assert counted(text(window(*tokens, scored="én", conditioning=1))) == (-3.0, 3.0, 3.0)


def likelihood(*trials: Trial) -> dict[str, Measure]:
    specs = [MetricSpec(n) for n in ("logprob", "num_bytes", "num_perplexity_tokens", "bits_per_byte", "perplexity")]
    books = registry()
    return {m.metric: m for m in measure(specs, trials, score(specs, trials, books), books)}


def test_bits_per_byte_are_of_all_texts_together() -> None:
    trials = [text(window(Token("ab", -2.0), scored="ab")), text(window(Token("cdef", -1.0), scored="cdef"), id="id1")]
    found = likelihood(*trials)
    assert found["bits_per_byte"].value == pytest.approx(3 / 6 / math.log(2))
    assert found["perplexity"].value == pytest.approx(math.exp(1.5))


def test_the_interval_rests_on_texts_and_not_on_windows() -> None:
    def long(index: int) -> Trial:
        windows = (window(Token("x" * 4, -1.0 - index % 3), scored="x" * 4) for _ in range(5))
        return text(*windows, id=f"id{index}")

    found = likelihood(*map(long, range(12)))["bits_per_byte"]
    assert found.n == 12
    assert found.low is not None
    assert found.high is not None
    assert found.low < (found.value or 0) < found.high


def test_a_measure_says_how_much_of_a_text_was_scored_at_once() -> None:
    whole = [text(window(Token("ab", -2.0), scored="ab"), id=f"id{i}") for i in range(3)]
    cut = [text(window(Token("ab", -2.0), scored="ab"), window(Token("a", -1.0), Token("b", -1.0), scored="b"))]
    assert likelihood(*whole)["bits_per_byte"].method.endswith("each text whole")
    assert likelihood(*cut)["bits_per_byte"].method.endswith("windows of up to 2 tokens")


def test_helms_first_token_is_certain_and_counts() -> None:
    trial = text(window(Token("Once"), Token(" upon", -2.0), scored=""))
    found = [one(n, trial, compat=True).value for n in ("logprob", "num_perplexity_tokens", "num_bytes")]
    assert found == [-2.0, 2.0, 9.0]


def test_a_generated_text_without_log_probabilities_is_no_certain_one_to_helms_either() -> None:
    assert one("logprob", generated(Instance(id="id0", input="?"), "Once"), compat=True).value is None
