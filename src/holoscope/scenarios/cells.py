"""Cells of a table as the libraries that upstream's loaders use would show them.

A benchmark that writes a table's cells into its prompts is only the same benchmark if an empty cell, a whole number and
a price read as they do there: that depends on the whole column, since a column of numbers is one of decimals as soon as
one of them is, or is missing.
"""

from collections.abc import Sequence

EMPTY = frozenset(
    {
        *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
        *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
    }
)
"""Cells that say nothing, as pandas reads them."""
NOTHING = "nan"
"""How such a cell is shown."""


def shown_column(cells: Sequence[str]) -> list[str]:
    """Every cell of a column as pandas would print it: whole numbers as such only where all of them are.

    >>> shown_column(["5", "", "6.50"]), shown_column(["05", "6"]), shown_column(["5", "", "x"])
    (['5.0', 'nan', '6.5'], ['5', '6'], ['5', 'nan', 'x'])
    """
    told = [cell for cell in cells if cell not in EMPTY]
    if told and all(map(_is_whole, told)) and len(told) == len(cells):
        return [str(int(cell)) for cell in cells]
    if all(map(_is_number, told)):
        return [NOTHING if cell in EMPTY else str(float(cell)) for cell in cells]
    return [NOTHING if cell in EMPTY else cell for cell in cells]


def _is_whole(cell: str) -> bool:
    sign_less = cell.strip().removeprefix("-").removeprefix("+")
    return sign_less.isascii() and sign_less.isdigit()


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell and cell.isascii()
