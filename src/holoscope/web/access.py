"""Who may ask, and what a browser may do with the answer.

A page of another site can send requests here, and a name under its control can be made to mean this machine. So a host
must be one that nobody else can claim (an address in digits, `localhost`, or a name the user gave), what changes
something must come from our own pages, and answers carry a policy that forbids scripts, frames and loads of others.
Beyond this machine a token is needed; tokens are compared in constant time.
"""

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "holoscope"
MOST_BODY = 64_000
"""Bytes of a request's body."""
_MOST_QUERY = 8_000

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""Styles may be inline because plotly writes some; scripts may not, whoever wrote them."""

_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class Access:
    """What a server asks of those who ask it."""

    token: str = ""
    """Empty: none is needed."""
    hosts: frozenset[str] = frozenset()
    """Names, beside addresses in digits and `localhost`, under which the server may be asked."""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """What forms are marked with; anew with each start."""

    @property
    def form_token(self) -> str:
        """What a form of ours carries, and nobody else can know."""
        return hmac.new(self.secret, b"form", hashlib.sha256).hexdigest()

    @property
    def cookie(self) -> str:
        """What a browser keeps in place of the token."""
        return hashlib.sha256(f"holoscope {self.token}".encode()).hexdigest()

    def is_own_form(self, given: str) -> bool:
        """True if a form was made by this server since it was started."""
        return _same(given, self.form_token)

    def knows(self, host: str) -> bool:
        """True for a host that no other site can make its own."""
        name = _name_of(host)
        return name == "localhost" or name in self.hosts or _is_address(name)

    def admits(self, headers: Headers) -> bool:
        """True if the request carries the token, where one is needed."""
        if not self.token:
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        by_header = scheme.lower() == "bearer" and _same(given.strip(), self.token)
        return by_header or _same(_cookies(headers).get(COOKIE, ""), self.cookie)


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """True if only this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """ASGI middleware: refuses what `Access` does not allow, and puts the policy on every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, _with_policy(send))
            return
        await self._app(scope, _limited(receive), _with_policy(send))

    def _refusal(self, scope: Scope) -> Response | None:
        """Why a request is not answered; None if it is."""
        headers = Headers(scope=scope)
        if not self._access.knows(headers.get("host", "")):
            return _refused(scope, 421, "this server is asked by its address or as localhost; other names: --host NAME")
        if len(scope["query_string"]) > _MOST_QUERY:
            return _refused(scope, 414, f"an address has at most {_MOST_QUERY:,} characters of query")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length[:9]) > MOST_BODY or len(length) > 9:
            return _refused(scope, 413, f"a request has at most {MOST_BODY:,} bytes")
        if not self._access.admits(headers):
            return self._entrance(scope)
        if scope["method"] not in _SAFE and not _is_same_origin(headers):
            return _refused(scope, 403, "this request comes from another site")
        return None

    def _entrance(self, scope: Scope) -> Response:
        """With the token in the address: a cookie, and the address without it; else how to get in."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in query if name == "token"), "")
        if scope["method"] == "GET" and _same(given, self._access.token):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            path = "/" + scope["path"].lstrip("/")  # two slashes would name another host
            moved = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
            moved.set_cookie(COOKIE, self._access.cookie, httponly=True, samesite="lax")
            return moved
        answer = _refused(scope, 401, "this server needs its token: open the address that it printed when it started")
        answer.headers["www-authenticate"] = "Bearer"
        return answer


class TooLarge(Exception):
    """A body went on after its limit."""


def _limited(receive: Receive) -> Receive:
    """`receive`, which gives up where a body is longer than it said or may be."""
    got = 0

    async def limited() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > MOST_BODY:
            raise TooLarge
        return message

    return limited


def _with_policy(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending


def under_policy(response: Response) -> Response:
    """An answer that is made where `Guard` does not reach."""
    response.headers.update({**_HEADERS, "cache-control": "no-store"})
    return response


def refused_as(path: str, status: int, reason: str) -> Response:
    """A refusal or an error in the form that fits the address: JSON for the API, else a page."""
    if path.startswith("/api/"):
        return JSONResponse({"detail": reason}, status)
    from html import escape

    from holoscope.report.printable import multiline

    page = f"<!doctype html><html lang=en><meta charset=utf-8><title>{status}</title><p>{escape(multiline(reason))}"
    return HTMLResponse(page, status)


def _refused(scope: Scope, status: int, reason: str) -> Response:
    return refused_as(scope["path"], status, reason)


def _is_same_origin(headers: Headers) -> bool:
    """False where the browser says that a page of another site asks.

    With the referrer policy above a browser says `null` for the forms of our own pages, too: their token tells.
    """
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin", "null")
    return origin == "null" or origin.partition("://")[2] == headers.get("host")


def _cookies(headers: Headers) -> Mapping[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _name_of(host: str) -> str:
    """The name of a `Host` header, without its port; empty for what can't be one."""
    if not host.isascii() or not all(sign.isalnum() or sign in ".-:[]_" for sign in host):
        return ""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), known.encode())
