"""Windows whose server counts: each server's format, what is asked and what is not, and every way it may fail."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holoscope.core import Settings
from holoscope.models import EstimateWindow, Limits, Window, resolve
from holoscope.models.counting import Counter
from holoscope.models.endpoint import Endpoint
from holoscope.models.model import Capabilities
from holoscope.models.served_window import ServedWindow

Reply = Callable[[str, dict[str, Any]], Any]
"""What a path says to a body: JSON, bytes as they are, or a status."""
TOKEN = re.compile(r" ?\w\w?|\W")


class Server:
    """A loopback server in a thread, since windows ask synchronously."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.asked: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.url = ""

    def window(self, settings: Settings, name: str = "vllm/m", path: str = "/v1") -> Window:
        return resolve(name, settings, base_url=self.url + path).window()


@contextmanager
def serving(reply: Reply) -> Iterator[Server]:
    server = Server(reply)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet for a reply, as real servers send it

        def _answer(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            server.asked.append(self.path)
            server.bodies.append(body)
            server.headers.append(self.headers.get("authorization") or "")
            said = server.reply(self.path, body)
            status = said if isinstance(said, int) else 200
            data = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _answer

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        server.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


def vllm(path: str, body: dict[str, Any]) -> Any:
    if path == "/v1/models":
        return {"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 20}, {"id": "other", "max_model_len": 7}]}
    if path != "/tokenize":
        return 404
    assert (body["model"], body["add_special_tokens"]) == ("m", False)
    tokens = TOKEN.findall(body["prompt"])
    strings = [token.replace(" ", "Ġ").replace("\n", "Ċ") for token in tokens]
    return {"count": len(tokens), "max_model_len": 20, "tokens": [*range(len(tokens))], "token_strs": strings}


def llamacpp(path: str, body: dict[str, Any]) -> Any:
    if path == "/v1/models":
        return {"data": [{"id": "m.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 8192}}]}
    if path == "/props":
        return {"default_generation_settings": {"n_ctx": 20}, "total_slots": 1}
    if path != "/tokenize":
        return 404
    tokens = TOKEN.findall(body["content"])
    pieces: list[Any] = [[*piece.encode()] if piece == "é" else piece for piece in tokens]
    return {"tokens": [{"id": at, "piece": piece} for at, piece in enumerate(pieces)]}


def tgi(path: str, body: dict[str, Any]) -> Any:
    if path == "/v1/models":
        return {"data": [{"id": "m", "owned_by": "m"}]}
    if path == "/info":
        return {"max_total_tokens": 20, "max_input_tokens": 19}
    if path != "/tokenize":
        return 404
    found = [(match.group(), match.start(), match.end()) for match in TOKEN.finditer(body["inputs"])]
    return [{"id": 1, "text": "<s>", "start": 0, "stop": 0}] + [
        {"id": 2, "text": text, "start": start, "stop": stop} for text, start, stop in found
    ]


SERVERS = pytest.mark.parametrize("reply", [vllm, llamacpp, tgi])


@SERVERS
def test_each_server_counts_and_says_how_long_its_window_is(reply: Reply, settings: Settings) -> None:
    with serving(reply) as server:
        window = server.window(settings)
        assert (window.max_request_length, window.max_sequence_and_generated) == (20, 20)
        assert (window.count("the cat\nsat"), window.exact, window.estimates) == (7, True, False)
        assert window.pieces("the cat\nsat") == ["th", "e", " ca", "t", "\n", "sa", "t"]


@SERVERS
def test_after_the_first_reply_it_is_asked_in_its_own_words(reply: Reply, settings: Settings) -> None:
    with serving(reply) as server:
        window = server.window(settings)
        assert [window.count("a"), window.count("b c")] == [1, 2]
        assert len(server.bodies[0]) > len(server.bodies[1])


def test_bytes_that_are_no_text_are_put_together(settings: Settings) -> None:
    with serving(llamacpp) as server:
        assert server.window(settings).pieces("é!") == ["é", "!"]


def test_tokens_that_do_not_spell_the_text_are_its_characters(settings: Settings) -> None:
    with serving(lambda path, body: {"count": 1, "tokens": [5], "token_strs": ["[UNK]"]}) as server:
        window = server.window(settings)
        assert (window.pieces("abc"), window.count("abc")) == (["a", "b", "c"], 1)


def test_what_is_known_is_not_asked_again_and_what_surely_fits_not_at_all(settings: Settings) -> None:
    with serving(vllm) as server:
        window = server.window(settings, "vllm/m?window=100")
        assert (window.count("a b"), window.count("a b")) == (2, 2)
        assert server.asked == ["/tokenize"]
        before = window.estimates
        assert (window.count_within("a b c d", 8), window.count_within("a b c d", None)) == (2, 2)
        assert server.asked == ["/tokenize"]
        assert (before, window.estimates) == (False, True)
        assert window.count_within("a b c d", 7) == 4
        assert window.count_within("é é", 30) == 2  # what is not ASCII may be made longer before it is read
        assert server.asked == ["/tokenize"] * 3


def test_what_does_not_fit_is_cut_to_what_was_counted(settings: Settings) -> None:
    with serving(vllm) as server:
        window = server.window(settings)
        text = "the cat sat on the mat " * 10
        cut = window.truncate_right(text, 7)
        assert (window.count(cut), text.startswith(cut), window.exact) == (7, True, True)


def fails(how: str) -> Reply:
    replies: dict[str, Any] = {
        "absent": 404,
        "broken": 500,
        "html": b"<html>Welcome</html>",
        "other": {"error": "Unexpected endpoint or method"},
        "empty": [{"nothing": 1}],
    }
    return lambda path, body: replies[how]


@pytest.mark.parametrize("how", ["absent", "broken", "html", "other", "empty"])
def test_without_an_answer_all_is_estimated_and_it_is_asked_once(how: str, settings: Settings) -> None:
    with serving(fails(how)) as server:
        window = server.window(settings, "vllm/m?window=100")
        assert [window.count("x" * 40), window.count("y" * 8)] == [10, 2]
        assert (window.exact, window.estimates, server.asked) == (False, True, ["/tokenize"])
        assert window.source.startswith("estimated: 4 bytes a token (/tokenize: ")
        assert window.pieces("abcde") == ["abcd", "e"]
        assert window.truncate_right("x" * 40, 3) == "x" * 12


def test_where_nobody_listens_all_is_estimated(settings: Settings) -> None:
    with serving(vllm) as server:
        pass
    window = server.window(settings)
    assert (window.max_request_length, window.count("x" * 40), window.exact) == (None, 10, False)


def test_one_that_hangs_is_not_waited_for(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holoscope.models.counting.TIMEOUT_S", 0.05)
    over = threading.Event()
    with serving(lambda path, body: over.wait() and 404) as server:
        window = server.window(settings, "vllm/m?window=100")
        assert (window.count("x" * 40), window.exact) == (10, False)
        over.set()


def test_lengths_counted_before_it_failed_are_not_mixed_with_estimates(settings: Settings) -> None:
    with serving(vllm) as server:
        window = server.window(settings, "vllm/m?window=100")
        assert window.count("a b c d") == 4
        server.reply = fails("broken")
        assert window.truncate_right("z " * 50, 4) == EstimateWindow().truncate_right("z " * 50, 4)
        assert (window.count("a b c d"), window.exact) == (2, False)


@given(text=st.text(max_size=40), limit=st.integers(-1, 12), lasts=st.integers(0, 9))
def test_t122_holds_also_where_the_server_fails_midway(text: str, limit: int, lasts: int) -> None:
    class Flaky(Counter):
        left = lasts

        def count(self, text: str) -> int | None:
            if self.left <= 0:
                self.failure = "it is gone"
            self.left -= 1
            return None if self.failure else len(TOKEN.findall(text))

    window = ServedWindow(counter=Flaky(Endpoint("http://127.0.0.1/v1", "m", Capabilities())))
    cut = window.truncate_right(text, limit)
    window.counter.__class__.left = 1 << 30  # type: ignore[attr-defined]
    assert window.count(cut) <= max(limit, 0)
    assert text.startswith(cut)


def test_a_key_is_sent_to_it(settings: Settings) -> None:
    with serving(vllm) as server:
        known = Settings(cache_dir=settings.cache_dir, environ={"VLLM_API_KEY": "k"})
        assert server.window(known).count("a") == 1
        assert server.headers == ["Bearer k"]


def test_a_server_below_a_path_is_asked_there(settings: Settings) -> None:
    with serving(lambda path, body: vllm(path.removeprefix("/llm"), body)) as server:
        assert server.window(settings, path="/llm/v1").count("a") == 1
        assert server.asked == ["/llm/tokenize"]


@pytest.mark.parametrize("name", ["openai/gpt-4o", "together/a/b"])
def test_a_providers_api_is_not_asked(name: str, settings: Settings) -> None:
    known = Settings(cache_dir=settings.cache_dir, environ={"OPENAI_API_KEY": "k", "TOGETHER_API_KEY": "k"})
    assert isinstance(resolve(name, known).window(), EstimateWindow)


def test_a_server_with_a_public_name_is_asked_if_the_user_says_so(settings: Settings) -> None:
    known = Settings(cache_dir=settings.cache_dir, environ={"LAB_API_KEY": "k"})
    assert isinstance(resolve("lab/m", known, base_url="https://llm.example.org/v1").window(), EstimateWindow)
    asked = resolve("lab/m?tokenizer=endpoint", known, base_url="https://llm.example.org/v1").window()
    assert isinstance(asked, ServedWindow)


def test_a_tokenizer_at_hand_goes_before_the_server_which_still_says_its_window(settings: Settings) -> None:
    with serving(vllm) as server:
        window = server.window(settings, "vllm/m?tokenizer=words")
        assert (window.count("the cat"), window.source, window.exact) == (2, "words", True)
        assert server.asked == []
        assert window.max_request_length == 20


def test_a_tokenizer_in_a_hubs_cache_is_found_by_the_models_name(settings: Settings, tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    folder = tmp_path / "hub" / "models--lab--tiny"
    for revision in ("old", "new"):
        (folder / "snapshots" / revision).mkdir(parents=True)
        made.save(str(folder / "snapshots" / revision / "tokenizer.json"))
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("new", encoding="utf-8")
    known = Settings(cache_dir=settings.cache_dir, environ={"HF_HOME": str(tmp_path)})
    window = resolve("vllm/lab/tiny?window=9", known).window()
    assert (window.count("a b a"), window.limits) == (3, Limits(9))
    assert "/snapshots/new/" in window.source
    assert not resolve("openrouter/lab/other", known, needs_key=False).window().exact
