"""Live progress of a suite: a table that redraws itself on a terminal, plain lines elsewhere.

Both are drawn from the engine's counts a few times a second, so drawing costs the same for ten requests a second as for
ten thousand.
"""

import asyncio
import math
import time
from typing import TYPE_CHECKING

from holoscope.cli.session import console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from holoscope.engine import RunCount
    from holoscope.pipeline import SuiteRun

_REDRAW_S = 0.25
_LINE_S = 10.0
_MOST_ROWS = 12
"""Runs under way that are shown; the others are counted."""


async def watch(suite: "SuiteRun") -> None:
    """Show progress on standard error until cancelled."""
    screen = console(stderr=True)
    start = time.monotonic()
    if screen.is_terminal:
        await _draw(suite, screen, start)
    else:
        await _print_lines(suite, screen, start)


async def _draw(suite: "SuiteRun", screen: "Console", start: float) -> None:
    from rich.live import Live

    with Live(console=screen, auto_refresh=False, transient=True) as live:
        while True:
            await asyncio.sleep(_REDRAW_S)
            live.update(table(suite, time.monotonic() - start), refresh=True)


async def _print_lines(suite: "SuiteRun", screen: "Console", start: float) -> None:
    said: tuple[int, list[str]] | None = None
    while True:
        await asyncio.sleep(_LINE_S)
        done = sum(count.done for count in suite.progress.runs.values())
        news = done, [wait.reason for wait in suite.progress.waits.values() if wait.until == math.inf]
        if news != said:
            screen.print(summary(suite, time.monotonic() - start), soft_wrap=True)
            said = news


def table(suite: "SuiteRun", elapsed: float) -> "Table":
    """The runs under way, and the totals below them."""
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=None, pad_edge=False, caption=Text(summary(suite, elapsed)), caption_justify="left")
    shown.add_column("run", overflow="ellipsis", no_wrap=True, ratio=1)
    for name in ("done", "of", "failed"):
        shown.add_column(name, justify="right")
    under_way = [(i, c) for i, c in suite.progress.runs.items() if c.total is None or c.done < c.total]
    for index, count in under_way[:_MOST_ROWS]:
        shown.add_row(Text(suite.specs[index].name), *_cells(count))
    if len(under_way) > _MOST_ROWS:
        shown.add_row(f"... and {len(under_way) - _MOST_ROWS} more", "", "", "")
    return shown


def _cells(count: "RunCount") -> tuple[str, str, str]:
    total = "?" if count.total is None else f"{count.total:,}"
    return f"{count.done:,}", total, f"{count.failed:,}" if count.failed else ""


def summary(suite: "SuiteRun", elapsed: float) -> str:
    """One line: runs, requests, rate, tokens, retries, cost, waits, time left."""
    progress = suite.progress
    counts = progress.runs.values()
    done = sum(c.done for c in counts)
    fresh = done - sum(c.cached for c in counts)
    finished = sum(1 for c in counts if c.total is not None and c.done >= c.total)
    parts = [f"{finished}/{len(suite.specs)} runs", f"{done:,} answers"]
    if fresh:
        parts.append(f"{fresh / elapsed:,.1f} requests/s")
    if tokens := progress.prompt_tokens + progress.completion_tokens:
        parts.append(f"{tokens:,} tokens")
    if progress.retries:
        parts.append(f"{progress.retries:,} retries")
    if progress.cost:
        unknown = f" + {progress.unpriced:,} of unknown price" if progress.unpriced else ""
        parts.append(f"${progress.cost:.4f}{unknown}")
    parts += [f"{name}: {wait.reason}" for name, wait in progress.waiting(asyncio.get_running_loop().time()).items()]
    if (left := _what_is_left(suite, done, fresh, elapsed)) is not None:
        parts.append(left)
    return " · ".join(parts)


def _what_is_left(suite: "SuiteRun", done: int, fresh: int, elapsed: float) -> str | None:
    """Time from the rate so far, or what is waited for; None while the number of requests is not known."""
    counts = suite.progress.runs
    if not fresh or len(counts) < len(suite.specs) or any(c.total is None for c in counts.values()):
        return None
    left = sum(c.total or 0 for c in counts.values()) - done
    if left <= suite.progress.in_flight:
        return f"waiting for {left:,}" if left else "scoring"
    seconds = round(left * elapsed / fresh)
    return f"{seconds // 60}:{seconds % 60:02d} left"
