"""What people read: the grid of a suite, in a terminal, as a page, as JSON, CSV or Markdown.

Each view is made from the same cells, so no two can disagree, and every cell is a value with n and an interval or a
reason why there is none. Text that a model or a server wrote is shown, never obeyed: not as markup, and not as a
terminal's commands.
"""

from holoscope.report.blocks import By
from holoscope.report.grid import Cell, Grid, Row, cells_json, grid
from holoscope.report.html import html_page, write_html
from holoscope.report.radar import profile
from holoscope.report.tables import to_csv, to_markdown
from holoscope.report.terminal import render

__all__ = [
    "By",
    "Cell",
    "Grid",
    "Row",
    "cells_json",
    "grid",
    "html_page",
    "profile",
    "render",
    "to_csv",
    "to_markdown",
    "write_html",
]
