"""A HELM table in LaTeX, for papers."""

from typing import Any

from holoscope.interop.documents import Document

_SIGNS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    }
)


def latex(table: Document, name: str) -> str:
    """A `table` environment; the best value of a column is bold."""
    header: Any = table["header"]
    rows: Any = table["rows"]
    columns = "l" + "r" * (len(header) - 1)
    lines = [
        r"\begin{table*}[htp]",
        r"\resizebox{\textwidth}{!}{",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(_escaped(head["value"]) for head in header) + r" \\",
        r"\midrule",
        *(" & ".join(_cell(cell) for cell in row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}}",
        rf"\caption{{{_escaped(table['title'])}}}",
        rf"\label{{fig:{_escaped(name)}}}",
        r"\end{table*}",
    ]
    return "\n".join(lines) + "\n"


def _cell(cell: Document) -> str:
    value = cell.get("value")
    if value is None:
        return "-"
    shown = f"{value:.3f}" if isinstance(value, float) else _escaped(value)
    return rf"\textbf{{{shown}}}" if cell.get("style") else shown


def _escaped(text: object) -> str:
    return str(text).translate(_SIGNS)
