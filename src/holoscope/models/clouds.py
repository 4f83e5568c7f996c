"""Where a cloud's models are: Azure's addresses, and the projects and regions of those whose address is not all.

Settings come, in this order, from the model's name (`?project=`, `?api_version=`), the user's deployments file, the
environment, and HELM's credentials (`googleProjectId`, `googleLocation`).
"""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

from holoscope.models.context import Context
from holoscope.models.deployments import Deployment
from holoscope.models.hosts import HOSTS, Host

_CREDENTIALS = {"project": "ProjectId", "region": "Location"}
_OF_HELM = {"vertex": "google"}
"""Hosts whose places HELM's credentials give under another name."""
_V1 = frozenset(("", "v1", "latest", "preview"))


def azure_url(endpoint: str, deployment: str, version: str) -> str:
    """The base URL of a resource's models, of its one API or, where a dated version is named, of one deployment.

    >>> azure_url("https://lab.openai.azure.com/", "gpt", "")
    'https://lab.openai.azure.com/openai/v1'
    >>> azure_url("https://lab.openai.azure.com", "gpt", "2024-10-21")
    'https://lab.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21'
    """
    parts = urlsplit(endpoint.strip())
    if "/openai/" in parts.path:
        return endpoint
    root = parts.path.rstrip("/").removesuffix("/openai")
    is_v1 = version in _V1
    path = f"{root}/openai/v1" if is_v1 else f"{root}/openai/deployments/{deployment}"
    query = {"api-version": version} if version and version != "v1" else {}
    return urlunsplit((parts.scheme, parts.netloc, path, urlencode(query), ""))


def places_of(context: Context, host: str, deployment: Deployment | None = None) -> dict[str, str]:
    """Project, region and API version of a host's models, as far as they are known without the model's name."""
    owners = (deployment.host,) if deployment else (host, _OF_HELM.get(host, host))
    found = {
        place: next((text for owner in owners if (text := context.credentials.text(owner + suffix))), "")
        for place, suffix in _CREDENTIALS.items()
    }
    for place, variables in (HOSTS[host].places if host in HOSTS else {}).items():
        found[place] = _first(context.credentials.environment(), variables) or found.get(place, "")
    if deployment is not None:
        arguments = {
            "project": deployment.argument("project_id", "project"),
            "region": deployment.argument("location", "region"),
            "api_version": deployment.argument("api_version"),
        }
        found |= {place: value for place, value in arguments.items() if value}
    return {place: value for place, value in found.items() if value}


def google_host(context: Context, deployment: Deployment) -> str:
    """Which of Google's two services an entry of a deployments file means, as HELM's clients choose."""
    if deployment.client.startswith("VertexAI"):
        return open_host(context, HOSTS["vertex"], deployment).name
    wanted = deployment.argument("genai_use_vertexai")
    if wanted or "genai_use_vertexai" in (deployment.client_spec.args or {}):
        return "vertex" if wanted == "True" else "google"
    places = places_of(context, "vertex", deployment)
    return "vertex" if {"project", "region"} <= places.keys() else "google"


def open_host(context: Context, host: Host, deployment: Deployment | None = None) -> Host:
    """The host, or the other of Google's two where that alone can be asked: they serve the same models."""
    if host.name not in ("google", "vertex"):
        return host
    is_member = bool(places_of(context, "vertex", deployment).get("project"))
    has_key = {name: _has_key(context, HOSTS[name]) for name in ("google", "vertex")}
    if host.name == "google":
        elsewhere = is_member and not has_key["google"] and not context.can_ask(host)
        return HOSTS["vertex"] if elsewhere else host
    return HOSTS["google"] if has_key["google"] and not (is_member or has_key["vertex"]) else host


def _has_key(context: Context, host: Host) -> bool:
    return context.credentials.key(host.name, "", host.key_variables) is not None


def _first(environ: Mapping[str, str], variables: tuple[str, ...]) -> str:
    return next((value for name in variables if (value := environ.get(name, "").strip())), "")
