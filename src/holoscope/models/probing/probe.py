"""The course of a probe: first whether anybody answers and by which API, then everything else, then what it came to."""

from datetime import UTC, datetime

from msgspec.structs import replace

from holoscope.core import Completion, Request
from holoscope.models.model import Capabilities, Model
from holoscope.models.probing import questions
from holoscope.models.probing.asker import Asker, Said, Send, Vary
from holoscope.models.probing.findings import Finding, Probe


async def generate(model: Model, request: Request) -> Completion:
    """Ask once."""
    return await model.generate(request)


async def probe(model: Model, *, vary: Vary | None = None, send: Send = generate) -> Probe:
    """What the model can do, found out by asking it. `vary` is for an endpoint, whose card may be wrong."""
    asker = Asker(model, vary, send)
    try:
        return await _probed(asker)
    finally:
        await asker.aclose()


async def _probed(asker: Asker) -> Probe:
    today = datetime.now(UTC).date().isoformat()
    begun = Probe(model=asker.card.name, deployment=asker.card.deployment, date=today)
    if asker.card.is_recording:
        return begun
    chat, completions = await _first(asker)
    plain = chat if chat.completion else completions
    if plain.completion is None:
        problem = chat.missed or completions.missed or chat.refused
        return replace(begun, requests=asker.requests, problem=problem)
    if asker.has_two_apis:
        asker.api = {"api": "chat" if chat.completion else "completions"}
    prompted = plain if asker.vary is not None or completions.completion is None else completions
    thinking, whole = await questions.thinking(asker, prompted)
    findings = [
        questions.finding("chat", chat),
        questions.finding("completions", completions),
        await questions.messages(asker, chat),
        await questions.logprobs(asker),
        await questions.echo(asker, completions),
        await questions.several(asker),
        await questions.stop(asker, whole),
        questions.taken(plain, "temperature"),
        await questions.top_p(asker),
        await questions.seed(asker),
        await questions.images(asker, chat),
        await questions.streaming(asker),
        questions.usage(plain),
        thinking,
    ]
    return replace(
        begun,
        findings=tuple(_assumed(finding, asker.card.capabilities) for finding in findings),
        served_model=plain.completion.served_model,
        max_tokens_name=asker.renamed,
        is_correctable=asker.vary is not None,
        requests=asker.requests,
        usage=asker.usage(),
        cost=asker.cost(),
    )


async def _first(asker: Asker) -> tuple[Said, Said]:
    """The same question to both APIs; where nobody is reached the second is not asked."""
    two = asker.has_two_apis
    chat = await questions.chat(asker, **({"api": "chat"} if two else {}))
    if chat.missed:
        return chat, Said(missed=chat.missed)
    if asker.vary is not None and not two and not asker.card.capabilities.completions:
        return chat, Said(refused=f"the wire format {asker.wire} has none")
    return chat, await questions.completions(asker, **({"api": "completions"} if two else {}))


def _assumed(finding: Finding, can: Capabilities) -> Finding:
    """With what the card says; that it asks for no streams doesn't mean that there are none."""
    if finding.name == "streaming" or finding.name not in Capabilities.__struct_fields__:
        return finding
    return replace(finding, assumed=getattr(can, finding.name))
