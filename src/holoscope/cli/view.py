"""`holoscope view`: web pages over an output folder."""

from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from holoscope.core import HoloscopeError, MissingExtraError

if TYPE_CHECKING:
    from holoscope.report.library import Library


def view(
    *,
    suite: tuple[str, ...] = (),
    release: str = "",
    out: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    schema_path: Path | None = None,
    token: str = "",
) -> int:
    """Show an output folder as web pages, to this machine alone unless another host is named.

    Parameters
    ----------
    suite
        A suite to show, by default all. Repeatable.
    release
        A release to show.
    out
        Folder of ledger and results.
    host
        Address to listen on. Where others can reach it they need a token.
    port
        Port to listen on; 0 is any free one.
    schema_path
        HELM's schema file (YAML): its order and titles of scenarios, and its main metrics.
    token
        What others must know to look; made where it is needed and not given.
    """
    from holoscope.cli.session import DEFAULT_OUT

    shown = [*suite, *([f"@{release}"] if release else [])]
    return serve_pages(library_of(out or DEFAULT_OUT, schema_path), shown, host=host, port=port, token=token)


def library_of(out: Path, schema_path: Path | None = None) -> "Library":
    """The suites and releases of an output folder, with the tracks that can be run."""
    from holoscope.cli.session import registry
    from holoscope.core import NO_LAYOUT
    from holoscope.entries import load_tracks
    from holoscope.report.library import Library, Track

    display = NO_LAYOUT
    if schema_path is not None:
        from holoscope.interop import load_display

        display = load_display(schema_path)
    tracks = [Track(each.name, each.title, each.description, len(each.entries)) for each in load_tracks().values()]
    return Library(out, registry(), tracks, display)


def serve_pages(library: "Library", shown: list[str], *, host: str, port: int, token: str = "") -> int:
    """Serve until interrupted, opening at what is `shown` (empty: everything)."""
    from holoscope.cli.session import console

    for name in shown:
        library.suite(name)  # raises here, and not in a browser, where there is none
    try:
        from holoscope.web import create_app, is_loopback, new_token, serve
    except ImportError as error:
        raise MissingExtraError("holoscope view", "web") from error
    Thread(target=_warm, args=(library, shown), daemon=True).start()
    needed = token or ("" if is_loopback(host) else new_token())
    named = () if is_loopback(host) else (host,)
    app = create_app(library, token=needed, hosts=named, only=shown or None)

    def ready(address: str) -> None:
        from holoscope.report.pages import ServerLinks

        path = ServerLinks()("overview", suite=shown[0]) if len(shown) == 1 else "/"
        console().print(f"{address}{path}{f'?token={needed}' if needed else ''}", soft_wrap=True)
        console(stderr=True).print("stop with Ctrl-C")

    serve(app, host, port, ready)
    return 0


def _warm(library: "Library", shown: list[str]) -> None:
    """Read what will be asked for first while the server starts."""
    try:
        names = shown or [suite.name for suite in library.suites()[:1]]
        for name in names:
            library.suite(name)
    except HoloscopeError:
        return  # whoever asks for the page is told
