"""How a completion is written into the ledger: a byte for the format, then zlib over msgpack.

What `encode` gives, `decode` gives back, or None where the bytes were damaged (zlib's checksum tells) or are in a
format this version doesn't know. None means that there is no answer: the request is asked again. Fields that a later
version adds to `Completion` need no new format: old values take the default, and unknown fields are passed over.
"""

import zlib

import msgspec

from holoscope.core import Completion

FORMAT = b"\x01"

_decoder = msgspec.msgpack.Decoder(Completion)


def encode(completion: Completion) -> bytes:
    """The bytes to store; level 1, as higher levels gain a tenth in size for twice the time."""
    return FORMAT + zlib.compress(msgspec.msgpack.encode(completion), 1)


def decode(value: object) -> Completion | None:
    """The completion, or None where the value of a row doesn't hold one."""
    if not isinstance(value, bytes) or value[:1] != FORMAT:
        return None
    try:
        return _decoder.decode(zlib.decompress(value[1:]))
    except (zlib.error, msgspec.MsgspecError):
        return None
