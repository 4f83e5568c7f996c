"""Where a text states how sure it is of itself ("Confidence: 85 %", "I am 90% sure"), and what is left without that.

The last statement counts. A number is read by its unit; without one it is of 1 where it has a decimal point or is 0, of
100 where it is larger than 1, and a bare 1 may be of either and tells nothing. A statement at the end of an answer is
no part of what is answered.
"""

import re

_NUMBER = r"(?<![\d.,])(?P<{0}>\d{{1,3}}(?:[.,]\d{{1,6}})?)(?!\d) ?(?P<{0}_unit>%|％|percent|per cent|/ ?10{{1,2}}\b)?"
_STATED = re.compile(
    r"(?:(?<!intervalo de )(?<!intervalle de )\b(?:confidence|certainty|confianza|confiance|konfidenz|уверенность)\b"
    r"(?! interval| limit| bound)|置信度|把握|確信度|확신도|신뢰도)"
    r"(?:\s*\([^)\n]{0,20}\))?[^\d\n.!?]{0,40}?"
    + _NUMBER.format("after")
    + "|"
    + _NUMBER.format("before")
    + r" ?(?:confident|certain|sure)\b",
    re.IGNORECASE,
)
_AT_THE_END = re.compile(
    r"(?:\n|(?<=[.!?。)\]*]))[ \t]*[*_(\[#> ]*(?:(?:my|the|i am|i['’]m|about|with) )*(?:"
    + _STATED.pattern
    + r")[ \t]*[*_)\].。]*\s*\Z",
    re.IGNORECASE,
)
_HINTS = ("confid", "certain", "confian", " sure", "konfidenz", "уверенн", "置信", "把握", "確信", "확신", "신뢰")
_SHORTEST, _LONGEST = 6, 120
"""Characters of a statement."""


def stated_in(text: str) -> float | None:
    """The confidence that the text states last, as a probability; None where it states none."""
    found = None
    for match in _STATED.finditer(text):
        probability = _probability(match)
        found = found if probability is None else probability
    return found


def without_statement(text: str) -> str:
    """The text up to a statement of confidence that ends it; the whole text where that is all there is.

    >>> without_statement("Paris\\nConfidence: 85%")
    'Paris'
    """
    if len(text) <= _SHORTEST:
        return text
    tail = text[-_LONGEST:]
    lowered = tail.lower()
    if not any(hint in lowered for hint in _HINTS):
        return text
    match = _AT_THE_END.search(tail)
    if match is None:
        return text
    rest = text[: len(text) - len(tail) + match.start()]
    return rest if rest.strip() else text


def _probability(match: re.Match[str]) -> float | None:
    """A stated number between 0 and 1, or of 100 or 10; a bare 1 may be of either, and tells nothing."""
    kind = "after" if match["after"] else "before"
    number, unit = match[kind], match[f"{kind}_unit"]
    value = float(number.replace(",", "."))
    if unit:
        value /= 10 if unit.replace(" ", "") == "/10" else 100
    elif value > 1 and "." not in number:
        value /= 100
    elif number == "1":
        return None
    return value if 0 <= value <= 1 else None
