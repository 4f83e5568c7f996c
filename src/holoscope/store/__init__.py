"""Run folders: written whole, read back equal, found fast.

`<out>/runs/<suite>/<run>/` holds `run.json` (the manifest, written last), `requests.parquet` (every request with its
completion), `scores.parquet` (every score) and `statistics.json` (a cache of measures). Each file is whole or absent,
and what was written is what is read: a run can be scored again, compared and exported from here without its model,
on another machine and years later. Beside the runs lies `annotations.jsonl`, what people said of their answers. pyarrow
and duckdb are imported when the first table is touched, not before.
"""

from holoscope.store._files import remove, replacing
from holoscope.store.annotations import ANNOTATIONS, RATINGS, Annotation, Annotations, annotation
from holoscope.store.columns import read_columns
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
from holoscope.store.listing import InstanceFilter, InstancePage, InstanceRow, Neighbours, PairFilter, PairRow
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
from holoscope.store.progress import (
    BEAT_S,
    PROGRESS,
    RunProgress,
    read_progress,
    remove_progress,
    under_way,
    write_progress,
)
from holoscope.store.provenance import Imported, Provenance, provenance
from holoscope.store.query import Instances
from holoscope.store.releases import (
    Change,
    Difference,
    Release,
    ReleasedRun,
    ReleasedValue,
    Releases,
    difference,
    hash_of_scores,
    read_release,
    release_before,
    release_runs,
    releases,
    write_release,
)
from holoscope.store.scan import Scan, StoredRun, open_run, run_folders, scan
from holoscope.store.scores import ScoreRow, ScoresWriter, read_scores, score_row

__all__ = [
    "ANNOTATIONS",
    "BEAT_S",
    "MANIFEST",
    "PROGRESS",
    "RATINGS",
    "REQUESTS",
    "SCORES",
    "STATISTICS",
    "Annotation",
    "Annotations",
    "Change",
    "Difference",
    "Imported",
    "InstanceFilter",
    "InstancePage",
    "InstanceRow",
    "Instances",
    "Manifest",
    "ModelSummary",
    "Neighbours",
    "PairFilter",
    "PairRow",
    "Provenance",
    "Release",
    "ReleasedRun",
    "ReleasedValue",
    "Releases",
    "RequestsWriter",
    "RunProgress",
    "Scan",
    "ScenarioSummary",
    "ScoreRow",
    "ScoresWriter",
    "Status",
    "StoredRun",
    "Versions",
    "annotation",
    "check_suite",
    "difference",
    "folder_name",
    "hash_of_scores",
    "open_run",
    "provenance",
    "public_url",
    "read_columns",
    "read_exchanges",
    "read_manifest",
    "read_measures",
    "read_progress",
    "read_release",
    "read_scores",
    "release_before",
    "release_runs",
    "releases",
    "remove",
    "remove_progress",
    "replacing",
    "run_folder",
    "run_folders",
    "scan",
    "score_row",
    "suite_folder",
    "under_way",
    "write_manifest",
    "write_measures",
    "write_progress",
    "write_release",
]
