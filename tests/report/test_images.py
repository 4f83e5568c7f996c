"""Pictures of figures, drawn for real where there is a browser."""

import asyncio
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from holoscope.core import MissingExtraError, UsageError
from holoscope.report import figures
from holoscope.report.figures import Figure, Value
from holoscope.report.images import NoBrowserError, format_of, image, images, write_images
from report.drawn import HOSTILE


def _browser() -> str | None:
    from choreographer.browsers.chromium import Chromium

    return Chromium.find_browser(skip_local=False)


needs_browser = pytest.mark.skipif(_browser() is None, reason="no Chrome or Chromium on this machine")


def figure(name: str = "gsm") -> Figure:
    return figures.strips({name: {"maker/one": Value(0.5, 0.4, 0.6, 20)}}, title="accuracy")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pictures, drawn by one browser from within a running event loop, as in a notebook."""
    folder = tmp_path_factory.mktemp("out") / "plots"

    async def within() -> None:
        paths = [folder / f"a.{kind}" for kind in ("png", "pdf", "svg")]
        write_images({path: figure(HOSTILE) for path in paths}, width=700, height=300, scale=1.0)

    asyncio.run(within())
    return folder


@needs_browser
def test_every_format_is_written_whole(pictures: Path) -> None:
    assert sorted(path.name for path in pictures.iterdir()) == ["a.pdf", "a.png", "a.svg"]
    assert (pictures / "a.pdf").read_bytes().startswith(b"%PDF")


@needs_browser
def test_a_picture_has_the_size_asked_for(pictures: Path) -> None:
    png = (pictures / "a.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (700, 300)


@needs_browser
def test_text_in_a_picture_is_text(pictures: Path) -> None:
    picture = ET.fromstring((pictures / "a.svg").read_text(encoding="utf-8"))
    assert "<b>x</b><script>" in "".join(picture.itertext())
    assert not [each.tag for each in picture.iter() if each.tag.endswith(("script", "}a"))]


def test_another_ending_is_refused_before_anything_is_drawn() -> None:
    with pytest.raises(UsageError, match=r"must end in \.png"):
        format_of(Path("plot.pnp"))


def test_no_figures_need_no_browser() -> None:
    assert images([]) == []


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kaleido", None)
    with pytest.raises(MissingExtraError, match=r'pip install "holoscope\[figures\]"'):
        image(figure())


def test_a_notebook_without_plotly_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(MissingExtraError, match=r'pip install "holoscope\[figures\]"'):
        figures.show(figure())


def test_without_a_browser_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "no-browser"))
    with pytest.raises(NoBrowserError, match="apt install chromium") as found:
        image(figure())
    assert "\n" not in str(found.value)
    assert found.value.exit_code == 2
