"""One evaluation item, and the answers it accepts.

An `Instance` is what a scenario yields and a perturbation changes. Its `id` is unique within a scenario and stable:
it seeds every random draw made for the instance and names it on every page.
"""

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

if TYPE_CHECKING:
    Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
else:
    Json = Any  # msgspec decodes JSON values as they are; it cannot follow a recursive alias

CORRECT = "correct"
"""The tag that marks a reference as right."""

TRAIN, VALID, TEST = "train", "valid", "test"
EVAL_SPLITS = (VALID, TEST)


class Reference(msgspec.Struct, frozen=True, gc=False):
    """One possible answer, right or wrong."""

    text: str
    tags: tuple[str, ...] = ()

    @property
    def is_correct(self) -> bool:
        return CORRECT in self.tags


class Image(msgspec.Struct, frozen=True, tag="image"):
    """An image within a message, by content."""

    sha256: str
    media_type: str
    data: str
    """Base64."""


class Text(msgspec.Struct, frozen=True, tag="text"):
    text: str


class Message(msgspec.Struct, frozen=True):
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str | tuple[Text | Image, ...]


class PerturbationDescription(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which perturbation made an instance; the fields are those of HELM's result files."""

    name: str
    robustness: bool = False
    fairness: bool = False
    args: dict[str, Json] = {}
    """Parameters of the perturbation, such as `prob`."""
    seed: int | None = None


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """One evaluation item."""

    id: str = ""
    """Empty as a scenario yields it; then given by position: `id0`, `id1`, ... before any sampling."""
    input: str
    references: tuple[Reference, ...] = ()
    split: str = TEST
    sub_split: str | None = None
    messages: tuple[Message, ...] | None = None
    """For chat scenarios: the conversation up to the answer."""
    cluster: str | None = None
    """Passage, template or source that several instances share: their scores are not independent."""
    groups: dict[str, str] = {}
    """Demographic or topical groups the instance belongs to, by attribute."""
    perturbation: PerturbationDescription | None = None
    original_input: str | None = None
    """The unperturbed text, where `perturbation` is set."""
    extra: dict[str, Json] = {}
    """What only this scenario's own metrics read."""

    @property
    def correct_references(self) -> tuple[Reference, ...]:
        return tuple(r for r in self.references if r.is_correct)

    @property
    def perturbation_name(self) -> str | None:
        return self.perturbation.name if self.perturbation else None
