"""What a user may say of a model after `?`."""

from typing import Literal

import msgspec

from holoscope.models.tokenizers import WindowOption

PREFIX = "transformers/"


class TransformersOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of `transformers/...`."""

    chat: bool | Literal["auto"] = "auto"
    """Whether prompts go through the chat template. auto: where there is one, as in HELM; False: nothing does."""
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "float32"
    """`auto` is the checkpoint's own. In fewer bits the order of additions shows, and with it the batch."""
    device: str = "auto"
    """`cpu`, `cuda`, `cuda:1`; `auto`: a GPU if there is one."""
    window: WindowOption | None = None
    """Tokens; None: what the model was made for."""
    revision: str | None = None
    seed: int | None = None
    batch: WindowOption = 16
    """Most sequences computed at once."""
    trust_remote_code: bool = False
    """True: run the repository's own code. Needs a revision, so that the code is known."""
