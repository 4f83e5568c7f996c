"""Images take the place of their marks in a prompt that is put together as text."""

from msgspec.structs import replace

from holoscope.core import CORRECT, AdapterSpec, Image, Instance, Message, Outcome, Params, Reference, Text, image_mark
from holoscope.models.tokenizers import CharacterWindow
from holoscope.prompts import plan
from holoscope.prompts.multimodal import parts
from prompts.made import asked, characters

PICTURES = {name: Image(f"sha-{name}", "image/png", "AAAA") for name in ("cat", "dog")}
CAT, DOG = PICTURES["cat"], PICTURES["dog"]
ANSWER = AdapterSpec(
    method="generation_multimodal",
    instructions="Be brief.",
    input_prefix="",
    input_suffix="",
    output_prefix="",
    output_suffix="",
    max_train_instances=1,
    num_outputs=1,
    max_tokens=20,
    stop_sequences=("#",),
    temperature=0.0,
)
CHOOSE = replace(ANSWER, method="multiple_choice_joint_multimodal", input_suffix="\n", output_prefix="Answer: ")
SEEN = asked(f"{image_mark('cat')}What is it?", "a cat")


def messages(
    adapter: AdapterSpec,
    instance: Instance,
    *train: Instance,
    window: CharacterWindow | None = None,
    compat: bool = False,
) -> tuple[Message, ...]:
    window = window or characters()
    [request] = plan(
        adapter, train, [instance], window, compat=compat, seed=0, trials=1, wants_logprobs=True, images=PICTURES.get
    )
    assert request.request.messages is not None
    return request.request.messages


def test_an_image_stands_where_its_mark_does() -> None:
    assert messages(ANSWER, SEEN) == (Message("user", (Text("Be brief.\n"), CAT, Text("What is it?"))),)


def test_an_example_brings_its_image() -> None:
    shown = asked(f"{image_mark('dog')}What is this?", "a dog", split="train")
    [message] = messages(replace(ANSWER, output_prefix=" "), SEEN, shown)
    assert message.content == (Text("Be brief.\n"), DOG, Text("What is this? a dog\n"), CAT, Text("What is it?"))


def test_an_option_may_be_an_image() -> None:
    references = (Reference(image_mark("cat"), (CORRECT,)), Reference(image_mark("dog")), Reference("neither"))
    [message] = messages(CHOOSE, Instance(id="id0", input="Which barks?", references=references))
    assert message.content == (
        Text("Be brief.\nWhich barks?\nA. "),
        CAT,
        Text("\nB. "),
        DOG,
        Text("\nC. neither\nAnswer:"),
    )


def test_options_are_answered_by_a_letter_and_no_stop_is_sent() -> None:
    choice = replace(SEEN, references=(Reference("cat", (CORRECT,)), Reference("dog")))
    [request] = plan(
        CHOOSE, [], [choice], characters(), compat=False, seed=0, trials=1, wants_logprobs=True, images=PICTURES.get
    )
    assert request.output_mapping == {"A": "cat", "B": "dog"}
    assert request.request.params == Params(temperature=0.0, max_tokens=20, num_completions=1)


def test_a_mark_that_names_no_image_is_text() -> None:
    assert parts("see <image 3> and <image cat>", PICTURES.get) == (Text("see <image 3> and "), CAT)


def test_a_prompt_that_is_too_long_is_not_sent_and_never_cut() -> None:
    kept = {"seed": 0, "trials": 1, "wants_logprobs": True, "images": PICTURES.get}
    [ours] = plan(ANSWER, [], [SEEN], characters(30), compat=False, **kept)  # type: ignore[arg-type]
    [helms] = plan(ANSWER, [], [SEEN], characters(30), compat=True, **kept)  # type: ignore[arg-type]
    assert (ours.unsent, helms.unsent) == (Outcome.CONTEXT_OVERFLOW, None)
    assert helms.request.messages == messages(ANSWER, SEEN)
