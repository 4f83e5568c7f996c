"""Which hosts of benchmark rows can be reached, asked all at once and within a fixed time.

A track's rows lie on dozens of hosts. Where there is no network, or a firewall drops what is sent, asking one after the
other would take minutes to say nothing; asked together they take as long as the slowest is waited for.
"""

from collections.abc import Iterable, Sequence
from threading import Thread
from time import monotonic

from holoscope.core import Settings
from holoscope.scenarios.fetch import PROBE_TIMEOUT, host_of, unreachable

MOST_AT_ONCE = 32
"""Addresses asked at a time."""


def find_unreached(urls: Iterable[str], settings: Settings, wait_s: float = PROBE_TIMEOUT) -> None:
    """Ask each host of `urls` once; those that don't answer are in `settings.unreached` from then on."""
    by_host = {host_of(url): url for url in urls}
    waiting = {host: url for host, url in by_host.items() if host not in settings.unreached}
    _ask(list(waiting.values()), settings, wait_s, {})


def find_refused(urls: Iterable[str], settings: Settings, wait_s: float = PROBE_TIMEOUT) -> dict[str, str]:
    """Why each of `urls` can't be had, for those that can't; addresses of hosts that were not reached are not asked."""
    each = list(dict.fromkeys(urls))
    find_unreached(each, settings, wait_s)
    found = {url: unreachable(url, settings.unreached) or "" for url in each if host_of(url) in settings.unreached}
    asked = [url for url in each if url not in found]
    for start in range(0, len(asked), MOST_AT_ONCE):
        _ask(asked[start : start + MOST_AT_ONCE], settings, wait_s, found)
    return {url: reason for url, reason in found.items() if reason}


def _ask(urls: Sequence[str], settings: Settings, wait_s: float, found: dict[str, str]) -> None:
    """Ask all at once; what does not answer in time counts as not reached.

    The threads are left behind if they hang in a look-up of a name, which no time limit of ours ends.
    """

    def ask(url: str) -> None:
        found[url] = unreachable(url, settings.unreached) or ""

    threads = {url: Thread(target=ask, args=(url,), daemon=True) for url in urls}
    for thread in threads.values():
        thread.start()
    end = monotonic() + wait_s
    for url, thread in threads.items():
        thread.join(max(0.0, end - monotonic()))
        if thread.is_alive():
            settings.unreached.setdefault(host_of(url), f"no answer within {wait_s:g} s")
            found[url] = unreachable(url, settings.unreached) or ""
