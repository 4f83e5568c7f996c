"""Computes tasks: shared beginnings once, the rest side by side, answers token by token.

Rows of different length are padded at their end, where nothing that is wanted can see it: a row's tokens look back
only, and what is written after the padding has it masked out and goes by its true position.
"""

import copy
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from holoscope.core import Choice, Completion, ModelError, NotSupportedError, Outcome, Request, Token, Usage
from holoscope.models.answer import combine, read_answer, sum_logprobs
from holoscope.models.huggingface._groups import Group, grouped
from holoscope.models.huggingface._options import TransformersOptions
from holoscope.models.huggingface._rows import Row
from holoscope.models.huggingface._tasks import Task, task_of
from holoscope.models.huggingface._weights import Weights

_KEPT = 4
"""Beginnings whose computation is kept for requests to come."""
_LOGITS = 1 << 27
"""Most logits in one pass (512 MB of them)."""
_DIGITS = 6


class Engine:
    """One model, ready to compute."""

    def __init__(self, weights: Weights, options: TransformersOptions) -> None:
        self.weights, self._options = weights, options
        self._prefixes: OrderedDict[tuple[int, ...], Any] = OrderedDict()

    def answered(self, requests: Sequence[Request]) -> list[Completion | ModelError]:
        """A completion, or why there is none, for each request."""
        given: list[Completion | ModelError | Task] = [self._task(request) for request in requests]
        waiting = {id(task): at for at, task in enumerate(given) if isinstance(task, Task)}
        tasks = [task for task in given if isinstance(task, Task)]
        for kind in ([t for t in tasks if t.draws], [t for t in tasks if not t.draws]):
            for group in grouped(kind):
                group = group if self.weights.pads else Group(0, group.tasks)
                for task, completion in self._computed(group):
                    given[waiting[id(task)]] = completion
        return [each for each in given if not isinstance(each, Task)]

    def _task(self, request: Request) -> Completion | ModelError | Task:
        try:
            chat = None if self._options.chat == "auto" else self._options.chat
            return task_of(request, self.weights, chat, self._options.seed)
        except NotSupportedError as error:
            return error

    def _computed(self, group: Group) -> Iterator[tuple[Task, Completion]]:
        for tasks in self._chunks(group):
            started = time.perf_counter()
            if tasks[0].inputs is not None:
                done = [self._looked(tasks[0])]
            elif tasks[0].draws:
                done = self._written(tasks, group.shared)
            else:
                done = self._scored(tasks, group.shared)
            took = time.perf_counter() - started
            for task, completion in zip(tasks, done, strict=True):
                yield task, _timed(completion, took)

    def _chunks(self, group: Group) -> Iterator[list[Task]]:
        """As many at once as fit: rows of the batch, and logits of the passes."""
        chunk: list[Task] = []
        rows = logits = 0
        size = self.weights.model.config.get_text_config().vocab_size
        for task in sorted(group.tasks, key=lambda task: len(task.ids)):
            more, wide = max(1, len(task.draws)), (len(task.ids) - task.first + 1) * size
            is_full = rows + more > self._options.batch or (len(chunk) + 1) * max(logits, wide) > _LOGITS
            is_other = bool(chunk) and not self.weights.pads and len(task.ids) != len(chunk[0].ids)
            if chunk and (is_full or is_other or task.inputs is not None):
                yield chunk
                chunk, rows, logits = [], 0, 0
            chunk.append(task)
            rows, logits = rows + more, max(logits, wide)
        yield chunk

    def _read(self, tasks: Sequence[Task], shared: int) -> tuple[Any, list[int], Any, Any]:
        """One pass over what is not shared: logits at the kept positions, those positions, the cache, and the mask."""
        torch, weights = self.weights.torch, self.weights
        ends = [task.ids[shared:] for task in tasks]
        width = max(map(len, ends))
        rows = torch.tensor([end + [0] * (width - len(end)) for end in ends], device=weights.device)
        mask = torch.ones(len(ends), shared + width, dtype=torch.long, device=weights.device)
        for at, end in enumerate(ends):
            mask[at, shared + len(end) :] = 0
        kept = sorted({at for task in tasks for at in range(task.first - 1, len(task.ids) - (not task.draws))})
        cache = self._prefix(tasks[0].ids[:shared], len(tasks)) if shared else weights.new_cache()
        places = torch.arange(shared, shared + width, device=weights.device).expand(len(ends), -1)
        logits = weights.forward(rows, cache, places=places, kept=[at - shared for at in kept], mask=mask)
        return logits, kept, cache, mask

    def _prefix(self, ids: Sequence[int], rows: int) -> Any:
        """The cache after a beginning, a row for each of those that share it."""
        key = tuple(ids)
        if key in self._prefixes:
            self._prefixes.move_to_end(key)
        else:
            self._prefixes[key] = self._read_prefix(key)
            if len(self._prefixes) > _KEPT:
                self._prefixes.popitem(last=False)
        cache = copy.deepcopy(self._prefixes[key])
        cache.batch_repeat_interleave(rows)
        return cache

    def _read_prefix(self, key: tuple[int, ...]) -> Any:
        """Go on from the longest beginning of this one that is known."""
        torch, weights = self.weights.torch, self.weights
        known: tuple[int, ...] = max((kept for kept in self._prefixes if key[: len(kept)] == kept), key=len, default=())
        cache = copy.deepcopy(self._prefixes[known]) if known else weights.new_cache()
        rest = torch.tensor([key[len(known) :]], device=weights.device)
        places = torch.arange(len(known), len(key), device=weights.device)[None]
        weights.forward(rest, cache, places=places, kept=[rest.shape[1] - 1])
        return cache

    def _scored(self, tasks: Sequence[Task], shared: int) -> list[Completion]:
        if all(len(task.ids) == 1 for task in tasks):  # a first token has nothing before it to be expected from
            return [_score(task, []) for task in tasks]
        logits, kept, _, _ = self._read(tasks, shared)
        logprobs = logits.log_softmax(-1)
        place = {at: number for number, at in enumerate(kept)}
        return [
            _score(task, [float(logprobs[row, place[at - 1], task.ids[at]]) for at in range(task.first, len(task.ids))])
            for row, task in enumerate(tasks)
        ]

    def _written(self, tasks: Sequence[Task], shared: int) -> list[Completion]:
        logits, kept, cache, mask = self._read(tasks, shared)
        place = {at: number for number, at in enumerate(kept)}
        begun = [logits[row, place[len(task.ids) - 1]] for row, task in enumerate(tasks)]
        rows = [Row(task, draw, self.weights) for task in tasks for draw in task.draws]
        index = [at for at, task in enumerate(tasks) for _ in task.draws]
        self._write(rows, self.weights.torch.stack([begun[at] for at in index]), index, cache, mask)
        return [_answer(task, [row for row in rows if row.task is task]) for task in tasks]

    def _looked(self, task: Task) -> Completion:
        """An answer to messages with images: read as the processor prepared them, alone."""
        rows = [Row(task, draw, self.weights) for draw in task.draws]
        for row in rows:
            if row.room > 0:
                self.weights.write_seen(task.inputs, row.room, row.choose)
        return _answer(task, rows)

    def _write(self, rows: list[Row], logits: Any, index: list[int], cache: Any, mask: Any) -> None:
        """Write all rows to their ends; `index` is the place of each in cache and mask."""
        torch, weights = self.weights.torch, self.weights
        active = rows
        while True:
            values = logits.cpu().numpy()
            going = [at for at, row in enumerate(active) if row.add(values[at])]
            if not going:
                return
            if len(going) < len(index) or index != list(range(mask.shape[0])):
                chosen = torch.tensor([index[at] for at in going], device=weights.device)
                cache.batch_select_indices(chosen)
                mask = mask[chosen]
            active, index = [active[at] for at in going], list(range(len(going)))
            mask = torch.cat([mask, mask.new_ones(len(active), 1)], dim=1)
            places = torch.tensor([[row.length - 1] for row in active], device=weights.device)
            last = torch.tensor([[row.last] for row in active], device=weights.device)
            logits = weights.forward(last, cache, places=places, kept=[0], mask=mask)[:, 0]


def _score(task: Task, logprobs: list[float]) -> Completion:
    """The tokens that were to be scored; those before the first that could be have no log-probability."""
    blank = len(task.texts) - len(logprobs)
    values: list[float | None] = [*[None] * blank, *(round(value, _DIGITS) for value in logprobs)]
    tokens = tuple(map(Token, task.texts, values))
    text = task.request.continuation or task.request.prompt or ""
    choice = Choice(text, sum_logprobs(tokens), tokens, "length")
    return Completion(Outcome.OK, (choice,), usage=Usage(len(task.ids), 0))


def _answer(task: Task, rows: Sequence[Row]) -> Completion:
    answers = combine([read_answer(row.end()) for row in rows])
    usage = Usage(len(task.ids), sum(row.made for row in rows))
    return Completion(answers.outcome, answers.choices, answers.reason, usage=usage)


def _timed(completion: Completion, took: float) -> Completion:
    return msgspec.structs.replace(completion, request_time=took, created=time.time())
