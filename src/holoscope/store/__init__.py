"""Run folders: written whole, read back equal, found fast.

`<out>/runs/<suite>/<run>/` holds `run.json` (the manifest, written last), `requests.parquet` (every request with its
completion), `scores.parquet` (every score) and `statistics.json` (a cache of measures). Each file is whole or absent,
and what was written is what is read: a run can be scored again, compared and exported from here without its model,
on another machine and years later. pyarrow is imported when the first table is touched, not before.
"""

from holoscope.store._files import remove, replacing
from holoscope.store.exchanges import RequestsWriter, read_exchanges
from holoscope.store.folders import (
    MANIFEST,
    REQUESTS,
    SCORES,
    STATISTICS,
    check_suite,
    folder_name,
    run_folder,
    suite_folder,
)
from holoscope.store.manifest import (
    Manifest,
    ModelSummary,
    ScenarioSummary,
    Status,
    Versions,
    public_url,
    read_manifest,
    write_manifest,
)
from holoscope.store.measures import read_measures, write_measures
from holoscope.store.provenance import Provenance, provenance
from holoscope.store.scan import Scan, StoredRun, open_run, scan
from holoscope.store.scores import ScoreRow, ScoresWriter, read_scores, score_row

__all__ = [
    "MANIFEST",
    "REQUESTS",
    "SCORES",
    "STATISTICS",
    "Manifest",
    "ModelSummary",
    "Provenance",
    "RequestsWriter",
    "Scan",
    "ScenarioSummary",
    "ScoreRow",
    "ScoresWriter",
    "Status",
    "StoredRun",
    "Versions",
    "check_suite",
    "folder_name",
    "open_run",
    "provenance",
    "public_url",
    "read_exchanges",
    "read_manifest",
    "read_measures",
    "read_scores",
    "remove",
    "replacing",
    "run_folder",
    "scan",
    "score_row",
    "suite_folder",
    "write_manifest",
    "write_measures",
]
