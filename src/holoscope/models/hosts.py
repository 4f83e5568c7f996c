"""The OpenAI-compatible hosts that a model's name may begin with: addresses, names of keys, and what they take.

Facts, not behaviour: a new host is a line here, or an entry in the user's deployments file. `creator/model` in HELM's
form finds the creator's own host, then a gateway that carries many creators' models.
"""

import re

import msgspec

from holoscope.models.model import Capabilities, Wire

_CHAT = Capabilities(completions=False, echo=False)
_GEMINI = Capabilities(completions=False, echo=False, max_stops=5)
BEDROCK_URL = "https://bedrock-runtime.amazonaws.com"
"""Of no region: each has an address of its own, which the SDK knows."""
VERTEX_URL = "https://aiplatform.googleapis.com"
"""Of the region `global`; others have addresses of their own, which the SDK knows."""


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """One host."""

    name: str
    base_url: str
    variables: tuple[str, ...] = ()
    """Environment variables that hold its key, in order; empty: NAME_API_KEY."""
    capabilities: Capabilities = Capabilities()
    wire: Wire = "openai"
    places: dict[str, tuple[str, ...]] = {}
    """`region`, `project` or `api_version` -> environment variables that name it."""
    url_name: str = ""
    """Environment variable that holds its address; empty: NAME_BASE_URL."""
    is_azure: bool = False
    """True if its addresses and the header of its key are Azure's."""
    needs_key: bool = True
    """False if its SDK may identify otherwise than by a key: by a service account, or a role."""
    local: bool = False
    """True for a server on one's own machine, which needs no key."""
    gateway: bool = False
    """True if it serves other creators' models under `creator/model`."""

    @property
    def key_variables(self) -> tuple[str, ...]:
        return self.variables or (variable_of(self.name, "API_KEY"),)

    @property
    def url_variable(self) -> str:
        return self.url_name or variable_of(self.name, "BASE_URL")


def variable_of(host: str, what: str) -> str:
    """Name of a host's environment variable.

    >>> variable_of("my-lab", "API_KEY")
    'MY_LAB_API_KEY'
    """
    return re.sub(r"\W", "_", host).upper() + "_" + what


_HOSTS = (
    Host(
        name="openai",
        base_url="https://api.openai.com/v1",
        capabilities=Capabilities(completions=False, echo=False, max_tokens_name="max_completion_tokens", max_stops=4),
    ),
    Host(name="together", base_url="https://api.together.xyz/v1"),
    Host(name="deepseek", base_url="https://api.deepseek.com/v1", capabilities=_CHAT),
    Host(
        name="mistralai",
        base_url="https://api.mistral.ai/v1",
        variables=("MISTRALAI_API_KEY", "MISTRAL_API_KEY"),
        capabilities=Capabilities(completions=False, echo=False, logprobs=False),
    ),
    Host(name="xai", base_url="https://api.x.ai/v1", capabilities=_CHAT),
    Host(name="groq", base_url="https://api.groq.com/openai/v1", capabilities=_CHAT),
    Host(name="cerebras", base_url="https://api.cerebras.ai/v1", capabilities=_CHAT),
    Host(name="fireworks", base_url="https://api.fireworks.ai/inference/v1"),
    Host(name="nvidia", base_url="https://integrate.api.nvidia.com/v1", capabilities=_CHAT),
    Host(
        name="azure",
        base_url="",
        variables=("AZURE_OPENAI_API_KEY", "AZURE_API_KEY"),
        capabilities=Capabilities(completions=False, echo=False, max_stops=4),
        places={"api_version": ("AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION")},
        url_name="AZURE_OPENAI_ENDPOINT",
        is_azure=True,
    ),
    Host(
        name="google",
        base_url="https://generativelanguage.googleapis.com",
        variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        capabilities=_GEMINI,
        wire="gemini",
    ),
    Host(
        name="vertex",
        base_url=VERTEX_URL,
        capabilities=_GEMINI,
        wire="gemini",
        places={
            "project": ("GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT"),
            "region": ("GOOGLE_CLOUD_LOCATION", "GOOGLE_CLOUD_REGION"),
        },
        needs_key=False,
    ),
    Host(
        name="anthropic",
        base_url="https://api.anthropic.com",
        variables=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
        capabilities=Capabilities(completions=False, echo=False, logprobs=False, n=False),
        wire="anthropic",
    ),
    Host(
        name="bedrock",
        base_url=BEDROCK_URL,
        variables=("AWS_BEARER_TOKEN_BEDROCK",),
        capabilities=Capabilities(completions=False, echo=False, logprobs=False, n=False),
        wire="bedrock",
        places={"region": ("AWS_REGION", "AWS_DEFAULT_REGION")},
        url_name="AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
        needs_key=False,
    ),
    Host(name="ai21", base_url="https://api.ai21.com/studio/v1", capabilities=_CHAT),
    Host(name="maritaca-ai", base_url="https://chat.maritaca.ai/api", capabilities=_CHAT),
    Host(name="reka", base_url="https://api.reka.ai/v1", capabilities=_CHAT),
    Host(name="upstage", base_url="https://api.upstage.ai/v1/solar", capabilities=_CHAT),
    Host(name="writer", base_url="https://api.writer.com/v1/chat", capabilities=_CHAT),
    Host(
        name="cohere",
        base_url="https://api.cohere.com",
        variables=("COHERE_API_KEY", "CO_API_KEY"),
        capabilities=Capabilities(completions=False, echo=False, n=False, max_stops=5),
        wire="cohere",
    ),
    Host(
        name="tgi",
        base_url="http://127.0.0.1:8080",
        variables=("TGI_API_KEY", "HF_TOKEN"),
        capabilities=Capabilities(chat=False, prefers="completions", images=False, n=False),
        wire="tgi",
        local=True,
    ),
    Host(
        name="hf-inference",
        base_url="https://router.huggingface.co/v1",
        variables=("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"),
        capabilities=_CHAT,
    ),
    Host(name="meta", base_url="https://api.llama.com/compat/v1", variables=("LLAMA_API_KEY",), capabilities=_CHAT),
    Host(name="openrouter", base_url="https://openrouter.ai/api/v1", gateway=True),
    Host(name="vllm", base_url="http://127.0.0.1:8000/v1", local=True),
    Host(name="sglang", base_url="http://127.0.0.1:30000/v1", local=True),
    Host(name="ollama", base_url="http://127.0.0.1:11434/v1", local=True, capabilities=Capabilities(echo=False)),
    Host(name="lmstudio", base_url="http://127.0.0.1:1234/v1", local=True, capabilities=Capabilities(echo=False)),
    Host(name="llamacpp", base_url="http://127.0.0.1:8080/v1", local=True, capabilities=Capabilities(echo=False)),
)
HOSTS = {host.name: host for host in _HOSTS}

CREATORS = {"deepseek-ai": "deepseek", "mistral": "mistralai", "gemini": "google", "x-ai": "xai", "grok": "xai"}
"""Creators whose own host has another name."""

GATEWAY_NAMES = {"meta": "meta-llama", "xai": "x-ai", "deepseek-ai": "deepseek"}
"""Creators whom gateways call by another name than HELM does."""

_COMPLETIONS_ONLY = re.compile(r"gpt-3\.5-turbo-instruct|(davinci|babbage)-002")


def capabilities_of(host: Host, served_name: str) -> Capabilities:
    """What a host takes for one model."""
    if host.name == "openai" and _COMPLETIONS_ONLY.match(served_name):
        return Capabilities(chat=False, prefers="completions", images=False, max_stops=4)
    return host.capabilities
