from holoscope.core import AdapterSpec, Instance, Params, Reference
from prompts.made import asked, planned

JOINT = AdapterSpec(
    method="multiple_choice_joint",
    input_prefix="Question: ",
    output_prefix="Answer: ",
    max_train_instances=1,
    max_tokens=1,
    temperature=0.0,
    stop_sequences=("\n",),
)
SEPARATE = AdapterSpec(
    method="multiple_choice_separate_original",
    input_prefix="",
    input_suffix="",
    output_prefix=" ",
    output_suffix="",
    max_train_instances=0,
    max_tokens=0,
)
TREE = asked("Which is a tree?", "oak", "cat", "sun", right=0)


def many(count: int) -> Instance:
    return asked("Which?", *(f"option {i}" for i in range(count)), right=count - 1)


def test_options_stand_under_letters() -> None:
    [request] = planned(JOINT, TREE)
    assert request.request.prompt == "Question: Which is a tree?\nA. oak\nB. cat\nC. sun\nAnswer:"


def test_letters_map_to_options() -> None:
    [request] = planned(JOINT, TREE)
    assert request.output_mapping == {"A": "oak", "B": "cat", "C": "sun"}


def test_an_example_is_answered_by_its_letter() -> None:
    train = (asked("Which is warm?", "ice", "fire", right=1, split="train"),)
    [request] = planned(JOINT, TREE, train=train)
    assert str(request.request.prompt).startswith("Question: Which is warm?\nA. ice\nB. fire\nAnswer: B\n\n")


def test_an_example_with_several_right_options_shows_all_where_multi_label() -> None:
    references = (Reference("a", ("correct",)), Reference("b"), Reference("c", ("correct",)))
    train = (Instance(input="Which?", references=references, split="train"),)
    adapter = AdapterSpec(method="multiple_choice_joint", multi_label=True)
    [request] = planned(adapter, TREE, train=train)
    assert "Output: A, C\n" in str(request.request.prompt)


def test_joint_asks_for_one_completion_with_candidates_and_no_stop() -> None:
    [request] = planned(JOINT, TREE)
    assert request.request.params == Params(temperature=0.0, max_tokens=1, num_completions=1, top_k_per_token=5)


def test_forty_options_have_forty_labels_and_tokens_to_say_them() -> None:
    [request] = planned(JOINT, many(40))
    assert request.output_mapping is not None
    assert len(request.output_mapping) == 40
    assert request.output_mapping["AJ"] == "option 35"
    assert request.request.params.max_tokens == 3


def test_compat_keeps_helms_token_limit_and_characters() -> None:
    [request] = planned(JOINT, many(28), compat=True)
    assert request.output_mapping is not None
    assert request.output_mapping["["] == "option 26"
    assert request.request.params.max_tokens == 1


def test_separate_asks_once_for_each_option() -> None:
    requests = planned(SEPARATE, TREE)
    assert [(r.reference_index, r.request_mode, r.request.prompt) for r in requests] == [
        (0, "original", "Which is a tree? oak"),
        (1, "original", "Which is a tree? cat"),
        (2, "original", "Which is a tree? sun"),
    ]


def test_separate_scores_the_prompt_and_generates_nothing() -> None:
    request = planned(SEPARATE, TREE)[0].request
    assert request.params == Params(temperature=0.0, max_tokens=0, echo_prompt=True)
    assert request.wants_logprobs


def test_the_continuation_is_the_option_with_its_space() -> None:
    assert [r.request.continuation for r in planned(SEPARATE, TREE)] == [" oak", " cat", " sun"]


def test_the_continuation_is_the_whole_prompt_where_the_option_stands_alone() -> None:
    adapter = AdapterSpec(
        method="multiple_choice_separate_original", input_prefix="", input_suffix="", output_prefix="",
        output_suffix="", max_train_instances=0, max_tokens=0,
    )  # fmt: skip
    assert [r.request.continuation for r in planned(adapter, asked("", "He runs.", "He run."))] == [
        "He runs.",
        "He run.",
    ]


def test_the_continuation_is_counted_with_a_space() -> None:
    assert planned(SEPARATE, TREE)[0].continuation_tokens == len(" oak")


def test_calibration_asks_nothing_and_shows_no_example() -> None:
    adapter = AdapterSpec(
        method="multiple_choice_separate_calibrated", input_prefix="", input_suffix="", output_prefix=" ",
        output_suffix="", max_train_instances=1, max_tokens=0,
    )  # fmt: skip
    requests = planned(adapter, TREE, train=(asked("Which is warm?", "fire", split="train"),))
    assert [(r.reference_index, r.request_mode) for r in requests[:2]] == [(0, "original"), (0, "calibration")]
    assert requests[0].request.prompt == "Which is warm? fire\nWhich is a tree? oak"
    assert requests[1].request.prompt == "Answer: oak"
    assert (requests[0].num_train_instances, requests[1].num_train_instances) == (1, 0)
