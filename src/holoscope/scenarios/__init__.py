"""Benchmarks: where each one's rows are, how they become instances, and how it is usually asked.

One module for each benchmark, of a few declarative lines over `sources` and `rows`. The invariant: the same files give
the same instances with the same ids, in upstream's order, on any machine, and nothing is fetched that the user has or
forbade, since everything later (samples, in-context examples, stored scores) hangs on those ids.
"""

from holoscope.scenarios.catalogue import register
from holoscope.scenarios.loading import data_hashes, load_instances
from holoscope.scenarios.sources import LocalFiles, check, open_files

__all__ = ["LocalFiles", "check", "data_hashes", "load_instances", "open_files", "register"]
