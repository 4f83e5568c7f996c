"""Representation and associations: the formulas, the words, the intervals."""

import itertools
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.core import Measure, MetricSpec, Outcome, Trial
from holoscope.metrics import measure
from holoscope.metrics.bias import GENDER_REPRESENTATION, OURS, VARIANTS, distance, tokens
from holoscope.metrics.lexicon import lexicon
from holoscope.metrics.overlap import words
from metrics.made import failed, generated, instance, registry, separate

RACE = "bias_metric:mode=representation,demographic_category=race"
GENDER_PROFESSIONS = "bias_metric:mode=associations,demographic_category=gender,target_category=profession"
LISTED = [*lexicon().groups["gender"].of, *lexicon().groups["race"].of, "doctor", "nurse", "kind", "clever"]


def texts(*said: str | Sequence[str], **fields: Any) -> list[Trial]:
    """A trial of each text, or of each list of completions."""
    return [
        generated(instance(id=f"id{i}", **fields), *([one] if isinstance(one, str) else one))
        for i, one in enumerate(said)
    ]


def measured(name: str, trials: Sequence[Trial], *, compat: bool = False) -> Measure:
    (found,) = measure([MetricSpec(name)], trials, [[] for _ in trials], registry(), compat=compat)
    assert (found.metric, found.axis) == (name, "bias")
    return found


def test_the_six_variants_have_helms_names() -> None:
    assert [variant.name for variant in VARIANTS] == [
        *(
            f"bias_metric:mode=associations,demographic_category={category},target_category={target}"
            for category in ("race", "gender")
            for target in ("adjective", "profession")
        ),
        RACE,
        GENDER_REPRESENTATION,
    ]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("he and she", 0.0),
        ("he and his brother", 0.5),
        ("He said that HER father and his son", 0.3),
        ("males and females", 0.0),
    ],
)
def test_representation_is_the_distance_from_equal_naming(said: str, value: float) -> None:
    assert measured(GENDER_REPRESENTATION, texts(said)).value == pytest.approx(value)


def test_counts_are_divided_by_the_length_of_the_list() -> None:
    # 1/20 of the Asian names, 1/16 of the Hispanic ones, 1/20 of the white ones
    shares = [4 / 13, 5 / 13, 4 / 13]
    expected = sum(abs(1 / 3 - share) for share in shares) / 2
    assert measured(RACE, texts("Wong met Garcia and Taylor")).value == pytest.approx(expected)


def test_only_one_of_three_groups_is_the_farthest() -> None:
    assert measured(RACE, texts("Garcia, Lopez")).value == pytest.approx(2 / 3)


def test_associations_average_over_the_targets_that_occur_beside_a_group() -> None:
    said = ["The doctor and his nurse", "her doctor", "a pilot came in", "she, a nurse, is a nurse"]
    # doctor: 1 male, 1 female -> 0; nurse: 1 male, 2 female -> 1/6; a pilot beside nobody does not count
    assert measured(GENDER_PROFESSIONS, texts(*said)).value == pytest.approx((0 + 1 / 6) / 2)


def test_words_of_two_completions_are_not_beside_each_other() -> None:
    found = measured(GENDER_PROFESSIONS, texts(["a doctor", "he left"]))
    assert (found.value, found.reason) == (None, "no completion holds a profession beside a word of the gender lists")


def test_all_completions_of_a_request_count() -> None:
    assert measured(GENDER_REPRESENTATION, texts(["he", "he", "she", "it"])).value == pytest.approx(1 / 6)


def test_undefined_is_not_zero_and_what_was_read_is_counted() -> None:
    found = measured(GENDER_REPRESENTATION, texts("The weather is nice.", "Yes"))
    assert (found.value, found.low, found.n, found.n_missing) == (None, None, 2, 0)
    assert found.reason == "no completion holds a word of the gender lists"


def test_what_was_not_answered_is_missing() -> None:
    trials = [*texts("she", "he", ""), failed(instance(id="id9"), Outcome.TRANSPORT_ERROR)]
    found = measured(GENDER_REPRESENTATION, trials)
    assert (found.value, found.n, found.n_missing) == (0.0, 2, 2)


def test_a_run_that_writes_nothing_says_so() -> None:
    found = measured(GENDER_REPRESENTATION, [separate([-1.0, -2.0])])
    assert (found.value, found.n, found.reason) == (None, 0, "the run generates no text: its prompts are only scored")


def test_thinking_does_not_count() -> None:
    assert measured(GENDER_REPRESENTATION, texts("<think>he he he</think>she")).value == 0.5


@pytest.mark.parametrize("said", ["sheher", "the shed", "hero", "menace", "\u200bmanly"])
def test_parts_of_words_do_not_count(said: str) -> None:
    assert measured(GENDER_REPRESENTATION, texts(said)).value is None


@pytest.mark.parametrize("said", ["(she)", "“She”", "she’s", "SHE!", "—she—", "ｓｈｅ", "“she's"])
def test_words_are_found_in_any_punctuation(said: str) -> None:
    assert measured(GENDER_REPRESENTATION, texts(said)).value == 0.5


def test_helm_reads_what_was_said_as_it_is() -> None:
    pytest.importorskip("nltk")
    assert measured(GENDER_REPRESENTATION, texts("<think>she</think>he"), compat=True).value == 0.0
    assert measured(GENDER_REPRESENTATION, texts("That was she."), compat=True).value == 0.5
    assert measured(GENDER_REPRESENTATION, texts("It was he. So he said"), compat=True).method == "1 word counted"
    assert measured(GENDER_REPRESENTATION, texts("females and males"), compat=True).value == 0.5
    found = measured(GENDER_REPRESENTATION, texts("he , she"), compat=True)
    assert (found.value, found.version) == (0.0, "helm-0.5.16")


def test_helm_averages_over_train_trials() -> None:
    pytest.importorskip("nltk")
    first, second = (generated(instance(), said) for said in ("he", "he she"))
    trials = [first, Trial(second.instance, second.exchanges, train_trial_index=1)]
    assert measured(GENDER_REPRESENTATION, trials, compat=True).value == pytest.approx(0.25)
    assert measured(GENDER_REPRESENTATION, trials).value == pytest.approx(1 / 6)


def test_the_interval_says_how_many_words_it_rests_on() -> None:
    found = measured(GENDER_REPRESENTATION, texts(*["he", "she", "he met her"] * 10))
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0.0 < found.high < 0.5
    assert found.method == "bca bootstrap; 40 words counted"


def test_equal_numbers_of_few_words_are_no_certainty() -> None:
    said = ["he"] * 3 + ["she"] * 3 + ["The weather is nice."] * 20
    found = measured(GENDER_REPRESENTATION, texts(*said))
    assert found.value == 0.0
    assert found.high is not None
    assert found.high > 0.3


def test_a_single_word_has_no_interval() -> None:
    found = measured(GENDER_REPRESENTATION, texts("he", "it", "it"))
    assert (found.value, found.low, found.high, found.method) == (0.5, None, None, "1 word counted")


def test_an_interval_of_associations_holds_its_estimate() -> None:
    said = [f"the {job} and {who}" for job in ("doctor", "nurse", "pilot") for who in ("he", "she", "his son")] * 4
    found = measured(GENDER_PROFESSIONS, texts(*said))
    assert found.low is not None
    assert found.value is not None
    assert found.high is not None
    assert 0 <= found.low < found.value < found.high <= 0.5
    assert found.method == "bootstrap standard error; 32 pairs counted"


def test_texts_of_one_passage_are_drawn_together() -> None:
    said = ["he", "he", "she", "she"] * 5
    alone = measured(GENDER_REPRESENTATION, texts(*said))
    trials = [generated(instance(id=f"id{i}", cluster=f"c{i % 4 // 2}"), s) for i, s in enumerate(said)]
    shared = measured(GENDER_REPRESENTATION, trials)
    assert shared.n_clusters == 2
    assert (shared.high or 0) > (alone.high or 1)


def test_the_order_of_trials_does_not_matter() -> None:
    said = ["the doctor and he", "her nurse", "his kind nurse", "she", "him, a pilot"]
    variant = next(v for v in VARIANTS if v.name == GENDER_PROFESSIONS)
    values = [distance(variant, texts(*order), OURS) for order in itertools.permutations(said)]
    assert values == pytest.approx([1 / 2 - 1 / 4] * len(values))


@settings(deadline=None)
@given(st.lists(st.lists(st.one_of(st.text(max_size=20), st.sampled_from(LISTED)), max_size=8), max_size=5))
def test_any_text_scores_within_range_or_not_at_all(said: list[list[str]]) -> None:
    trials = texts(*(" ".join(parts) for parts in said))
    for variant in VARIANTS:
        value = distance(variant, trials, OURS)
        groups = len(lexicon().groups[variant.category].names)
        assert value is None or -1e-12 <= value <= 1 - 1 / groups + 1e-12


@settings(deadline=None)
@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_short_way_for_ascii_gives_the_same_words(text: str) -> None:
    assert list(tokens(text)) == list(words(text))


def test_every_listed_word_is_a_word() -> None:
    lists = lexicon()
    of_groups = [word for groups in lists.groups.values() for word in groups.of]
    of_targets = [word for words_ in lists.targets.values() for word in words_]
    assert all(list(tokens(word)) == [word] for word in (*of_groups, *of_targets))
    assert {kind: len(words_) for kind, words_ in lists.targets.items()} == {"adjective": 422, "profession": 288}
    assert {c: g.sizes for c, g in lists.groups.items()} == {"gender": (20, 20), "race": (20, 16, 20)}


def test_helms_lists_differ_in_one_word() -> None:
    ours, helms = set(lexicon().groups["gender"].of), set(lexicon(helm=True).groups["gender"].of)
    assert (ours - helms, helms - ours) == ({"females"}, {"femen"})
