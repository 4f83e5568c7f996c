"""Weights, their sequences, and the window on them: what is in memory while a local model is open."""

from dataclasses import dataclass, field
from pathlib import Path

from holoscope.core import Completion, Request, UsageError
from holoscope.models.local._asking import task_of
from holoscope.models.local._options import LocalOptions
from holoscope.models.local._scheduler import Pending, Scheduler
from holoscope.models.local._sequence import Sequence
from holoscope.models.local._weights import Weights
from holoscope.models.tokenizers import Limits, Window


@dataclass(frozen=True, kw_only=True, eq=False)
class LocalWindow(Window):
    """Counts as the engine does, to the token, without the one that may stand before every prompt."""

    weights: Weights = field(repr=False)

    def pieces(self, text: str) -> list[str]:
        tokens = self.weights.tokenize(text)
        spelling = self.weights.spell(text, tokens)
        if spelling is None:
            return [self.weights.piece(token).decode("utf-8", "replace") for token in tokens]
        return list(spelling.texts)

    def count(self, text: str) -> int:
        return self.weights.count(text)


class Engine:
    """One file's weights, ready to compute."""

    def __init__(self, path: Path, options: LocalOptions) -> None:
        self._options = options
        self._weights = weights = Weights(path)
        if options.window > weights.trained_window:
            raise UsageError(
                f"{path.name} was trained on windows of {weights.trained_window} tokens; "
                f"add ?window={weights.trained_window} or less to the model's name, found {options.window}"
            )
        self._scheduler = Scheduler(lambda: Sequence(weights, options.window, options.threads), options.sequences)

    def ask(self, request: Request) -> Completion | Pending:
        """A completion, at once or to come. Raises NotSupportedError for what the weights can't do."""
        task = task_of(request, self._weights, self._options.window, self._options.seed)
        return task if isinstance(task, Completion) else self._scheduler.submit(task)

    def window(self) -> LocalWindow:
        length = self._options.window - len(self._weights.start)
        return LocalWindow(Limits(length, None, length), weights=self._weights)

    def close(self) -> None:
        """Stop computing."""
        self._scheduler.close()
