"""Other tools' result files, written and read.

A stored run can leave as HELM's five files and come back as exchanges; a suite of such files gets the tables that
HELM's summary has. What a foreign format cannot say is left out and never invented, and a benchmark's texts leave only
where its licence allows passing them on.
"""

from holoscope.interop.helm_export import Exported, export_run
from holoscope.interop.helm_import import read_helm_run
from holoscope.interop.helm_schema import Schema, load_schema
from holoscope.interop.helm_summarize import Summary, summarize

__all__ = ["Exported", "Schema", "Summary", "export_run", "load_schema", "read_helm_run", "summarize"]
