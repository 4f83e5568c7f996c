"""Which in-context examples stand in every prompt of a train trial.

Labels take turns, the most frequent first, so that few examples still show many labels. With seed 0 the draws are those
of HELM, which seeds Python's generator with the trial's number; here the generator is local and nothing else moves.
"""

import random
from collections import defaultdict
from collections.abc import Sequence

from holoscope.core import AdapterSpec, Instance, rng


def choose_train(train: Sequence[Instance], adapter: AdapterSpec, *, trial: int, seed: int) -> list[Instance]:
    """The in-context examples of one train trial, in prompt order."""
    size = min(len(train), adapter.max_train_instances)
    if not adapter.sample_train:
        return list(train[size * trial : size * (trial + 1)])
    draw = random.Random(trial) if seed == 0 else rng(seed, "fewshot", str(trial))
    unlabelled = [instance for instance in train if not instance.correct_references]
    by_label: dict[str, list[Instance]] = defaultdict(list)
    for instance in train:
        if instance.correct_references:
            by_label[instance.correct_references[0].text].append(instance)
    chosen = _in_turns(by_label, _ordered(by_label, draw), size, draw)
    return chosen + draw.sample(unlabelled, size - len(chosen))


def _ordered(by_label: dict[str, list[Instance]], draw: random.Random) -> list[str]:
    """Labels by falling frequency, equally frequent ones shuffled."""
    by_count: dict[int, list[str]] = defaultdict(list)
    for label in sorted(by_label):
        by_count[len(by_label[label])].append(label)
    ordered = []
    for count in sorted(by_count, reverse=True):
        draw.shuffle(by_count[count])
        ordered += by_count[count]
    return ordered


def _in_turns(
    by_label: dict[str, list[Instance]], labels: Sequence[str], size: int, draw: random.Random
) -> list[Instance]:
    """Up to `size` instances, one label after the other; each is drawn once."""
    left = {label: list(by_label[label]) for label in labels}
    chosen: list[Instance] = []
    while any(left.values()):
        for label in labels:
            if len(chosen) == size:
                return chosen
            if left[label]:
                chosen.append(left[label].pop(draw.randrange(len(left[label]))))
    return chosen
