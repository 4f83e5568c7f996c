"""The application: pages, API, static files, and what becomes of an error."""

import hashlib
import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from holoscope import __version__
from holoscope.core import HoloscopeError, MissingExtraError, StoreError, UnknownNameError, UsageError
from holoscope.report.library import Library
from holoscope.report.pages import render, static_file
from holoscope.report.site import STATIC, plotly_script
from holoscope.web.access import MOST_BODY, Access, Guard, TooLarge, refused_as, under_policy
from holoscope.web.answers import schemas
from holoscope.web.api import api
from holoscope.web.pages import LINKS, add_pages
from holoscope.web.state import State

_PLOTLY = "plotly.min.js"
_KINDS = {"css": "text/css", "js": "text/javascript"}
_SUITE = re.compile(r"/(?:s|api/suites)/(?P<suite>[^/]+)")
_NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""Whatever the environment says: nothing that is asked here is told to anybody."""
_SMALLEST = 2_000
"""Bytes below which an answer is not compressed."""


def create_app(
    library: Library, *, token: str = "", hosts: Collection[str] = (), only: Collection[str] | None = None
) -> FastAPI:
    """The application over the suites of `library`.

    `token` is asked of everybody where it is not empty; `hosts` are names, beside addresses and `localhost`, under
    which the server may be asked; `only` are the suites and releases that are shown at all.
    """
    access = Access(token, frozenset(hosts))
    state = State.of(library, access, only)
    app = FastAPI(
        title="holoscope",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
        telemetry=_NO_TELEMETRY,
    )
    app.include_router(api(state))
    add_pages(app, state)
    app.add_route("/static/{name}", _static, ["GET"], include_in_schema=False)
    for kind in (HoloscopeError, HTTPException, TooLarge, RequestValidationError):
        app.add_exception_handler(kind, _explained)
    app.add_exception_handler(Exception, _failed)
    app.add_middleware(GZipMiddleware, minimum_size=_SMALLEST)
    if only is not None:
        app.add_middleware(Shown, only=only)
    app.add_middleware(Guard, access=access)
    _complete_schema(app)
    app.state.holoscope = state
    return app


class Shown:
    """Answers for the suites that are to be shown; of the others there are none, whatever address is asked for."""

    def __init__(self, app: ASGIApp, only: Collection[str]) -> None:
        self._app = app
        self._only = only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        named = _SUITE.match(scope.get("path", ""))
        if named is None or named["suite"] in self._only:
            await self._app(scope, receive, send)
            return
        unknown = UnknownNameError("suite", named["suite"], self._only)
        await (await _explained(Request(scope), unknown))(scope, receive, send)


def _complete_schema(app: FastAPI) -> None:
    """Let the OpenAPI document hold the schemas of the answers, too."""
    bare = app.openapi

    def whole() -> dict[str, Any]:
        document = bare()
        document.setdefault("components", {}).setdefault("schemas", {}).update(schemas())
        return document

    app.openapi = whole  # type: ignore[method-assign]  # FastAPI's own way of changing the document


async def _static(request: Request) -> Response:
    """A file of the pages, or plotly's script. They are few, and named: nothing else is looked for."""
    name = request.path_params["name"]
    if name != _PLOTLY and name not in STATIC:
        raise HTTPException(404, f"no file {name!r}")
    content, mark = _content(name)
    headers = {"etag": mark, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=_KINDS[name.rpartition(".")[2]])


@lru_cache(maxsize=32)
def _content(name: str) -> tuple[bytes, str]:
    content = plotly_script() if name == _PLOTLY else static_file(name)
    return content, f'"{hashlib.sha256(content).hexdigest()[:24]}"'


async def _explained(request: Request, error: Exception) -> Response:
    """An error in one line, as a page or as JSON."""
    status, reason = _status(error), _reason(error)
    if request.url.path.startswith("/api/") or status == 501:
        return refused_as(request.url.path, status, reason)
    page = render("problem.html", links=LINKS, title=f"{status}", status=status, reason=reason)
    return HTMLResponse(page, status)


async def _failed(request: Request, error: Exception) -> Response:
    """What nobody foresaw. The server writes it to its log; who asked is told no more than that.

    This is made outside of `Guard`, which therefore can't put the policy on it.
    """
    reason = "The server met an error that it did not expect. What happened is in its log."
    if request.url.path.startswith("/api/"):
        return under_policy(refused_as(request.url.path, 500, reason))
    return under_policy(HTMLResponse(render("problem.html", links=LINKS, title="500", status=500, reason=reason), 500))


def _status(error: Exception) -> int:
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, TooLarge | RequestValidationError):
        return 413 if isinstance(error, TooLarge) else 422
    kinds: tuple[tuple[type[Exception], int], ...] = (
        (UnknownNameError, 404),
        (MissingExtraError, 501),
        (UsageError, 400),
        (StoreError, 409),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), 500)


def _reason(error: Exception) -> str:
    if isinstance(error, TooLarge):
        return f"a request has at most {MOST_BODY:,} bytes"
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}"
    if isinstance(error, HTTPException):
        return "there is nothing at this address" if error.detail == "Not Found" else str(error.detail)
    return str(error)
