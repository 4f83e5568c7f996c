"""A key reaches the endpoint and nothing else, wherever it comes from and whatever the endpoint does with it."""

import base64
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest

from cli.invoked import Command
from cli.test_wires import served
from holoscope.engine.codec import decode
from holoscope.store.exchanges import read_exchanges
from models.stub import Asked, Say, chat
from serving import questions

KEY = "sk-nobody/may+see=this-0123456789"
SHOWN = (
    KEY,
    quote(KEY, safe=""),
    KEY.replace("/", "\\/"),
    base64.b64encode(KEY.encode()).decode().rstrip("=")[:-1],
    base64.b64encode(f"user:{KEY}".encode()).decode().rstrip("=")[8:-1],
)
"""The key, as it is and as it may be written."""


def echo(asked: Asked) -> Say:
    """Repeats the Authorization header in answers, in errors, and in every way of writing it."""
    header = asked.headers["authorization"]
    key = header.removeprefix("Bearer ")
    basic = base64.b64encode(f"user:{key}".encode()).decode()
    said = f"{header} {quote(key, safe='')} Basic {basic} {base64.b64encode(key.encode()).decode()}"
    number = re.search(r"Question (\d):", str(asked.body))
    return _echoed(int(number[1]) if number else 3, key, said)


def _echoed(number: int, key: str, said: str) -> Say:
    if number == 0:
        return Say({"error": {"message": f"bad: {said}", "code": key, "param": said}}, 400)
    if number == 1:
        return Say(b'{"error": {"message": "' + said.replace("/", "\\/").encode() + b'"}}', 422)
    if number == 2:
        return Say(f"<html><title>{said}</title></html>".encode(), 404)
    return Say(chat(f"A {said}", reasoning_content=said) | {"model": said})


def kept_texts(out: Path) -> list[str]:
    """What the compressed files hold: the ledger's answers and the runs' requests."""
    with closing(sqlite3.connect(out / "ledger.sqlite")) as ledger:
        answers = [decode(value) for (value,) in ledger.execute("SELECT value FROM answers")]
    return [repr(each) for each in answers] + [
        repr(exchange) for file in out.rglob("requests.parquet") for exchange in read_exchanges(file)
    ]


def by_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def by_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "prod_env").mkdir()
    (folder / "prod_env" / "credentials.conf").write_text(f'openaiApiKey: "{KEY}"\n', encoding="utf-8")


def by_keyring(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLOSCOPE_KEYRING", "1")
    package = SimpleNamespace(get_password=lambda *_: KEY, __spec__=SimpleNamespace(name="keyring"))
    monkeypatch.setitem(sys.modules, "keyring", package)


@pytest.mark.parametrize("give", [by_environment, by_file, by_keyring])
def test_a_key_is_in_no_file_and_nothing_printed(give, here: Command, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    give(tmp_path, monkeypatch)
    questions(tmp_path / "q.jsonl", 5)
    with served(echo) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        said = [
            here("run", "./q.jsonl", "--model", "openai/gpt-x", "--out", "out"),
            here(
                "run", "./q.jsonl", "--model", "openai/gpt-x", "--out", "out", "--dry-run", "--requests", "out/r.jsonl"
            ),
            here("show", "--out", "out", "--json"),
            here("doctor", "--model", "openai/gpt-x"),
        ]
    assert {asked.headers["authorization"] for asked in stub.asked} == {f"Bearer {KEY}"}
    assert said[0].returncode == 1
    printed = "".join(each.stdout + each.stderr for each in said)
    assert [form for form in SHOWN if form in printed] == []
    files = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert {"ledger.sqlite", "run.json", "requests.parquet"} <= {file.name for file in files}
    for file in files:
        assert [form for form in SHOWN if form.encode() in file.read_bytes()] == [], file
    kept = kept_texts(tmp_path / "out")
    assert len(kept) > 4
    assert [form for form in SHOWN for text in kept if form in text] == []
