"""Reads a report as a browser would: its elements, and the matrix as the texts of its cells."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "br", "wbr"}


@dataclass
class Node:
    """An element of a page."""

    name: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    children: list["Node | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What it says, as one line."""
        parts = (child if isinstance(child, str) else child.text for child in self.children)
        return " ".join(" ".join(parts).split())

    def all(self, name: str) -> Iterator["Node"]:
        for child in self.children:
            if isinstance(child, Node):
                if child.name == name:
                    yield child
                yield from child.all(name)

    def of_class(self, wanted: str) -> "Node":
        return next(node for node in self.every() if wanted in (node.attributes.get("class") or "").split())

    def every(self) -> Iterator["Node"]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.every()


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        closed = self.open.pop()
        assert closed.name == tag, f"<{closed.name}> ended by </{tag}>"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parsed(page: str) -> Node:
    """The page's elements, each closed where it should be."""
    parser = _Parser()
    parser.feed(page)
    parser.close()
    assert len(parser.open) == 1, f"<{parser.open[-1].name}> is never ended"
    return parser.open[0]


def cells(page: Node) -> dict[str, dict[str, Node]]:
    """Scenario -> axis -> cell of the first matrix."""
    matrix = page.of_class("matrix")
    head, *lines = matrix.all("tr")
    axes = [th.text.split()[0] for th in head.all("th")][1:]
    found = {}
    for line in lines:
        label = next(line.all("a")).text.replace(" ", "")
        found[label] = dict(zip(axes, line.all("td"), strict=True))
    return found
