"""Models whose weights lie on this machine and are computed in this process, through the llama.cpp in xllamacpp.

The invariant: a request's completion is a function of the request and the weights, whatever was asked before it or
beside it, so a ledger filled at any concurrency holds the same answers. They are here so that everything (a first run,
the tests of the whole pipeline, scoring of given continuations) works with a real model and without a key or a hub.
Importing this package loads neither numpy nor the engine.
"""

from holoscope.models.local._known import KNOWN, KnownModel, Wheel, known_model
from holoscope.models.local._model import LlamaModel, open_model
from holoscope.models.local._options import LocalOptions
from holoscope.models.local._pull import Confirm, find, pull

__all__ = [
    "KNOWN",
    "Confirm",
    "KnownModel",
    "LlamaModel",
    "LocalOptions",
    "Wheel",
    "find",
    "known_model",
    "open_model",
    "pull",
]
