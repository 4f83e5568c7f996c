"""Paraphrases: written through `ask` before the run, read like a word list, and used only where they ask the same."""

from collections.abc import Callable

import pytest

from holoscope.core import (
    Choice,
    Completion,
    DataError,
    Instance,
    Message,
    Outcome,
    Request,
    UsageError,
)
from holoscope.perturbations import Lexicons, augment, write_lists, writers
from holoscope.perturbations.paraphrase import Ask, paraphrases
from perturbations.perturbing import instance, lexicons_for, registry, spec_for

QUESTION = "Which animal has 4 legs?"


def answering(reply: Callable[[str], str], outcome: Outcome = Outcome.OK) -> tuple[Ask, list[str]]:
    """A model whose reply is a function of the text that it is to rewrite, and the texts it was given."""
    asked: list[str] = []

    async def ask(request: Request) -> Completion:
        text = (request.prompt or "").partition("<text>\n")[2].removesuffix("\n</text>")
        asked.append(text)
        choices = (Choice(reply(text)),) if outcome.has_text else ()
        return Completion(outcome=outcome, choices=choices, reason="" if outcome is Outcome.OK else "no")

    return ask, asked


async def written(instances: list[Instance], ask: Ask) -> dict[str, tuple[str, ...]]:
    return dict((await paraphrases(instances, ask, "m")).entries)


async def test_each_text_is_rewritten_once() -> None:
    ask, asked = answering(lambda text: f"In short: {text}")
    found = await written([instance(QUESTION), instance(QUESTION), instance("Why?")], ask)
    assert sorted(asked) == [QUESTION, "Why?"]
    assert found[QUESTION] == (f"In short: {QUESTION}",)


async def test_what_the_user_says_is_rewritten_in_a_conversation() -> None:
    ask, asked = answering(str.upper)
    turns = (Message("system", "Be kind."), Message("user", "Hello there"), Message("assistant", "Hi"))
    await written([Instance(id="a", input="Hello there", messages=turns)], ask)
    assert asked == ["Hello there"]


async def test_the_same_request_is_made_for_the_same_text() -> None:
    seen: list[Request] = []

    async def ask(request: Request) -> Completion:
        seen.append(request)
        return Completion(outcome=Outcome.OK, choices=(Choice("x"),))

    await paraphrases([instance(QUESTION)], ask, "m")
    await paraphrases([instance(QUESTION, "other references")], ask, "n")
    assert seen[0] == seen[1]
    assert seen[0].params.temperature == 0


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   ",
        "Dog",
        "Which animal has four legs?",
        "Which animal has 4 legs and 2 ears?",
        "Which animal has 44 legs?",
    ],
)
async def test_a_reply_that_asks_something_else_is_not_used(reply: str) -> None:
    ask, _ = answering(lambda text: reply)
    assert await written([instance(QUESTION)], ask) == {}


@pytest.mark.parametrize("outcome", [Outcome.REFUSED, Outcome.TRUNCATED, Outcome.CONTENT_FILTER])
async def test_a_model_that_would_not_leaves_the_text(outcome: Outcome) -> None:
    ask, _ = answering(str.upper, outcome)
    found = await paraphrases([instance(QUESTION)], ask, "m")
    assert found.entries == {}
    assert found.name.startswith("m, version 1, 0 of 1 texts (sha256 ")


async def test_what_may_still_be_had_is_an_error() -> None:
    ask, _ = answering(str.upper, Outcome.TRANSPORT_ERROR)
    with pytest.raises(DataError, match="m wrote no paraphrase: no; the same command asks again"):
        await paraphrases([instance(QUESTION)], ask, "m")


async def test_tags_are_taken_off_and_the_white_space_around_is_kept() -> None:
    ask, _ = answering(lambda text: f"<text>\n{text.strip().upper()}\n</text>")
    assert await written([instance("\n say it \n")], ask) == {"\n say it \n": ("\n SAY IT \n",)}


async def test_the_perturbation_reads_what_was_written() -> None:
    spec = spec_for("paraphrase", model="m")
    ask, _ = answering(str.upper)
    lists = lexicons_for(spec) | await write_lists([instance("Say it.")], {"m": ask})
    made = augment([instance("Say it."), instance("Other.")], spec, registry(), lexicons=lists, compat=False)
    assert [i.input for i in made] == ["SAY IT.", "Other."]
    assert lists.names["paraphrases:m"].startswith("m, version 1, 1 of 1 texts")


def test_without_them_one_line_says_why() -> None:
    spec = spec_for("paraphrase")
    with pytest.raises(DataError, match="a model writes them when a run starts, and a dry run asks none"):
        augment([instance("Say it.")], spec, registry(), lexicons=Lexicons({}), compat=False)


def test_the_models_that_write_are_known_beforehand() -> None:
    spec = spec_for("paraphrase")
    assert writers(spec, registry(), compat=False) == ("",)
    assert writers(spec_for("paraphrase", model="a/b"), registry(), compat=False) == ("a/b",)
    assert writers(spec_for("lowercase"), registry(), compat=False) == ()


def test_a_wrong_argument_is_refused() -> None:
    with pytest.raises(UsageError, match="perturbation 'paraphrase' got an unexpected keyword argument 'modle'"):
        augment([], spec_for("paraphrase", modle="m"), registry(), lexicons=Lexicons({}), compat=False)
