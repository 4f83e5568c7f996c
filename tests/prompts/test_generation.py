from holoscope.core import AdapterSpec, Instance, Params, Reference, Substitution
from prompts.made import asked, planned

ADAPTER = AdapterSpec(
    instructions="Answer.\n",
    input_prefix="Q: ",
    output_prefix="A: ",
    max_train_instances=2,
    sample_train=False,
    num_outputs=1,
    temperature=0.0,
    max_tokens=7,
    stop_sequences=("\n",),
)
TRAIN = (asked("one?", "1", split="train"), asked("two?", "2", split="train"))


def test_blocks_are_joined_by_the_instance_prefix() -> None:
    [request] = planned(ADAPTER, asked("three?", "3"), train=TRAIN)
    assert request.request.prompt == "Answer.\n\nQ: one?\nA: 1\n\nQ: two?\nA: 2\n\nQ: three?\nA:"


def test_global_prefix_and_suffix_surround_the_prompt() -> None:
    adapter = AdapterSpec(global_prefix="<s>", global_suffix="</s>", max_train_instances=0)
    [request] = planned(adapter, asked("hi", "x"))
    assert request.request.prompt == "<s>Input: hi\nOutput:</s>"


def test_substitutions_run_over_the_finished_prompt() -> None:
    adapter = AdapterSpec(max_train_instances=0, substitutions=(Substitution("\n", "<br>"), Substitution("<br>$", "")))
    [request] = planned(adapter, asked("hi", "x"))
    assert request.request.prompt == "Input: hi<br>Output:"


def test_parameters_are_the_adapters() -> None:
    [request] = planned(ADAPTER, asked("three?", "3"))
    assert request.request.params == Params(temperature=0.0, max_tokens=7, stop_sequences=("\n",))


def test_an_example_without_answer_says_so() -> None:
    [request] = planned(ADAPTER, asked("three?", "3"), train=(Instance(input="one?", split="train"),))
    assert "Q: one?\nA: n/a\n" in str(request.request.prompt)


def test_a_multi_label_example_shows_every_answer() -> None:
    adapter = AdapterSpec(multi_label=True, max_train_instances=1)
    references = (Reference("red", ("correct",)), Reference("blue", ("correct",)), Reference("green"))
    train = (Instance(input="colours?", references=references, split="train"),)
    [request] = planned(adapter, asked("three?", "3"), train=train)
    assert "Output: red, blue\n" in str(request.request.prompt)
