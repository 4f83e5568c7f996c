"""HELM's run entries that are not here, and why: the list behind the answer to a name that is HELM's and not ours.

People type names they know from HELM. One that names a benchmark of images or of private records is no slip of the
keyboard, so they are told what it is and why it isn't here, and a suite of which it is a part runs without it and says
so.
"""

from importlib.resources import files

import msgspec

from holoscope.core import EntryError
from holoscope.entries.conf import parse_yaml
from holoscope.entries.tracks import MissingScenario

_FILE = "not_here.yaml"


class AbsentKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Names that are missing for one reason."""

    kind: str
    reason: str
    """Why, in words that go on after a colon."""
    names: dict[str, str]
    """Name -> what it is."""


def load_absent() -> list[AbsentKind]:
    """HELM's names that are not here, by kind."""
    content = parse_yaml((files("holoscope.entries") / _FILE).read_text(encoding="utf-8"), _FILE)
    try:
        return msgspec.convert(content, list[AbsentKind])
    except msgspec.ValidationError as error:
        raise EntryError(f"{_FILE}: {error}") from None


def absent_scenarios() -> dict[str, MissingScenario]:
    """The same by name, as what a suite lacks."""
    return {
        name: MissingScenario(name, title, kind.reason) for kind in load_absent() for name, title in kind.names.items()
    }
