"""Small workbooks and documents, with nothing in them but what a reader looks at."""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

_SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def write_parts(path: Path, **parts: str) -> None:
    """A zip of texts; `/` is written `__` and `.` is written `_DOT_` in the names of its members."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as zipped:
        for name, content in parts.items():
            zipped.writestr(name.replace("_DOT_", ".").replace("__", "/"), content)


def write_sheet(path: Path, *rows: Sequence[object]) -> None:
    """A workbook of one sheet; texts are shared strings, as Excel writes them."""
    texts = list(dict.fromkeys(cell for row in rows for cell in row if isinstance(cell, str)))
    shown = "".join(
        f'<row r="{number}">{"".join(_cell(column, number, cell, texts) for column, cell in enumerate(row))}</row>'
        for number, row in enumerate(rows, 1)
    )
    shared = "".join(f"<si><r><t>{escape(text[:1])}</t></r><r><t>{escape(text[1:])}</t></r></si>" for text in texts)
    write_parts(
        path,
        xl__worksheets__sheet1_DOT_xml=f"<worksheet {_SHEET}><sheetData>{shown}</sheetData></worksheet>",
        xl__sharedStrings_DOT_xml=f"<sst {_SHEET}>{shared}</sst>",
    )


def _cell(column: int, row: int, value: object, texts: list[str]) -> str:
    if value is None:
        return ""
    place = f"{chr(ord('A') + column)}{row}"
    if isinstance(value, str):
        return f'<c r="{place}" t="s"><v>{texts.index(value)}</v></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def write_document(path: Path, *paragraphs: str) -> None:
    """A document; a paragraph that starts with `!` is set in red."""
    body = "".join(map(_paragraph, paragraphs))
    write_parts(path, word__document_DOT_xml=f"<w:document {_WORD}><w:body>{body}</w:body></w:document>")


def _paragraph(text: str) -> str:
    red = '<w:rPr><w:color w:val="FF0000"/></w:rPr>' if text.startswith("!") else ""
    return f"<w:p><w:r>{red}<w:t>{escape(text.removeprefix('!'))}</w:t></w:r></w:p>"
