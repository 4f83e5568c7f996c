"""Opening a local model: names, options, and what is said where it can't be had."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import holoscope.models.local as local
from holoscope.core import FatalModelError, NotSupportedError, Params, Request, Settings, UnknownNameError, UsageError
from holoscope.models.local import _llama, _trust, open_model

needs_engine = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason='needs an extra: pip install "holoscope[local]"'
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", offline=True)


@pytest.fixture
def not_a_model(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.gguf"
    path.write_bytes(b"no weights here" * 100)
    return path


def test_importing_loads_neither_numpy_nor_the_engine() -> None:
    code = "import sys, holoscope.models.local; print(sorted({'numpy', 'xllamacpp', 'jinja2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_exported_names_are_sorted_and_there() -> None:
    assert list(local.__all__) == sorted(local.__all__, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(local, name) for name in local.__all__)


def test_an_unknown_name_suggests_the_nearest(settings: Settings) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'gemma-3-270m'"):
        open_model("local/gemma3-270m", settings)


def test_a_misspelt_option_suggests_the_right_one(settings: Settings) -> None:
    with pytest.raises(UsageError, match="did you mean 'window'"):
        open_model("smollm2-135m-instruct?windw=4", settings)


@pytest.mark.parametrize("option", ["window", "workers", "threads"])
def test_an_option_below_one_is_refused(settings: Settings, option: str) -> None:
    with pytest.raises(UsageError, match=f"{option} is at least 1"):
        open_model("smollm2-135m-instruct", settings, options={option: "0"})


def test_a_missing_file_is_named(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no file .*none\.gguf"):
        open_model(f"local/{tmp_path}/none.gguf", settings)


@needs_engine
async def test_a_file_that_is_no_model_is_fatal_in_one_line(settings: Settings, not_a_model: Path) -> None:
    model = open_model(f"local/{not_a_model}", settings)
    with pytest.raises(FatalModelError, match="cannot be read as a GGUF model") as caught:
        await model.generate(Request(Params(), prompt="Hi"))
    assert "\n" not in str(caught.value)
    await model.aclose()


@needs_engine
def test_the_identity_is_the_weights_the_build_and_the_window(settings: Settings, not_a_model: Path) -> None:
    identity = open_model(f"local/{not_a_model}?window=512", settings).identity
    assert sorted(identity) == ["engine", "weights", "window"]
    assert len(identity["weights"]) == 64
    assert identity["engine"].startswith("xllamacpp ")


@needs_engine
def test_the_identity_does_not_depend_on_where_the_file_lies(settings: Settings, not_a_model: Path) -> None:
    moved = not_a_model.with_name("moved.gguf")
    moved.write_bytes(not_a_model.read_bytes())
    assert open_model(f"{moved}", settings).identity == open_model(f"{not_a_model}", settings).identity


@needs_engine
@pytest.mark.parametrize("option", ["seed=3", "threads=2"])
def test_options_that_change_answers_are_in_the_identity(settings: Settings, not_a_model: Path, option: str) -> None:
    changed = open_model(f"{not_a_model}?{option}", settings).identity
    assert changed != open_model(f"{not_a_model}", settings).identity


@needs_engine
def test_workers_do_not_change_answers_nor_the_identity(settings: Settings, not_a_model: Path) -> None:
    one, four = (open_model(f"{not_a_model}?workers={count}", settings) for count in (1, 4))
    assert one.identity == four.identity
    assert (one.card.max_concurrency or 0) < (four.card.max_concurrency or 0)


@needs_engine
def test_an_unknown_build_that_fails_its_trial_is_refused_by_version(
    settings: Settings, not_a_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_trust, "KNOWN_BUILDS", frozenset[str]())
    with pytest.raises(NotSupportedError, match=r"xllamacpp .* cannot be used .* known to work"):
        _trust.check_build(not_a_model, settings)


@needs_engine
def test_a_build_with_other_structures_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_llama.ContextParams.DEFAULTS, "n_batch", 4096)
    with pytest.raises(NotSupportedError, match=r"ContextParams\.n_batch is not where it was"):
        _llama.library.__wrapped__()
