"""`test/echo`: a deterministic model."""

from hypothesis import given

from holoscope.core import Completion, Message, Params, Request
from holoscope.models.echo import Echo, EchoOptions, open_echo
from models.test_tokenizers import anything

QUESTION = "Question: {}?\nA. one\nB. two\nC. three\nD. four\nAnswer:"


async def ask(model: Echo, prompt: str, **params: object) -> Completion:
    return await model.generate(Request(Params(**{"temperature": 0.0, **params}), prompt=prompt))  # type: ignore[arg-type]


async def test_the_same_prompt_has_the_same_answer() -> None:
    first, second = [await ask(open_echo(EchoOptions()), QUESTION.format("why")) for _ in range(2)]
    assert first == second
    assert first.choices[0].logprob is not None


async def test_letters_are_picked_now_right_and_now_wrong() -> None:
    model = open_echo(EchoOptions())
    picked = [(await ask(model, QUESTION.format(i))).text.strip() for i in range(200)]
    assert all(30 <= picked.count(letter) <= 70 for letter in "ABCD")


async def test_only_the_last_question_s_letters_are_options() -> None:
    prompt = QUESTION.format("first") + " E\n\nQuestion: second?\nA. yes\nB. no\nAnswer:"
    assert (await ask(open_echo(EchoOptions()), prompt)).text.strip() in ("A", "B")


async def test_without_options_a_word_of_the_last_lines_is_picked() -> None:
    text = (await ask(open_echo(EchoOptions()), "first\nsecond line\nthird line\nlast line")).text.strip()
    assert text in ("second", "line", "third", "last")


async def test_a_scored_prompt_has_a_log_probability_for_each_token_but_the_first() -> None:
    completion = await ask(open_echo(EchoOptions(tokenizer="characters")), "blue", echo_prompt=True, max_tokens=0)
    choice = completion.choices[0]
    assert [token.text for token in choice.tokens] == list("blue")
    assert [token.logprob is None for token in choice.tokens] == [True, False, False, False]
    assert choice.text == "blue"
    assert choice.logprob is not None
    assert -12 <= choice.logprob < 0


async def test_scores_tell_continuations_apart() -> None:
    model = open_echo(EchoOptions())
    scores = {(await ask(model, f"The sky is {end}", echo_prompt=True)).choices[0].logprob for end in ("blue", "red")}
    assert len(scores) == 2


async def test_above_temperature_0_each_draw_is_its_own() -> None:
    completion = await ask(open_echo(EchoOptions()), QUESTION.format("x"), temperature=1.0, num_completions=40)
    assert {choice.text.strip() for choice in completion.choices} == set("ABCD")


async def test_stop_sequences_and_limits_are_kept() -> None:
    model = open_echo(EchoOptions(tokenizer="characters"))
    assert (await ask(model, QUESTION.format("x"), max_tokens=1)).text == " "
    assert (await ask(model, QUESTION.format("x"), stop_sequences=(" ",))).text == ""


async def test_a_conversation_is_answered() -> None:
    request = Request(Params(temperature=0.0), messages=(Message("user", "only"),))
    assert (await open_echo(EchoOptions()).generate(request)).text == " only"


async def test_times_and_counts_are_the_same_everywhere() -> None:
    completion = await ask(open_echo(EchoOptions()), "one two three")
    assert completion.usage is not None
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (3, 1)
    assert completion.request_time == 0.004
    assert completion.created == 0.0


@given(anything)
async def test_any_text_is_answered(prompt: str) -> None:
    assert (await ask(open_echo(EchoOptions()), prompt)).text
