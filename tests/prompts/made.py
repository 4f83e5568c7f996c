"""Instances and windows for the tests of prompts."""

from dataclasses import dataclass

from holoscope.core import CORRECT, TEST, AdapterSpec, Instance, PlannedRequest, Reference
from holoscope.models.tokenizers import CharacterWindow, Limits, Window
from holoscope.prompts import plan


def asked(text: str, *answers: str, right: int = 0, split: str = TEST, id: str = "id0") -> Instance:
    references = tuple(Reference(answer, (CORRECT,) if i == right else ()) for i, answer in enumerate(answers))
    return Instance(id=id, input=text, references=references, split=split)


def characters(limit: int | None = None) -> CharacterWindow:
    return CharacterWindow(Limits(sequence=limit))


def planned(
    adapter: AdapterSpec,
    *instances: Instance,
    train: tuple[Instance, ...] = (),
    window: Window | None = None,
    compat: bool = False,
    trials: int = 1,
    seed: int = 0,
) -> list[PlannedRequest]:
    window = window or characters()
    return list(plan(adapter, train, instances, window, compat=compat, seed=seed, trials=trials, wants_logprobs=False))


@dataclass(frozen=True)
class NastyWindow(Window):
    """Counts a known word as one token and any other character as one each, and cuts without counting again."""

    words: tuple[str, ...] = ("hello", "world", "ab", "日本語", "🎉🎉")

    def pieces(self, text: str) -> list[str]:
        found = []
        while text:
            word = next((word for word in self.words if text.startswith(word)), text[0])
            found.append(word)
            text = text[len(word) :]
        return found

    def truncate_right(self, text: str, limit: int) -> str:
        return "".join(self.pieces(text)[: limit + 1])[:-1]  # half a word is several tokens
