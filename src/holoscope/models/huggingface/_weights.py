"""A loaded model: its tokenizer, its template, and one pass of it."""

import inspect
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

from holoscope.core import ConfigError, Message, NotSupportedError, Text
from holoscope.core import Image as ImagePart
from holoscope.models.huggingface._checkpoint import Checkpoint, required
from holoscope.models.huggingface._options import TransformersOptions
from holoscope.models.local._chat import text_of

_UNBOUNDED = 1 << 20
"""A tokenizer without a length says so by a huge number."""


class Weights:
    """Weights in memory."""

    def __init__(self, checkpoint: Checkpoint, options: TransformersOptions) -> None:
        self.torch, self._library = required("torch"), required("transformers")
        self.pads = True
        """True if rows of several lengths may stand in one batch: positions are told, and no layer forgets."""
        self.computed = 0
        """Tokens read or written so far, padding included."""
        self._options, self._checkpoint = options, checkpoint
        try:
            self._load()
        except (OSError, ValueError, ImportError, RuntimeError, AssertionError) as error:  # torch has two for a device
            said = next(iter(str(error).splitlines()), "") or type(error).__name__
            raise ConfigError(f"cannot load {checkpoint.folder}: {said}") from error
        self.window = self._window()
        self.ends = self._ends()

    def _load(self) -> None:
        self._library.utils.logging.disable_progress_bar()
        library, torch, options, folder = self._library, self.torch, self._options, self._checkpoint.folder
        device = options.device if options.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
        sees = self._checkpoint.reads_images
        kind = library.AutoModelForImageTextToText if sees else library.AutoModelForCausalLM
        given = {"local_files_only": True, "trust_remote_code": options.trust_remote_code}
        self.processor = library.AutoProcessor.from_pretrained(folder, **given) if sees else None
        self.tokenizer = library.AutoTokenizer.from_pretrained(folder, **given)
        self.model = kind.from_pretrained(folder, dtype=options.dtype, **given).to(device).eval()
        self.device = self.model.device
        takes = inspect.signature(self.model.forward).parameters
        self._cache_name = next((name for name in ("cache", "past_key_values") if name in takes), "")
        if not self._cache_name:
            kind_name = self.model.config.model_type
            raise ValueError(f"models of kind {kind_name!r} keep nothing that an answer could go on from")
        self._takes_places, self._takes_kept = "position_ids" in takes, "logits_to_keep" in takes
        text = self.model.config.get_text_config()
        keeps_all = all(type(layer) is library.cache_utils.DynamicLayer for layer in self.new_cache().layers)
        counts_slots = getattr(text, "alibi", False) or "local" in getattr(text, "attention_layers", ())
        self.pads = self._takes_places and keeps_all and not counts_slots

    def tokens(self, prompt: str) -> list[int]:
        """A prompt as the model reads it, special tokens at its beginning included."""
        return list(self.tokenizer(prompt)["input_ids"]) or [self._blank()]

    def offsets(self, prompt: str) -> list[tuple[int, int]]:
        """Where each of `tokens(prompt)` is in it; special tokens are empty."""
        if not self.tokenizer.is_fast:
            raise NotSupportedError(
                "this model's tokenizer doesn't say which text its tokens are, so none can be scored"
            )
        return list(self.tokenizer(prompt, return_offsets_mapping=True)["offset_mapping"])

    def chat(self, messages: Sequence[Message]) -> str:
        """Messages as text, up to where the answer begins."""
        if not self.tokenizer.chat_template:
            raise NotSupportedError("the model has no chat template (a base model): give it prompts, not messages")
        turns = [{"role": message.role, "content": text_of(message)} for message in messages]
        try:
            return str(self.tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False))
        except Exception as error:  # templates raise what they like
            raise NotSupportedError(f"the model's chat template cannot hold these messages: {error}") from error

    def chat_tokens(self, text: str) -> list[int]:
        """Tokens of a text that the template made, which has its special tokens already."""
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def seen(self, messages: Sequence[Message]) -> dict[str, Any]:
        """Messages with images, as the model's processor prepares them."""
        if self.processor is None or not self.processor.chat_template:
            raise NotSupportedError("the model has no chat template that says where an image belongs")
        turns = [{"role": message.role, "content": _parts(message)} for message in messages]
        text = self.processor.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        parts = (part for m in messages if not isinstance(m.content, str) for part in m.content)
        images = [_picture(part) for part in parts if isinstance(part, ImagePart)]
        try:
            given = dict(self.processor(text=[text], images=images, add_special_tokens=False, return_tensors="pt"))
        except ValueError as error:
            raise NotSupportedError(f"the model's processor cannot read these images: {error}") from error
        return {name: self._placed(value) for name, value in given.items()}

    def _placed(self, value: Any) -> Any:
        value = value.to(self.device)
        return value.to(self.model.dtype) if value.is_floating_point() else value

    def write_seen(self, inputs: Mapping[str, Any], most: int, choose: Callable[[Any], int | None]) -> None:
        """Have transformers run a prompt with images, whose positions differ from model to model.

        `choose` takes logits and gives the next token, or None at the end.
        """
        torch, library = self.torch, self._library
        end = next(iter(self.ends), 0)

        def steer(input_ids: Any, scores: Any) -> Any:
            token = choose(scores[0].float().cpu().numpy())
            chosen = torch.full_like(scores, -torch.inf)
            chosen[0, end if token is None else token] = 0.0
            return chosen

        settings = library.GenerationConfig(
            max_new_tokens=most, do_sample=False, eos_token_id=list(self.ends) or None, pad_token_id=end
        )
        with torch.inference_mode():
            self.model.generate(
                **inputs, generation_config=settings, logits_processor=library.LogitsProcessorList([steer])
            )

    def new_cache(self) -> Any:
        return self._library.DynamicCache(config=self.model.config)

    def forward(self, rows: Any, cache: Any, *, places: Any, kept: Sequence[int], mask: Any = None) -> Any:
        """One pass, by which the cache grows; the logits at the places of `rows` that are kept, in float32."""
        self.computed += int(rows.numel())
        more: dict[str, Any] = {self._cache_name: cache}
        if mask is not None and self.pads:  # rows of one length need none, and recurrent layers misread a longer one
            more["attention_mask"] = mask
        if self._takes_places:
            more["position_ids"] = places
        wanted = self.torch.tensor(list(kept), device=self.device)
        if self._takes_kept:
            more["logits_to_keep"] = wanted
        with self.torch.inference_mode():
            logits = self.model(input_ids=rows, use_cache=True, **more).logits
        return (logits if self._takes_kept else logits[:, wanted]).float()

    def _window(self) -> int:
        config = self.model.config.get_text_config()
        known = (getattr(config, name, None) for name in ("max_position_embeddings", "n_positions", "max_seq_len"))
        lengths = [n for n in (*known, self.tokenizer.model_max_length) if isinstance(n, int) and 0 < n < _UNBOUNDED]
        own = min(lengths, default=None)
        if self._options.window is None:
            return own or 2048
        return min(self._options.window, own) if own else self._options.window

    def _ends(self) -> frozenset[int]:
        config = self.model.generation_config
        found = config.eos_token_id if config is not None else None
        ids = found if isinstance(found, list) else [found, self.tokenizer.eos_token_id]
        return frozenset(each for each in ids if each is not None)

    def _blank(self) -> int:
        """What an empty prompt is to a model that puts nothing before it."""
        known = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id, 0)
        return int(next(each for each in known if each is not None))


def _parts(message: Message) -> list[dict[str, str]]:
    if isinstance(message.content, str):
        return [{"type": "text", "text": message.content}]
    return [
        {"type": "text", "text": part.text} if isinstance(part, Text) else {"type": "image"} for part in message.content
    ]


def _picture(part: ImagePart) -> Any:
    images = required("PIL.Image")
    read = images.open
    try:
        with read(BytesIO(b64decode(part.data))) as picture:
            return picture.convert("RGB")
    except (OSError, ValueError, images.DecompressionBombError) as error:
        raise NotSupportedError(f"an image ({part.media_type}) cannot be read: {error}") from error
