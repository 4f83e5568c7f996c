"""The log-probabilities of a prompt, from the reply to an `echo` request.

Servers that don't know `echo` pass over it and answer as if the prompt were a question. A score from such a reply
would look like any other, so a reply counts only if it holds the prompt. Where the request says which end of the
prompt is scored, only the tokens that cover it are kept: that is all a metric reads, and a hundredth of the space.
"""

from holoscope.core import Choice, NotSupportedError, Request, Token, covering
from holoscope.models.answer import sum_logprobs
from holoscope.models.providers.wire import Reply, ReplyChoice

_MARKS = 64
"""A reply may put so many characters before the prompt: the mark that begins a text."""


def scored_prompt(reply: Reply, request: Request) -> Choice:
    """The prompt's tokens. Raises NotSupportedError where the reply doesn't hold them."""
    choice = reply.choices[0] if reply.choices else ReplyChoice()
    text = choice.text or ""
    tokens = choice.logprobs.read() if choice.logprobs else ()
    prompt = request.prompt or ""
    spelled = "".join(token.text for token in tokens)
    if not (_begins(text, prompt) or _begins(spelled, prompt)):
        raise NotSupportedError("the endpoint ignores echo: its reply does not repeat the prompt")
    if not tokens:
        raise NotSupportedError("the endpoint gives no log-probabilities for the prompt")
    if request.params.max_tokens == 0:
        generated = 0 if text.endswith(prompt) else 1  # a server that must generate was asked for one token
        tokens, text = _of_prompt(tokens, spelled, prompt, generated), prompt
    if end := tuple(covering(tokens, request.continuation)):
        tokens, text = end, "".join(token.text for token in end)
    if all(token.logprob is None for token in tokens) and len(tokens) > 1:
        raise NotSupportedError("the endpoint gives no log-probabilities for the prompt")
    return Choice(text, sum_logprobs(tokens), tokens, choice.finish_reason)


def _begins(text: str, prompt: str) -> bool:
    """True if `text` begins with the prompt, or does after a mark."""
    return prompt in text[: len(prompt) + _MARKS]


def _of_prompt(tokens: tuple[Token, ...], spelled: str, prompt: str, generated: int) -> tuple[Token, ...]:
    """The tokens without those that follow the prompt. `generated`, their number, counts where the tokens are bytes."""
    at = spelled.find(prompt)
    if at < 0:
        return tokens[: len(tokens) - generated]
    room, kept = at + len(prompt), []
    for token in tokens:
        if room <= 0:
            break
        kept.append(token)
        room -= len(token.text)
    return tuple(kept)
