"""HELM's client classes: what each means here, or in a line why it means nothing here.

A deployments file names a class of crfm-helm and its arguments; only the wire format and what reaches the endpoint
count. Each class of crfm-helm 0.5.16 that asks a model is in one of the tables below, and an argument is either
honoured or refused: a run under other settings than the file states would be worse than none. Facts, not behaviour: a
class is a line.
"""

from collections.abc import Mapping
from typing import NamedTuple

from holoscope.core import ConfigError, Json
from holoscope.models.model import Api, Wire


class Client(NamedTuple):
    """What a HELM client class means on the wire."""

    api: Api
    model_arguments: tuple[str, ...] = ()
    """Arguments of the class that name the model to the server."""
    host: str = "openai"
    """Whose address and limits apply where the entry gives no `base_url`."""
    whole_name: bool = False
    """True if the server knows the model as `creator/model`."""
    needs_key: bool = True
    wire: Wire | None = None
    """The wire format; None: the host's."""
    body: Mapping[str, Json] = {}
    """What the class puts into every request."""
    prefix: str = ""
    """What the server's name of the model begins with, instead of HELM's `amazon-`."""


CLIENTS = {
    "AI21ChatClient": Client("chat", (), "ai21"),
    "AnthropicMessagesClient": Client("chat", ("anthropic_model_name",), "anthropic"),
    "AzureOpenAIClient": Client("chat", ("azure_openai_deployment_name",), "azure"),
    "BedrockLlamaClient": Client("chat", ("bedrock_model_id",), "bedrock", prefix="meta."),
    "BedrockMistralClient": Client("chat", ("bedrock_model_id",), "bedrock", prefix="mistral."),
    "BedrockNovaClient": Client("chat", ("bedrock_model_id",), "bedrock", prefix="amazon."),
    "BedrockPalmyraClient": Client("chat", ("bedrock_model_id",), "bedrock", prefix="writer."),
    "BedrockTitanClient": Client("chat", ("bedrock_model_id",), "bedrock", prefix="amazon."),
    "CohereChatClient": Client("chat", (), "cohere"),
    "GoogleGenAIClient": Client("chat", ("genai_model",), "google"),
    "GrokChatClient": Client("chat", ("openai_model_name",), "xai"),
    "HuggingFaceInferenceProvidersClient": Client("chat", ("huggingface_model_name",), "hf-inference", whole_name=True),
    "MistralAIClient": Client("chat", ("mistral_model",), "mistralai"),
    "NvidiaNimClient": Client("chat", (), "nvidia", whole_name=True),
    "OpenAIClient": Client("chat", ("openai_model_name",)),
    "OpenAILegacyCompletionsClient": Client("completions", ("openai_model_name",)),
    "OpenAIResponseClient": Client("chat", ("openai_model_name",), wire="responses"),
    "OpenRouterClient": Client("chat", ("openrouter_model_name", "model_name"), "openrouter", whole_name=True),
    "PalmyraChatClient": Client("chat", (), "writer"),
    "RekaClient": Client("chat", (), "reka"),
    "TogetherChatClient": Client("chat", ("together_model",), "together", whole_name=True),
    "TogetherClient": Client("completions", ("together_model",), "together", whole_name=True),
    "TogetherCompletionClient": Client("completions", ("together_model",), "together", whole_name=True),
    "UpstageChatClient": Client("chat", (), "upstage"),
    "VLLMChatClient": Client("chat", ("vllm_model_name",), "vllm", whole_name=True, needs_key=False),
    "VLLMClient": Client("completions", ("vllm_model_name",), "vllm", whole_name=True, needs_key=False),
    "VLLMGraniteThinkingClient": Client(
        "chat",
        ("vllm_model_name",),
        "vllm",
        whole_name=True,
        needs_key=False,
        body={"chat_template_kwargs": {"thinking": True}},
    ),
    "VertexAIChatClient": Client("chat", ("vertexai_model",), "vertex", body={"safety": "BLOCK_NONE"}),
    "WriterClient": Client("chat", (), "writer"),
}
ECHO_CLIENT = "SimpleClient"
IN_PROCESS = frozenset(("HuggingFaceClient", "HuggingFacePipelineClient", "HuggingFaceVLMClient", "Qwen2VLMClient"))
"""Those that run a Hugging Face model in the process itself: `transformers/` here."""

_IMAGES = "makes images, and no model that makes images is supported yet"
_AUDIO = "takes recordings, and no model that takes recordings is supported yet"
_OLD_VISION = "runs a model with code of its own here; serve it with vLLM, and name VLLMChatClient there"

NOT_HERE = {
    "AI21Client": "asks the completions API of AI21's Jurassic models; its chat models are AI21ChatClient",
    "AdobeVisionClient": _IMAGES,
    "AlephAlphaClient": "asks Aleph Alpha's own API, which no client here speaks",
    "AlephAlphaImageGenerationClient": _IMAGES,
    "AnthropicClient": "asks Anthropic's old text completions API; its later models are AnthropicMessagesClient",
    "AnthropicLegacyClient": "asks an API that Anthropic had before its public one",
    "CogView2Client": _IMAGES,
    "CohereClient": "asks Cohere's old generate API; its later models are CohereChatClient",
    "DALLE2Client": _IMAGES,
    "DALLE3Client": _IMAGES,
    "DALLEMiniClient": _IMAGES,
    "DSPyClient": "rewrites each prompt with DSPy's programs, so the model would not be asked what the scenario asks",
    "DeepFloydClient": _IMAGES,
    "DivaLlamaClient": _AUDIO,
    "GoogleClient": "asks nothing: it reads answers that were put into HELM's cache; replay/FILE does that here",
    "HTTPModelClient": "asks a server in a format of HELM's own; serve the model with vLLM or llama.cpp",
    "HuggingFaceDiffusersClient": _IMAGES,
    "HuggingFaceVision2SeqClient": _OLD_VISION,
    "IDEFICSClient": _OLD_VISION,
    "IbmChatClient": "asks watsonx, whose keys have to be changed for tokens first; give its gateway as base_url",
    "IbmTextClient": "asks watsonx, whose keys have to be changed for tokens first; give its gateway as base_url",
    "LexicaClient": _IMAGES,
    "LitGPTClient": "runs weights in LitGPT's format here; serve them with vLLM or llama.cpp",
    "LiteLLMCompletionClient": "asks through LiteLLM; name the model itself (provider/model), or LiteLLM's server",
    "LlamaOmniAudioLMClient": _AUDIO,
    "MegatronClient": "asks a Megatron server in a format of its own; serve the model with vLLM",
    "MinDALLEClient": _IMAGES,
    "OpenAITranscriptionThenCompletionClient": _AUDIO,
    "OpenFlamingoClient": _OLD_VISION,
    "OpenLMClient": "runs weights in OpenLM's format here; serve them with vLLM",
    "PaliGemmaClient": _OLD_VISION,
    "PalmyraClient": "asks the completions API of Writer's first models; its later ones are PalmyraChatClient",
    "PalmyraVisionClient": "asks Writer's image API, which no client here speaks",
    "Qwen2AudioLMClient": _AUDIO,
    "Qwen2_5OmniAudioLMClient": _AUDIO,
    "QwenAudioLMClient": _AUDIO,
    "QwenVLMClient": _OLD_VISION,
    **dict.fromkeys(
        (
            "StanfordHealthCareAzureOpenAIClient",
            "StanfordHealthCareClaudeClient",
            "StanfordHealthCareGoogleClient",
            "StanfordHealthCareHTTPModelClient",
            "StanfordHealthCareOpenAIClient",
            "StanfordHealthCareSHCOpenAIClient",
        ),
        "asks a gateway of Stanford Health Care's own; name OpenAIClient or AzureOpenAIClient with its base_url",
    ),
    "VertexAITextClient": "asks Vertex AI's API of the PaLM models; its later models are VertexAIChatClient",
    "YiChatClient": "asks 01.AI without TLS; name OpenAIClient with the base_url of a host that has TLS",
}

_HONOURED = frozenset(
    (
        "api_key",
        "api_version",
        "base_url",
        "disable_logprobs",
        "endpoint",
        "genai_use_vertexai",
        "location",
        "parse_thinking",  # reasoning is always told apart
        "project_id",
        "reasoning_effort",
        "region",
        "safety_settings_preset",
        "stream",
        "thinking_budget_tokens",
        "thinking_config",
    )
)
_INJECTED = frozenset(("cache_config", "max_retries", "timeout", "tokenizer", "tokenizer_name"))
"""What concerns HELM alone: its cache and tokenizer. Retries and time limits are the engine's."""


def refusal(name: str, arguments: Mapping[str, Json]) -> str:
    """Why a class with these arguments can't be had; empty if it can."""
    if name in NOT_HERE:
        return f"{name} {NOT_HERE[name]}"
    if name not in CLIENTS:
        return ""
    known = _HONOURED | _INJECTED | {*CLIENTS[name].model_arguments}
    for argument, value in arguments.items():
        if value is None or argument in known:
            continue
        if argument == "output_processor" and str(value).endswith("_thinking"):
            continue  # takes reasoning out of the answer, which is done for every model
        return f"{name}: its argument {argument} is not supported here"
    return ""


_IN_PROCESS_OPTIONS = {
    "apply_chat_template": "chat",
    "device_map": "device",
    "revision": "revision",
    "torch_dtype": "dtype",
    "trust_remote_code": "trust_remote_code",
}
"""Arguments of HELM's in-process classes -> options of `transformers/...`."""


def in_process_options(arguments: Mapping[str, Json]) -> dict[str, str]:
    """Options of `transformers/...` for HELM's arguments. Raises ConfigError for one that has none.

    >>> in_process_options({"torch_dtype": "torch.bfloat16", "apply_chat_template": False})
    {'dtype': 'bfloat16', 'chat': 'false'}
    """
    options = {}
    for argument, value in arguments.items():
        if argument == "pretrained_model_name_or_path" or argument in _INJECTED or value is None:
            continue
        if argument not in _IN_PROCESS_OPTIONS:
            raise ConfigError(f"its argument {argument} is not supported here; serve the model with vLLM")
        said = str(value).lower() if isinstance(value, bool) else str(value).removeprefix("torch.")
        options[_IN_PROCESS_OPTIONS[argument]] = said
    return options


def takes_and_gives_text(name: str) -> bool:
    """False for a class whose models no other host could serve here either: what makes images, or takes recordings."""
    return NOT_HERE.get(name) not in (_IMAGES, _AUDIO)


def fields_of(client: Client, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """What a class and its arguments put into every request.

    >>> fields_of(CLIENTS["GoogleGenAIClient"], {"thinking_config": {"thinking_budget": 0}})
    {'thinking': '0'}
    """
    fields = dict(client.body)
    if effort := arguments.get("reasoning_effort"):
        fields["reasoning_effort"] = effort
    config = arguments.get("thinking_config")
    budget = config.get("thinking_budget") if isinstance(config, dict) else arguments.get("thinking_budget_tokens")
    if budget is not None:
        fields["thinking"] = str(budget)
    if arguments.get("safety_settings_preset") == "default":
        fields.pop("safety", None)
    return fields
