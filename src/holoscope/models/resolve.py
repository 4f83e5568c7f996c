"""What a model's name means. The order: the user's deployments file, models without an address (`test/echo`,
`replay/FILE`, `local/...`, `python/FILE:NAME`), plug-ins' providers, an address given, HELM's table
(`creator/model`), built-in hosts.

Nothing needs registering: `provider/anything` is that provider with `anything` as its model. Each decision keeps its
reasons, which `describe` gives to `doctor`; `resolve` raises what stands in the way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from holoscope.core import ConfigError, MissingExtraError, Registry, Settings, UnknownNameError, UsageError, nearest
from holoscope.models.aliases import ORIGIN, alias_table
from holoscope.models.callable import PYTHON, open_python, python_place
from holoscope.models.clients import (
    CLIENTS,
    ECHO_CLIENT,
    IN_PROCESS,
    in_process_options,
    refusal,
    takes_and_gives_text,
)
from holoscope.models.clouds import open_host
from holoscope.models.context import Context
from holoscope.models.deployments import Deployment
from holoscope.models.echo import EchoOptions, open_echo
from holoscope.models.hosts import CREATORS, GATEWAY_NAMES, HOSTS, Host
from holoscope.models.model import Capabilities, Model, ModelCard
from holoscope.models.names import TypedName, parse_name, read_options
from holoscope.models.replay import open_replay
from holoscope.models.routes import Route, Target, addressed, deployed, endpoint_route, hosted
from holoscope.models.tokenizers import require_tokenizer

ECHO = "test/echo"
TRANSFORMERS, VLLM_OFFLINE = "transformers", "vllm-offline"
_HINT = "write provider/model (openai/..., vllm/..., ollama/..., openrouter/...), or give --base-url"


@dataclass(frozen=True)
class Description:
    """What `doctor` says of a name."""

    card: ModelCard
    why: tuple[str, ...]
    key: str
    """Where the key comes from, or that none is needed; empty where something stands in the way."""
    problem: str


def resolve(
    name: str, settings: Settings, *, base_url: str = "", registry: Registry | None = None, needs_key: bool = True
) -> Model:
    """The model called `name`. Raises UsageError where it can't be had; `needs_key=False` is for planning alone."""
    route = choose(name, settings, base_url=base_url, registry=registry)
    if route.problem and needs_key:
        raise ConfigError(route.problem)
    return route.make()


def describe(name: str, settings: Settings, *, base_url: str = "", registry: Registry | None = None) -> Description:
    """What `name` means here and why, without asking anybody."""
    route = choose(name, settings, base_url=base_url, registry=registry)
    return Description(route.card, route.why, "" if route.problem else route.key or "none needed", route.problem)


def choose(name: str, settings: Settings, *, base_url: str = "", registry: Registry | None = None) -> Route:
    """The route to the model called `name`."""
    context, typed = Context(settings), parse_name(name)
    if not typed.name:
        raise UsageError(f"no model named: {_HINT}")
    route = _from_deployments(context, typed, base_url) or _without_address(context, typed, base_url, registry)
    if route is not None:
        return route
    if base_url:
        return endpoint_route(context, typed, addressed(context, typed.name, base_url))
    return _from_names(context, typed)


def _from_deployments(context: Context, typed: TypedName, base_url: str) -> Route | None:
    """The first deployment of that name or model that can be asked, or else the first."""
    origin = str(context.deployments.path)
    found = context.deployments.of(typed.name)
    return _first([_deployment_route(context, typed, deployment, base_url, origin) for deployment in found])


def _first(routes: list[Route]) -> Route | None:
    return next((r for r in routes if not r.problem), routes[0] if routes else None)


def _deployment_route(context: Context, typed: TypedName, deployment: Deployment, base_url: str, origin: str) -> Route:
    why = f"deployment {deployment.name!r} of {origin}"
    if deployment.client == ECHO_CLIENT:
        options = read_options(typed.options, EchoOptions, typed.name)
        if options.window is None:
            options = EchoOptions(deployment.max_sequence_length, options.tokenizer)
        return _echo_route(typed.name, options, why)
    if deployment.client in IN_PROCESS and not base_url:
        return _in_process_route(context.settings, typed, deployment, why)
    refused = refusal(deployment.client, deployment.arguments)
    if not refused and deployment.client in CLIENTS:
        return endpoint_route(context, typed, deployed(context, deployment, base_url, origin))
    problem = (
        f"{why}: {refused}"
        if refused
        else (
            f"{why} uses {deployment.client_spec.class_name}, which speaks no format known here; serve the model "
            "with vLLM, SGLang, Ollama or llama.cpp, and name VLLMChatClient with its base_url there"
        )
    )
    return _no_route(typed, deployment, problem)


def _in_process_route(settings: Settings, typed: TypedName, deployment: Deployment, why: str) -> Route:
    """A model that HELM computes in its own process: the same weights, by transformers."""
    served = deployment.argument("pretrained_model_name_or_path") or deployment.model
    window = deployment.max_sequence_length
    try:
        given = {"window": str(window)} if window else {}
        options = {**given, **in_process_options(deployment.arguments), **typed.options}
    except ConfigError as error:
        return _no_route(typed, deployment, f"{why} ({deployment.client}): {error}")
    route = _transformers_route(settings, TypedName(f"{TRANSFORMERS}/{served}", options, ""), served, typed.name)
    return replace(route, why=(why, *route.why))


def _no_route(typed: TypedName, deployment: Deployment, problem: str) -> Route:
    card = ModelCard(
        name=typed.name, deployment=deployment.name, provider=deployment.host, served_name=deployment.model
    )
    return Route(card, lambda: _refuse(problem), (problem,), problem=problem)


def _from_names(context: Context, typed: TypedName) -> Route:
    """HELM's deployments and the built-in hosts: the first that can be asked, or else what HELM's first lacks."""
    table = alias_table()
    deployments = table.of(typed.name)
    in_turn = sorted(deployments, key=lambda d: d.client in IN_PROCESS)  # weights are fetched for want of a host
    helm = _first([_helm_route(context, typed, deployment) for deployment in in_turn])
    if helm is not None and (not helm.problem or not _could_be_elsewhere(typed.name, deployments)):
        return helm
    try:
        route = _from_hosts(context, typed)
    except UsageError as error:
        if helm is not None:
            return helm
        if typed.name in table.unserved:
            raise UsageError(f"{typed.name!r}: HELM knows it, but lists no deployment of it; {_HINT}") from error
        raise
    if helm is None:
        return route
    is_computed = all(deployment.client in IN_PROCESS for deployment in deployments)  # its creator doesn't serve it
    return helm if route.problem or (is_computed and not HOSTS[route.card.provider].gateway) else route


def _could_be_elsewhere(name: str, deployments: Sequence[Deployment]) -> bool:
    """False where the name is one host's alone, or its host must be asked in a way that is not known here."""
    table = alias_table()
    own = table.deployments.get(name)
    if name not in table.of_model or (own is not None and refusal(own.client, own.arguments)):
        return False
    return any(takes_and_gives_text(deployment.client) for deployment in deployments)


def _helm_route(context: Context, typed: TypedName, deployment: Deployment) -> Route:
    try:
        return _deployment_route(context, typed, deployment, "", ORIGIN)
    except ConfigError as error:  # its host has no address but one of the user's own
        return _no_route(typed, deployment, str(error))


def _without_address(context: Context, typed: TypedName, base_url: str, registry: Registry | None) -> Route | None:
    prefix, slash, rest = typed.name.partition("/")
    if typed.name == ECHO:
        route = _echo_route(
            ECHO, read_options(typed.options, EchoOptions, ECHO), "answers by a rule, without a network"
        )
    elif prefix == "replay" and rest:
        route = _replay_route(typed, rest)
    elif prefix == "local" and rest:
        route = _local_route(context.settings, typed, rest)
    elif prefix == PYTHON and rest:
        route = _python_route(typed)
    elif prefix == TRANSFORMERS and rest:
        route = _transformers_route(context.settings, typed, rest)
    elif prefix == VLLM_OFFLINE and rest:
        route = _vllm_route(context.settings, typed, rest)
    elif registry is not None and slash and prefix in registry.providers:
        return _plugin_route(context.settings, typed, registry, base_url)
    else:
        return None
    if base_url:
        raise UsageError(f"{typed.name!r} has no address; drop the base URL {base_url!r}")
    return route


def _echo_route(name: str, options: EchoOptions, why: str) -> Route:
    require_tokenizer(options.tokenizer)
    model = open_echo(options, name)
    return Route(model.card, lambda: model, (why,))


def _replay_route(typed: TypedName, file: str) -> Route:
    model = open_replay(file, typed)
    return Route(model.card, lambda: model, (f"answers recorded in {file}",))


def _local_route(settings: Settings, typed: TypedName, rest: str) -> Route:
    """Weights run in this process; what can't be opened says so when it is."""
    can = Capabilities(prefers="completions", images=False)
    card = ModelCard(name=typed.name, deployment=typed.name, provider="local", served_name=rest, capabilities=can)
    name = _with_options(rest, typed)
    return Route(card, lambda: _open_local(name, settings), ("weights on this machine, run in this process",))


def _open_local(name: str, settings: Settings) -> Model:
    return cast(Model, import_module("holoscope.models.local").open_model(name, settings))


def _transformers_route(settings: Settings, typed: TypedName, rest: str, name: str = "") -> Route:
    """Weights computed by transformers in this process; loaded when they are first needed."""
    card = ModelCard(name=name or typed.name, deployment=typed.name, provider=TRANSFORMERS, served_name=rest)
    absent = [package for package in ("torch", "transformers") if find_spec(package) is None]
    problem = str(MissingExtraError(f"{card.name!r}", "transformers")) if absent else ""

    def make() -> Model:
        return cast(Model, import_module("holoscope.models.huggingface").open_transformers(typed, settings, name))

    return Route(card, make, ("weights computed by transformers, in this process",), problem=problem)


def _vllm_route(settings: Settings, typed: TypedName, rest: str) -> Route:
    """Weights computed by vLLM in this process; loaded when they are first needed."""
    can = Capabilities(prefers="completions", images=False)
    card = ModelCard(name=typed.name, deployment=typed.name, provider=VLLM_OFFLINE, served_name=rest, capabilities=can)

    def make() -> Model:
        return cast(Model, import_module("holoscope.models.vllm_offline").open_vllm(typed, settings))

    return Route(card, make, ("weights computed by vLLM, in this process",))


def _python_route(typed: TypedName) -> Route:
    """The user's own code, which is not run before it is asked."""
    path, what = python_place(typed.name)
    card = ModelCard(name=typed.name, deployment=typed.name, provider=PYTHON, served_name=what)
    return Route(card, lambda: open_python(typed), (f"{what} of {path}, run in this process",))


def _plugin_route(settings: Settings, typed: TypedName, registry: Registry, base_url: str) -> Route:
    prefix, _, rest = typed.name.partition("/")
    function = registry.providers.get(prefix)
    extra = {"base_url": base_url} if base_url else {}
    card = ModelCard(name=typed.name, deployment=typed.name, provider=prefix, served_name=rest, base_url=base_url)
    name = _with_options(rest, typed)
    return Route(card, lambda: cast(Model, function(name, settings, **extra)), (f"provider {prefix!r} of a plug-in",))


def _with_options(name: str, typed: TypedName) -> str:
    """What is left of a name as it was typed, for whoever reads the options."""
    return f"{name}?{typed.query}" if typed.query else name


def _from_hosts(context: Context, typed: TypedName) -> Route:
    """The first host that serves it and can be asked; the creator's own, which says what is missing, if none can."""
    prefix, slash, rest = typed.name.partition("/")
    own = HOSTS.get(prefix) or HOSTS.get(CREATORS.get(prefix, ""))
    if not slash or not rest:
        raise _unknown(context, typed.name)
    if own is not None and prefix != "vertex":
        own = open_host(context, own)
    if own is not None and (own.gateway or context.can_ask(own)):
        return endpoint_route(context, typed, hosted(context, own, rest, f"{rest!r} at host {own.name!r}"))
    gateway = next((h for h in HOSTS.values() if h.gateway and context.can_ask(h)), None)
    if gateway is not None:
        return endpoint_route(context, typed, _through(context, gateway, prefix, rest))
    if own is not None:
        return endpoint_route(context, typed, hosted(context, own, rest, f"{rest!r} at host {own.name!r}"))
    raise _unknown(context, typed.name)


def _through(context: Context, gateway: Host, creator: str, model: str) -> Target:
    served = f"{GATEWAY_NAMES.get(creator, creator)}/{model}"
    return hosted(context, gateway, served, f"no key for {creator!r} itself: {served!r} through {gateway.name!r}")


def _unknown(context: Context, name: str) -> UnknownNameError:
    """The error; a host is suggested only to who nearly wrote its name, since which one serves a model is not known."""
    prefix, _, rest = name.partition("/")
    host = nearest(prefix, HOSTS) if rest else None
    known = [*context.deployments.entries, *(d.model for d in context.deployments.entries.values()), ECHO]
    return UnknownNameError("model", name, [f"{host}/{rest}", *known] if host else known, f"({_HINT})")


def _refuse(problem: str) -> Model:
    raise ConfigError(problem)
