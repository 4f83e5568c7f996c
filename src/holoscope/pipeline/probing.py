"""Probes the model of a name: opens it, asks it what it can do, and closes it.

A way that fails now and then is tried a few times, with the engine's waits, so that one bad moment leaves no finding
unknown; nothing is kept, since what an endpoint can do today is for the user to write down.
"""

import asyncio
import random
from collections.abc import Mapping
from urllib.parse import quote

from holoscope.core import Completion, Registry, Request, Settings, TransportError
from holoscope.engine.retry import wait_s
from holoscope.models import Model, Probe, probe, resolve
from holoscope.models.names import parse_name

_ATTEMPTS = 4
_ATTEMPT_S = 120.0
_LONGEST_WAIT_S = 20.0
"""Of who asks for a longer pause it is unknown what it would have said."""


async def probe_model(name: str, settings: Settings, registry: Registry, base_url: str = "") -> Probe:
    """What the model called `name` can do. Raises UsageError or ModelError where it can't be opened."""

    def opened(options: Mapping[str, str]) -> Model:
        return resolve(_under(name, options), settings, base_url=base_url, registry=registry)

    model = opened({})
    try:
        return await probe(model, vary=opened if _is_endpoint(model, registry) else None, send=patiently)
    finally:
        await model.aclose()


async def patiently(model: Model, request: Request) -> Completion:
    """Ask, and again where the way there fails. Raises what is left of it."""
    draws = random.Random()
    for attempt in range(1, _ATTEMPTS):
        try:
            return await _once(model, request)
        except TransportError as error:
            if (wait := wait_s(error, attempt, draws)) > _LONGEST_WAIT_S:
                raise
            await asyncio.sleep(wait)
    return await _once(model, request)


async def _once(model: Model, request: Request) -> Completion:
    async with asyncio.timeout(_ATTEMPT_S):
        return await model.generate(request)


def _is_endpoint(model: Model, registry: Registry) -> bool:
    """True if options of its name say what it can do; a plug-in's options are its own."""
    from holoscope.models.providers.client import Client

    return isinstance(model, Client) and model.card.provider not in registry.providers


def _under(name: str, options: Mapping[str, str]) -> str:
    """The name with further options, which win over those it has."""
    typed = parse_name(name)
    whole = {**typed.options, **options}
    query = "&".join(f"{quote(key, safe='.')}={quote(value, safe='')}" for key, value in whole.items())
    return f"{typed.name}?{query}" if query else typed.name
