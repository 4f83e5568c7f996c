"""One request for each passage, and examples of a right and a wrong one."""

from holoscope.core import CORRECT, TRAIN, AdapterSpec, Instance, Params, Reference
from prompts.made import characters, planned

RANKING = AdapterSpec(
    method="ranking_binary",
    input_prefix="Query: ",
    reference_prefix="Passage: ",
    output_prefix="Answers it?\nAnswer: ",
    max_train_instances=1,
    num_outputs=1,
    max_tokens=5,
    temperature=0.0,
    stop_sequences=("\n",),
)
ASKED = Instance(
    id="id0", input="how tall", references=(Reference("It is 9 m.", (CORRECT, "relevance=1")), Reference("It is red."))
)
SHOWN = Instance(
    id="id1", input="how old", references=(Reference("New."), Reference("It is 3.", (CORRECT,))), split=TRAIN
)
EXAMPLE = (
    "Passage: New.\nQuery: how old\nAnswers it?\nAnswer: No\n"
    "\nPassage: It is 3.\nQuery: how old\nAnswers it?\nAnswer: Yes\n\n"
)


def test_each_passage_has_a_request() -> None:
    requests = planned(RANKING, ASKED)
    assert [(r.reference_index, r.request_mode, r.request.prompt) for r in requests] == [
        (0, "original", "Passage: It is 9 m.\nQuery: how tall\nAnswers it?\nAnswer:"),
        (1, "original", "Passage: It is red.\nQuery: how tall\nAnswers it?\nAnswer:"),
    ]


def test_an_answer_is_generated() -> None:
    assert planned(RANKING, ASKED)[0].request.params == Params(
        temperature=0.0, max_tokens=5, stop_sequences=("\n",), num_completions=1
    )


def test_an_example_shows_all_its_passages() -> None:
    [first, _] = planned(RANKING, ASKED, train=(SHOWN,))
    assert str(first.request.prompt).startswith(f"{EXAMPLE}Passage: It is 9 m.")
    assert first.num_train_instances == 1


def test_an_example_is_dropped_as_a_whole() -> None:
    [first, _] = planned(RANKING, ASKED, train=(SHOWN,), window=characters(150))
    assert (first.num_train_instances, first.request.prompt) == (
        0,
        "Passage: It is 9 m.\nQuery: how tall\nAnswers it?\nAnswer:",
    )
