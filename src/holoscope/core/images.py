"""Images within texts: where one stands, and what is left of it where its bytes don't matter.

An instance's text says `<image NAME>` where an image belongs, so that everything made for texts (in-context examples,
options, perturbations, pages) serves instances with images too. The bytes come in last, as a prompt is made, and go
out first: ledger keys and run files know an image by its hash alone.
"""

import re
from collections.abc import Callable

from msgspec.structs import replace

from holoscope.core.instance import Image, Message

IMAGE_MARK = re.compile(r"<image ([^<>\s]+)>")
"""Its group is the image's name."""

ImageReader = Callable[[str], Image | None]
"""An image by the name in its mark; None if the scenario has none of that name."""


def image_mark(name: str) -> str:
    """What stands in a text for the image called `name`.

    >>> image_mark("cat.png")
    '<image cat.png>'
    """
    return f"<image {name}>"


def no_images(name: str) -> Image | None:
    """The reader of scenarios without images."""
    return None


def without_image_data(message: Message) -> Message:
    """The message with its images by their hash alone."""
    if isinstance(message.content, str):
        return message
    parts = tuple(replace(part, data="") if isinstance(part, Image) else part for part in message.content)
    return replace(message, content=parts)
