"""Providers' batch APIs: the same requests at about half the price, answered within a day.

A model in batches is the live client with another way to its endpoint: bodies, lessons and outcomes are the live
ones, only that a body waits until many are sent as one file (`batcher.py`). Which batches are under way is on disk
before anybody waits for them (`journal.py`), so a kill costs nothing: whoever asks the same again finds the batch and
reads its results. One module per provider's API says how a batch is submitted, looked at and read.
"""

from holoscope.models.batches.api import BatchApi, BatchLimits, Result, Row, State
from holoscope.models.batches.batcher import Batcher
from holoscope.models.batches.journal import Entry, Journal
from holoscope.models.batches.model import BatchModel, in_batches
from holoscope.models.batches.trying import Timing

__all__ = [
    "BatchApi",
    "BatchLimits",
    "BatchModel",
    "Batcher",
    "Entry",
    "Journal",
    "Result",
    "Row",
    "State",
    "Timing",
    "in_batches",
]
