from pathlib import Path

import msgspec
import pytest

from holoscope.core import StoreError
from holoscope.store import ModelSummary, provenance, public_url, read_manifest, write_manifest
from store.made import manifest, spec


def test_what_is_read_equals_what_was_written(tmp_path: Path) -> None:
    kept = manifest(data={"mmlu/test.csv": "ab" * 32}, notes=("a note",), status="incomplete", reason="stopped")
    write_manifest(tmp_path, kept)
    assert read_manifest(tmp_path) == kept


def test_credentials_in_a_url_never_reach_the_file(tmp_path: Path) -> None:
    url = "https://me:hunter2@example.org/v1?key=hunter3"
    write_manifest(tmp_path, manifest(model=ModelSummary(name="m", base_url=url, identity={"base_url": url})))
    written = (tmp_path / "run.json").read_text(encoding="utf-8")
    assert "hunter" not in written
    assert "https://example.org/v1" in written


def test_what_is_no_url_is_left_as_it_is() -> None:
    assert public_url("gguf@sha256?x") == "gguf@sha256?x"


def test_an_entry_that_was_not_utf_8_can_be_written(tmp_path: Path) -> None:
    write_manifest(tmp_path, manifest(run=spec(entry="gsm:model=\udcff")))
    assert read_manifest(tmp_path).spec.entry == "gsm:model=\ufffd"


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"[]", b"\xff\xfe"])
def test_a_damaged_manifest_is_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(StoreError, match=r"cannot read .*run\.json") as caught:
        read_manifest(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_manifest_of_a_newer_version_says_what_to_type(tmp_path: Path) -> None:
    write_manifest(tmp_path, msgspec.structs.replace(manifest(), schema_version=99))
    with pytest.raises(StoreError, match="pip install -U holoscope"):
        read_manifest(tmp_path)


def test_provenance_names_versions_and_neither_host_nor_folder(tmp_path: Path) -> None:
    made = provenance(tmp_path)
    assert made.packages["msgspec"] == msgspec.__version__
    assert made.git_commit is None
    assert str(tmp_path) not in msgspec.json.encode(made).decode()


def test_provenance_names_the_commit_of_the_users_folder(tmp_path: Path) -> None:
    import subprocess

    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    commit = provenance(tmp_path).git_commit
    assert commit is not None
    assert len(commit) == 40
