"""Where a word list comes from, under which name, and what is said where it can't be had."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from holoscope.core import AugmentationSpec, DataError, Instance, PerturbationSpec, Settings
from holoscope.perturbations import WordMap, augment, load_lexicons, misspelling_list
from holoscope.perturbations.sources import MISSPELLINGS
from paths import DATA, needs_data
from perturbations.perturbing import NOWHERE, lexicons_for, registry, spec_for

DIALECT: Any = {"prob": 1.0, "source_class": "SAE", "target_class": "AAVE"}
GENDER: Any = {"mode": "terms", "prob": 1.0, "source_class": "cat", "target_class": "dog"}


def put(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def unreachable(url: str) -> bytes:
    raise OSError("no route to host")


def test_offline_our_own_misspellings_are_used_and_named() -> None:
    found = misspelling_list(NOWHERE)
    assert found.name == "holoscope"
    assert len(found.entries) >= 150


def test_our_own_misspellings_are_no_words_of_the_list() -> None:
    entries = misspelling_list(NOWHERE).entries
    assert not {wrong for options in entries.values() for wrong in options} & set(entries)


def test_an_unreachable_server_means_our_own_list(tmp_path: Path) -> None:
    assert misspelling_list(Settings(tmp_path), fetch=unreachable).name == "holoscope"


def test_another_list_than_the_pinned_one_is_not_taken_from_the_network(tmp_path: Path) -> None:
    assert misspelling_list(Settings(tmp_path), fetch=lambda url: b'{"a": ["b"]}').name == "holoscope"
    assert not (tmp_path / MISSPELLINGS).exists()


def test_under_compat_a_missing_list_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"misspelling list is not at .* \(no route to host\); put https://") as error:
        misspelling_list(Settings(tmp_path), compat=True, fetch=unreachable)
    assert "\n" not in str(error.value)


def test_under_compat_nothing_is_fetched_offline(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"can't be fetched \(offline\)"):
        misspelling_list(Settings(tmp_path, offline=True), compat=True, fetch=lambda url: pytest.fail(url))


def test_under_compat_another_list_is_refused(tmp_path: Path) -> None:
    put(tmp_path, MISSPELLINGS, '{"a": ["b"]}')
    with pytest.raises(DataError, match="is not HELM's misspelling list: its sha256 is"):
        misspelling_list(Settings(tmp_path), compat=True)


def test_a_users_own_list_is_named_by_its_content(tmp_path: Path) -> None:
    content = '{"a": ["b"]}'
    put(tmp_path, MISSPELLINGS, content)
    sha256 = hashlib.sha256(content.encode()).hexdigest()
    found = misspelling_list(Settings(Path("/nonexistent"), tmp_path, offline=True))
    assert found.name == f"correct_to_misspelling.json (sha256 {sha256[:12]})"


def test_a_malformed_list_is_an_error(tmp_path: Path) -> None:
    put(tmp_path, MISSPELLINGS, "[1, 2]")
    with pytest.raises(DataError, match="is not a list of misspellings"):
        misspelling_list(Settings(tmp_path))


@needs_data
def test_a_fetched_list_is_kept_in_the_cache(tmp_path: Path) -> None:
    data = (DATA / MISSPELLINGS).read_bytes()
    fetched = misspelling_list(Settings(tmp_path), fetch=lambda url: data)
    kept = misspelling_list(Settings(tmp_path, offline=True), compat=True)
    assert fetched.name == kept.name == "crfm-helm 0.5.16 (sha256 2f8e118895e5)"
    assert fetched.entries == kept.entries


@needs_data
def test_a_cache_that_cannot_be_written_is_no_obstacle() -> None:
    data = (DATA / MISSPELLINGS).read_bytes()
    found = misspelling_list(Settings(Path("/dev/null/cache")), compat=True, fetch=lambda url: data)
    assert len(found.entries) == 6523


@needs_data
def test_the_data_directory_comes_before_the_cache(tmp_path: Path) -> None:
    put(tmp_path, MISSPELLINGS, '{"a": ["b"]}')
    assert misspelling_list(Settings(tmp_path, DATA)).name.startswith("crfm-helm")


def test_only_the_lists_that_are_needed_are_read() -> None:
    everything = AugmentationSpec(perturbations=(PerturbationSpec("lowercase"), PerturbationSpec("dialect", DIALECT)))
    assert lexicons_for(everything).names == {"dialect": "holoscope"}


def test_helms_own_copies_are_found_in_the_data_directory(tmp_path: Path) -> None:
    put(tmp_path, "lexicons/SAE_to_AAVE_mapping.json", '{"hello": ["yo"]}')
    put(tmp_path, "lexicons/person_names.txt", "Ann,first_name,race,green\n")
    spec = AugmentationSpec(
        perturbations=(PerturbationSpec("dialect", DIALECT), PerturbationSpec("person_name")), augment_eval=True
    )
    names = load_lexicons(spec, registry(), Settings(NOWHERE.cache_dir, tmp_path), compat=False).names
    assert names["dialect"].startswith("SAE_to_AAVE_mapping.json (sha256 ")
    assert names["names"].startswith("person_names.txt (sha256 ")


def test_a_file_that_the_arguments_name_is_used(tmp_path: Path) -> None:
    path = put(tmp_path, "mine.json", '{"hello": ["yo"]}')
    args = DIALECT | {"target_class": "mine", "mapping_file_path": str(path)}
    found = lexicons_for(spec_for("dialect", **args)).find("dialect", args)
    assert isinstance(found, WordMap)
    assert found.candidates("HELLO") == ("yo",)


def test_own_gender_rows_need_the_name_of_each_column(tmp_path: Path) -> None:
    path = put(tmp_path, "pets.json", json.dumps([["cat", "dog"]]))
    with pytest.raises(DataError, match="mapping_file_genders must name the gender of each column"):
        lexicons_for(spec_for("gender", **GENDER, mapping_file_path=str(path)))


def test_own_gender_rows_are_used(tmp_path: Path) -> None:
    path = put(tmp_path, "pets.json", json.dumps([["kitten", "Puppy"]]))
    spec = spec_for("gender", **GENDER, mapping_file_path=str(path), mapping_file_genders=["cat", "dog"])
    made = augment([Instance(id="a", input="Kitten")], spec, registry(), lexicons=lexicons_for(spec), compat=False)
    assert made[0].input == "Puppy"


def test_a_missing_file_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"can't read the word list .*none.json: No such file or directory"):
        lexicons_for(spec_for("dialect", **DIALECT, mapping_file_path=str(tmp_path / "none.json")))


@needs_data
def test_the_carried_lists_are_those_of_the_golden_files() -> None:
    with_data = Settings(NOWHERE.cache_dir, DATA, offline=True)
    spec = AugmentationSpec(perturbations=(PerturbationSpec("dialect", DIALECT), PerturbationSpec("person_name")))
    carried, published = (load_lexicons(spec, registry(), s, compat=True).lists for s in (NOWHERE, with_data))
    own, theirs = carried["dialect", ""], published["dialect", ""]
    assert isinstance(own, WordMap)
    assert isinstance(theirs, WordMap)
    assert list(own.entries.items()) == list(theirs.entries.items())
    assert getattr(carried["names", ""], "rows") == getattr(published["names", ""], "rows")  # noqa: B009
