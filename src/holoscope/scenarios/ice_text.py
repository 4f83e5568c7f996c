"""Taking the mark-up out of a text of ICE, by HELM's rules and in their order.

Some marks go, some are put as punctuation, some go with what is between them (what a transcriber added or a speaker
took back), and of the others only the marks go. What else is done to a text, such as to accented letters that each
corpus writes in its own way, is nothing.
"""

import re

_GONE = tuple(
    map(
        re.compile,
        (
            *(r"[WS]\d[A-F]-\d{3} *", " <l> ", "<#> ", r"BBB\S+ \S+RRR *", r"BBB\S+ *", r"RRR\S+ *", "UUU"),
            r"III\S+ *",
        ),
    )
)
_PUT = tuple(
    (re.compile(mark), text)
    for mark, text in (
        (r"<\/*mention>", '"'),
        (r"</\*\*>", "*"),
        (r"</\*\*/>", "*"),
        ("&eacute;", "é"),
        (" <,+>", ","),
        ("&ersand;", "&"),
        ("&obrack;", "("),
        ("&cbrack;", ")"),
        ("&percent;", "%"),
        ("&hash;", "#"),
        ("&dash", "-"),
        ("&ldquo;", '"'),
        ("&atsign;", "@"),
        (r"\n+[\n ]+", "\n\n"),
        (r"\S+><\+_(\S+)>", r"\1"),
    )
)
_BARE = re.compile(
    r"<\/*("
    + "|".join(
        (
            *("I", "ICE.+", r"[\[\]\{\}]\d*", "X", "@", "quote", "foreign", "indig", "smallcaps", "roman", "sb", "ss"),
            *("footnote", "p", "h", "bold", "it", "ul", r"\+", r"\=", r"\?", "sp", "}", "ea", "slang"),
        )
    )
    + ")>"
)
_WITH_CONTENT = ("O", "-", "&", ".", "fnr", "marginalia", "del", "w")


def plain(text: str) -> str:
    """The text without its mark-up.

    >>> plain("<I> <#> He <,> says <O>laughs</O>one <w>isn't</w>&percent;")
    'He, says one %'
    """
    text = text.strip()
    for mark in _GONE:
        text = mark.sub("", text)
    for mark, put in _PUT:
        text = mark.sub(put, text)
    text = _BARE.sub("", text)
    for name in _WITH_CONTENT:
        text = _without(text, f"<{name}>", f"</{name}>")
    return text.strip()


def _without(text: str, opening: str, closing: str) -> str:
    """Without what is between the marks, the innermost first; a closing mark without its opening one goes alone."""
    end = text.find(closing)
    while end >= 0:
        start = text.rfind(opening, 0, end)
        text = text[: end if start < 0 else start] + text[end + len(closing) :]
        end = text.find(closing)
    return text
