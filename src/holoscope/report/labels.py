"""What a run is called in a table: its scenario and what tells it apart, without what every row shares.

`mmlu:subject=anatomy,method=multiple_choice_joint,model=openai_gpt-4o` becomes `mmlu subject=anatomy`; where two runs
of a model would then be called the same, each also shows the parts of its name that the other lacks.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from holoscope.core import Json, RunSpec

_COMMA = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""A comma outside quotes."""
_DIGITS = re.compile(r"([0-9]+)")


class Label(NamedTuple):
    """A run's name in a table."""

    scenario: str
    detail: str
    """Arguments, separated by spaces; empty where the scenario has none."""

    def __str__(self) -> str:
        return f"{self.scenario} {self.detail}" if self.detail else self.scenario


def labels(specs: Sequence[tuple[str, RunSpec]]) -> list[Label]:
    """A label for each (block, spec): within a block no two are equal unless the runs' names are."""
    plain = [Label(spec.scenario.name, _arguments(spec)) for _, spec in specs]
    alike: dict[tuple[str, Label], list[int]] = defaultdict(list)
    for position, ((block, _), label) in enumerate(zip(specs, plain, strict=True)):
        alike[block, label].append(position)
    for positions in alike.values():
        if len(positions) > 1:
            parts = [name_parts(specs[position][1]) for position in positions]
            shared = set.intersection(*map(set, parts))
            for position, own in zip(positions, parts, strict=True):
                plain[position] = _with(plain[position], [part for part in own if part not in shared])
    return plain


def natural(name: str) -> tuple[list[tuple[str, int]], str]:
    """The place of a name among others, numbers within it counting as numbers.

    >>> sorted(["model-17", "model-2", "Model-1"], key=natural)
    ['Model-1', 'model-2', 'model-17']
    """
    parts = _DIGITS.split(name.casefold())
    return [(text, int(digits[:300] or 0)) for text, digits in zip(parts[::2], [*parts[1::2], ""], strict=True)], name


def _arguments(spec: RunSpec) -> str:
    shown = {key: _short(value) for key, value in spec.scenario.args.items()}
    return " ".join(f"{key}={value}" for key, value in shown.items() if value)


def _short(value: Json) -> str:
    """A file by its name alone; nothing of what has an inside, or is empty."""
    if value is None or isinstance(value, list | dict):
        return ""
    return PurePath(value).name if isinstance(value, str) else str(value)


def name_parts(spec: RunSpec) -> list[str]:
    """The run's name, cut at its commas, the first part being what stands before the colon."""
    head, _, arguments = spec.name.partition(":")
    return [head, *_COMMA.split(arguments), *([f"compat={spec.compat}"] if spec.compat else [])]


def _with(label: Label, parts: list[str]) -> Label:
    return Label(label.scenario, " ".join(part for part in (label.detail, *parts) if part))
