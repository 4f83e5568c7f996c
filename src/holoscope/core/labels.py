"""Letters as labels of choices: A ... Z, then AA, AB ..., as a spreadsheet names its columns.

Each position has one label and each label one position. Prompts show these and data files answer by them, so both ask
here, and an answer means the choice that stands under it.
"""


def letters_of(position: int, first: str = "A") -> str:
    """The label at `position`, counted from 0; `first` is `A` or `a`.

    >>> [letters_of(position) for position in (0, 25, 26, 51, 52)]
    ['A', 'Z', 'AA', 'AZ', 'BA']
    """
    label = ""
    count = position + 1
    while count > 0:
        count, letter = divmod(count - 1, 26)
        label = chr(ord(first) + letter) + label
    return label


def position_of_letters(label: str) -> int | None:
    """The position that a label names, in either case; None if it is no label.

    >>> [position_of_letters(label) for label in ("A", "ab", "B2", "")]
    [0, 27, None, None]
    """
    if not (label.isascii() and label.isalpha()):
        return None
    count = 0
    for letter in label.upper():
        count = count * 26 + ord(letter) - ord("A") + 1
    return count - 1
