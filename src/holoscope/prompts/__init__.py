"""From instances to requests: which instances are asked, with which examples, in which words, and whether they fit.

The invariant: a plan is a function of its arguments, byte for byte, and no prompt is ever cut without saying so. Under
compat the prompts are HELM's; else they are HELM's with corrections, since a prompt is what scores are compared by.
"""

from holoscope.prompts.fewshot import choose_train
from holoscope.prompts.labels import label
from holoscope.prompts.methods import Method, TrainTrial
from holoscope.prompts.plan import METHODS, plan
from holoscope.prompts.sampling import choose_eval

__all__ = ["METHODS", "Method", "TrainTrial", "choose_eval", "choose_train", "label", "plan"]
