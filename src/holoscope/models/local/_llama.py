"""llama.cpp's C interface, as far as it is needed: facts of its public header, for the build inside xllamacpp.

xllamacpp serves and generates, but cannot score a given text. Its extension module exports the whole C interface
though, so that one is called here, in this process, through ctypes. Invariant: `library()` is the only place that
imports xllamacpp. Layouts are those of llama.cpp b11549 (xllamacpp 2026.10.11549); each structure ends in room to
spare and its defaults are compared with the documented ones, so another build is noticed before it is used.
"""

import ctypes as c
import logging
import os
from collections import deque
from functools import cache
from importlib import metadata
from typing import Any, ClassVar

from holoscope.core import MissingExtraError, NotSupportedError

KNOWN_BUILDS = frozenset({"2026.10.11549"})
FLASH_ATTENTION = 1
_ERROR_LEVEL = 4

_log = logging.getLogger("holoscope.models.local.llama")


class ModelParams(c.Structure):
    """`llama_model_params`."""

    _fields_ = [
        ("devices", c.c_void_p),
        ("tensor_buft_overrides", c.c_void_p),
        ("n_gpu_layers", c.c_int32),
        ("split_mode", c.c_int32),
        ("load_mode", c.c_int32),
        ("lazy_mode", c.c_int32),
        ("main_gpu", c.c_int32),
        ("tensor_split", c.c_void_p),
        ("progress_callback", c.c_void_p),
        ("progress_callback_user_data", c.c_void_p),
        ("kv_overrides", c.c_void_p),
        *((name, c.c_bool) for name in ("vocab_only", "check_tensors", "use_extra_bufts", "no_host", "no_alloc")),
        ("load_mtp", c.c_bool),
        ("spare", c.c_char * 128),
    ]
    DEFAULTS: ClassVar[dict[str, object]] = {
        "n_gpu_layers": -1,
        "split_mode": 1,
        "main_gpu": 0,
        "tensor_split": None,
        "kv_overrides": None,
        "vocab_only": False,
        "check_tensors": False,
        "use_extra_bufts": True,
    }


class ContextParams(c.Structure):
    """`llama_context_params`."""

    _fields_ = [
        *((name, c.c_uint32) for name in ("n_ctx", "n_batch", "n_ubatch", "n_seq_max", "n_rs_seq")),
        *((name, c.c_uint32) for name in ("n_outputs_max", "n_outputs_max_per_seq")),
        *((name, c.c_int32) for name in ("n_threads", "n_threads_batch", "ctx_type", "rope_scaling_type")),
        *((name, c.c_int32) for name in ("pooling_type", "attention_type", "flash_attn_type")),
        *((name, c.c_float) for name in ("rope_freq_base", "rope_freq_scale", "yarn_ext_factor", "yarn_attn_factor")),
        *((name, c.c_float) for name in ("yarn_beta_fast", "yarn_beta_slow")),
        ("yarn_orig_ctx", c.c_uint32),
        ("defrag_thold", c.c_float),
        ("cb_eval", c.c_void_p),
        ("cb_eval_user_data", c.c_void_p),
        ("type_k", c.c_int32),
        ("type_v", c.c_int32),
        ("moe_cache_size", c.c_size_t),
        ("abort_callback", c.c_void_p),
        ("abort_callback_data", c.c_void_p),
        *((name, c.c_bool) for name in ("embeddings", "offload_kqv", "no_perf", "op_offload", "swa_full")),
        ("kv_unified", c.c_bool),
        ("samplers", c.c_void_p),
        ("n_samplers", c.c_size_t),
        ("ctx_other", c.c_void_p),
        ("spare", c.c_char * 128),
    ]
    DEFAULTS: ClassVar[dict[str, object]] = {
        "n_ctx": 512,
        "n_batch": 2048,
        "n_ubatch": 512,
        "n_seq_max": 1,
        "n_outputs_max": 0,
        "rope_scaling_type": -1,
        "pooling_type": -1,
        "attention_type": -1,
        "flash_attn_type": -1,
        "rope_freq_base": 0.0,
        "yarn_ext_factor": -1.0,
        "cb_eval": None,
        "type_k": 1,
        "type_v": 1,
        "abort_callback": None,
        "embeddings": False,
        "offload_kqv": True,
        "no_perf": True,
        "op_offload": True,
        "swa_full": True,
        "kv_unified": False,
        "samplers": None,
        "n_samplers": 0,
    }


class Batch(c.Structure):
    """`llama_batch`."""

    _fields_ = [
        ("n_tokens", c.c_int32),
        ("token", c.POINTER(c.c_int32)),
        ("embd", c.c_void_p),
        ("pos", c.POINTER(c.c_int32)),
        ("n_seq_id", c.POINTER(c.c_int32)),
        ("seq_id", c.POINTER(c.POINTER(c.c_int32))),
        ("logits", c.POINTER(c.c_int8)),
    ]


_LogCallback = c.CFUNCTYPE(None, c.c_int, c.c_char_p, c.c_void_p)
_TOKENS = c.POINTER(c.c_int32)
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "llama_log_set": (None, (_LogCallback, c.c_void_p)),
    "llama_model_default_params": (ModelParams, ()),
    "llama_context_default_params": (ContextParams, ()),
    "llama_model_load_from_file": (c.c_void_p, (c.c_char_p, ModelParams)),
    "llama_model_free": (None, (c.c_void_p,)),
    "llama_model_get_vocab": (c.c_void_p, (c.c_void_p,)),
    "llama_model_n_ctx_train": (c.c_int32, (c.c_void_p,)),
    "llama_model_has_encoder": (c.c_bool, (c.c_void_p,)),
    "llama_model_chat_template": (c.c_char_p, (c.c_void_p, c.c_char_p)),
    "llama_init_from_model": (c.c_void_p, (c.c_void_p, ContextParams)),
    "llama_free": (None, (c.c_void_p,)),
    "llama_get_memory": (c.c_void_p, (c.c_void_p,)),
    "llama_memory_seq_rm": (c.c_bool, (c.c_void_p, c.c_int32, c.c_int32, c.c_int32)),
    "llama_memory_clear": (None, (c.c_void_p, c.c_bool)),
    "llama_batch_init": (Batch, (c.c_int32, c.c_int32, c.c_int32)),
    "llama_batch_free": (None, (Batch,)),
    "llama_decode": (c.c_int32, (c.c_void_p, Batch)),
    "llama_get_logits_ith": (c.POINTER(c.c_float), (c.c_void_p, c.c_int32)),
    "llama_vocab_n_tokens": (c.c_int32, (c.c_void_p,)),
    "llama_vocab_get_add_bos": (c.c_bool, (c.c_void_p,)),
    "llama_vocab_bos": (c.c_int32, (c.c_void_p,)),
    "llama_vocab_eos": (c.c_int32, (c.c_void_p,)),
    "llama_vocab_is_eog": (c.c_bool, (c.c_void_p, c.c_int32)),
    "llama_vocab_get_text": (c.c_char_p, (c.c_void_p, c.c_int32)),
    "llama_tokenize": (c.c_int32, (c.c_void_p, c.c_char_p, c.c_int32, _TOKENS, c.c_int32, c.c_bool, c.c_bool)),
    "llama_token_to_piece": (c.c_int32, (c.c_void_p, c.c_int32, c.c_char_p, c.c_int32, c.c_int32, c.c_bool)),
}


class Library:
    """The loaded functions, by their C names."""

    def __init__(self, path: str) -> None:
        self._native = c.CDLL(path)
        self.complaints: deque[str] = deque(maxlen=4)
        """The last errors llama.cpp logged: its functions only say that they failed."""
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(self._native, name)
            function.restype, function.argtypes = result, arguments
        self._callback = _LogCallback(self._logged)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native, name)

    def take_log(self) -> None:
        """Turn llama.cpp's log away from the terminal. It keeps the address, so this object must stay for good."""
        self._native.llama_log_set(self._callback, None)

    def _logged(self, level: int, text: bytes | None, _data: object) -> None:
        line = (text or b"").decode("utf-8", "replace").strip()
        if level == _ERROR_LEVEL and line:
            self.complaints.append(line)
        _log.debug("%s", line)

    @property
    def complaint(self) -> str:
        """Why the last call failed, as far as llama.cpp said."""
        return self.complaints[-1] if self.complaints else "no reason given"


def build() -> str:
    """Version of the installed xllamacpp; it names the llama.cpp build within. Loads nothing."""
    try:
        return metadata.version("xllamacpp")
    except metadata.PackageNotFoundError:
        raise MissingExtraError("a local model", "local") from None


@cache
def library() -> Library:
    """llama.cpp, loaded once a process. Raises NotSupportedError where this build has other structures."""
    # OpenMP reads it when it is loaded. Its default, to spin while waiting, slows decoding tenfold on busy cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        from xllamacpp import xllamacpp as extension
    except ImportError:
        raise MissingExtraError("a local model", "local") from None
    try:
        loaded = Library(extension.__file__)
    except (OSError, AttributeError) as error:
        raise unusable_build(f"it exports no C interface: {error}") from error
    for params in (loaded.llama_model_default_params(), loaded.llama_context_default_params()):
        changed = [name for name, value in params.DEFAULTS.items() if getattr(params, name) != value]
        if changed:
            raise unusable_build(f"{type(params).__name__}.{changed[0]} is not where it was")
    loaded.take_log()
    return loaded


def unusable_build(why: str) -> NotSupportedError:
    known = ", ".join(sorted(KNOWN_BUILDS))
    return NotSupportedError(
        f"xllamacpp {build()} cannot be used ({why}); known to work: {known}; "
        f"type: pip install xllamacpp=={max(KNOWN_BUILDS)}"
    )
