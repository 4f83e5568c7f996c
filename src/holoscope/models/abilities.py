"""What may be wanted of a model, and what it is known not to give.

The one place that says in words what a model lacks, so that a plan, a refusal, a cell and `doctor` say the same. A card
knows only what was assumed, or what the user or an endpoint said: it is no proof that a request will be answered.
"""

from collections.abc import Iterator
from typing import Literal, get_args

from holoscope.core import Image, Request
from holoscope.models.model import ModelCard

Need = Literal["scoring", "ranking", "confidence", "conversation", "images", "several"]
"""Log-probabilities of given text; of answers, by which they are ranked; of answers, for how sure the model is;
messages; images in them; several completions of a request."""
NEEDS: tuple[Need, ...] = get_args(Need)


def lacking(card: ModelCard, need: Need) -> str:
    """Why a model can't give what is needed, by what its card says of it; empty where it may."""
    can = card.capabilities
    match need:
        case "scoring" if not (can.echo and can.completions):
            return f"{card.name} does not score given text (no echo)"
        case "scoring" if not can.logprobs:
            return f"{card.name} gives no log-probabilities, so it can't score given text"
        case "ranking" if not can.logprobs:
            return f"{card.name} gives no log-probabilities, by which passages are ranked"
        case "confidence" if not can.logprobs:
            return f"{card.name} gives no log-probabilities"
        case "conversation" if not can.chat:
            return f"{card.name} has no chat API, which a conversation needs"
        case "images" if not can.images:
            return f"{card.name} takes no images"
        case "several" if not can.n:
            return f"{card.name} gives one completion per request; use --trials"
    return ""


def unable(card: ModelCard, request: Request) -> str:
    """Why the model cannot answer a request, by what its card says of it; empty where it may."""
    return next(filter(None, (lacking(card, need) for need in _needs(request))), "")


def _needs(request: Request) -> Iterator[Need]:
    if request.params.echo_prompt:
        yield "scoring"
    if request.messages is not None:
        yield "conversation"
        contents = (message.content for message in request.messages if not isinstance(message.content, str))
        if any(isinstance(part, Image) for content in contents for part in content):
            yield "images"
    if request.params.num_completions > 1:
        yield "several"
