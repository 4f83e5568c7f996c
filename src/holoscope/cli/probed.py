"""What a probe found, as `doctor` prints it: a line for each ability, and how to write down what was not known."""

import msgspec

from holoscope.cli.columns import print_columns
from holoscope.cli.session import console
from holoscope.core import counted
from holoscope.models import Finding, Probe


def print_probe(found: Probe) -> None:
    """Print it."""
    to = console()
    if not found.findings:
        to.print("asked: nothing, since it gives only the answers it has", soft_wrap=True)
        return
    to.print(f"asked: {_price(found)}", soft_wrap=True)
    if found.served_model:
        to.print(f"served as: {found.served_model}", soft_wrap=True)
    to.print("")
    print_columns([(each.title, each.answer, _evidence(each)) for each in found.findings], to)
    if found.options:
        entry = msgspec.json.encode(found.card_entry).decode()
        to.print(f"\nTo write down what was not assumed: {found.options}", soft_wrap=True)
        to.print("after the ? of the model's name, or under `cards:` in prod_env/cards.yaml:", soft_wrap=True)
        to.print(f"  - {entry}", soft_wrap=True)


def _price(found: Probe) -> str:
    usage = found.usage
    cost = "cost unknown" if found.cost is None else f"${found.cost:.6f}"
    return (
        f"{counted(found.requests, 'question')} on {found.date}, {usage.prompt_tokens:,} tokens of prompts and "
        f"{usage.completion_tokens:,} of answers, {cost}"
    )


def _evidence(finding: Finding) -> str:
    return f"{finding.evidence} (assumed otherwise)" if finding.is_news else finding.evidence
