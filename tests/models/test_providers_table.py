"""The docs list every provider as the code has it."""

from holoscope.models.hosts import HOSTS
from models.providers_table import lines, table, written


def test_the_table_in_the_docs_is_what_the_code_says() -> None:
    assert written() == table(), "type: python tests/models/providers_table.py"


def test_every_host_stands_in_it_once() -> None:
    names = [line.name for line in lines()]
    assert len(names) == len(set(names))
    assert {f"`{name}/...`" for name in HOSTS} <= set(names)
