"""Characters of any script in one plain form, place by place.

A model may write the option B as `Ｂ`, `Ⓑ` or `𝐁`, the number 48 as `٤٨` or `４８`, and minus in five ways. Each
character is replaced by one character, so that a span of the folded text is the same span of the text itself.
Superscripts, vulgar fractions and circled numbers stay: they have another meaning than their digits.
"""

import unicodedata
from functools import lru_cache

_ALIKE = {
    **dict.fromkeys("−–－﹣‐‑", "-"),
    **dict.fromkeys("أإآٱ", "ا"),
    **dict.fromkeys("\u00a0\u202f\u2009", "\u00a0"),  # spaces that group digits
    **dict.fromkeys("⁄∕", "/"),
    "\u066a": "%",
    "\u066b": ".",  # Arabic decimal sign
    "\u066c": ",",  # Arabic thousands sign
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
}
_DARK_LETTERS = (0x1F130, 0x1F150, 0x1F170)
"""Where the alphabets of squared and of white-on-black letters begin."""
_FORMS = frozenset({"<wide>", "<narrow>", "<circle>", "<font>", "<square>", "<compat>"})


def folded(text: str) -> str:
    """The text with each letter, digit and sign in its plain form.

    >>> folded("（Ｂ） −٤٨ ③")
    '(B) -48 ③'
    """
    return text if text.isascii() else "".join(map(_plain, text))


@lru_cache(maxsize=65536)
def _plain(character: str) -> str:
    if character.isascii():
        return character
    if character in _ALIKE:
        return _ALIKE[character]
    category = unicodedata.category(character)
    if category in ("Zs", "Cf"):  # spaces, and marks of direction, which are not seen
        return " "
    if category == "Nd":
        return str(unicodedata.digit(character))
    return _dark(character) or _undressed(character)


def _dark(character: str) -> str:
    place = ord(character)
    if 0x2776 <= place <= 0x2793:  # numbers on black, three alphabets of 1 to 10
        return chr(ord("①") + (place - 0x2776) % 10)
    start = next((start for start in _DARK_LETTERS if start <= place < start + 26), None)
    return "" if start is None else chr(ord("A") + place - start)


def _undressed(character: str) -> str:
    """A character without circle, width or font; itself where it is more than a dressed-up letter or digit."""
    form = unicodedata.decomposition(character).partition(" ")[0]
    if form not in _FORMS or unicodedata.category(character) == "No":
        return character
    plain = unicodedata.normalize("NFKC", character)
    core = plain if len(plain) == 1 else plain.strip("().,")
    return core if len(core) == 1 else character
