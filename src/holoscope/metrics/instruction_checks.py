"""The 25 verifiable instructions of IFEval, as the paper describes them (Zhou et al. 2023, table 1).

Each check is a function of the response and the instruction's arguments, under the names that the benchmark's file
gives both. A check reads the response as it stands; what leniency there is (a code fence around JSON, quotation marks
around the end phrase) is in the instruction's own description.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import cast

from holoscope.core import Json, MissingExtraError

Arguments = Mapping[str, Json]
Check = Callable[[str, Arguments], bool]
Words = Callable[[str], Sequence[str]]

_WORD = re.compile(r"\w+")
_STARRED_LINE = re.compile(r"^[^\S\n]*\*[^*].*$", re.MULTILINE)
_DASHED_LINE = re.compile(r"^[^\S\n]*-.*$", re.MULTILINE)
_EMPHASIS = (re.compile(r"\*[^\n*]*\*"), re.compile(r"\*\*[^\n*]*\*\*"))
_DIVIDER = re.compile(r"\s?\*\*\*\s?")
_SIX_STARS = "******"
_FENCE = re.compile(r"\A```(?:json)?|```\Z", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？]+")
_NO_END = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|vs|etc|e\.g|i\.e|Inc|Ltd|No|Fig|approx)|\b[A-Z]|^\s*\d+)\.$", re.MULTILINE
)
_CONSTRAINED = ("My answer is yes.", "My answer is no.", "My answer is maybe.")


def capital_words(text: str) -> Sequence[str]:
    """Words as an instruction about capitals means them: letters with what joins them."""
    return re.findall(r"\w+(?:['’.-]\w+)*", text)


def capital_word_frequency(words: Words) -> Check:
    """The check that counts words in capitals, given how a text becomes words."""
    return lambda text, args: _compare(
        sum(word.isupper() for word in words(text)), args, "capital_relation", "capital_frequency"
    )


@cache
def detector() -> Callable[[str], str | None]:
    """Language of a text as a code, None where there is nothing to tell by; the same on every call."""
    try:
        from langdetect import detector_factory
        from langdetect.lang_detect_exception import LangDetectException
    except ModuleNotFoundError:
        raise MissingExtraError("telling languages apart", "text") from None
    detector_factory.init_factory()

    def detect(text: str) -> str | None:
        found = detector_factory._factory.create()
        found.seed = 0  # its draws are otherwise from the clock
        found.append(text)
        try:
            return cast(str, found.detect())
        except LangDetectException:
            return None

    return detect


def sentences(text: str) -> int:
    """How many sentences a text has; abbreviations, initials and list numbers end none."""
    ends = [
        end
        for end in _SENTENCE_END.finditer(text)
        if not _NO_END.search(text[max(0, end.start() - 20) : end.start() + 1])
    ]
    rest = text[ends[-1].end() :] if ends else text
    return len(ends) + bool(_WORD.search(rest))


def _in_language(text: str, language: str) -> bool:
    """A text that shows no language is no evidence against any."""
    found = detector()(text)
    return found is None or found == language


def _compare(count: int, args: Arguments, relation: str, threshold: str) -> bool:
    wanted = _number(args, threshold)
    return count < wanted if args[relation] == "less than" else count >= wanted


def _number(args: Arguments, name: str) -> int:
    return int(cast(float, args[name]))


def _strings(args: Arguments, name: str) -> list[str]:
    return cast("list[str]", args[name])


def _keywords(text: str, args: Arguments) -> bool:
    return all(re.search(word, text, re.IGNORECASE) for word in _strings(args, "keywords"))


def _keyword_frequency(text: str, args: Arguments) -> bool:
    count = len(re.findall(str(args["keyword"]), text, re.IGNORECASE))
    return _compare(count, args, "relation", "frequency")


def _forbidden_words(text: str, args: Arguments) -> bool:
    return not any(re.search(rf"\b{word}\b", text, re.IGNORECASE) for word in _strings(args, "forbidden_words"))


def _letter_frequency(text: str, args: Arguments) -> bool:
    return _compare(text.lower().count(str(args["letter"]).lower()), args, "let_relation", "let_frequency")


def _paragraphs(text: str, args: Arguments) -> bool:
    parts = _DIVIDER.split(text)
    inner_empty = any(not part.strip() for part in parts[1:-1])
    return not inner_empty and sum(bool(part.strip()) for part in parts) == _number(args, "num_paragraphs")


def _nth_paragraph(text: str, args: Arguments) -> bool:
    parts = text.split("\n\n")
    full = sum(bool(part.strip()) for part in parts)
    nth = _number(args, "nth_paragraph")
    if full != _number(args, "num_paragraphs") or nth > full or not parts[nth - 1].split():
        return False
    first = parts[nth - 1].split()[0].lstrip("'").lstrip('"')
    return re.split(r"[.,?!'\"]", first)[0].lower() == str(args["first_word"]).lower()


def _placeholders(line: str) -> int:
    """How many `[...]` a line holds, in one pass."""
    count, end = 0, 0
    while (start := line.find("[", end)) >= 0 and (end := line.find("]", start) + 1):
        count += 1
    return count


def _postscript(text: str, args: Arguments) -> bool:
    marker = str(args["postscript_marker"])
    spaced = {"P.P.S": r"p\.\s?p\.\s?s", "P.S.": r"p\.\s?s\."}.get(marker, re.escape(marker.lower()))
    return re.search(spaced, text.lower()) is not None


def _highlights(text: str, args: Arguments) -> bool:
    found = (part.strip("*").strip() for pattern in _EMPHASIS for part in pattern.findall(text))
    return sum(map(bool, found)) >= _number(args, "num_highlights")


def _sections(text: str, args: Arguments) -> bool:
    parts = re.split(rf"\s?{args['section_spliter']}\s?\d+\s?", text)
    return len(parts) - 1 >= _number(args, "num_sections")


def _json(text: str, args: Arguments) -> bool:
    try:
        json.loads(_FENCE.sub("", text.strip()).strip())
    except (ValueError, RecursionError):
        return False
    return True


def _title(text: str, args: Arguments) -> bool:
    """A line with something between its first `<<` and its last `>>`."""
    return any(line[line.find("<<") :].rpartition(">>")[0].strip("<> \t") for line in text.split("\n") if "<<" in line)


def _two_responses(text: str, args: Arguments) -> bool:
    parts = text.split(_SIX_STARS)
    if any(not part.strip() for part in parts[1:-1]):
        return False
    full = [part.strip() for part in parts if part.strip()]
    return len(full) == 2 and full[0] != full[1]


def _quoted(text: str, args: Arguments) -> bool:
    bare = text.strip()
    return len(bare) > 1 and bare[0] == bare[-1] == '"'


def _ends_with(text: str, args: Arguments) -> bool:
    return text.strip().strip('"').lower().endswith(str(args["end_phrase"]).strip().lower())


def _repeats(text: str, args: Arguments) -> bool:
    return text.strip().lower().startswith(str(args["prompt_to_repeat"]).strip().lower())


CHECKS: dict[str, Check] = {
    "keywords:existence": _keywords,
    "keywords:frequency": _keyword_frequency,
    "keywords:forbidden_words": _forbidden_words,
    "keywords:letter_frequency": _letter_frequency,
    "language:response_language": lambda text, args: _in_language(text, str(args["language"])),
    "length_constraints:number_sentences": lambda text, args: _compare(
        sentences(text), args, "relation", "num_sentences"
    ),
    "length_constraints:number_paragraphs": _paragraphs,
    "length_constraints:number_words": lambda text, args: _compare(
        len(_WORD.findall(text)), args, "relation", "num_words"
    ),
    "length_constraints:nth_paragraph_first_word": _nth_paragraph,
    "detectable_content:number_placeholders": lambda text, args: (
        sum(map(_placeholders, text.split("\n"))) >= _number(args, "num_placeholders")
    ),
    "detectable_content:postscript": _postscript,
    "detectable_format:number_bullet_lists": lambda text, args: (
        len(_STARRED_LINE.findall(text)) + len(_DASHED_LINE.findall(text)) == _number(args, "num_bullets")
    ),
    "detectable_format:constrained_response": lambda text, args: any(option in text for option in _CONSTRAINED),
    "detectable_format:number_highlighted_sections": _highlights,
    "detectable_format:multiple_sections": _sections,
    "detectable_format:json_format": _json,
    "detectable_format:title": _title,
    "combination:two_responses": _two_responses,
    "combination:repeat_prompt": _repeats,
    "startend:end_checker": _ends_with,
    "startend:quotation": _quoted,
    "change_case:capital_word_frequency": capital_word_frequency(capital_words),
    "change_case:english_capital": lambda text, args: text.isupper() and _in_language(text, "en"),
    "change_case:english_lowercase": lambda text, args: text.islower() and _in_language(text, "en"),
    "punctuation:no_comma": lambda text, args: "," not in text,
}
"""Instruction -> its check."""
