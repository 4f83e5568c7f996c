import hashlib
import io
import re
import socket
import tarfile
import zipfile
from pathlib import Path

import pytest

from holoscope.core import DataError, Source
from holoscope.scenarios import check, open_files
from scenarios.made import host, scenario, settings

ROWS = b"rows of upstream\n"


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


def tarred(name: str, content: bytes, kind: bytes = tarfile.REGTYPE) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.type, info.size, info.linkname = kind, len(content), "/etc/hostname"
        archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def test_the_data_directory_is_looked_at_first(tmp_path: Path) -> None:
    put(tmp_path / "mine/toy/a.csv", b"mine")
    put(tmp_path / "cache/data/toy/a.csv", b"cached")
    files = open_files(scenario(Source(path="a.csv")), {}, settings(tmp_path, data_dir=tmp_path / "mine"))
    assert files.path("a.csv").read_bytes() == b"mine"


def test_the_cache_is_looked_at_next(tmp_path: Path) -> None:
    put(tmp_path / "cache/data/toy/a.csv", b"cached")
    files = open_files(scenario(Source(path="a.csv")), {}, settings(tmp_path, data_dir=tmp_path / "mine"))
    assert files.path("a.csv").read_bytes() == b"cached"


def test_a_missing_file_is_fetched_once(tmp_path: Path) -> None:
    with host({"/a.csv": ROWS}) as (address, seen):
        files = open_files(scenario(Source(path="deep/a.csv", url=f"{address}/a.csv")), {}, settings(tmp_path))
        assert files.path("deep/a.csv").read_bytes() == ROWS
        assert files.path("deep/a.csv").read_bytes() == ROWS
        assert seen == ["GET /a.csv"]


def test_offline_fetches_nothing_and_says_where_it_looked(tmp_path: Path) -> None:
    with host({"/a.csv": ROWS}) as (address, seen):
        given = settings(tmp_path, data_dir=tmp_path / "mine", offline=True)
        files = open_files(scenario(Source(path="a.csv", url=f"{address}/a.csv")), {}, given)
        with pytest.raises(DataError) as error:
            files.path("a.csv")
        assert seen == []
    assert str(tmp_path / "mine/toy/a.csv") in str(error.value)
    assert "offline" in str(error.value)
    assert "put it at DIR/toy/a.csv and add: --data-dir DIR" in str(error.value)


def test_a_gated_file_says_why(tmp_path: Path) -> None:
    source = Source(path="a.csv", url="http://127.0.0.1:1/a.csv", gated="its authors took it down")
    with pytest.raises(DataError, match="not fetched: its authors took it down"):
        open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")


def test_what_does_not_match_the_pin_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with host({"/a.csv": b"other rows"}) as (address, _):
        source = Source(path="a.csv", url=f"{address}/a.csv", sha256=hashlib.sha256(ROWS).hexdigest())
        with pytest.raises(DataError, match="has changed"):
            open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")
    assert list((tmp_path / "cache/data/toy").iterdir()) == []


def test_a_damaged_cache_is_fetched_again(tmp_path: Path) -> None:
    put(tmp_path / "cache/data/toy/a.csv", b"half a fi")
    with host({"/a.csv": ROWS}) as (address, _):
        source = Source(path="a.csv", url=f"{address}/a.csv", sha256=hashlib.sha256(ROWS).hexdigest())
        assert open_files(scenario(source), {}, settings(tmp_path)).path("a.csv").read_bytes() == ROWS


def test_the_users_own_copy_may_differ_from_the_pin(tmp_path: Path) -> None:
    put(tmp_path / "mine/toy/a.csv", b"mine")
    source = Source(path="a.csv", sha256=hashlib.sha256(ROWS).hexdigest())
    files = open_files(scenario(source), {}, settings(tmp_path, data_dir=tmp_path / "mine"))
    assert files.hashes() == {"a.csv": hashlib.sha256(b"mine").hexdigest()}


def test_a_download_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    with host({"/a.csv": ROWS}, cut=3) as (address, _):
        source = Source(path="a.csv", url=f"{address}/a.csv")
        with pytest.raises(DataError, match="14 of 17 bytes"):
            open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")
    assert list((tmp_path / "cache/data/toy").iterdir()) == []


def test_a_dead_address_is_an_error_that_names_it(tmp_path: Path) -> None:
    with host({}) as (address, _):
        source = Source(path="a.csv", url=f"{address}/a.csv")
        with pytest.raises(DataError, match=r"a\.csv: the server answered 404"):
            open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")


def test_a_host_that_is_not_found_is_named_with_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_found(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", not_found)
    source = Source(path="a.csv", url="http://data.invalid/a.csv")
    expected = r"could not reach data\.invalid \(http://data\.invalid/a\.csv\): Name or service not known"
    with pytest.raises(DataError, match=expected):
        open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")
    assert re.search(expected, str(check(scenario(source), {}, settings(tmp_path))))


def test_only_web_addresses_are_fetched(tmp_path: Path) -> None:
    put(tmp_path / "secret", b"secret")
    source = Source(path="a.csv", url=f"file://{tmp_path}/secret")
    with pytest.raises(DataError, match=r"not an http\(s\) address"):
        open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")


def test_a_source_cannot_lead_out_of_its_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="leads out of"):
        open_files(scenario(Source(path="../../a.csv")), {}, settings(tmp_path)).path("../../a.csv")


def test_a_zip_is_fetched_once_for_all_its_members(tmp_path: Path) -> None:
    with host({"/a.zip": zipped(in__a=b"A", in__b=b"B")}) as (address, seen):
        sources = [Source(path=f"x/{name}", url=f"{address}/a.zip", member=f"in/{name}") for name in "ab"]
        files = open_files(scenario(*sources), {}, settings(tmp_path))
        assert [files.path("x/a").read_bytes(), files.path("x/b").read_bytes()] == [b"A", b"B"]
        assert seen == ["GET /a.zip"]


def test_a_kept_archive_serves_further_members_offline(tmp_path: Path) -> None:
    with host({"/a.zip": zipped(a=b"A", b=b"B")}) as (address, _):
        sources = [Source(path=name, url=f"{address}/a.zip", member=name) for name in "ab"]
        open_files(scenario(*sources), {}, settings(tmp_path)).path("a")
    assert open_files(scenario(*sources), {}, settings(tmp_path, offline=True)).path("b").read_bytes() == b"B"


def test_a_cache_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    put(tmp_path / "cache/data", b"a file where a folder should be")
    with host({"/a.csv": ROWS}) as (address, _):
        source = Source(path="a.csv", url=f"{address}/a.csv")
        with pytest.raises(DataError, match="Not a directory"):
            open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")


def test_a_member_of_a_tar_is_extracted(tmp_path: Path) -> None:
    with host({"/a.tar": tarred("data/a.csv", ROWS)}) as (address, _):
        source = Source(path="a.csv", url=f"{address}/a.tar", member="data/a.csv")
        assert open_files(scenario(source), {}, settings(tmp_path)).path("a.csv").read_bytes() == ROWS


def test_a_link_in_a_tar_is_no_file(tmp_path: Path) -> None:
    with host({"/a.tar": tarred("data/a.csv", b"", tarfile.SYMTYPE)}) as (address, _):
        source = Source(path="a.csv", url=f"{address}/a.tar", member="data/a.csv")
        with pytest.raises(DataError, match=r"holds no data/a\.csv"):
            open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")


def test_a_page_in_place_of_an_archive_is_an_error(tmp_path: Path) -> None:
    with host({"/a.zip": b"<html>moved</html>"}) as (address, _):
        source = Source(path="a.csv", url=f"{address}/a.zip", member="a.csv")
        with pytest.raises(DataError, match="is damaged"):
            open_files(scenario(source), {}, settings(tmp_path)).path("a.csv")


def test_an_optional_member_that_the_archive_lacks_is_absent(tmp_path: Path) -> None:
    with host({"/a.zip": zipped(a=b"A")}) as (address, _):
        source = Source(path="b", url=f"{address}/a.zip", member="b", optional=True)
        assert not open_files(scenario(source), {}, settings(tmp_path)).has("b")


def test_an_optional_file_whose_address_fails_is_an_error(tmp_path: Path) -> None:
    with host({}) as (address, _):
        source = Source(path="b", url=f"{address}/b", optional=True)
        with pytest.raises(DataError, match="404"):
            open_files(scenario(source), {}, settings(tmp_path)).has("b")


def test_a_data_directory_decides_which_optional_files_there_are(tmp_path: Path) -> None:
    put(tmp_path / "mine/toy/a.csv", b"mine")
    with host({"/b.csv": ROWS}) as (address, seen):
        sources = (Source(path="a.csv"), Source(path="b.csv", url=f"{address}/b.csv", optional=True))
        files = open_files(scenario(*sources), {}, settings(tmp_path, data_dir=tmp_path / "mine"))
        assert not files.has("b.csv")
        assert seen == []


def test_a_data_directory_decides_also_against_the_cache(tmp_path: Path) -> None:
    put(tmp_path / "mine/toy/a.csv", b"mine")
    put(tmp_path / "cache/data/toy/b.csv", b"cached")
    sources = (Source(path="a.csv"), Source(path="b.csv", optional=True))
    assert not open_files(scenario(*sources), {}, settings(tmp_path, data_dir=tmp_path / "mine")).has("b.csv")


def test_check_asks_no_host_whose_archive_is_kept(tmp_path: Path) -> None:
    with host({"/a.zip": zipped(a=b"A", b=b"B")}) as (address, seen):
        sources = [Source(path=name, url=f"{address}/a.zip", member=name) for name in "ab"]
        open_files(scenario(*sources), {}, settings(tmp_path)).path("a")
        assert check(scenario(*sources), {}, settings(tmp_path)) is None
        assert seen == ["GET /a.zip"]


def test_check_passes_where_everything_is_local(tmp_path: Path) -> None:
    put(tmp_path / "cache/data/toy/a.csv", b"cached")
    sources = (Source(path="a.csv"), Source(path="b.csv", optional=True))
    assert check(scenario(*sources), {}, settings(tmp_path, offline=True)) is None


def test_check_asks_a_host_without_fetching(tmp_path: Path) -> None:
    with host({"/a.csv": ROWS}) as (address, seen):
        assert check(scenario(Source(path="a.csv", url=f"{address}/a.csv")), {}, settings(tmp_path)) is None
        assert seen == ["HEAD /a.csv"]


def test_check_accepts_a_host_that_refuses_head(tmp_path: Path) -> None:
    with host({"/a.csv": ROWS}, refuses_head=True) as (address, _):
        assert check(scenario(Source(path="a.csv", url=f"{address}/a.csv")), {}, settings(tmp_path)) is None


def test_check_names_the_scenario_the_cause_and_the_remedy(tmp_path: Path) -> None:
    with host({}) as (address, _):
        reason = check(scenario(Source(path="a.csv", url=f"{address}/a.csv")), {}, settings(tmp_path))
    assert reason is not None
    assert reason.startswith("toy: no a.csv")
    assert "404" in reason
    assert "--data-dir DIR" in reason


def test_check_says_what_offline_lacks(tmp_path: Path) -> None:
    source = Source(path="a.csv", url="http://127.0.0.1:1/a.csv")
    assert "offline" in str(check(scenario(source), {}, settings(tmp_path, offline=True)))
