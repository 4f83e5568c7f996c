"""From a name to one endpoint, with the reasons: a `Route` is a decision made without a socket.

What is missing (a key, a client we don't have) is a `problem` on the route, so that `doctor` can show it and
`resolve` raise it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import cast

import msgspec

from holoscope.core import ConfigError, Json
from holoscope.models.addresses import is_private, proxy_for, read_address
from holoscope.models.aliases import ORIGIN, alias_table
from holoscope.models.cards import Card
from holoscope.models.clients import CLIENTS, Client, fields_of
from holoscope.models.clouds import azure_url, google_host, places_of
from holoscope.models.context import Context
from holoscope.models.credentials import Secret
from holoscope.models.deployments import Deployment, served_name
from holoscope.models.endpoint import Endpoint, EndpointOptions, body_options, endpoint_options
from holoscope.models.hosts import HOSTS, Host, capabilities_of
from holoscope.models.keychain import kept_key, keyring_hint
from holoscope.models.model import Capabilities, Model, ModelCard, Wire
from holoscope.models.names import TypedName
from holoscope.models.thinking import TAGS, read_tags
from holoscope.models.tokenizers import NO_LIMITS, Limits

_MODULES: Mapping[Wire, str] = {"openai": "openai_compatible"}
"""Modules of `providers/` that are not called as their wire format."""
_CARDS_OF = {"vertex": "google"}
"""Hosts that serve another one's models under the same names."""
_LISTED_REGION = "us-east-1"
"""The one whose prices are listed, of those of Bedrock."""


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
    is_azure: bool = False
    url_is_identity: bool = False
    """True where the name alone doesn't say which endpoint answers."""
    body: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Key:
    """What was found for a target."""

    secret: Secret | None = None
    source: str = ""
    problem: str = ""


def deployed(context: Context, deployment: Deployment, base_url: str, origin: str) -> Target:
    """The target that an entry of a deployments file means. Its client must be one of `CLIENTS`."""
    client = CLIENTS[deployment.client]
    wire, name = client.wire or HOSTS[client.host].wire, _host_name(context, deployment, client)
    host = HOSTS.get(name) or HOSTS[client.host]
    served, own_key = served_name(deployment, client), deployment.argument("api_key")
    url = base_url or _deployed_url(context, deployment, host)
    card = _known_card(context, host, served, deployment.name, url)
    own_window = context.cards.of(deployment.name, is_known_host=False).limits
    return Target(
        deployment=deployment.name,
        host=name,
        served_name=served,
        base_url=url,
        capabilities=deployment.capabilities or card.corrected(_client_capabilities(deployment, client)),
        why=(f"deployment {deployment.name!r} of {origin} ({deployment.client})",),
        limits=next((known for known in (own_window, deployment.limits) if known != NO_LIMITS), card.limits),
        tokenizer=deployment.tokenizer_name or "",
        key=Secret(own_key) if own_key else None,
        key_source=f"api_key of {origin}" if own_key else "",
        needs_key=client.needs_key and host.needs_key,
        wire=wire,
        places=places_of(context, name, deployment),
        is_azure=HOSTS[client.host].is_azure,
        url_is_identity=bool(base_url),
        body=fields_of(client, deployment.arguments),
    )


def _host_name(context: Context, deployment: Deployment, client: Client) -> str:
    """Whose key and places count: those of the entry's name, or of the cloud that its class means."""
    if HOSTS[client.host].wire == "gemini":
        return google_host(context, deployment)
    return client.host if HOSTS[client.host].wire == "bedrock" else deployment.host


def _deployed_url(context: Context, deployment: Deployment, host: Host) -> str:
    """An entry's own address, else HELM's `<host>BaseUrl` of a host that isn't known here, else the host's."""
    if named := deployment.argument("base_url", "endpoint"):
        return named
    unknown = deployment.host if deployment.host not in HOSTS else ""
    own = context.credentials.text(f"{unknown}BaseUrl") or context.credentials.text(f"{unknown}Endpoint")
    return own if unknown and own else _known_url(context, host)


def _client_capabilities(deployment: Deployment, client: Client) -> Capabilities:
    """What a HELM client class takes; at an address of the user's own, both APIs are assumed."""
    host, arguments = HOSTS[client.host], deployment.arguments
    if deployment.argument("base_url") and (client.wire or host.wire) == "openai" and not host.is_azure:
        can = Capabilities(prefers=client.api)
    elif client.api == "completions" and not host.capabilities.completions:
        can = Capabilities(chat=False, prefers="completions", images=False)
    else:
        can = msgspec.structs.replace(host.capabilities, prefers=client.api)
    logprobs = can.logprobs and not arguments.get("disable_logprobs")
    return msgspec.structs.replace(can, logprobs=logprobs, streaming=can.streaming or arguments.get("stream") is True)


def _known_card(context: Context, host: Host, served: str, deployment: str, url: str) -> Card:
    """What is known of a model at a host; at another address than the host's own, what the user says alone."""
    names = (f"{_CARDS_OF.get(host.name, host.name)}/{served}", deployment)
    return context.cards.of(*names, is_known_host=url.rstrip("/") == host.base_url)


def hosted(context: Context, host: Host, served: str, why: str) -> Target:
    """`host/anything`: that host, with `anything` as the served name."""
    url, name = _known_url(context, host), f"{host.name}/{served}"
    elsewhere = url.rstrip("/") != host.base_url
    is_unknown = elsewhere and not (host.local or host.is_azure) and host.wire == "openai"
    card = _known_card(context, host, served, name, url)
    helm = None if host.local or elsewhere else alias_table().facts(host.name, served)
    own_window = context.cards.of(name, is_known_host=False).limits
    known = (own_window, helm.limits if helm else NO_LIMITS)
    return Target(
        deployment=name,
        host=host.name,
        served_name=served,
        base_url=url,
        capabilities=card.corrected(Capabilities() if is_unknown else capabilities_of(host, served)),
        why=(
            why,
            *((f"address from {host.url_variable} or {host.name}BaseUrl",) if elsewhere else ()),
            *((f"limits and tokenizer of {helm.name!r} of {ORIGIN}",) if helm else ()),
        ),
        limits=next((limits for limits in known if limits != NO_LIMITS), card.limits),
        tokenizer=(helm.tokenizer_name or "") if helm else "",
        needs_key=host.needs_key and not host.local,
        wire=card.wire or host.wire,
        places=places_of(context, host.name),
        is_azure=host.is_azure,
        url_is_identity=elsewhere,
    )


def _known_url(context: Context, host: Host) -> str:
    """A host's address. Raises ConfigError where it has none but the user's own, and that is not given."""
    if url := context.base_url(host):
        return url
    raise ConfigError(
        f"no address for {host.name!r}: set {host.url_variable}, or {host.name}Endpoint in {context.credentials.origin}"
    )


def addressed(context: Context, name: str, base_url: str) -> Target:
    """A model at an address the user gave."""
    prefix, slash, rest = name.partition("/")
    host = HOSTS.get(prefix) if slash and rest else None
    served = rest if host else name
    card = context.cards.of(name, is_known_host=False)
    return Target(
        deployment=name,
        host=prefix if slash else "custom",
        served_name=served,
        base_url=base_url,
        capabilities=card.corrected(host.capabilities if host and host.local else Capabilities()),
        limits=card.limits,
        wire=card.wire or "openai",
        why=(f"at the base URL given, served as {served!r}",),
        is_azure=bool(host and host.is_azure),
        url_is_identity=True,
    )


def endpoint_route(context: Context, typed: TypedName, target: Target) -> Route:
    """The route to a served model, with the user's options and key."""
    options = endpoint_options(typed)
    context.require_tokenizer(options.tokenizer)
    places = {**target.places, **options.places}
    address = read_address(_base_url(target, places))
    key = _key(context, target, options, address.url)
    endpoint = Endpoint(
        url=address.url,
        served_name=target.served_name,
        capabilities=options.corrected(target.capabilities),
        wire=options.wire or target.wire,
        authorization=Secret(f"Bearer {key.secret.reveal()}") if key.secret else address.authorization,
        key=key.secret,
        key_header="api-key" if target.is_azure else "",
        organization=context.credentials.text(f"{target.host}OrgId"),
        proxy=proxy_for(address.url, context.settings.environ),
        body={**target.body, **options.asked(options.wire or target.wire), **body_options(typed.options)},
        think=read_tags(options.think),
        places=places,
        environ=context.credentials.environment(),
        seed=options.seed,
    )
    card = _card(context, typed, target, options, endpoint)
    is_named = bool(options.deployment) or not target.url_is_identity
    identity = _identity(card, endpoint, "" if is_named else address.url)
    return Route(card, lambda: _open(context, card, identity, endpoint), target.why, key.source, key.problem)


def _base_url(target: Target, places: Mapping[str, str]) -> str:
    if not target.is_azure:
        return target.base_url
    return azure_url(target.base_url, target.served_name, places.get("api_version", ""))


def _open(context: Context, card: ModelCard, identity: dict[str, str], endpoint: Endpoint) -> Model:
    """The client for a wire format: the module of that name opens it."""
    module = import_module(f"holoscope.models.providers.{_MODULES.get(endpoint.wire, endpoint.wire)}")
    return cast(Model, module.open_model(card, identity, endpoint, context.window(card, endpoint)))


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
        price=context.prices.of(deployment, _at_host(target, endpoint)),
        training=context.prices.training.get(deployment),
    )


def _at_host(target: Target, endpoint: Endpoint) -> str:
    """The host's name for a model that is asked where the host's listed prices hold; empty elsewhere."""
    host = HOSTS.get(target.host)
    if host is None or endpoint.url != host.base_url:
        return ""
    is_listed = host.wire != "bedrock" or endpoint.places.get("region") == _LISTED_REGION
    return f"{host.name}/{target.served_name}" if is_listed else ""


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
    host = HOSTS.get(target.host)
    if host and "project" in host.places and not {**target.places, **options.places}.get("project"):
        what = f"set {host.places['project'][0]}, write ?project= into the model's name, or set {variables[0]}"
        return Key(problem=f"no project and no key for {target.deployment!r}: {what}")
    is_needed = target.needs_key and not is_private(url)
    if is_needed or options.key_env or (host and target.needs_key):
        kept = kept_key((*variables, target.host), context.settings)
        if kept is not None:
            return Key(kept.secret, kept.source)
    if not is_needed:
        return Key()
    what = f"set {variables[0]}, or {target.host}ApiKey in {context.credentials.origin}"
    return Key(problem=f"no key for {target.deployment!r}: {what}{keyring_hint(variables[0], context.settings)}")
