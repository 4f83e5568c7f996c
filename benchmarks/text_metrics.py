"""CPU seconds of text metrics for 10,000 answers of 60 words: `python benchmarks/text_metrics.py`."""

import random
import time
from collections.abc import Iterator

from holoscope.core import (
    CORRECT,
    Choice,
    Completion,
    Exchange,
    Instance,
    MetricSpec,
    Outcome,
    Params,
    PlannedRequest,
    Reference,
    Registry,
    Request,
    Trial,
)
from holoscope.metrics import register, score

ANSWERS, WORDS, CHANGED = 10_000, 60, 3
SETS = (("rouge_1", "rouge_2", "rouge_l", "bleu_4", "f1_score"), ("bleu",), ("chrf",), ("wer",), ("cer",))


def trials(draw: random.Random) -> Iterator[Trial]:
    vocabulary = [f"word{i}" for i in range(2000)]
    for index in range(ANSWERS):
        gold = draw.choices(vocabulary, k=WORDS)
        said = [draw.choice(vocabulary) if i % CHANGED == 0 else word for i, word in enumerate(gold)]
        of = Instance(id=f"id{index}", input="?", references=(Reference(" ".join(gold), (CORRECT,)),))
        planned = PlannedRequest(instance=of, request=Request(Params(), prompt="?"))
        yield Trial(of, (Exchange(planned, Completion(Outcome.OK, (Choice(" ".join(said)),))),))


def main() -> None:
    registry = Registry()
    register(registry)
    made = list(trials(random.Random(0)))
    for names in SETS:
        start = time.process_time()
        score([MetricSpec(name) for name in names], made, registry)
        print(f"{' + '.join(names)}: {time.process_time() - start:.1f} s")


if __name__ == "__main__":
    main()
