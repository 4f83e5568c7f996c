"""Texts to be scored as they are: which ones, and what of their files is text."""

from pathlib import Path

import pytest

from holoscope.core import DataError, Json, UsageError
from holoscope.scenarios.ice import ice
from holoscope.scenarios.ice_text import plain
from paths import DATA, needs_data
from scenarios.made import load, write_rows
from scenarios.upstream import write_json, write_text

ARTICLE = " \n = Oak = \n \n A tree. \n \n = = Use = = \n \n Wood. \n"


def texts(tmp_path: Path, name: str, **args: str) -> list[str]:
    return [instance.input for instance in load(tmp_path, name, tmp_path, **args)]


def test_an_article_of_wikitext_begins_at_its_title(tmp_path: Path) -> None:
    write_text(tmp_path / "wikitext_103/wikitext-103-raw/wiki.test.raw", f"{ARTICLE}{ARTICLE.replace('Oak', 'Elm')}")
    assert texts(tmp_path, "wikitext_103") == [ARTICLE, ARTICLE.replace("Oak", "Elm")]


def test_what_stands_before_the_first_title_is_a_text_too(tmp_path: Path) -> None:
    write_text(tmp_path / "wikitext_103/wikitext-103-raw/wiki.test.raw", f" Lost. \n{ARTICLE}")
    assert texts(tmp_path, "wikitext_103") == [" Lost. \n", ARTICLE]


@needs_data
def test_wikitext_has_sixty_articles(tmp_path: Path) -> None:
    assert len(load(tmp_path, "wikitext_103", DATA)) == 60


def test_a_tweet_is_a_row(tmp_path: Path) -> None:
    write_text(tmp_path / "twitter_aae/aa_tweets.csv", 'we out\n"so, ""good"""\n')
    assert texts(tmp_path, "twitter_aae", demographic="aa") == ["we out", 'so, "good"']


def test_a_row_without_a_tweet_is_named(tmp_path: Path) -> None:
    write_text(tmp_path / "twitter_aae/white_tweets.csv", 'fine\n""\n')
    with pytest.raises(DataError, match=r"white_tweets\.csv:2: expected a tweet"):
        texts(tmp_path, "twitter_aae", demographic="white")


def pile(tmp_path: Path, *documents: tuple[str, str]) -> None:
    rows: list[Json] = [{"text": text, "meta": {"pile_set_name": kind}} for kind, text in documents]
    write_rows(tmp_path / "the_pile/test.jsonl", *rows)


def test_the_pile_takes_upstreams_share_of_a_kind(tmp_path: Path) -> None:
    pile(tmp_path, ("ArXiv", "a0"), ("Github", "g0"), ("ArXiv", "a1"), ("ArXiv", "a2"))
    write_json(tmp_path / "the_pile/test_subsample_indices/arxiv/group0.json", [2, 0, 2])
    assert texts(tmp_path, "the_pile", subset="ArXiv") == ["a0", "a2"]


def test_a_small_kind_of_the_pile_is_whole(tmp_path: Path) -> None:
    pile(tmp_path, ("PhilPapers", "p\r\nq\rr"), ("ArXiv", "a"))
    assert texts(tmp_path, "the_pile", subset="PhilPapers") == ["p\nq\nr"]


def test_the_pile_is_read_from_its_packed_file(tmp_path: Path) -> None:
    import pyarrow as pa

    pile(tmp_path, ("Ubuntu IRC", "hi"), ("Ubuntu IRC", "bye"))
    plain_file, packed = tmp_path / "the_pile/test.jsonl", tmp_path / "the_pile/test.jsonl.zst"
    with pa.output_stream(str(packed), compression="zstd") as stream:
        stream.write(plain_file.read_bytes())
    plain_file.unlink()
    assert texts(tmp_path, "the_pile", subset="Ubuntu IRC") == ["hi", "bye"]


def test_a_damaged_packed_file_is_an_error(tmp_path: Path) -> None:
    write_text(tmp_path / "the_pile/test.jsonl.zst", "not zstd")
    with pytest.raises(DataError, match="not JSON Lines packed with zstd"):
        texts(tmp_path, "the_pile", subset="Ubuntu IRC")


def test_the_pile_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not fetched: the Pile was taken down at the request of its works' owners"):
        texts(tmp_path, "the_pile", subset="BookCorpus2")


def corpus(tmp_path: Path, folder: str, **files: str) -> None:
    for name, text in files.items():
        write_text(tmp_path / "ice" / folder / f"{name.replace('__', '/').replace('_', '-')}.txt", text)


def test_ice_reads_the_texts_of_a_corpus_by_name(tmp_path: Path) -> None:
    corpus(tmp_path, "ICE-CAN/Corpus", W1A_001="Dear <I>Jo</I>", S1A_001="<$A> <#> Hi <,> there")
    assert texts(tmp_path, "ice", subset="can") == ["<$A> Hi, there", "Dear Jo"]


def test_ice_keeps_to_a_category(tmp_path: Path) -> None:
    corpus(tmp_path, "ICE-JA/corpus", W1A_001="letter", W2A_001="paper", S1A_001="talk")
    assert texts(tmp_path, "ice", subset="ja", category="W2") == ["paper"]
    assert texts(tmp_path, "ice", subset="ja", category="W") == ["letter", "paper"]


def test_ice_follows_helms_order_of_files_where_it_is_there(tmp_path: Path) -> None:
    corpus(tmp_path, "ICE-HK/Corpus", S1A_001="one", S1A_002="two")
    order: Json = {"restricted/ice/ICE-HK/Corpus": ["S1A-002.txt", "S1A-001.txt"]}
    write_json(tmp_path / "ice/ice_scenario_pinned_file_order.json", order)
    assert texts(tmp_path, "ice", subset="hk") == ["two", "one"]


def test_texts_of_east_africa_share_files(tmp_path: Path) -> None:
    folder = "ICE-EA/corpus/retagged for wsmith/all east africa"
    corpus(tmp_path, folder, **{"br_discK": "S1B001K\none\nS1B002T\ntwo", "columnT": "W2E001T\nthree"})
    assert texts(tmp_path, "ice", subset="ea", category="S1") == ["one", "two"]
    assert texts(tmp_path, "ice", subset="ea", category="W2") == ["three"]


def test_a_file_of_east_africa_of_no_known_kind_is_named(tmp_path: Path) -> None:
    corpus(tmp_path, "ICE-EA/corpus/retagged for wsmith/all east africa", otherK="W2E001K\nx")
    with pytest.raises(DataError, match=r"otherK\.txt is of no known kind of text"):
        texts(tmp_path, "ice", subset="ea", category="S1")


def test_ice_reads_genders_from_headers(tmp_path: Path) -> None:
    corpus(tmp_path, "ICE India/Corpus", s1a_001="hers", s1a_002="theirs", s1a_003="nobody's")
    said = {"S1A-001": ("F",), "S1A-002": ("F", "M"), "S1A-003": ()}
    for code, genders in said.items():
        header = "".join(f"<gender>{gender}</gender>" for gender in genders)
        write_text(tmp_path / f"ice/ICE India/Headers/{code}.hdr", header)
    assert texts(tmp_path, "ice", subset="ind", gender="female") == ["hers"]


def test_ice_reads_genders_from_a_table_saved_as_csv(tmp_path: Path) -> None:
    corpus(tmp_path, "ICE-HK/Corpus", S1A_001="his", S1A_002="hers")
    cells = ["x"] * 15
    lines = (",".join(["text", *cells, "sex"]), ",".join(["S1A-001", *cells, "M"]), ",".join(["S1A-002", *cells, "F"]))
    write_text(tmp_path / "ice/ICE-HK/Headers/HKRecords.csv", "\n".join(lines))
    assert texts(tmp_path, "ice", subset="hk", gender="male") == ["his"]


def test_ice_says_how_to_save_a_table(tmp_path: Path) -> None:
    corpus(tmp_path, "ICE-HK/Corpus", S1A_001="his")
    with pytest.raises(DataError, match=r"save HKRecords\.xls as CSV under that name"):
        texts(tmp_path, "ice", subset="hk", gender="male")


def test_a_corpus_that_names_no_gender_is_refused_for_one() -> None:
    with pytest.raises(UsageError, match="ice:subset=phi does not say the gender of its writers"):
        ice(subset="phi", gender="male")


def test_a_corpus_comes_from_its_licensee_alone(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the corpora are licensed to persons"):
        texts(tmp_path, "ice", subset="sin")


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("<O>cough</O>well", "well"),
        ("a<-> b</-> c", "a c"),
        ("lost</w> end", "lost end"),
        ("one\n \n\ntwo", "one\n\ntwo"),
        ("caf&eacute; <mention>x</mention>", 'café "x"'),
        ("<quote>as <it>is</it></quote>", "as is"),
    ],
)
def test_mark_up_is_taken_out(marked: str, said: str) -> None:
    assert plain(marked) == said
