"""Benchmarks: where each one's rows are, how they become instances, and how it is usually asked.

One module for each benchmark, of a few declarative lines over `sources` and `rows`. The invariant: the same files give
the same instances with the same ids, in upstream's order, on any machine, and nothing is fetched that the user has or
forbade, since everything later (samples, in-context examples, stored scores) hangs on those ids.
"""

from holoscope.scenarios.catalogue import register
from holoscope.scenarios.loading import data_hashes, image_reader, instructed, load_instances
from holoscope.scenarios.reach import find_refused, find_unreached
from holoscope.scenarios.sources import Lack, LocalFiles, check, lack, open_files
from holoscope.scenarios.tabular import tabular

__all__ = [
    "Lack",
    "LocalFiles",
    "check",
    "data_hashes",
    "find_refused",
    "find_unreached",
    "image_reader",
    "instructed",
    "lack",
    "load_instances",
    "open_files",
    "register",
    "tabular",
]
