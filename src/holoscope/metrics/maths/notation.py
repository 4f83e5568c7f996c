r"""One way of writing for each mark: LaTeX, Unicode and plain text of the same formula become the same text.

`tidy` is what the parser reads; `plain_form` also drops the spaces, and two formulas with one plain form are equal
without further work: that is what makes equality reflexive, whatever the parser makes of them.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from holoscope.metrics.extract import folded

_WRAPPED = (
    re.compile(r"\$\$(?P<inside>.*)\$\$", re.DOTALL),
    re.compile(r"\$(?P<inside>[^$]*)\$", re.DOTALL),
    re.compile(r"\\\((?P<inside>.*)\\\)", re.DOTALL),
    re.compile(r"\\\[(?P<inside>.*)\\\]", re.DOTALL),
    re.compile(r"\*\*(?P<inside>[^*]+)\*\*|`(?P<quoted>[^`]+)`", re.DOTALL),
)
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ρ": "rho",
    "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma",
    "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega",
}  # fmt: skip
_SYMBOLS = {
    "−": "-", "×": r"\times ", "·": r"\cdot ", "∙": r"\cdot ", "⋅": r"\cdot ", "÷": "/", "∕": "/", "⁄": "/",
    "≤": r"\leq ", "⩽": r"\leq ", "≥": r"\geq ", "⩾": r"\geq ", "≠": r"\neq ", "≈": r"\approx ", "∞": r"\infty ",
    "√": r"\sqrt ", "∪": r"\cup ", "∩": r"\cap ", "∈": r"\in ", "±": r"\pm ", "∓": r"\mp ", "°": r"\degree ",
    "∅": r"\emptyset ", "π": r"\pi ", "→": r"\to ", "⟨": r"\langle ", "⟩": r"\rangle ", "′": "'", "ℝ": r"\mathbb{R}",
    **{letter: rf"\{name} " for letter, name in _GREEK.items()},
}  # fmt: skip
_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ", "₀₁₂₃₄₅₆₇₈₉₋₊ₙ"
_PLAIN = str.maketrans(_RAISED + _LOWERED, "0123456789-+n" * 2)

_WORDS = (
    r"\\(?:text|textrm|textbf|textit|textsf|textnormal|mbox|hbox|mathrm|mathbf|mathit|mathsf|operatorname\*?|rm|bf)"
)
_REWRITES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\\(?:left|right|middle|[bB]igg?[lrm]?)(?![a-zA-Z])\s*\.?", ""),
        (r"(?<=\d)(?:,|\{,\}|)(?:\\[!,;: ])+(?=\d{3}(?!\d))|(?<=\d)\{,\}(?=\d{3}(?!\d))", ""),
        (r"\{,\}", ","),
        (r"\\(?:displaystyle|textstyle|scriptstyle|limits|nolimits|hfill|relax)(?![a-zA-Z])", ""),
        (r"(?<!\\)\\[!,]", ""),
        (r"(?<!\\)\\[;: ]|~|\\(?:quad|qquad|enspace|space)(?![a-zA-Z])", " "),
        (r"\\[dtc]frac(?![a-zA-Z])", r"\\frac"),
        (r"\\[dt]binom(?![a-zA-Z])", r"\\binom"),
        (r"\\(?:lbrace)(?![a-zA-Z])", r"\\{"),
        (r"\\(?:rbrace)(?![a-zA-Z])", r"\\}"),
        (r"\\(?:[lr]?vert|mid)(?![a-zA-Z])|\\\|", "|"),
        (r"\\leq?(?:slant)?(?![a-zA-Z])|<=", r"\\leq "),
        (r"\\geq?(?:slant)?(?![a-zA-Z])|>=", r"\\geq "),
        (r"\\(?:ne|neq|not\s*=)(?![a-zA-Z])|!=", r"\\neq "),
        (r"\\lt(?![a-zA-Z])", "<"),
        (r"\\gt(?![a-zA-Z])", ">"),
        (r"\\(?:times|cdot|ast)(?![a-zA-Z])", "*"),
        (r"\\div(?![a-zA-Z])", "/"),
        (r"\*\*", "^"),
        (r"\\(?:varnothing|O)(?![a-zA-Z])", r"\\emptyset"),
        (r"\\var(?=epsilon|theta|phi|rho|sigma)", r"\\"),
        (r"\^\s*\{?\s*\\(?:circ|degree)(?![a-zA-Z])\s*\}?|\\(?:degree|textdegree)(?![a-zA-Z])", r"\\degree "),
        (r"\\%|\s*(?i:per\s?cent(?:age)?)\b(?!\s*\w)", "%"),
        (_WORDS + r"\s*\{\s*(?:and|or|,)\s*\}|(?<![A-Za-z\\])(?:and|or)(?![A-Za-z])", ","),
        (_WORDS + r"\s*\{\s*([A-Za-z])\s*\}", lambda m: _letter(m)),
        (_WORDS + r"\s*\{", r"\\text{"),
        (r"\\text\{\s*\(([A-Za-z])\)\s*\}", r"\\text{\1}"),
        (r"\\text\{\s*%\s*\}", "%"),
        (r"\\\$|\$|[€£¥₹]", ""),
        (r",\s*(?=,)", ""),
        (r"(\d*)\.(\d*)\\(?:overline|dot|bar)\s*\{(\d+)\}", lambda m: _repeating(*m.groups())),
        (r"\s+", " "),
    )
)
_SPACES = re.compile(r"(?<!\d)\s+|\s+(?!\d)")
_EDGES = re.compile(r"^[\s,;:]+|[\s,;:.]+$")


@lru_cache(maxsize=4096)
def tidy(text: str) -> str:
    r"""The text in one notation, its words set off as `\text{...}`.

    >>> tidy(r"$\left(3, \dfrac{\pi}{2}\right)$.")
    '(3, \\frac{\\pi}{2})'
    """
    plain = _unwrapped(folded(_unicode_out(unicodedata.normalize("NFC", text))))
    for pattern, replacement in _REWRITES:
        plain = pattern.sub(replacement, plain)
    return _EDGES.sub("", plain)


@lru_cache(maxsize=4096)
def plain_form(text: str) -> str:
    """What is left of a formula without spaces, but for those between digits; the text, trimmed, where nothing is."""
    return _SPACES.sub("", tidy(text)) or text.strip()


def _unicode_out(text: str) -> str:
    if text.isascii():
        return text
    text = "".join(_SYMBOLS.get(c, c) for c in text)
    text = re.sub(f"[{_RAISED}]+", lambda m: f"^{{{m.group().translate(_PLAIN)}}}", text)
    text = re.sub(f"[{_LOWERED}]+", lambda m: f"_{{{m.group().translate(_PLAIN)}}}", text)
    return re.sub("[¼½¾⅐-⅞]", lambda m: _vulgar(m.group()), text)


def _vulgar(character: str) -> str:
    above, _, below = unicodedata.normalize("NFKC", character).partition("⁄")
    return rf"\frac{{{above}}}{{{below}}}"


def _letter(match: re.Match[str]) -> str:
    """A letter out of its `\\text{...}`, unless it is the unit of a number."""
    follows_number = match.string[: match.start()].rstrip()[-1:].isdigit()
    return rf"\text{{{match[1]}}}" if follows_number and match[1] in "mgslhLKNJWVACF" else match[1]


def _repeating(whole: str, fixed: str, period: str) -> str:
    r"""`0.1\overline{6}` as a fraction."""
    scale, nines = 10 ** len(fixed), 10 ** len(period) - 1
    above = int(whole + fixed or 0) * nines + int(period)
    return rf"\frac{{{above}}}{{{scale * nines}}}"


def _unwrapped(text: str) -> str:
    """Without what only sets a formula off: dollar signs, a box, bold type, a full stop."""
    while True:
        inner = _EDGES.sub("", text)
        for pattern in _WRAPPED:
            match = pattern.fullmatch(inner)
            if match:
                inner = next(group for group in match.groups() if group is not None)
        inner = _out_of_box(inner)
        if inner == text:
            return text
        text = inner


def _out_of_box(text: str) -> str:
    """The content of a box that is all of the text."""
    opening = re.match(r"\\(?:boxed|fbox)\s*\{", text)
    if opening is None or not text.endswith("}"):
        return text
    depth = 1
    for position in range(opening.end(), len(text) - 1):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return text
    return text[opening.end() : -1]
