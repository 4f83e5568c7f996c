"""Base URLs: what is private, and what a proxy is for."""

import pytest

from holoscope.core import UsageError
from holoscope.models.addresses import is_private, proxy_for, read_address


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://localhost/v1", True),
        ("http://192.168.1.7:1234/v1", True),
        ("http://10.1.2.3/v1", True),
        ("http://node17:8000/v1", True),
        ("http://gpu.local/v1", True),
        ("https://api.openai.com/v1", False),
        ("http://8.8.8.8/v1", False),
    ],
)
def test_own_machines_are_told_from_others(url: str, private: bool) -> None:
    assert is_private(url) is private


@pytest.mark.parametrize("text", ["127.0.0.1:8000/v1", "api.example.org", "ftp://x/v1", "http://"])
def test_an_address_needs_its_scheme(text: str) -> None:
    with pytest.raises(UsageError, match="expected one such as http"):
        read_address(text)


def test_an_address_loses_its_last_slash_and_keeps_its_query() -> None:
    assert read_address("https://x.example/v1/?api-version=2").url == "https://x.example/v1?api-version=2"


def test_a_proxy_is_for_others_than_oneself() -> None:
    environ = {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "skip.example,.also.example"}
    assert proxy_for("https://api.openai.com/v1", environ) == "http://proxy:3128"
    assert proxy_for("https://192.168.0.2/v1", environ) is None
    assert proxy_for("https://skip.example/v1", environ) is None
    assert proxy_for("https://deep.also.example/v1", environ) is None
    assert proxy_for("http://api.openai.com/v1", environ) is None
