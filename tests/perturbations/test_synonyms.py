"""Synonyms: from WordNet where it is, in the commonest sense, article and plural kept; else a line that says how."""

import zipfile
from pathlib import Path

import pytest

from holoscope.core import DataError, Instance, Settings
from holoscope.perturbations import WordMap, augment, load_lexicons
from holoscope.perturbations.wordnet import synonyms
from perturbations.perturbing import registry, spec_for

LICENCE = "  1 This database is made for tests.\n  2 WordNet 9.9 Copyright.\n"
INDEX = {
    "noun": "car n 2 1 @ 2 1 00000001 00000002  \nbank n 1 1 @ 1 1 00000003  \nprize n 1 1 @ 1 1 00000004  \n"
    "berlin n 1 1 @ 1 1 00000005  \nyear n 1 1 @ 1 1 00000001  \n",
    "verb": "bank v 1 0 1 1 00000001  \n",
    "adj": "big a 1 3 & ! ^ 1 1 00000001  \nquick a 1 1 & 1 0 00000002  \n",
    "adv": "",
}
DATA_FILES = {
    "noun": "00000001 06 n 03 car 0 auto 0 motor_car 0 000 | vehicle\n00000002 06 n 02 car 0 carriage 0 000 | a part\n"
    "00000003 06 n 02 bank 0 depository 0 000 | money\n00000004 06 n 02 prize 0 award 0 000 | won\n"
    "00000005 15 n 02 Berlin 0 German_capital 0 000 | a city\n",
    "verb": "00000001 41 v 02 bank 0 deposit 0 000 01 + 08 00 | money\n",
    "adj": "00000001 00 a 02 big 0 large(p) 0 000 | of size\n00000002 00 s 02 quick 0 fast 0 000 | of speed\n",
    "adv": "",
}
COUNTS = (
    "bank%1:14:00:: 1 10\nbank%2:40:00:: 1 9\nbig%3:00:01:: 1 50\ncar%1:06:00:: 1 71\nprize%1:21:00:: 1 3\n"
    "quick%5:00:00:fast:00 1 2\n"
)


def files() -> dict[str, str]:
    made = {f"index.{pos}": LICENCE + INDEX[pos] for pos in INDEX}
    return made | {f"data.{pos}": LICENCE + DATA_FILES[pos] for pos in DATA_FILES} | {"cntlist.rev": COUNTS}


def put(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def here(tmp_path: Path, **environ: str) -> Settings:
    return Settings(tmp_path / "cache", tmp_path, offline=True, environ=environ)


def perturbed(tmp_path: Path, text: str, prob: float = 1.0) -> str:
    spec = spec_for("synonym", prob=prob)
    lexicons = load_lexicons(spec, registry(), here(tmp_path), compat=False)
    return augment([Instance(id="id0", input=text)], spec, registry(), lexicons=lexicons, compat=False)[0].input


def test_synonyms_are_those_of_the_commonest_sense(tmp_path: Path) -> None:
    put(tmp_path / "wordnet")
    found = synonyms(here(tmp_path), ())
    assert found.entries == {"car": ("auto",), "prize": ("award",), "big": ("large",), "quick": ("fast",)}
    assert found.name.startswith("WordNet 9.9 (sha256 ")


def test_a_word_of_two_parts_of_speech_has_none(tmp_path: Path) -> None:
    put(tmp_path / "wordnet")
    assert "bank" not in synonyms(here(tmp_path), ()).entries


@pytest.mark.parametrize("variable", ["NLTK_DATA", "HOME"])
def test_nltks_download_is_found_zipped_as_it_is(tmp_path: Path, variable: str) -> None:
    root = tmp_path / "other" / ("" if variable == "NLTK_DATA" else "nltk_data")
    (root / "corpora").mkdir(parents=True)
    with zipfile.ZipFile(root / "corpora" / "wordnet.zip", "w") as archive:
        for name, text in files().items():
            archive.writestr(f"wordnet/{name}", text)
    assert len(synonyms(here(tmp_path, **{variable: str(tmp_path / "other")}), ()).entries) == 4


def test_debians_package_is_found(tmp_path: Path) -> None:
    assert len(synonyms(here(tmp_path), (put(tmp_path / "share"),)).entries) == 4


def test_without_wordnet_one_line_says_what_to_type(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"apt-get install wordnet-base, or .*, or put its files \(.*\) into ") as error:
        synonyms(here(tmp_path), ())
    assert "\n" not in str(error.value)


def test_damaged_files_are_an_error(tmp_path: Path) -> None:
    (put(tmp_path / "wordnet") / "index.noun").write_text("car n\n", encoding="utf-8")
    with pytest.raises(DataError, match="can't read WordNet's files"):
        synonyms(here(tmp_path), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("big car", "large auto"),
        ("cars and prizes.", "cars and awards."),
        ("a car", "a car"),
        ("the car, an auto", "the auto, an auto"),
        ("Car, CAR, car's, half-car, cart", "Car, CAR, car's, half-car, cart"),
        ("this year", "this year"),
    ],
)
def test_words_keep_article_number_and_edges(tmp_path: Path, text: str, expected: str) -> None:
    put(tmp_path / "wordnet")
    assert perturbed(tmp_path, text) == expected


def test_probability_zero_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path / "wordnet")
    assert perturbed(tmp_path, "big car", 0) == "big car"


def test_a_users_own_list_comes_before_wordnet(tmp_path: Path) -> None:
    put(tmp_path / "wordnet")
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "synonyms.json").write_text('{"big": ["huge"]}', encoding="utf-8")
    spec = spec_for("synonym", prob=1.0)
    found = load_lexicons(spec, registry(), here(tmp_path), compat=False).find("synonyms", {})
    assert isinstance(found, WordMap)
    assert found.entries == {"big": ("huge",)}
    assert perturbed(tmp_path, "big car") == "huge car"
