"""Where each page is: on a server, and as a file of an exported site.

One table names every page and what its address is made of, so no page writes an address by hand and the two kinds
cannot drift apart. A part that the table does not put into the path becomes a query parameter: those are what the
reader changes in the page, and the script reads them in either kind. File names are portable: no part of a name that a
model or a user chose stands in them as it is.
"""

import posixpath
import re
from collections.abc import Container
from string import Formatter
from typing import NamedTuple, Protocol
from urllib.parse import quote, urlencode

from holoscope.core import UnknownNameError
from holoscope.store import folder_name


class Links(Protocol):
    """Gives the address of a page, as it is written into the page that is being made."""

    @property
    def is_served(self) -> bool:
        """True if a server answers: forms, live progress and searches work."""
        ...

    def __call__(self, page: str, **parts: str) -> str: ...

    def has(self, page: str, **parts: str) -> bool:
        """False if there is no such page here, such as an instance that was left out of an export."""
        ...


class _Place(NamedTuple):
    """A page's address on a server and its file in a site; an empty file: only a server has it."""

    path: str
    file: str


_PLACES = {
    "home": _Place("/", "index.html"),
    "overview": _Place("/s/{suite}/", "s/{suite}/index.html"),
    "axis": _Place("/s/{suite}/axis/{axis}", "s/{suite}/axis-{axis}.html"),
    "model": _Place("/s/{suite}/model/{model}", "s/{suite}/model-{model}.html"),
    "profiles": _Place("/s/{suite}/profiles", "s/{suite}/profiles.html"),
    "leaderboard": _Place("/s/{suite}/leaderboard", "s/{suite}/leaderboard.html"),
    "calibration": _Place("/s/{suite}/calibration", "s/{suite}/calibration.html"),
    "robustness": _Place("/s/{suite}/robustness", "s/{suite}/robustness.html"),
    "fairness": _Place("/s/{suite}/fairness", "s/{suite}/fairness.html"),
    "harms": _Place("/s/{suite}/harms", "s/{suite}/harms.html"),
    "compare": _Place("/s/{suite}/compare", "s/{suite}/compare-{a}-{b}.html"),
    "pairs": _Place("/s/{suite}/pairs", ""),
    "run": _Place("/s/{suite}/run/{folder}", "s/{suite}/run/{folder}.html"),
    "instances": _Place("/s/{suite}/run/{folder}/instances", "s/{suite}/run/{folder}-instances.html"),
    "suite_instances": _Place("/s/{suite}/instances", ""),
    "instance": _Place("/s/{suite}/run/{folder}/instance/{instance_id}", "s/{suite}/run/{folder}/{instance_id}.html"),
    "static": _Place("/static/{file}", "static/{file}"),
    "api": _Place("/api/{path}", ""),
}
_NARROWED = {"leaderboard": "axis", **dict.fromkeys(("calibration", "robustness", "fairness", "harms"), "scenario")}
"""Pages that show one scenario (or axis) at a time: the first, where none is named."""
_VERBATIM = {"static": {"file"}, "api": {"path"}}
"""Parts that are names of ours already, and may hold a slash."""
_TWIN = ("perturbation", "trial", "train")
"""What else tells an instance's pages apart; part of the file's name where given."""
_RUN = re.compile(r"(?:.*--)?([0-9a-f]{12})")
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


class ServerLinks:
    """Addresses of `holoscope view`.

    >>> ServerLinks()("profiles", suite="mine", models="a,b")
    '/s/mine/profiles?models=a%2Cb'
    """

    is_served = True

    def __call__(self, page: str, **parts: str) -> str:
        """The path of `page`, with what isn't part of it as query."""
        template = _place(page, parts).path
        own = _fields(template)
        plain = _VERBATIM.get(page, set())
        path = template.format(**{name: quote(parts[name], safe="/" if name in plain else "") for name in own})
        return path + _query(parts, own)

    def has(self, page: str, **parts: str) -> bool:
        """True: a server makes every page."""
        return True


class FileLinks:
    """Relative addresses within an exported site, as seen from the file `current`.

    >>> FileLinks("s/mine/index.html")("run", suite="mine", folder="mmlu--model-a--0123456789ab")
    'run/0123456789ab.html'
    """

    is_served = False

    def __init__(self, current: str, files: Container[str] | None = None) -> None:
        self._folder = posixpath.dirname(current) or "."
        self._files = files
        """The site's files; None: all that can be named."""

    def __call__(self, page: str, **parts: str) -> str:
        """The relative name of the page's file, with what isn't part of it as query."""
        own = _fields(_place(page, parts).file)
        if page == "instance":
            own |= set(_TWIN)
        return quote(posixpath.relpath(file_of(page, **parts), self._folder)) + _query(parts, own)

    def has(self, page: str, **parts: str) -> bool:
        """True if the site holds the page."""
        file = file_of(page, **parts)
        return bool(file) and (self._files is None or file in self._files)


def file_of(page: str, **parts: str) -> str:
    """The file of a page, from the site's root; empty where a site has no such page.

    >>> file_of("instance", suite="mine", folder="mmlu--0123456789ab", instance_id="id7", perturbation="dialect")
    's/mine/run/0123456789ab/id7--dialect.html'
    """
    template = _place(page, parts).file
    plain = _VERBATIM.get(page, set())
    named = {
        name: parts[name] if name in plain else portable(parts[name]) for name in _fields(template) if name in parts
    }
    if len(named) < len(_fields(template)):
        return ""
    file = template.format(**named)
    given = {name: parts[name] for name in _TWIN if page == "instance" and parts.get(name, "") not in ("", "0")}
    twin = [portable(value) if name == "perturbation" else f"{name}-{portable(value)}" for name, value in given.items()]
    return f"{file.removesuffix('.html')}--{'--'.join(twin)}.html" if twin else file


def portable(name: str) -> str:
    """A name as part of a file's name, different for different names on every file system.

    >>> portable("accuracy"), portable("mmlu--subject-anatomy--220e7fdeff92")
    ('accuracy', '220e7fdeff92')
    """
    run = _RUN.fullmatch(name)
    if run:
        return run[1]
    return name if _PLAIN.fullmatch(name) else folder_name(name)


def relative(address: str, here: str) -> str:
    """`address` as seen from `here`, both paths of one server; shorter where a page holds thousands.

    >>> relative("/s/mine/run/0123456789ab", "/s/mine/axis/bias"), relative("run/a.html", "s/mine/index.html")
    ('../run/0123456789ab', 'run/a.html')
    """
    if not (address.startswith("/") and here.startswith("/")):
        return address
    return posixpath.relpath(address, posixpath.dirname(here))


def _place(page: str, parts: dict[str, str]) -> _Place:
    if page == "instances" and not parts.get("folder"):
        page = "suite_instances"
    if page == "plotly":
        return _Place("/static/plotly.min.js", "static/plotly.min.js")
    if page not in _PLACES:
        raise UnknownNameError("page", page, _PLACES)
    part = _NARROWED.get(page, "")
    if parts.get(part):
        return _Place(f"/s/{{suite}}/{page}/{{{part}}}", f"s/{{suite}}/{page}-{{{part}}}.html")
    return _PLACES[page]


def _fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def _query(parts: dict[str, str], own: set[str]) -> str:
    rest = {name: value for name, value in parts.items() if name not in own and value != ""}
    return f"?{urlencode(rest)}" if rest else ""
