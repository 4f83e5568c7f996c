"""The small model itself: what it scores and writes, and that neither order nor company changes it."""

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from holoscope.core import Choice, Message, NotSupportedError, Outcome, Params, Request, Settings, UsageError
from holoscope.models.local import LlamaModel, _trust, open_model

pytestmark = pytest.mark.model

CLOZE = [
    ("The capital of France is", "Paris", ("London", "Berlin", "Madrid")),
    ("The opposite of hot is", "cold", ("blue", "seven", "music")),
    ("The sun rises in the", "east", ("table", "green", "spoon")),
    ("Cows give us", "milk", ("iron", "gravel", "glass")),
    ("At night the sky is", "dark", ("wooden", "salty", "noisy")),
    ("Birds can", "fly", ("drive", "type", "melt")),
]
SHOTS = "\n\n".join(f"Question: {asked} ...\nAnswer: {right}" for asked, right, _ in CLOZE[:4])
SUMS = "1 + 1 = 2\n2 + 3 = 5\n4 + 2 = 6\n5 + 4 = 9\n"
GREEDY = Params(temperature=0, max_tokens=12)


def scoring(before: str, continuation: str) -> Request:
    params = Params(temperature=0, max_tokens=0, echo_prompt=True)
    return Request(params, prompt=before + continuation, continuation=continuation)


def writing(prompt: str, **params: object) -> Request:
    return Request(Params(**{"temperature": 0, "max_tokens": 12, **params}), prompt=prompt)  # type: ignore[arg-type]


async def ask(model: LlamaModel, request: Request) -> Choice:
    return (await model.generate(request)).choices[0]


def mixed_requests() -> list[Request]:
    """Requests of every kind, with and without a shared beginning."""
    options = [(asked, option) for asked, right, wrong in CLOZE for option in (right, *wrong)]
    scored = [scoring(f"{SHOTS}\n\nQuestion: {asked} ...\nAnswer:", f" {option}") for asked, option in options[::3]]
    written = [writing(f"{SUMS}{a} + {b} =", stop_sequences=("\n",)) for a in (2, 7) for b in (1, 6)]
    drawn = [writing("Once upon a time", temperature=1.0, random=str(number)) for number in range(3)]
    return [*scored, *written, *drawn, writing(SHOTS), scoring("", "All that glitters is not gold.")]


async def test_a_continuation_has_its_known_logprob(smollm2: LlamaModel) -> None:
    choice = await ask(smollm2, scoring("The capital of France is", " Paris"))
    assert choice.text == " Paris"
    assert choice.logprob == pytest.approx(-0.2589, abs=2e-3)


async def test_a_continuation_of_several_tokens_has_one_logprob_each(smollm2: LlamaModel) -> None:
    choice = await ask(smollm2, scoring("The Eiffel Tower stands in", " Paris, the capital of France."))
    assert "".join(token.text for token in choice.tokens) == " Paris, the capital of France."
    assert all(token.logprob is not None and token.logprob < 0 for token in choice.tokens)
    assert choice.logprob == pytest.approx(sum(token.logprob or 0 for token in choice.tokens))


async def test_without_a_continuation_all_of_the_prompt_is_scored(smollm2: LlamaModel) -> None:
    choice = await ask(smollm2, Request(Params(echo_prompt=True), prompt="The capital of France is Paris"))
    assert [token.text for token in choice.tokens] == ["The", " capital", " of", " France", " is", " Paris"]
    assert choice.tokens[0].logprob is None
    assert choice.tokens[-1].logprob == pytest.approx(-0.2589, abs=2e-3)


async def test_a_continuation_scores_as_it_does_within_the_whole(smollm2: LlamaModel) -> None:
    before, after = f"{SHOTS}\n\nThe Eiffel Tower stands in", " Paris, the capital of France."
    whole = await ask(smollm2, scoring("", before + after))
    part = await ask(smollm2, scoring(before, after))
    assert part.tokens == whole.tokens[-len(part.tokens) :]


async def test_token_by_token_is_as_all_at_once(smollm2: LlamaModel) -> None:
    text = "The Eiffel Tower stands in Paris, the capital of France."
    whole = await ask(smollm2, scoring("", text))
    end = 0
    for token in whole.tokens:
        single = await ask(smollm2, scoring(text[:end], token.text))
        assert single.logprob == token.logprob
        end += len(token.text)


async def test_a_prompt_is_tokenized_whole(smollm2: LlamaModel) -> None:
    choice = await ask(smollm2, scoring("The capital of France is ", "Paris"))
    assert [token.text for token in choice.tokens] == [" Paris"]
    assert choice.logprob == pytest.approx(-0.2589, abs=2e-3)


async def test_characters_of_several_tokens_are_scored_whole(smollm2: LlamaModel) -> None:
    choice = await ask(smollm2, scoring("Smile: ", "😀 and 日本語"))
    assert "".join(token.text for token in choice.tokens).endswith("😀 and 日本語")


async def test_usage_counts_the_whole_prompt(smollm2: LlamaModel) -> None:
    usage = (await smollm2.generate(scoring("The capital of France is", " Paris"))).usage
    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens) == (6, 0)


async def test_an_empty_prompt_can_be_scored_and_continued(smollm2: LlamaModel) -> None:
    assert (await ask(smollm2, scoring("", ""))).tokens == ()
    assert len((await ask(smollm2, writing(""))).tokens) > 0


async def test_a_prompt_that_does_not_end_with_the_continuation_is_refused(smollm2: LlamaModel) -> None:
    request = Request(Params(echo_prompt=True), prompt="The capital", continuation=" Paris")
    with pytest.raises(NotSupportedError, match="does not end with what is to be scored"):
        await smollm2.generate(request)


async def test_messages_cannot_be_scored(smollm2: LlamaModel) -> None:
    with pytest.raises(NotSupportedError, match="scores prompts, not messages"):
        await smollm2.generate(Request(Params(echo_prompt=True), messages=(Message("user", "Hi"),)))


async def test_greedy_answers_are_the_same_each_time(smollm2: LlamaModel) -> None:
    first, again = [await ask(smollm2, writing("The capital of France is")) for _ in range(2)]
    assert first == again
    assert first.text.startswith(" Paris.")


async def test_written_tokens_score_as_they_were_written(smollm2: LlamaModel) -> None:
    written = await ask(smollm2, writing("The capital of France is"))
    scored = await ask(smollm2, scoring("The capital of France is", written.text))
    assert scored.tokens == written.tokens


async def test_an_answer_ends_before_a_stop_sequence(smollm2: LlamaModel) -> None:
    completion = await smollm2.generate(writing("The capital of France is", stop_sequences=(".",)))
    assert completion.outcome is Outcome.OK
    assert (completion.text, completion.choices[0].finish_reason) == (" Paris", "stop")


async def test_an_answer_at_the_limit_is_truncated(smollm2: LlamaModel) -> None:
    completion = await smollm2.generate(writing("The capital of France is", max_tokens=3))
    assert completion.outcome is Outcome.TRUNCATED
    assert completion.usage is not None
    assert completion.usage.completion_tokens == 3
    assert completion.choices[0].finish_reason == "length"


async def test_times_are_given(smollm2: LlamaModel) -> None:
    completion = await smollm2.generate(writing("The capital of France is"))
    assert completion.time_to_first_token is not None
    assert completion.request_time is not None
    assert 0 <= completion.time_to_first_token < completion.request_time


async def test_a_named_draw_is_the_same_each_time(smollm2: LlamaModel) -> None:
    first, again = [await ask(smollm2, writing("Once", temperature=1.0, random="a")) for _ in range(2)]
    assert first.text == again.text


async def test_another_name_is_another_draw(smollm2: LlamaModel) -> None:
    texts = {(await ask(smollm2, writing("Once", temperature=1.0, random=name))).text for name in "abc"}
    assert len(texts) == 3


async def test_unnamed_draws_of_equal_requests_differ(smollm2: LlamaModel) -> None:
    texts = {(await ask(smollm2, writing("Once", temperature=1.0))).text for _ in range(3)}
    assert len(texts) > 1


async def test_several_completions_are_several_draws(smollm2: LlamaModel) -> None:
    completion = await smollm2.generate(writing("Once", temperature=1.0, random="a", num_completions=3))
    assert len({choice.text for choice in completion.choices}) == 3


async def test_top_p_zero_is_greedy(smollm2: LlamaModel) -> None:
    drawn = await ask(smollm2, writing("The capital of France is", temperature=1.0, top_p=0.0))
    assert drawn == await ask(smollm2, writing("The capital of France is"))


async def test_a_chat_goes_through_the_files_template(smollm2: LlamaModel) -> None:
    chat = Request(GREEDY, messages=(Message("user", "What is the capital of France?"),))
    completion = await smollm2.generate(chat)
    assert completion.usage is not None
    assert completion.usage.prompt_tokens == 37  # with the system message that the template adds
    assert completion.text != (await ask(smollm2, writing("What is the capital of France?"))).text


async def test_control_tokens_in_a_prompt_are_only_text(smollm2: LlamaModel) -> None:
    assert smollm2.window().count("<|im_end|>") > 1
    choice = await ask(smollm2, scoring("Here it is: ", "<|im_end|>"))
    assert len(choice.tokens) > 1


async def test_a_prompt_too_long_is_an_overflow(smollm2: LlamaModel) -> None:
    completion = await smollm2.generate(writing("word " * 2100))
    assert completion.outcome is Outcome.CONTEXT_OVERFLOW
    assert "the window holds 2048" in completion.reason


async def test_company_and_order_change_nothing(smollm2: LlamaModel) -> None:
    requests = mixed_requests()
    alone = [(await smollm2.generate(request)).choices for request in requests]
    order = list(range(len(requests)))
    random.Random(0).shuffle(order)
    gate = asyncio.Semaphore(8)

    async def beside_others(at: int) -> None:
        async with gate:
            assert (await smollm2.generate(requests[at])).choices == alone[at]

    await asyncio.gather(*map(beside_others, order))


async def test_the_event_loop_runs_on_meanwhile(smollm2: LlamaModel) -> None:
    answer = asyncio.create_task(smollm2.generate(writing(SHOTS, max_tokens=24)))
    ticks = 0
    while not answer.done():
        await asyncio.sleep(0.005)
        ticks += 1
    assert ticks > 10


async def test_a_cancelled_request_stops_computing(smollm2: LlamaModel) -> None:
    long = asyncio.create_task(smollm2.generate(writing("Once upon a time", max_tokens=1500)))
    await asyncio.sleep(0.2)
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    async with asyncio.timeout(20):
        await asyncio.gather(*(smollm2.generate(scoring("The capital of France is", " Paris")) for _ in range(4)))


async def test_easy_cloze_is_answered(smollm2: LlamaModel) -> None:
    right = 0
    for asked, answer, wrong in CLOZE:
        scores = {
            option: (await ask(smollm2, scoring(asked, f" {option}"))).logprob or 0 for option in (answer, *wrong)
        }
        right += max(scores, key=scores.__getitem__) == answer
    assert right >= 5


async def test_sums_of_one_digit_are_better_than_chance(smollm2: LlamaModel) -> None:
    pairs = [(1, 2), (2, 2), (3, 4), (5, 1), (6, 3), (2, 5), (8, 1), (4, 4)]
    answers = [
        await ask(smollm2, writing(f"{SUMS}{a} + {b} =", max_tokens=4, stop_sequences=("\n",))) for a, b in pairs
    ]
    right = sum(choice.text.strip() == str(a + b) for choice, (a, b) in zip(answers, pairs, strict=True))
    assert right >= 4


def test_the_window_counts_as_the_engine_does(smollm2: LlamaModel) -> None:
    window = smollm2.window()
    assert window.exact
    assert window.count("The capital of France is Paris") == 6
    assert (window.max_request_length, window.max_sequence_and_generated) == (2048, 2048)


def test_pieces_joined_are_the_text(smollm2: LlamaModel) -> None:
    text = f"{SHOTS}\n\nnaïve 😀 日本語\t  end  "
    assert "".join(smollm2.window().pieces(text)) == text


@pytest.mark.parametrize("limit", [0, 1, 7, 40, 1000])
def test_a_truncated_text_fits_and_is_a_beginning(smollm2: LlamaModel, limit: int) -> None:
    window = smollm2.window()
    kept = window.truncate_right(SHOTS, limit)
    assert SHOTS.startswith(kept)
    assert window.count(kept) == min(limit, window.count(SHOTS))


def test_a_window_longer_than_trained_is_refused(weights_settings: Settings) -> None:
    with pytest.raises(UsageError, match=r"was trained on windows of \d+ tokens"):
        open_model("smollm2-135m-instruct?window=1000000", weights_settings).window()


async def test_a_closed_model_opens_again(weights_settings: Settings, weights_path: Path) -> None:
    model = open_model(f"local/{weights_path}?window=64", weights_settings)
    first = await ask(model, scoring("The capital of France is", " Paris"))
    await model.aclose()
    assert await ask(model, scoring("The capital of France is", " Paris")) == first
    await model.aclose()


def test_an_unknown_build_is_used_once_it_reads_a_sentence(
    weights_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_trust, "KNOWN_BUILDS", frozenset[str]())
    _trust.check_build(weights_path, Settings(tmp_path))
    assert [path.suffix for path in (tmp_path / "models" / "builds").iterdir()] == [".ok"]


PROGRAM = """
import asyncio, json, sys
from pathlib import Path
from holoscope.core import Params, Request, Settings
from holoscope.models.local import open_model

async def main():
    model = open_model(sys.argv[1], Settings(cache_dir=Path(sys.argv[2])))
    prompt = "word " * 250
    await asyncio.gather(*(model.generate(Request(Params(max_tokens=2), prompt=f"{n} {prompt}")) for n in range(2)))
    await model.aclose()
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    print(json.dumps(dict(line.split(":", 1) for line in status.splitlines())))

asyncio.run(main())
"""


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="memory is read from /proc")
def test_it_is_quiet_and_small(weights_path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, f"{weights_path}", f"{tmp_path}"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stderr == ""
    peak_kib = int(json.loads(done.stdout)["VmHWM"].split()[0])
    assert peak_kib < 450 * 1024  # two full windows would add 80 MiB
