"""Base URLs: what is one, whether it is on our own network, and how to reach it."""

import base64
from collections.abc import Mapping
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from holoscope.core import UsageError
from holoscope.models.credentials import Secret


class Address(NamedTuple):
    """A base URL without the user and password that may have been written into it."""

    url: str
    authorization: Secret | None
    """Header value for that user and password."""


def read_address(text: str) -> Address:
    """Check a base URL and take any password out of it."""
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        shown = text if "@" not in text else text.rpartition("@")[2]
        raise UsageError(f"base URL {shown!r}: expected one such as http://127.0.0.1:8000/v1")
    user, at, host = parts.netloc.rpartition("@")
    clean = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), parts.query, ""))
    return Address(clean, Secret("Basic " + base64.b64encode(user.encode()).decode()) if at else None)


def is_private(url: str) -> bool:
    """True for a machine of one's own: loopback, a private network, or a name without a domain."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal", ".lan"))


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """The proxy that the environment names for this address, if any."""
    parts = urlsplit(url)
    found = {key.lower(): value for key, value in environ.items() if key.lower().endswith("_proxy") and value}
    proxy = found.get(f"{parts.scheme}_proxy") or found.get("all_proxy")
    if not proxy or not proxy.startswith("http") or is_private(url):
        return None
    return None if _bypasses(parts.hostname or "", found.get("no_proxy", "")) else proxy


def _bypasses(host: str, no_proxy: str) -> bool:
    """True if a list such as `example.org,.lab.example` covers the host."""
    names = [name.strip().lstrip(".*") for name in no_proxy.split(",") if name.strip()]
    return "*" in no_proxy.split(",") or any(host == name or host.endswith(f".{name}") for name in names if name)
