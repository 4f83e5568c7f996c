"""Tiny checkpoints with random weights, made by the tests themselves: nothing is fetched."""

from importlib import import_module
from pathlib import Path
from typing import Any

WORDS = "the cat sat on a mat question answer which one is right or wrong Paris France capital of and so it goes "
TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{% if m.content is string %}{{ m.content }}{% else %}"
    "{% for p in m.content %}{{ '<image>' if p.type == 'image' else p.text }}{% endfor %}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def tokenizer(*, template: str | None = None, special: tuple[str, ...] = ()) -> Any:
    """A byte-level tokenizer that puts `<s>` before every prompt."""
    parts, transformers = import_module("tokenizers"), import_module("transformers")
    made = parts.Tokenizer(parts.models.BPE())
    made.pre_tokenizer = parts.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = parts.decoders.ByteLevel()
    marks = ["<s>", "</s>", "<|user|>", "<|assistant|>", "<|system|>", *special]
    trainer = parts.trainers.BpeTrainer(
        vocab_size=320, special_tokens=marks, initial_alphabet=parts.pre_tokenizers.ByteLevel.alphabet()
    )
    made.train_from_iterator([WORDS] * 20, trainer)
    made.post_processor = parts.processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", made.token_to_id("<s>"))]
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="</s>", pad_token="</s>", model_max_length=512
    )
    fast.chat_template = template
    return fast


def save_llama(folder: Path, *, template: str | None = None, hidden: int = 48, layers: int = 2) -> Path:
    """A Llama."""
    torch, transformers = import_module("torch"), import_module("transformers")
    words = tokenizer(template=template)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id,
        initializer_range=0.3,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def save_kind(kind: str, folder: Path) -> Path:
    """A model of another kind: one that forgets, one that looks back so many places, one that keeps nothing."""
    torch, transformers = import_module("torch"), import_module("transformers")
    words = tokenizer()
    sizes: dict[str, dict[str, Any]] = {
        "mamba": {"hidden_size": 48, "num_hidden_layers": 2, "state_size": 8, "initializer_range": 0.3},
        "gpt_neo": {
            "hidden_size": 48,
            "num_layers": 2,
            "num_heads": 4,
            "attention_types": [[["global", "local"], 1]],
            "window_size": 16,
            "max_position_embeddings": 512,
            "initializer_range": 0.3,
        },
        "rwkv": {"hidden_size": 48, "num_hidden_layers": 2, "context_length": 512},
    }
    torch.manual_seed(0)
    ends = {"bos_token_id": words.bos_token_id, "eos_token_id": words.eos_token_id}
    config = transformers.AutoConfig.for_model(kind, vocab_size=len(words), **sizes[kind], **ends)
    transformers.AutoModelForCausalLM.from_config(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def save_llava(folder: Path) -> Path:
    """A LLaVA that sees 28 x 28 pixels as four tokens."""
    torch, transformers = import_module("torch"), import_module("transformers")
    words = tokenizer(template=TEMPLATE, special=("<image>",))
    torch.manual_seed(0)
    vision = transformers.CLIPVisionConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, image_size=28, patch_size=14
    )
    text = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=512,
        initializer_range=0.3,
    )
    config = transformers.LlavaConfig(
        vision_config=vision, text_config=text, image_token_id=words.convert_tokens_to_ids("<image>")
    )
    transformers.LlavaForConditionalGeneration(config).save_pretrained(folder)
    pixels = transformers.CLIPImageProcessor(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28})
    transformers.LlavaProcessor(
        image_processor=pixels,
        tokenizer=words,
        patch_size=14,
        vision_feature_select_strategy="default",
        chat_template=TEMPLATE,
        num_additional_image_tokens=1,
    ).save_pretrained(folder)
    return folder
