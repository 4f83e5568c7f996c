"""Options named by their text instead of their label: only where exactly one option has it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from holoscope.metrics.extract.denials import is_denied
from holoscope.metrics.extract.folding import folded
from holoscope.metrics.extract.found import Found
from holoscope.metrics.extract.labels import Labels
from holoscope.metrics.extract.option_patterns import Patterns
from holoscope.metrics.normalise import normalise

Options = tuple[tuple[str, str], ...]
"""Pairs of label and text."""

_ENDINGS = (re.compile(r"\n|\Z"), re.compile(r"[.。]\s|[.。]\Z|;\s"), re.compile(r",\s|\s\(|\s(?:because|since|as)\s"))
"""Of a stated text: its line, its sentence, its clause."""
_SET_OFF = re.compile(r"[.,;:!\n。，、]|\s[-–—(]|\Z")
_SHORTEST = 4
"""Characters of a text that counts where it merely occurs: shorter ones are words of every answer."""


def stated_text(text: str, announced: Sequence[int], options: Options) -> Found | None:
    """The option whose text follows the last announcement that is followed by one."""
    longest = _longest(options)
    for start in reversed(announced):
        for ending in _ENDINGS:
            stop = ending.search(text, start, start + longest)
            found = stop and by_text(text, (start, stop.start()), options, "stated_text")
            if found:
                return found
    return None


def label_and_text(
    text: str, line: tuple[int, int], options: Options, labels: Labels, patterns: Patterns
) -> Found | None:
    """A label and its own option's text, which may be cut off at the end; not where the next line has another's."""
    place = _pair(text, line, options, labels, patterns)
    if place is None:
        return None
    start = line[1] + 1
    end = text.find("\n", start)
    if _pair(text, (start, len(text) if end < 0 else end), options, labels, patterns):
        return Found(None, "label_and_text", None, "the options are listed, none is stated as the answer")
    return Found(labels.of(text[slice(*place)]), "label_and_text", place)


def _pair(
    text: str, line: tuple[int, int], options: Options, labels: Labels, patterns: Patterns
) -> tuple[int, int] | None:
    """Where a line has the label that it begins with, if that option's text follows."""
    leading = patterns.leading.match(text, *line)
    if leading is None:
        return None
    said, meant = normalise(text[leading.end() : line[1]]), normalise(dict(options)[labels.of(leading["label"])])
    cut_off = said and line[1] == len(text) and meant.startswith(said) and leading.end() > leading.end("label") + 1
    return leading.span("label") if said == meant or cut_off else None


def by_text(text: str, span: tuple[int, int], options: Options, rule: str) -> Found | None:
    """The option whose text a passage is."""
    start, end = span
    if end - start > _longest(options):
        return None
    said = normalise(text[start:end])
    label = _by_normal_form(options).get(said)
    return Found(label, rule, _without_space(text, span)) if label else None


def leading_text(text: str, options: Options) -> Found | None:
    """The option whose text the answer begins with, set off from what follows."""
    start = len(text) - len(text.lstrip(" \t\n*_\"'`"))
    for ending in _SET_OFF.finditer(text, start, start + _longest(options)):
        found = by_text(text, (start, ending.start()), options, "leading_text")
        if found:
            return found
    return None


def only_text(text: str, options: Options) -> Found | None:
    """The option whose text is the only one that occurs, and is not ruled out."""
    small = _lowered(text)
    found: dict[str, Found] = {}
    taken: list[tuple[int, int]] = []
    for label, wanted in _longest_first(options):
        for place in _whole_words(small, wanted):
            if any(start <= place[0] < end for start, end in taken):
                continue  # part of a longer text: `true` in `not true`
            taken.append(place)
            if not is_denied(text, place):
                found[label] = Found(label, "only_text", place)
    if len(found) > 1:
        reason = f"the texts of options {', '.join(sorted(found))} occur, none is stated as the answer"
        return Found(None, "only_text", None, reason)
    return next(iter(found.values()), None)


def _longest_first(options: Options) -> list[tuple[str, str]]:
    unique = set(_by_normal_form(options).values())
    texts = [(label, _lowered(folded(text)).strip()) for label, text in options if label in unique]
    return sorted((pair for pair in texts if len(pair[1]) >= _SHORTEST), key=lambda pair: -len(pair[1]))


def _whole_words(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            yield start, end
        start = text.find(wanted, end)


def _lowered(text: str) -> str:
    """Lower case, where that keeps every character in its place."""
    small = text.lower()
    return small if len(small) == len(text) else text


@lru_cache(maxsize=256)
def _by_normal_form(options: Options) -> dict[str, str]:
    """Label by normalised text, of the texts that only one option has."""
    forms = [(normalise(option), label) for label, option in options]
    counts = [form for form, _ in forms]
    return {form: label for form, label in forms if form and counts.count(form) == 1}


def _longest(options: Options) -> int:
    """More than any way of writing an option's text takes."""
    return 2 * max((len(option) for _, option in options), default=0) + 20


def _without_space(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    passage = text[start:end]
    return start + len(passage) - len(passage.lstrip()), end - len(passage) + len(passage.rstrip())
