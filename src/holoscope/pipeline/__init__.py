"""Runs a suite through the sentence: the one place that knows all its stages.

Specs become plans (`plan`), plans become one stream of requests for the engine (`run`), answers come back into plan
order (`collect`), and each whole run is scored and written (`record`). The command line, the tests and a notebook call
the same functions. The invariant: a run's files depend on its completions alone, not on order, concurrency or restarts.
"""

from holoscope.pipeline.dry import DryRun, dry_run, together, write_requests
from holoscope.pipeline.needs import Shortfall, needs_of, shortfalls, tell_shortfalls
from holoscope.pipeline.plan import Models, Planner, RunPlan
from holoscope.pipeline.probing import probe_model
from holoscope.pipeline.record import Place, RunResult, ran_in
from holoscope.pipeline.rehearsal import Rehearsal, gold_completion, rehearse
from holoscope.pipeline.rescore import rescore
from holoscope.pipeline.run import LEDGER, SuiteRun

__all__ = [
    "LEDGER",
    "DryRun",
    "Models",
    "Place",
    "Planner",
    "Rehearsal",
    "RunPlan",
    "RunResult",
    "Shortfall",
    "SuiteRun",
    "dry_run",
    "gold_completion",
    "needs_of",
    "probe_model",
    "ran_in",
    "rehearse",
    "rescore",
    "shortfalls",
    "tell_shortfalls",
    "together",
    "write_requests",
]
