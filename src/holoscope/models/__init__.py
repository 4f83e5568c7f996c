"""Models: what a name means, what an endpoint can do, and how it is asked.

A name resolves to a `Model` without being registered anywhere; a model takes a `Request` and gives a `Completion`
whose outcome is never a guess, or raises one of three errors that tell the engine what to do. Hosts, capabilities and
prices are data which a user may correct. `providers/` holds one module per wire format and `batches/` the same in bulk;
`local/`, `huggingface/`, `vllm_offline` and `callable` answer in this process. Nothing network-related is imported
before a served model is opened, and no key is ever printed.
"""

from holoscope.models.abilities import Need, lacking, unable
from holoscope.models.callable import LocalModel
from holoscope.models.model import Api, Capabilities, Model, ModelCard, Price, TrainingCost
from holoscope.models.probing import Finding, Probe, probe
from holoscope.models.resolve import Description, describe, resolve
from holoscope.models.tokenizers import (
    CharacterWindow,
    EstimateWindow,
    FileWindow,
    Limits,
    Window,
    WordWindow,
    open_window,
)

__all__ = [
    "Api",
    "Capabilities",
    "CharacterWindow",
    "Description",
    "EstimateWindow",
    "FileWindow",
    "Finding",
    "Limits",
    "LocalModel",
    "Model",
    "ModelCard",
    "Need",
    "Price",
    "Probe",
    "TrainingCost",
    "Window",
    "WordWindow",
    "describe",
    "lacking",
    "open_window",
    "probe",
    "resolve",
    "unable",
]
