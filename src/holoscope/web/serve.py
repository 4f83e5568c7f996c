"""The server itself: uvicorn on one address, quiet, and told when it listens."""

import socket
from collections.abc import Callable
from contextlib import closing

from fastapi import FastAPI

from holoscope.core import UsageError


def serve(app: FastAPI, host: str, port: int, ready: Callable[[str], None] = lambda address: None) -> None:
    """Serve until interrupted; `ready` gets the address once it listens. UsageError where the port is taken."""
    import uvicorn

    with closing(_listening(host, port)) as listener:
        number = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, proxy_headers=False, lifespan="off"
        )
        ready(f"http://{shown}:{number}")
        uvicorn.Server(config).run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f"cannot listen on {host}: {error.strerror or error}") from error
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror}; choose another port") from error
    return listener
