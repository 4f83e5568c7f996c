"""One sequence of tokens under evaluation, and the memory of what it has read.

Reading a prompt costs most, and prompts of a run share their beginning, so a sequence keeps what it has computed and
goes back only as far as a new prompt differs. Its invariant: logits are a function of the tokens alone, bit by bit,
whatever was read before. Rounding depends on how tokens are batched, so the batches of a prompt are decided by its
tokens (`split`), and only whole leading batches are taken over. One thread computes a sequence, unless the user says
otherwise: several would divide attention by how many they are.
"""

import weakref
from collections.abc import Callable, Iterable
from collections.abc import Sequence as Tokens

import numpy as np
import numpy.typing as npt

from holoscope.core import FatalModelError
from holoscope.models.local._llama import FLASH_ATTENTION, library
from holoscope.models.local._weights import Weights

Logits = npt.NDArray[np.float32]
Chunk = tuple[int, ...]

BATCH = 32
"""Most tokens read at once: nearly as fast as any number. From 64 on flash attention would take another way, and whole
prompts would differ in the last digits from the same tokens one by one."""
_SEQUENCE = 0
_TO_THE_END = -1


def split(tokens: Tokens[int], piece: Callable[[int], bytes]) -> list[Chunk]:
    """A prompt's batches: each ends after a blank line, where prompts of a run begin to differ, or when it is full."""
    chunks: list[Chunk] = []
    chunk: list[int] = []
    tail = b""
    for token in tokens:
        chunk.append(token)
        tail = (tail + piece(token))[-2:]
        if tail == b"\n\n" or len(chunk) == BATCH:
            chunks.append(tuple(chunk))
            chunk = []
    return [*chunks, tuple(chunk)] if chunk else chunks


def common(one: list[Chunk], other: list[Chunk]) -> int:
    """How many leading batches two prompts share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (ours, theirs) in pairs if ours != theirs), min(len(one), len(other)))


class Sequence:
    """A context of llama.cpp that holds one sequence. Used by one thread at a time."""

    def __init__(self, weights: Weights, window: int, threads: int) -> None:
        self._weights = weights  # kept alive by whoever computes with them
        self._library = library()
        params = self._library.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch, params.n_outputs_max = window, BATCH, BATCH, BATCH
        params.n_threads = params.n_threads_batch = threads
        params.flash_attn_type = FLASH_ATTENTION
        self._context = self._library.llama_init_from_model(weights.pointer, params)
        if not self._context:
            raise FatalModelError(f"no memory for a window of {window} tokens: {self._library.complaint}")
        weakref.finalize(self, self._library.llama_free, self._context).atexit = False
        self._memory = self._library.llama_get_memory(self._context)
        self._batch = self._library.llama_batch_init(BATCH, 0, 1)
        weakref.finalize(self, self._library.llama_batch_free, self._batch).atexit = False
        self._chunks: list[Chunk] = []
        """What has been read."""
        self._prompt_end = 0
        """How many of them are the last prompt's, and the logits after it."""
        self._prompt_logits: Logits | None = None

    def read(self, chunks: list[Chunk], proceed: Callable[[], None]) -> Logits:
        """Go to the end of a prompt, which must not be empty; the logits of what comes next.

        `proceed` is called before each batch, and may raise to give up.
        """
        known = common(self._chunks, chunks)
        logits = self._prompt_logits if known == len(chunks) == self._prompt_end else None
        if logits is None:
            known = min(known, len(chunks) - 1)
            self._prompt_logits = None
        self._go_back(known)
        for chunk in chunks[len(self._chunks) :]:
            proceed()
            found = self._decode(chunk, rows=1 if len(self._chunks) == len(chunks) - 1 else 0)
            logits = found[0] if len(found) else None
        assert logits is not None
        self._prompt_end, self._prompt_logits = len(chunks), logits
        return logits

    def extend(self, tokens: Iterable[int]) -> Logits:
        """Read up to `BATCH` more tokens; for each, the logits of what comes after it."""
        chunk = tuple(tokens)
        return self._decode(chunk, rows=len(chunk))

    def _go_back(self, count: int) -> None:
        """Forget all but the first `count` batches; everything, if the model can't forget a part."""
        if count == len(self._chunks):
            return
        end = sum(map(len, self._chunks[:count]))
        if self._library.llama_memory_seq_rm(self._memory, _SEQUENCE, end, _TO_THE_END):
            self._chunks = self._chunks[:count]
        else:
            self._forget()

    def _forget(self) -> None:
        self._library.llama_memory_clear(self._memory, True)
        self._chunks, self._prompt_logits = [], None

    def _decode(self, chunk: Chunk, *, rows: int) -> Logits:
        """Read a batch after what has been read; the logits of its last `rows` tokens."""
        batch, start = self._batch, sum(map(len, self._chunks))
        batch.n_tokens = len(chunk)
        for i, token in enumerate(chunk):
            batch.token[i], batch.pos[i], batch.n_seq_id[i] = token, start + i, 1
            batch.seq_id[i][0], batch.logits[i] = _SEQUENCE, i >= len(chunk) - rows
        status = self._library.llama_decode(self._context, batch)
        if status != 0:
            self._forget()
            raise FatalModelError(f"llama.cpp failed ({status}): {self._library.complaint}")
        self._chunks.append(chunk)
        logits = np.empty((rows, self._weights.vocabulary_size), dtype=np.float32)
        for row in range(rows):
            pointer = self._library.llama_get_logits_ith(self._context, len(chunk) - rows + row)
            logits[row] = np.ctypeslib.as_array(pointer, (self._weights.vocabulary_size,))
        return logits
