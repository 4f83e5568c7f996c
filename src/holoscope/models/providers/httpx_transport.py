"""aiohttp below httpx, for an SDK that sends through an httpx client it is given.

httpx's own connections look through all of a pool for every request: 7 ms of the client's time each where 64 are under
way, a tenth of that with these. Errors are aiohttp's, as they are; nothing is retried and no redirect is followed.
"""

from collections.abc import AsyncIterator

import aiohttp
import httpx

CONNECT_S, IDLE_S = 30.0, 4.0


class Incoming(httpx.AsyncByteStream):
    """The body of a reply as it comes in."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._response.content.iter_any():
            yield chunk

    async def aclose(self) -> None:
        self._response.close()


class AiohttpTransport(httpx.AsyncBaseTransport):
    """One session on one event loop, which must be running."""

    def __init__(self, proxy: str | None = None) -> None:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_S, ttl_dns_cache=300),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S),
            auto_decompress=False,
            proxy=proxy,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; its reply's body is still to come."""
        response = await self._session.request(
            request.method,
            str(request.url),
            data=request.content,
            headers=request.headers.items(),
            allow_redirects=False,
        )
        return httpx.Response(response.status, headers=response.raw_headers, stream=Incoming(response))

    async def aclose(self) -> None:
        await self._session.close()
