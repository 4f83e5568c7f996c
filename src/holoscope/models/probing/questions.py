"""The questions of a probe: what each asks, and what its answer shows.

A parameter that is taken may still be passed over, so wherever an answer can show it, it must: stopping early, the same
draw twice, the colour of a picture.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from holoscope.core import Completion, Message, Outcome, Params, Request, Text, Token, Usage, counted
from holoscope.models.probing.asker import LONG, SHORT, Asker, Said
from holoscope.models.probing.findings import Answer, Finding
from holoscope.models.probing.swatch import swatch

_SHOWN = 60
"""Characters of an answer that are shown."""
_QUESTION = "Name the seven colours of the rainbow."
_TEXT = "The capital of France is Paris, and the capital of Italy is Rome."
_DRAW = "Write three random words and a random number of six digits."
_GREEDY = Params(temperature=0.0, max_tokens=SHORT)
_DRAWN = Params(temperature=1.0, max_tokens=SHORT)
_CONVERSATION = (
    Message("system", "You answer in one word."),
    Message("user", "Which animal barks?"),
    Message("assistant", "Dogs."),
    Message("user", "And which one meows?"),
)
_TITLES = {
    "chat": "chat",
    "completions": "plain completions",
    "messages": "conversation with a system message",
    "logprobs": "log-probabilities of its answers",
    "echo": "scores given text (echo)",
    "n": "several completions per request",
    "stop": "stop sequences",
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "images": "images",
    "streaming": "streams replies",
    "usage": "counts tokens",
    "thinking": "thinks before it answers",
}


async def chat(asker: Asker, **options: str) -> Said:
    """The first question, as a conversation."""
    return await asker.ask(Request(_GREEDY, messages=(Message("user", _QUESTION),)), **options)


async def completions(asker: Asker, **options: str) -> Said:
    """The same as a plain prompt."""
    return await asker.ask(_ask(_GREEDY), **options)


async def messages(asker: Asker, chat: Said) -> Finding:
    said = await asker.ask(Request(_GREEDY, messages=_CONVERSATION)) if chat.completion else chat
    return finding("messages", said)


async def top_p(asker: Asker) -> Finding:
    return taken(await asker.ask(_ask(replace(_DRAWN, top_p=0.9))), "top_p")


async def thinking(asker: Asker, plain: Said) -> tuple[Finding, Said]:
    """Whether it thinks, and its whole answer: one that thinks is given room for both."""
    if not _thinks(plain.completion):
        return finding("thinking", plain, "no", "no sign of it"), plain
    asker.room = LONG
    whole = await asker.ask(_ask(replace(_GREEDY, max_tokens=LONG)))
    return finding("thinking", plain, "yes", _thought(whole.completion or plain.completion)), whole


async def logprobs(asker: Asker) -> Finding:
    said = await asker.ask(_ask(replace(_GREEDY, max_tokens=asker.room), wants_logprobs=True))
    if said.completion is None or (dropped := said.dropped("logprobs")):
        return finding("logprobs", said, "no", dropped if said.completion else "")
    if not said.completion.text:
        return finding("logprobs", said, "unknown")
    tokens = said.completion.choices[0].tokens
    wrong = _implausible(tokens) if tokens else "the answer has none"
    return finding("logprobs", said, "no" if wrong else "yes", wrong or f"of {counted(len(tokens), 'token')}")


async def echo(asker: Asker, completions: Said) -> Finding:
    if completions.completion is None:
        return finding("echo", completions)
    request = Request(replace(_GREEDY, max_tokens=0, echo_prompt=True), prompt=_TEXT, wants_logprobs=True)
    said = await asker.ask(request, **({"api": "completions", "echo": "true"} if asker.has_two_apis else {}))
    if said.completion is None:
        return finding("echo", said)
    tokens = said.completion.choices[0].tokens
    wrong = _implausible(tokens[1:]) if len(tokens) > 1 else "the text came back without its tokens"
    return finding("echo", said, "no" if wrong else "yes", wrong or f"of {counted(len(tokens), 'token')}")


async def several(asker: Asker) -> Finding:
    said = await asker.ask(_ask(replace(_DRAWN, num_completions=2)))
    came = len(said.completion.choices) if said.completion else 0
    return finding("n", said, "yes" if came > 1 else "no", f"{came} of 2")


async def stop(asker: Asker, whole: Said) -> Finding:
    """Stopped at a word of its own answer it must write less; that the text is cut shows nothing, as we cut it too."""
    text = whole.completion.text if whole.completion else ""
    if len(words := text.split()) < 3 or whole.completion is None:
        return finding("stop", whole, "unknown", "the answer is too short to tell")
    params = replace(_GREEDY, max_tokens=asker.room, stop_sequences=(words[len(words) // 2],))
    said = await asker.ask(_ask(params))
    if said.completion is None or said.dropped("stop"):
        return finding("stop", said, "no" if said.completion else None, said.dropped("stop"))
    made, before = _made(said.completion), _made(whole.completion)
    if made is None or before is None:
        return finding("stop", said, "unknown", "taken; the endpoint doesn't say how much it wrote")
    if made >= before and said.completion.choices[0].finish_reason != "stop":
        return finding("stop", said, "unknown", "taken; the answer was another one this time")
    return finding("stop", said, "yes" if made < before else "no", f"it wrote {made} tokens, and {before} without")


async def seed(asker: Asker) -> Finding:
    if asker.vary is None:
        return _not_asked("seed")
    first, second = [await asker.ask(Request(_DRAWN, prompt=_DRAW), seed="7") for _ in range(2)]
    if first.completion is None or second.completion is None or first.dropped("seed"):
        said = first if first.completion is None or first.dropped("seed") else second
        return finding("seed", said, "no" if said.completion else None, said.dropped("seed"))
    if not first.completion.text:
        return finding("seed", first, "unknown", "taken; the answer is empty")
    same = first.completion.text == second.completion.text
    return finding("seed", first, "yes" if same else "no", f"taken; two answers {'are equal' if same else 'differ'}")


async def images(asker: Asker, chat: Said) -> Finding:
    if chat.completion is None:
        return finding("images", chat)
    parts = Text("Which colour is this image? Answer with one word."), swatch(255, 0, 0)
    params = replace(_GREEDY, max_tokens=asker.room)
    said = await asker.ask(Request(params, messages=(Message("user", parts),)))
    if said.completion is None:
        return finding("images", said)
    saw = "red" in said.completion.text.lower()
    return finding("images", said, "yes" if saw else "unknown", f"shown red, it says {_shown(said)}")


async def streaming(asker: Asker) -> Finding:
    if asker.vary is None:
        return _not_asked("streaming")
    said = await asker.ask(_ask(_GREEDY), stream="true")
    if said.completion is None or said.dropped("stream"):
        return finding("streaming", said, "no" if said.completion else None, said.dropped("stream"))
    first = said.completion.time_to_first_token
    if first is None:
        return finding("streaming", said, "no", "the reply came in one piece")
    return finding("streaming", said, "yes", f"first token after {first:.2f} s; ?stream=true has it measured")


def usage(plain: Said) -> Finding:
    usage = plain.completion.usage if plain.completion else None
    given = {name.removesuffix("_tokens"): getattr(usage, name, None) for name in Usage.__struct_fields__}
    known = ", ".join(f"{name} {count}" for name, count in given.items() if count is not None)
    unknown = ", ".join(name for name, count in given.items() if count is None)
    is_counted = given["prompt"] is not None and given["completion"] is not None
    return finding(
        "usage", plain, "yes" if is_counted else "no", "; ".join(filter(None, (known, unknown and f"not {unknown}")))
    )


def _not_asked(name: str) -> Finding:
    why = "not asked: the model's name takes no such option"
    return Finding(name=name, title=_TITLES[name], answer="unknown", evidence=why)


def taken(said: Said, parameter: str) -> Finding:
    why = said.dropped(parameter)
    return finding(parameter, said, "no" if why else None, why or "taken")


def finding(name: str, said: Said, answer: Answer | None = None, evidence: str = "") -> Finding:
    """The finding of one question: what its answer says or, where there is none, why."""
    if said.completion is None:
        answer = "no" if said.refused else "unknown"
        evidence = said.refused or said.missed
    return Finding(name=name, title=_TITLES[name], answer=answer or "yes", evidence=evidence or _shown(said))


def _implausible(tokens: Sequence[Token]) -> str:
    """Why these can't be log-probabilities; empty where they can."""
    known = [token.logprob for token in tokens if token.logprob is not None]
    if len(known) < len(tokens):
        return f"{len(tokens) - len(known)} of {len(tokens)} tokens have none"
    if worst := max((value for value in known if value > 0), default=0.0):
        return f"{worst:g} is no log-probability"
    return "all are 0, which nothing is" if len(known) > 1 and not any(known) else ""


def _thinks(completion: Completion | None) -> bool:
    if completion is None:
        return False
    reasoned = completion.usage is not None and bool(completion.usage.reasoning_tokens)
    shown = any(choice.thinking for choice in completion.choices)
    return reasoned or shown or completion.outcome is Outcome.TRUNCATED_IN_REASONING


def _thought(completion: Completion | None) -> str:
    """How much, as far as it can be told."""
    if completion is None:
        return ""
    usage, text = completion.usage, "".join(choice.thinking or "" for choice in completion.choices)
    if usage is not None and usage.reasoning_tokens:
        return f"{usage.reasoning_tokens} of {usage.completion_tokens} tokens"
    ended = "" if completion.text else ", and does not come to an answer"
    return f"{len(text)} characters{ended}"


def _made(completion: Completion) -> int | None:
    return completion.usage.completion_tokens if completion.usage else None


def _shown(said: Said) -> str:
    """The answer as evidence: on one line, and not long."""
    if said.completion is None:
        return ""
    text = " ".join(said.completion.text.split())
    return said.withheld or (f"{text[:_SHOWN]!r}" if text else "an empty answer")


def _ask(params: Params, *, wants_logprobs: bool = False) -> Request:
    return Request(params, prompt=_QUESTION, wants_logprobs=wants_logprobs)
