"""Efficiency: the times and costs of single requests and instances."""

from holoscope.report.evidence.measured import stored_values
from holoscope.report.figures import Sample
from holoscope.report.grid import Row
from holoscope.store import REQUESTS, SCORES, StoredRun


def latencies(row: Row, run: StoredRun, *, name: str = "") -> Sample | str:
    """Seconds of each request of unperturbed instances of the main split, or why they aren't known."""
    found = stored_values(row, run, REQUESTS, ("request_time",))
    if isinstance(found, str):
        return found
    values = [seconds for (seconds,) in found if seconds is not None]
    return Sample(name or row.model, tuple(values)) if values else "the completions carry no request time"


def costs(row: Row, run: StoredRun, *, name: str = "") -> Sample | str:
    """USD of each unperturbed instance of the main split, or why they aren't known."""
    found = stored_values(row, run, SCORES, ("value", "reason"), {"metric": ("cost",)})
    if isinstance(found, str):
        return found
    values = [value for value, _ in found if value is not None]
    if values:
        return Sample(name or row.model, tuple(values))
    return next((reason for _, reason in found if reason), "the price of this model is not known")
