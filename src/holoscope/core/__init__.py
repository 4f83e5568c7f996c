"""The nouns of holoscope and the registry that names them.

Everything here is a value or a pure function: no file is opened and no socket either, so that every other folder can
import these without cost, and a run can be written down, stored, compared and rebuilt anywhere. Instances are asked
through requests, completions come back, scores are made of both; a `RunSpec` decides all of it.
"""

from holoscope.core.canonical import canonical, digest
from holoscope.core.cards import Axis, Files, Metric, Perturbation, Scenario, Source, Task
from holoscope.core.draws import rng
from holoscope.core.errors import (
    ConfigError,
    DataError,
    EntryError,
    FatalModelError,
    HoloscopeError,
    LedgerError,
    MissingExtraError,
    ModelError,
    NotSupportedError,
    StoreError,
    TransportError,
    UnknownNameError,
    UsageError,
    nearest,
)
from holoscope.core.instance import (
    CORRECT,
    EVAL_SPLITS,
    TEST,
    TRAIN,
    VALID,
    Image,
    Instance,
    Json,
    Message,
    PerturbationDescription,
    Reference,
    Text,
)
from holoscope.core.outcome import Outcome
from holoscope.core.registry import Registry, Shelf, builtin
from holoscope.core.request import Choice, Completion, Exchange, Params, Place, PlannedRequest, Request, Token, Usage
from holoscope.core.score import Measure, Score, ScoreMetric, SetMetric, Trial, group_trials
from holoscope.core.settings import Settings
from holoscope.core.spec import (
    HELM_COMPAT,
    AdapterSpec,
    AugmentationSpec,
    MetricSpec,
    PerturbationSpec,
    RunSpec,
    ScenarioSpec,
    Substitution,
)
from holoscope.core.thinking import Thinking, find_thinking

__all__ = [
    "CORRECT",
    "EVAL_SPLITS",
    "HELM_COMPAT",
    "TEST",
    "TRAIN",
    "VALID",
    "AdapterSpec",
    "AugmentationSpec",
    "Axis",
    "Choice",
    "Completion",
    "ConfigError",
    "DataError",
    "EntryError",
    "Exchange",
    "FatalModelError",
    "Files",
    "HoloscopeError",
    "Image",
    "Instance",
    "Json",
    "LedgerError",
    "Measure",
    "Message",
    "Metric",
    "MetricSpec",
    "MissingExtraError",
    "ModelError",
    "NotSupportedError",
    "Outcome",
    "Params",
    "Perturbation",
    "PerturbationDescription",
    "PerturbationSpec",
    "Place",
    "PlannedRequest",
    "Reference",
    "Registry",
    "Request",
    "RunSpec",
    "Scenario",
    "ScenarioSpec",
    "Score",
    "ScoreMetric",
    "SetMetric",
    "Settings",
    "Shelf",
    "Source",
    "StoreError",
    "Substitution",
    "Task",
    "Text",
    "Thinking",
    "Token",
    "TransportError",
    "Trial",
    "UnknownNameError",
    "Usage",
    "UsageError",
    "builtin",
    "canonical",
    "digest",
    "find_thinking",
    "group_trials",
    "nearest",
    "rng",
]
