"""From a name to one endpoint, with the reasons: a `Route` is a decision made without a socket.

What is missing (a key, a client we don't have) is a `problem` on the route, so that `doctor` can show it and
`resolve` raise it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import cast

import msgspec

from holoscope.core import Json
from holoscope.models.addresses import is_private, proxy_for, read_address
from holoscope.models.context import Context
from holoscope.models.credentials import Secret
from holoscope.models.deployments import CLIENTS, Client, Deployment
from holoscope.models.endpoint import Endpoint, EndpointOptions, body_options, endpoint_options
from holoscope.models.hosts import HOSTS, Host, capabilities_of
from holoscope.models.model import Capabilities, Model, ModelCard, Wire
from holoscope.models.names import TypedName
from holoscope.models.thinking import TAGS, read_tags
from holoscope.models.tokenizers import NO_LIMITS, Limits, require_tokenizer

_MODULES: Mapping[Wire, str] = {"openai": "openai_compatible"}
"""Modules of `providers/` that are not called as their wire format."""


@dataclass(frozen=True)
class Route:
    """One way to a model."""

    card: ModelCard
    make: Callable[[], Model] = field(repr=False)
    why: tuple[str, ...]
    """How the name was understood, step by step."""
    key: str = ""
    """Where its key comes from; empty if it has none."""
    problem: str = ""
    """Why it cannot be asked, and what to do; empty if it can."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """A served model as one of the rules below found it, before options and key."""

    deployment: str
    host: str
    """Whose key it takes."""
    served_name: str
    base_url: str
    capabilities: Capabilities
    why: tuple[str, ...]
    limits: Limits = NO_LIMITS
    tokenizer: str = ""
    key: Secret | None = None
    key_source: str = ""
    needs_key: bool = True
    wire: Wire = "openai"
    places: Mapping[str, str] = field(default_factory=dict)
    url_is_identity: bool = False
    """True where the name alone doesn't say which endpoint answers."""
    body: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Key:
    """What was found for a target."""

    secret: Secret | None = None
    source: str = ""
    problem: str = ""


def deployed(context: Context, deployment: Deployment, base_url: str) -> Target:
    """The target that an entry of the deployments file describes. Its client must be one of `CLIENTS`."""
    client = CLIENTS[deployment.client]
    host = HOSTS.get(deployment.host) or HOSTS[client.host]
    own_key = deployment.argument("api_key")
    effort = deployment.argument("reasoning_effort")
    path = context.deployments.path
    return Target(
        deployment=deployment.name,
        host=deployment.host,
        served_name=_served_name(deployment, client),
        base_url=base_url or deployment.argument("base_url") or context.base_url(host),
        capabilities=deployment.capabilities or _client_capabilities(deployment, client),
        why=(f"deployment {deployment.name!r} of {path} ({deployment.client})",),
        limits=deployment.limits,
        tokenizer=deployment.tokenizer_name or "",
        key=Secret(own_key) if own_key else None,
        key_source=f"api_key of {path}" if own_key else "",
        needs_key=client.needs_key,
        url_is_identity=bool(base_url),
        body={"reasoning_effort": effort} if effort else {},
    )


def _served_name(deployment: Deployment, client: Client) -> str:
    whole = deployment.model
    return deployment.argument(*client.model_arguments) or (whole if client.whole_name else whole.partition("/")[2])


def _client_capabilities(deployment: Deployment, client: Client) -> Capabilities:
    """What a HELM client class takes; at an address of the user's own, both APIs are assumed."""
    host = HOSTS[client.host]
    if deployment.argument("base_url"):
        return Capabilities(prefers=client.api)
    if client.api == "completions" and not host.capabilities.completions:
        return Capabilities(chat=False, prefers="completions", images=False)
    return msgspec.structs.replace(host.capabilities, prefers=client.api)


def hosted(context: Context, host: Host, served_name: str, why: str) -> Target:
    """`host/anything`: that host, with `anything` as the served name."""
    url = context.base_url(host)
    elsewhere = url.rstrip("/") != host.base_url
    is_unknown = elsewhere and not host.local and host.wire == "openai"
    return Target(
        deployment=f"{host.name}/{served_name}",
        host=host.name,
        served_name=served_name,
        base_url=url,
        capabilities=Capabilities() if is_unknown else capabilities_of(host, served_name),
        why=(why, *((f"address from {host.url_variable} or {host.name}BaseUrl",) if elsewhere else ())),
        needs_key=not host.local,
        wire=host.wire,
        url_is_identity=elsewhere,
    )


def addressed(name: str, base_url: str) -> Target:
    """A model at an address the user gave."""
    prefix, slash, rest = name.partition("/")
    host = HOSTS.get(prefix) if slash and rest else None
    served = rest if host else name
    return Target(
        deployment=name,
        host=prefix if slash else "custom",
        served_name=served,
        base_url=base_url,
        capabilities=host.capabilities if host and host.local else Capabilities(),
        why=(f"at the base URL given, served as {served!r}",),
        url_is_identity=True,
    )


def endpoint_route(context: Context, typed: TypedName, target: Target) -> Route:
    """The route to a served model, with the user's options and key."""
    options = endpoint_options(typed)
    require_tokenizer(options.tokenizer, context.deployments.tokenizers)
    address = read_address(target.base_url)
    key = _key(context, target, options, address.url)
    endpoint = Endpoint(
        url=address.url,
        served_name=target.served_name,
        capabilities=options.corrected(target.capabilities),
        wire=options.wire or target.wire,
        authorization=Secret(f"Bearer {key.secret.reveal()}") if key.secret else address.authorization,
        key=key.secret,
        organization=context.credentials.text(f"{target.host}OrgId"),
        proxy=proxy_for(address.url, context.settings.environ),
        body={**target.body, **body_options(typed.options)},
        think=read_tags(options.think),
        places=_places(context, target, options),
        environ=context.settings.environ,
        seed=options.seed,
    )
    card = _card(context, typed, target, options, endpoint)
    is_named = bool(options.deployment) or not target.url_is_identity
    identity = _identity(card, endpoint, "" if is_named else address.url)
    return Route(card, lambda: _open(context, card, identity, endpoint), target.why, key.source, key.problem)


def _places(context: Context, target: Target, options: EndpointOptions) -> dict[str, str]:
    """Region, project and API version: the user's options, else the deployment's, else the environment's."""
    host = HOSTS.get(target.host)
    found = {
        place: next((v for name in variables if (v := context.settings.environ.get(name, ""))), "")
        for place, variables in (host.places if host else {}).items()
    }
    return {place: value for place, value in {**found, **target.places, **options.places}.items() if value}


def _open(context: Context, card: ModelCard, identity: dict[str, str], endpoint: Endpoint) -> Model:
    """The client for a wire format: the module of that name opens it."""
    module = import_module(f"holoscope.models.providers.{_MODULES.get(endpoint.wire, endpoint.wire)}")
    return cast(Model, module.open_model(card, identity, endpoint, context.window(card)))


def _card(
    context: Context, typed: TypedName, target: Target, options: EndpointOptions, endpoint: Endpoint
) -> ModelCard:
    deployment = options.deployment or target.deployment
    return ModelCard(
        name=typed.name,
        deployment=deployment,
        provider=target.host,
        served_name=target.served_name,
        base_url=endpoint.url,
        limits=target.limits if options.window is None else Limits(options.window),
        tokenizer=options.tokenizer or target.tokenizer,
        capabilities=endpoint.capabilities,
        price=context.prices.prices.get(deployment),
        training=context.prices.training.get(deployment),
    )


def _identity(card: ModelCard, endpoint: Endpoint, base_url: str) -> dict[str, str]:
    """What decides the answers: the address only where no name does, and the options that change what is said."""
    identity = {
        "deployment": card.deployment,
        "model": card.served_name,
        "wire": "" if endpoint.wire == "openai" else endpoint.wire,
        "api": endpoint.capabilities.prefers,
        "base_url": base_url,
        "body": msgspec.json.encode(endpoint.body, order="deterministic").decode() if endpoint.body else "",
        "think": "" if endpoint.think == TAGS else ",".join(endpoint.think or ("none",)),
        "seed": "" if endpoint.seed is None else str(endpoint.seed),
    }
    return {name: value for name, value in identity.items() if value}


def _key(context: Context, target: Target, options: EndpointOptions, url: str) -> Key:
    """The key, where it is from, or what is wrong if there must be one and is none."""
    if target.key is not None:
        return Key(target.key, target.key_source)
    variables = (options.key_env,) if options.key_env else context.key_variables(target.host)
    found = context.credentials.key(target.host, target.deployment, variables)
    if found is not None:
        return Key(found.secret, found.source)
    if not target.needs_key or is_private(url):
        return Key()
    what = f"set {variables[0]}, or {target.host}ApiKey in {context.credentials.origin}"
    return Key(problem=f"no key for {target.deployment!r}: {what}")
