"""Reading XML, spreadsheets and word-processor files as rows and paragraphs, from the standard library alone.

An `.xlsx` and a `.docx` are zips of XML; of the first only the cells of the first sheet are wanted, of the second only
its paragraphs and what is written in red. Nothing in them is run, and no entity outside the file is fetched.
"""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from holoscope.core import DataError, Json
from holoscope.scenarios.rows import Row

_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_WHITE = {f"{_WORD}tab": "\t", f"{_WORD}br": "\n"}
_RED = "FF0000"


class Paragraph(NamedTuple):
    text: str
    has_red: bool
    """True if any run of it is set in red."""


def read_xml(path: Path) -> ElementTree.Element:
    """The root of an XML file."""
    return _parsed(path, path.read_bytes())


def read_sheet(path: Path, skip: int = 0) -> Iterator[Row]:
    """The rows of a workbook's first sheet, under the names in the line after the first `skip`; None where empty."""
    shared = [_text(item) for item in _part(path, "xl/sharedStrings.xml", optional=True).iter(f"{_SHEET}si")]
    header: dict[int, str] = {}
    for row in _part(path, "xl/worksheets/sheet1.xml").iter(f"{_SHEET}row"):
        number = int(row.get("r", "0"))
        if number <= skip:
            continue
        cells = {_column(cell.get("r", "")): _value(cell, shared) for cell in row.iter(f"{_SHEET}c")}
        if not header:
            header = {column: str(name) for column, name in cells.items() if name is not None}
        elif any(value is not None for value in cells.values()):
            yield Row(f"{path}:{number}", {name: cells.get(column) for column, name in header.items()})


def read_paragraphs(path: Path) -> list[Paragraph]:
    """The paragraphs of a document, those in tables left out."""
    body = _part(path, "word/document.xml").find(f"{_WORD}body")
    return [] if body is None else [_paragraph(element) for element in body.findall(f"{_WORD}p")]


def _paragraph(element: ElementTree.Element) -> Paragraph:
    text = "".join(_WHITE.get(piece.tag, piece.text or "") for run in element.iter(f"{_WORD}r") for piece in run)
    colours = (colour.get(f"{_WORD}val") for colour in element.findall(f"{_WORD}r/{_WORD}rPr/{_WORD}color"))
    return Paragraph(text, _RED in colours)


def _part(path: Path, name: str, *, optional: bool = False) -> ElementTree.Element:
    try:
        with zipfile.ZipFile(path) as zipped:
            if optional and name not in zipped.namelist():
                return ElementTree.Element("none")
            return _parsed(path, zipped.read(name))
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise DataError(f"{path}: not an Office file ({error})") from error


def _parsed(path: Path, content: bytes) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise DataError(f"{path}: not XML ({error})") from error


def _value(cell: ElementTree.Element, shared: list[str]) -> Json:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _text(cell) or None
    held = cell.findtext(f"{_SHEET}v")
    if held is None:
        return None
    if kind == "n":
        number = float(held)
        return int(number) if number.is_integer() else number
    return (shared[int(held)] if kind == "s" else held) or None


def _text(element: ElementTree.Element) -> str:
    """All text of a cell or a shared string, however it is set."""
    return "".join(part.text or "" for part in element.iter(f"{_SHEET}t"))


def _column(reference: str) -> int:
    """The position of a cell such as `AB12` in its row."""
    letters = re.match("[A-Z]*", reference)
    position = 0
    for letter in letters[0] if letters else "":
        position = position * 26 + ord(letter) - ord("A") + 1
    return position
