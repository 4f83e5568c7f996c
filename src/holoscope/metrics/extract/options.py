r"""Finding which option a multiple-choice answer names.

Rules in order, the first that matches winning:

    bare_label        the whole answer is a label: `B`, `B.`, `(B)`, `**B**`, `$B$`, `\boxed{B}`
    first_line        its first line is one (what follows is a model running on)
    option_text       the whole answer is one option's text, as it is written
    stated_label      the last statement: `the answer is B`, `ANSWER: (B)`, `答案为（B）`, `\boxed{B}`; or, where these
    chosen_label      come later: `I choose B`, `Therefore, B.`, `so it is B.`;
    last_line         or a last line that is a label
    stated_text       the same with an option's full text: `The answer is Paris.`
    label_and_text    the first line is a label and that option's own text: `B. Paris`
    option_text       the whole answer is one option's text, written otherwise
    leading_text      the answer begins with one, set off: `Yes, because`
    correct_label     the last that is called right: `B is correct`, `B是对的`
    only_label        a single label is set off anywhere: `(B)`, `option B`, a line that starts with `B.`
    only_text         a single option's text is in the answer

Letters inside words are never labels, and `A` and `I` are words unless they are set off or end what they stand in.
Where several labels are stated at once or only mentioned, or where the last statement says that none is right or
known, no option is chosen and the reason says so.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from holoscope.metrics.extract.denials import NONE_OF_THEM, is_denied
from holoscope.metrics.extract.folding import folded
from holoscope.metrics.extract.found import Found
from holoscope.metrics.extract.labels import Labels, in_other_scripts, labels_of
from holoscope.metrics.extract.option_patterns import Patterns, patterns_of, stands_alone
from holoscope.metrics.extract.option_texts import (
    Options,
    by_text,
    label_and_text,
    leading_text,
    only_text,
    stated_text,
)
from holoscope.metrics.extract.statements import speaks_english_only

_AROUND = " \t\r\n.,;:!?()[]{}*_\"'`$<>"
"""What may stand around a bare label."""


def find_option(text: str, options: Mapping[str, str]) -> Found:
    """The label of the option that `text` names; `options` maps labels to texts."""
    core = text.strip(_AROUND)
    if core in options:
        start = text.find(core)
        return Found(core, "bare_label", (start, start + len(core)))
    return _find(text, tuple(options.items()))


@lru_cache(maxsize=256)
def _find(text: str, options: Options) -> Found:
    plain = folded(text)
    found = _by_rules(plain, options)
    if found.answer is not None or found.rule:
        return found
    own = tuple(label for label, _ in options)
    for series in in_other_scripts(own, plain):
        texts = (option for _, option in options)
        other = _by_rules(plain, tuple(zip(series, texts, strict=True)))
        if other.answer is not None:
            return other._replace(answer=own[series.index(other.answer)])
    return found


def _by_rules(text: str, options: Options) -> Found:
    names = tuple(label for label, _ in options)
    labels, patterns = labels_of(names), patterns_of(names, english=speaks_english_only(text))
    bare = patterns.bare.fullmatch(text)
    if bare:
        return _named(bare, labels, "bare_label")
    first = _first_line(text)
    line = patterns.bare.fullmatch(text, *first)
    if line:
        return _named(line, labels, "first_line")
    return (
        _as_written(text, options)
        or _stated(text, options, labels, patterns)
        or label_and_text(text, first, options, labels, patterns)
        or by_text(text, (0, len(text)), options, "option_text")
        or (None if patterns.leading.match(text) else leading_text(text, options))
        or _last(_matches(text, labels, patterns.correct, "correct_label"), text, labels, patterns)
        or _only_label(text, labels, patterns)
        or only_text(text, options)
        or Found(None, reason="no option is named")
    )


def _as_written(text: str, options: Options) -> Found | None:
    """The option whose text the answer is, to the letter or but for what stands around it."""
    for edges in (" \t\r\n", _AROUND):
        core = text.strip(edges)
        same = [label for label, option in options if option.strip(edges) == core]
        if core and len(same) == 1:
            start = text.find(core)
            return Found(same[0], "option_text", (start, start + len(core)))
    return None


Candidate = tuple[re.Match[str], str]
"""A match with a group `label`, and the rule that made it."""


def _stated(text: str, options: Options, labels: Labels, patterns: Patterns) -> Found | None:
    """The last statement of any kind; where it says that no option is right or known, that."""
    candidates = [
        *_matches(text, labels, patterns.stated, "stated_label"),
        *_matches(text, labels, patterns.chosen, "chosen_label"),
        *_last_line(text, patterns),
    ]
    found = _last(candidates, text, labels, patterns)
    after = found.span[1] if found and found.span else 0
    announced = [m.end() for m in patterns.announcement.finditer(text, after)]
    by_its_text = stated_text(text, announced, options)
    if by_its_text:
        return by_its_text
    refusal = next((m for end in reversed(announced) if (m := NONE_OF_THEM.match(text, end))), None)
    if refusal:
        return Found(None, "stated_none", refusal.span(), "the stated answer is none of the options")
    return found


def _matches(text: str, labels: Labels, rules: tuple[re.Pattern[str], ...], rule: str) -> list[Candidate]:
    matches = (m for pattern in rules for m in pattern.finditer(text))
    return [
        (m, rule)
        for m in matches
        if stands_alone(text, m["label"], m.span("label"), labels) and not is_denied(text, (m.start(), m.end("label")))
    ]


def _last_line(text: str, patterns: Patterns) -> list[Candidate]:
    """The last line where it is a label and the one before it is none: a list of labels answers nothing."""
    body = text.rstrip()
    start = body.rfind("\n") + 1
    line = patterns.bare.fullmatch(body, start) if start else None
    if line is None:
        return []
    before = body[:start].rstrip()
    return [] if patterns.bare.fullmatch(before, before.rfind("\n") + 1) else [(line, "last_line")]


def _last(candidates: list[Candidate], text: str, labels: Labels, patterns: Patterns) -> Found | None:
    if not candidates:
        return None
    last, rule = max(candidates, key=lambda c: c[0].start("label"))
    following = patterns.next_in_list.match(text, last.end("label"))
    if following and labels.of(following["label"]) != labels.of(last["label"]):
        return Found(None, rule, last.span("label"), "several options are stated at once")
    return _named(last, labels, rule)


def _only_label(text: str, labels: Labels, patterns: Patterns) -> Found | None:
    matches = [m for pattern in patterns.mentioned for m in pattern.finditer(text)]
    matches = [m for m in matches if not is_denied(text, (m.start(), m.end("label")))]
    mentioned = sorted({labels.of(match["label"]) for match in matches})
    if len(mentioned) == 1:
        return _named(matches[-1], labels, "only_label")
    if mentioned:
        reason = f"options {', '.join(mentioned)} are mentioned, none is stated as the answer"
        return Found(None, "only_label", None, reason)
    return None


def _named(match: re.Match[str], labels: Labels, rule: str) -> Found:
    return Found(labels.of(match["label"]), rule, match.span("label"))


def _first_line(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return start, len(text) if end < 0 else end
