"""`python -m holoscope.models.local._probe FILE.gguf`: print what a sentence costs these weights, in nats a token."""

import sys
from pathlib import Path

from holoscope.core import Completion, Params, Request
from holoscope.models.local._engine import Engine
from holoscope.models.local._options import LocalOptions
from holoscope.models.local._trust import SENTENCE


def sentence_cost(path: Path) -> float:
    """Mean of the negative log-probabilities of the sentence's tokens."""
    engine = Engine(path, LocalOptions(window=64, workers=1))
    pending = engine.ask(Request(Params(echo_prompt=True), prompt=SENTENCE))
    completion = pending if isinstance(pending, Completion) else pending.future.result()
    engine.close()
    logprobs = [token.logprob for token in completion.choices[0].tokens if token.logprob is not None]
    return -sum(logprobs) / len(logprobs)


if __name__ == "__main__":
    sys.stdout.write(f"{sentence_cost(Path(sys.argv[1]))}\n")
