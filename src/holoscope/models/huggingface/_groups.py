"""Which tasks are computed together: those whose prompts begin alike."""

from collections.abc import Sequence
from typing import NamedTuple

from holoscope.models.huggingface._tasks import Task

_LEAST = 8
"""A shorter beginning isn't worth a pass of its own."""


class Group(NamedTuple):
    """Tasks, and how many tokens all of them begin with."""

    shared: int
    tasks: list[Task]


def grouped(tasks: Sequence[Task]) -> list[Group]:
    """Tasks in groups; the shared beginning ends before the first token that anybody wants something of."""
    groups: list[Group] = []
    for task in sorted(tasks, key=lambda task: task.ids):
        if groups and (shared := _together(groups[-1], task)):
            groups[-1].tasks.append(task)
            groups[-1] = Group(shared, groups[-1].tasks)
        else:
            groups.append(Group(task.shareable, [task]))
    return [group if len(group.tasks) > 1 and group.shared >= _LEAST else Group(0, group.tasks) for group in groups]


def _together(group: Group, task: Task) -> int:
    """The beginning that a group would share with one more task; 0 where it would lose more than half of its own."""
    shared = min(common(group.tasks[0].ids, task.ids), group.shared, task.shareable)
    return shared if shared >= _LEAST and 2 * shared >= group.shared else 0


def common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two sequences begin with alike."""
    length = min(len(one), len(other))
    return next((at for at in range(length) if one[at] != other[at]), length)
