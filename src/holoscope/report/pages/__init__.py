"""The web pages of an output folder, as pure functions from its runs to a whole HTML document.

A page knows neither a server nor a disk: it is given a `Library` to read and `Links` that say where the other pages
are, so that the same function makes the page of a server and the file of an exported site. Everything is readable
without script; the script only sorts, shades, filters and draws. Whatever a model, a benchmark or a user wrote is
escaped by the templates, and none of it is ever marked as safe.
"""

from holoscope.report.pages.links import FileLinks, Links, ServerLinks, file_of
from holoscope.report.pages.render import data_block, render, static_file, static_names

__all__ = ["FileLinks", "Links", "ServerLinks", "data_block", "file_of", "render", "static_file", "static_names"]
