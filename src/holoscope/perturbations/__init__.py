"""Changes to an instance that should not change its answer: robustness and fairness.

A perturbation is a pure function of (instance, generator, arguments, word list); `augment` puts its results beside the
originals. The invariant: the same instance, perturbation and seed give the same text on any machine, in any order and
thread, because each pair draws from a generator of its own and word lists are values read beforehand. Ours find whole
words up to the edges of a text, keep case, and never count a swap that changes nothing; HELM's definitions stand beside
them as `name@helm`, byte for byte, because scores can only be compared across tools where the prompts are the same.
"""

from holoscope.perturbations.augmentation import augment
from holoscope.perturbations.lexicon import GenderTable, Lexicon, NameList, PersonName, WordMap
from holoscope.perturbations.paraphrase import Ask, write_lists, writers
from holoscope.perturbations.registration import definition, register
from holoscope.perturbations.sources import Lexicons, load_lexicons, misspelling_list

__all__ = [
    "Ask",
    "GenderTable",
    "Lexicon",
    "Lexicons",
    "NameList",
    "PersonName",
    "WordMap",
    "augment",
    "definition",
    "load_lexicons",
    "misspelling_list",
    "register",
    "write_lists",
    "writers",
]
