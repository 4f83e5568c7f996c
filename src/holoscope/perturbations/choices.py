"""The options of a question in another order: a right answer should not depend on where it stands.

Each rotation of the options is a perturbation of its own (`shift` 1, 2, ...), so that an instance with four options has
three perturbed forms, and the worst case over all of them is circular evaluation. The tags travel with the texts: the
right answer has another letter, and the same words. A question of which the order is part is left as it is.
"""

import re
from random import Random

from msgspec.structs import replace

from holoscope.core import Instance

_REFERS_TO_OTHERS = re.compile(
    r"\b(?:all|both|each|either|neither|none|any|some|one|two|\d) of (?:these|those|the (?:other|option|choice|answer))"
    r"|\b(?:the|none|all) (?:above|below|foregoing|preceding)\b"
    r"|^\W*(?:(?:only|both|either|neither|options?|choices?|answers?)\W+)*[A-J](?:\W+[A-J])*\W+(?:and|or|nor|&)\W+[A-J]\b"
    r"|\b(?:options?|choices?|answers?) \(?[A-J]\b"
    r"|以上|上述|위의? |보기",
    re.IGNORECASE,
)
"""`all of the above`, `none of these`, `both A and C`. Numbers refer to statements in the question, which stay."""


def choice_rotation(instance: Instance, rng: Random, *, shift: int) -> Instance:
    """The option at place `shift` comes first, and what stood before it goes to the end."""
    options = instance.references
    if shift >= len(options) or _is_ordered([option.text for option in options]):
        return instance
    return replace(instance, references=options[shift:] + options[:shift])


def _is_ordered(texts: list[str]) -> bool:
    """True if an option names others by their place, or the options are no more than their own labels."""
    bare = [text.strip().strip("().").upper() for text in texts]
    are_labels = bare == [chr(ord("A") + i) for i in range(len(bare))]
    return are_labels or any(_REFERS_TO_OTHERS.search(text) for text in texts)
