"""Gets every work of a plan answered: once, within limits, and never lost.

The sentence: a work's key (`key.py`) is looked up in the ledger (`ledger.py`); if no answer is there and nobody is
getting one (`leases.py`), the request takes its turn in its model's lane (`lane.py`), is sent until it is answered or
hopeless (`retry.py`), and the answer is committed and then handed on (`scheduler.py`).

The invariant: an answer counts only when its commit has returned, and only answers are kept. So a kill at any moment
costs at most the requests in flight, the same command resumes, and a failure is asked again. The engine knows
requests and completions, no scenario and no metric: whatever is asked of a model goes through here, a judge's
question like an instance's.
"""

from holoscope.engine.key import request_key
from holoscope.engine.leases import Lease
from holoscope.engine.ledger import Ledger, LedgerProtocol
from holoscope.engine.limits import Limits, in_batches
from holoscope.engine.progress import Progress, RunCount, Wait
from holoscope.engine.scheduler import Engine, run
from holoscope.engine.work import Endpoint, OnDone, Price, Work

__all__ = [
    "Endpoint",
    "Engine",
    "Lease",
    "Ledger",
    "LedgerProtocol",
    "Limits",
    "OnDone",
    "Price",
    "Progress",
    "RunCount",
    "Wait",
    "Work",
    "in_batches",
    "request_key",
    "run",
]
