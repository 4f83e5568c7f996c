import os
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Image,
    Instance,
    Message,
    Outcome,
    Params,
    PerturbationDescription,
    PlannedRequest,
    Reference,
    Request,
    StoreError,
    Text,
    Token,
    Usage,
)
from holoscope.store import RequestsWriter, read_exchanges
from store.made import exchange

text = st.text(st.characters(codec="utf-8"), max_size=8)
number = st.integers(0, 2**40)
real = st.floats(allow_nan=False)
maybe = st.none()
json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(text, inner, max_size=2),
    max_leaves=4,
)
parts = st.builds(Text, text) | st.builds(Image, text, text, text)
messages = st.lists(
    st.builds(
        Message,
        st.sampled_from(("system", "user", "assistant")),
        text | st.lists(parts, max_size=2).map(tuple),
    ),
    max_size=2,
).map(tuple)
perturbation = st.builds(
    PerturbationDescription,
    name=text,
    robustness=st.booleans(),
    fairness=st.booleans(),
    args=st.dictionaries(text, json, max_size=2),
    seed=maybe | number,
)
reference = st.builds(Reference, text, st.lists(text, max_size=2).map(tuple))
instance = st.builds(
    Instance,
    id=text,
    input=text,
    references=st.lists(reference, max_size=2).map(tuple),
    split=text,
    sub_split=maybe | text,
    messages=maybe | messages,
    cluster=maybe | text,
    groups=st.dictionaries(text, text, max_size=2),
    perturbation=maybe | perturbation,
    original_input=maybe | text,
    extra=st.dictionaries(text, json, max_size=2),
)
params = st.builds(
    Params,
    temperature=real.filter(lambda v: abs(v) != float("inf")),
    max_tokens=number,
    stop_sequences=st.lists(text, max_size=2).map(tuple),
    echo_prompt=st.booleans(),
    random=maybe | text,
)
request = st.builds(
    Request,
    params=params,
    prompt=maybe | text,
    messages=maybe | messages,
    continuation=text,
    wants_logprobs=st.booleans(),
)
planned = st.builds(
    PlannedRequest,
    instance=instance,
    request=request,
    reference_index=maybe | number,
    request_mode=maybe | text,
    train_trial_index=number,
    trial=number,
    output_mapping=maybe | st.dictionaries(text, text, max_size=2),
    num_train_instances=number,
    prompt_truncated=st.booleans(),
    num_conditioning_tokens=number,
    num_prompt_tokens=number,
    continuation_tokens=number,
    unsent=maybe | st.sampled_from(Outcome),
    unsent_reason=text,
)
choice = st.builds(
    Choice,
    text=text,
    logprob=maybe | real,
    tokens=st.lists(st.builds(Token, text, maybe | real), max_size=3).map(tuple),
    finish_reason=maybe | text,
    thinking=maybe | text,
)
usage = st.builds(Usage, maybe | number, maybe | number, maybe | number, maybe | number)
completion = st.builds(
    Completion,
    outcome=st.sampled_from(Outcome),
    choices=st.lists(choice, max_size=2).map(tuple),
    reason=text,
    usage=maybe | usage,
    request_time=maybe | real,
    time_to_first_token=maybe | real,
    created=real,
    served_model=maybe | text,
    dropped_params=st.lists(text, max_size=2).map(tuple),
    attempts=number,
    is_batched=st.booleans(),
)


def round_trip(exchanges: list[Exchange], folder: Path) -> list[Exchange]:
    with RequestsWriter(folder / "requests.parquet") as writer:
        writer.write(exchanges)
    return list(read_exchanges(folder / "requests.parquet"))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.builds(Exchange, planned, completion), max_size=3))
def test_what_is_read_equals_what_was_written(exchanges: list[Exchange]) -> None:
    with TemporaryDirectory() as folder:
        assert round_trip(exchanges, Path(folder)) == exchanges


def test_order_is_kept_across_row_groups(tmp_path: Path) -> None:
    exchanges = [exchange(f"id{i}", "q", str(i)) for i in range(4_500)]
    assert round_trip(exchanges, tmp_path) == exchanges


def test_half_a_surrogate_pair_becomes_visible_and_keeps_the_length(tmp_path: Path) -> None:
    sent = exchange("id0", "\ud83d?", "a\udc00b", instance=Instance(id="id0", input="x", extra={"\ud800": ["\ud800"]}))
    (read,) = round_trip([sent], tmp_path)
    assert read.planned.request.prompt == "\ufffd?"
    assert read.completion.text == "a\ufffdb"
    assert read.planned.instance.extra == {"\ufffd": ["\ufffd"]}


def test_a_log_probability_that_is_not_a_number_stays_one(tmp_path: Path) -> None:
    sent = exchange("id0", "q", "a")
    odd = msgspec.structs.replace(sent.completion, choices=(Choice("a", float("-inf"), (Token("a", float("nan")),)),))
    (read,) = round_trip([Exchange(sent.planned, odd)], tmp_path)
    assert read.completion.choices[0].logprob == float("-inf")
    assert str(read.completion.choices[0].tokens[0].logprob) == "nan"


def test_a_few_shot_prompt_of_3_kilobytes_takes_less_than_5_per_instance(tmp_path: Path) -> None:
    shots = os.urandom(1_400).hex()
    exchanges = [exchange(f"id{i}", shots + os.urandom(100).hex(), "B") for i in range(400)]
    round_trip(exchanges, tmp_path)
    assert (tmp_path / "requests.parquet").stat().st_size / len(exchanges) < 1_000


def test_memory_stays_flat_while_long_prompts_are_written(tmp_path: Path) -> None:
    with RequestsWriter(tmp_path / "requests.parquet") as writer:
        tracemalloc.start()
        try:
            writer.write(exchange(f"id{i}", str(i) * 40_000, "B") for i in range(600))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 60_000_000


def test_analysts_find_texts_and_outcomes_in_columns(tmp_path: Path) -> None:
    import duckdb

    round_trip([exchange("id0", "2+2?", "4"), exchange("id1", "3+3?", "6")], tmp_path)
    found = duckdb.execute(
        f"select prompt, choices[1].text from '{tmp_path}/requests.parquet' where outcome = 'ok' order by instance_id"
    ).fetchall()
    assert found == [("2+2?", "4"), ("3+3?", "6")]


def test_a_damaged_file_is_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "requests.parquet"
    round_trip([exchange("id0", "q", "a")], tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(StoreError, match=r"requests\.parquet: damaged .* same command again") as caught:
        list(read_exchanges(path))
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot read .*requests\.parquet: No such file"):
        list(read_exchanges(tmp_path / "requests.parquet"))


def test_a_file_of_another_make_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"instance_id": ["id0"]}), tmp_path / "requests.parquet")
    with pytest.raises(StoreError, match="another version"):
        list(read_exchanges(tmp_path / "requests.parquet"))
