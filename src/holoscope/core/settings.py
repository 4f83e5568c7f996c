"""What the machine tells us: environment, folders, credentials. Read once, at the command line, then handed on.

Nothing else in the package looks at `os.environ`. `environ` is kept out of every repr, so that a key can't reach a log.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from holoscope.core.errors import ConfigError


@dataclass(frozen=True)
class Settings:
    """Where things are, and which credentials are at hand."""

    cache_dir: Path
    """Downloaded data and model weights."""
    data_dir: Path | None = None
    """Looked at before the cache: `<scenario>/<file>` as upstream publishes it."""
    local_path: Path = Path("prod_env")
    """HELM's folder of deployments, tokenizers and credentials."""
    offline: bool = False
    """True: fetch nothing."""
    sandbox_python: Path | None = None
    """The Python that runs model-written code, with the packages it may import; None: this one, or the system's."""
    allow_unsafe_code: bool = False
    """True: run model-written code as plain processes where no sandbox works."""
    batch_poll_s: float | None = None
    """Seconds between looks at a provider's batch; None: a few at first, and a minute later on."""
    keyring: bool = False
    """True: look into the system's keyring for keys that are nowhere else."""
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    unreached: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Hosts that could not be reached since these settings were made, and why: none is tried twice. The keyring too."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], home: Path) -> "Settings":
        """Settings as the environment gives them (`HOLOSCOPE_DATA_DIR`, `HOLOSCOPE_CACHE`, `HOLOSCOPE_OFFLINE`,
        `HOLOSCOPE_SANDBOX_PYTHON`, `HOLOSCOPE_BATCH_POLL`, `HOLOSCOPE_KEYRING`). Raises ConfigError."""
        cache = environ.get("HOLOSCOPE_CACHE") or Path(environ.get("XDG_CACHE_HOME") or home / ".cache") / "holoscope"
        data = environ.get("HOLOSCOPE_DATA_DIR")
        python = environ.get("HOLOSCOPE_SANDBOX_PYTHON")
        return cls(
            cache_dir=Path(cache),
            data_dir=Path(data) if data else None,
            offline=environ.get("HOLOSCOPE_OFFLINE", "") not in ("", "0"),
            sandbox_python=Path(python) if python else None,
            batch_poll_s=_seconds(environ.get("HOLOSCOPE_BATCH_POLL", "")),
            keyring=environ.get("HOLOSCOPE_KEYRING", "1") not in ("", "0"),
            environ=dict(environ),
        )


def _seconds(text: str) -> float | None:
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < math.inf:
        raise ConfigError(f"HOLOSCOPE_BATCH_POLL is a number of seconds, not {text!r}")
    return seconds
