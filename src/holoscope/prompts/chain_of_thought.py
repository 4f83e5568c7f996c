"""Joint multiple choice with reasoning: as the joint method, but an example shows its reasoning before its answer.

The answer of an example is the whole prefix of the option, such as `(A) `, as HELM's is: the words around it
(`The correct answer is (A)`) are what the answer is found by. The model is asked as in the joint method.
"""

from holoscope.core import AdapterSpec, DataError, Instance
from holoscope.prompts.generation import NO_ANSWER, SEPARATOR, answered
from holoscope.prompts.labels import prefix
from holoscope.prompts.methods import Method
from holoscope.prompts.multiple_choice_joint import options, requests

REASONING = "chain_of_thought"
"""Key of `Instance.extra` under which an example's reasoning lies."""


def example(adapter: AdapterSpec, instance: Instance, compat: bool) -> str:
    right = [
        prefix(adapter, position, compat=compat)
        for position, reference in enumerate(instance.references)
        if reference.is_correct
    ] or [NO_ANSWER]
    answer = SEPARATOR.join(right) if adapter.multi_label else right[0]
    reasoned = adapter.chain_of_thought_prefix + _reasoning(instance) + adapter.chain_of_thought_suffix
    return answered(adapter, options(adapter, instance, compat), reasoned + answer)


def _reasoning(instance: Instance) -> str:
    found = instance.extra.get(REASONING, "")
    if not isinstance(found, str):
        raise DataError(f"{instance.id}: {REASONING} should be text, and is {found!r}")
    return found


CHAIN_OF_THOUGHT = Method(example, requests)
