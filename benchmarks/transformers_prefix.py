"""What a shared beginning saves: 200 five-shot prompts through `transformers/...`, together and one by one.

    python benchmarks/transformers_prefix.py [--prompts 200] [--hidden 256] [--layers 6]

A Llama with random weights is made for it (its size is given; what is saved does not depend on what it knows). One by
one means one plain pass over each whole prompt, without a cache: what a loop over the prompts costs. CPU seconds are
those of the process, all its threads. Needs torch and transformers.
"""

import argparse
import asyncio
import resource
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import torch

from holoscope.core import Settings
from holoscope.models import resolve
from holoscope.models.huggingface import TransformersModel
from models.huggingface.test_transformers import ask, naive_logprobs, scoring, shots
from models.huggingface.tiny import save_llama


def main() -> None:
    flags = _flags()
    with tempfile.TemporaryDirectory() as empty:
        folder = save_llama(Path(empty) / "model", hidden=flags.hidden, layers=flags.layers)
        settings = Settings(cache_dir=Path(empty), local_path=Path(empty))
        model = resolve(f"transformers/{folder}", settings)
        assert isinstance(model, TransformersModel)
        print(f"{flags.prompts} prompts, {model.engine.weights.model.num_parameters():,} parameters")
        asyncio.run(_compare(model, flags.prompts))


def _flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompts", type=int, default=200)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--layers", type=int, default=6)
    return parser.parse_args()


async def _compare(model: TransformersModel, count: int) -> None:
    requests = [scoring(prompt, " Paris") for prompt in shots(count)]
    weights = model.engine.weights
    naive_logprobs(model, weights.tokens(requests[0].prompt or ""))  # the first pass warms up
    begun = _cpu()
    alone = [naive_logprobs(model, weights.tokens(request.prompt or "")) for request in requests]
    middle = _cpu()
    together = await ask(model, requests)
    ended = _cpu()
    scored = [[token.logprob or 0.0 for token in completion.choices[0].tokens] for completion in together]
    pairs = [(row, full[-len(row) :]) for row, full in zip(scored, alone, strict=True)]
    worst = max(abs(one - other) for row, plain in pairs for one, other in zip(row, plain, strict=True))
    length = sum(len(weights.tokens(request.prompt or "")) for request in requests) / count
    print(f"one by one  {middle - begun:6.2f} s CPU, {length:.0f} tokens a prompt")
    print(f"together    {ended - middle:6.2f} s CPU, {(ended - middle) / (middle - begun):.2f} of that")
    print(f"log-probabilities differ by at most {worst:.1e} ({torch.get_num_threads()} threads)")
    await model.aclose()


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
