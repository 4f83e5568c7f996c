"""What a model wrote for a trial: the text of every completion, as far as it is an answer.

Bias and toxicity are measured on what a reader would be shown: all completions of a request, without the thinking,
and never the prompt. HELM reads the completions as they are.
"""

from collections.abc import Sequence

from holoscope.core import Outcome, Trial
from holoscope.metrics.extract import answer_start
from holoscope.metrics.separate import is_separate


def written(trial: Trial) -> list[str]:
    """The completions' texts without thinking and surrounding space; empty ones are kept, as empty.

    None at all where nothing was generated: options that were scored one by one, a prompt that was only scored.
    """
    if is_separate(trial):
        return []
    return [
        ""
        if e.completion.outcome is Outcome.TRUNCATED_IN_REASONING
        else choice.text[answer_start(choice.text) :].strip()
        for e in trial.exchanges
        if not e.planned.request.params.echo_prompt
        for choice in e.completion.choices
    ]


def raw(trial: Trial) -> list[str]:
    """The completions' texts as HELM reads them: all that are not empty; none of options scored one by one."""
    if is_separate(trial):
        return []
    return [choice.text for e in trial.exchanges for choice in e.completion.choices if choice.text]


def why_unread(trials: Sequence[Trial]) -> str:
    """Why there is no text in any of the trials."""
    failures = (t.failure for t in trials)
    failed = next((e.completion for e in failures if e is not None), None)
    if failed is not None:
        return failed.reason or failed.outcome.value
    if trials and not any(map(written, trials)):
        return "the run generates no text: its prompts are only scored"
    return "every completion is empty" if trials else "there are no trials"
