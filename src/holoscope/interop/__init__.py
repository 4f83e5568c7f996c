"""Other tools' result files, written and read.

A stored run can leave as HELM's five files, and HELM's run folders come back as stored runs, with their completions; a
suite of such files gets the tables that HELM's summary has. What a foreign format cannot say is left out and never
invented, and a benchmark's texts leave only where its licence allows passing them on.
"""

from holoscope.interop.helm_display import display, load_display
from holoscope.interop.helm_export import Exported, export_run
from holoscope.interop.helm_folders import HelmFolder, find_helm_runs
from holoscope.interop.helm_import import read_helm_run
from holoscope.interop.helm_results import ImportedRun, import_run
from holoscope.interop.helm_schema import Schema, load_schema
from holoscope.interop.helm_summarize import Summary, summarize

__all__ = [
    "Exported",
    "HelmFolder",
    "ImportedRun",
    "Schema",
    "Summary",
    "display",
    "export_run",
    "find_helm_runs",
    "import_run",
    "load_display",
    "load_schema",
    "read_helm_run",
    "summarize",
]
