"""Canonical JSON and its hash: the same value gives the same bytes on any machine and any version of Python."""

import hashlib

import msgspec

_encoder = msgspec.json.Encoder(order="deterministic")


def canonical(value: object) -> bytes:
    """UTF-8 JSON with sorted keys and no white space.

    >>> canonical({"b": 1, "a": [True, None]})
    b'{"a":[true,null],"b":1}'
    """
    return _encoder.encode(value)


def digest(value: object) -> str:
    """sha256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()
