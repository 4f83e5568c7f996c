"""The built-in scenarios, all registered through the door that third-party packages use."""

from holoscope.core import Registry
from holoscope.scenarios import commonsense, data_file, gsm, mmlu, narrative_qa, quickstart, synthetic_reasoning

_MODULES = (mmlu, gsm, commonsense, synthetic_reasoning, narrative_qa, quickstart, data_file)


def register(registry: Registry) -> None:
    """Put every built-in scenario and run entry into `registry`."""
    for module in _MODULES:
        module.register(registry)
