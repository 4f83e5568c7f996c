"""Pictures of figures for papers: PNG, PDF and SVG, drawn by the Chrome or Chromium that the machine has.

The same plotly script as on the pages draws them, in a browser without a window and without the network, so a picture
is the figure and not a second drawing of it. One browser makes all pictures of a call. Whoever has not installed the
extra, or has no browser, gets one line that says what to install.
"""

import asyncio
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from holoscope.core import HoloscopeError, MissingExtraError, UsageError, nearest
from holoscope.report.figures import Figure, Theme, themed
from holoscope.store import replacing

if TYPE_CHECKING:
    from collections.abc import Sequence

Format = Literal["png", "pdf", "svg"]
FORMATS: tuple[Format, ...] = ("png", "pdf", "svg")

_WIDTH = 900
"""Pixels, unless a figure says that it needs more."""
_SECONDS = 90
"""For one picture."""


class NoBrowserError(HoloscopeError):
    """There is no browser that could draw a picture, or it does not start."""

    exit_code = 2


def write_image(
    figure: Figure,
    path: Path,
    *,
    width: int | None = None,
    height: int | None = None,
    scale: float = 2.0,
    theme: Theme = "paper",
) -> None:
    """Write a picture of `figure` to `path`, in the format that its ending says; `scale` is for PNG."""
    write_images({path: figure}, width=width, height=height, scale=scale, theme=theme)


def write_images(
    figures: Mapping[Path, Figure],
    *,
    width: int | None = None,
    height: int | None = None,
    scale: float = 2.0,
    theme: Theme = "paper",
) -> None:
    """Write many pictures with one browser, each whole or not at all."""
    formats = {path: format_of(path) for path in figures}
    made = images(
        ((figure, formats[path]) for path, figure in figures.items()),
        width=width,
        height=height,
        scale=scale,
        theme=theme,
    )
    for path, content in zip(figures, made, strict=True):
        with replacing(path) as temporary:
            temporary.write_bytes(content)


def image(
    figure: Figure,
    format: Format = "png",
    *,
    width: int | None = None,
    height: int | None = None,
    scale: float = 2.0,
    theme: Theme = "paper",
) -> bytes:
    """A picture of `figure`."""
    return images([(figure, format)], width=width, height=height, scale=scale, theme=theme)[0]


def images(
    figures: Iterable[tuple[Figure, Format]],
    *,
    width: int | None = None,
    height: int | None = None,
    scale: float = 2.0,
    theme: Theme = "paper",
) -> list[bytes]:
    """Pictures of `figures`, in order; MissingExtraError or NoBrowserError where none can be drawn."""
    wanted = [(themed(f, theme), _options(f, kind, width, height, scale)) for f, kind in figures]
    if not wanted:
        return []
    with ThreadPoolExecutor(1) as pool:  # a notebook has an event loop of its own in this thread
        return pool.submit(asyncio.run, _drawn(wanted)).result()


def format_of(path: Path) -> Format:
    """The format that a path's ending names; UsageError if it is none of ours."""
    ending = path.suffix.lower().removeprefix(".")
    found = next((known for known in FORMATS if known == ending), None)
    if found is None:
        near = nearest(ending, FORMATS)
        raise UsageError(f"no picture can be written to {path}: its name must end in .{near or 'png, .pdf or .svg'}")
    return found


def _options(figure: Figure, kind: Format, width: int | None, height: int | None, scale: float) -> dict[str, object]:
    meta, high = figure["layout"]["meta"], figure["layout"]["height"]
    least = meta["width"] if isinstance(meta, dict) else 0
    return {
        "format": kind,
        "width": width or max(_WIDTH, least),
        "height": height or high,
        "scale": scale if kind == "png" else 1,
    }


async def _drawn(wanted: "Sequence[tuple[Figure, dict[str, object]]]") -> list[bytes]:
    try:
        import plotly  # noqa: F401 its package holds the script; without it the browser would go to the network
        from kaleido import Kaleido
        from kaleido.errors import BrowserFailedError, ChromeNotFoundError
    except ImportError as error:
        raise MissingExtraError("pictures of figures", "figures") from error
    try:
        async with Kaleido(n=1, mathjax=False, timeout=_SECONDS) as browser:
            return [await browser.calc_fig(figure, options) for figure, options in wanted]
    except ChromeNotFoundError as error:
        raise NoBrowserError(
            "pictures are drawn by Chrome or Chromium, and there is none: apt install chromium, or kaleido_get_chrome"
        ) from error
    except BrowserFailedError as error:
        first = str(error).splitlines()[0] if str(error) else "it ended at once"
        raise NoBrowserError(
            f"the browser that draws pictures does not start ({first}); BROWSER_PATH can name another one"
        ) from error
